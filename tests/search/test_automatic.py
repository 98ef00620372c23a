"""The decisions of `auto`, with a simulated clock and a simulated helper."""

import pytest
from fmcts._numba.cache import on_disk

from fmcts import STOP, Search, SplitMix, _compiled as compiled, analyse
from fmcts._engines import driver
from fmcts._running import automatic, helper
from fmcts._running.automatic import Automatic
from fmcts._running.entry_points import found_by, root_to_search
from fmcts._running.registry import ENGINES, find_engine
from fmcts.errors import RulesError
from fmcts.games import connect4, tictactoe
from fmcts.notices import listening
from fmcts.search._tree import plant
from fmcts.search._watch import ignore

RNG = SplitMix.from_seed(1)
SECONDS = 1 / 64  # that an iteration in place takes by this clock


class World:
    """What `auto` sees: a clock, numba, the disk and a helper process."""

    def __init__(self):
        self.now = 0.0
        self.loaded = self.on_disk = False
        self.why_no_helper = None
        self.ends_with = helper.Outcome.DONE  # the helper, after `takes` seconds
        self.takes = 4.0
        self.wrong = None  # an error of the rules
        self.other_code = False  # the helper makes other code than is needed
        self.done = []  # what was done, in order
        self.helped = None

    def is_loaded(self):
        return self.loaded

    def load(self):
        if not self.loaded:
            self.done.append('load')
            self.now += 0.7
            self.loaded = True

    def prepare(self, _state, _rng, _search, *, compiling, digest):
        assert not digest
        self.load()
        if self.wrong:
            raise self.wrong
        if not compiling and (not self.on_disk or self.other_code):
            self.done.append('missing')
            raise on_disk.NotOnDiskError
        self.done.append('compile' if compiling else 'read')
        self.now += 4.0 if compiling else 0.1

    def start(self, _request, served):
        if self.helped:
            return False
        self.done.append('help')
        self.helped = served, self.now + self.takes
        return True

    def serves(self, served):
        return bool(self.helped) and self.helped[0] is served

    def poll(self):
        if not self.helped or self.now < self.helped[1]:
            return None
        served, self.helped = self.helped[0], None
        self.on_disk = self.ends_with is helper.Outcome.DONE
        return served, self.ends_with

    def in_place(self, root, rng, search, watch):
        def told(done):
            if done > told.before:
                self.now += (done - told.before) * SECONDS
            told.before = done
            return watch(done)

        told.before = 0
        self.done.append('in place')
        return ENGINES['persistent'].run(root, rng, search, told)

    def fast(self, root, rng, search, watch):
        self.done.append('fast')
        return ENGINES['inplace'].run(root, rng, search, watch)

    def search(self, search, watch=ignore, seconds=None):
        """Search by `auto`, which must find what another engine finds."""
        self.done.clear()
        auto = Automatic(self.fast, lambda *_: None, self.in_place, 'inplace', seconds)
        root = root_to_search(tictactoe.start, search, None, None)
        found, after = found_by(auto, root, RNG, search, watch)
        again = Search(found.iterations, selection=search.selection)
        assert analyse(tictactoe.start, RNG, again, engine='inplace') == (found, after)
        return self.done

    def iterations(self, seconds):
        return Search(int(seconds / SECONDS))


class FourAtATime:
    """Chunks of a search that do not depend on the time it takes."""

    def begin(self, most):
        return min(4, most)

    def end(self):
        pass


@pytest.fixture
def world(monkeypatch):
    made = World()
    monkeypatch.setattr(driver, 'ChunkSize', FourAtATime)
    monkeypatch.setattr(automatic, 'READING', 0.1)
    monkeypatch.setattr(automatic, 'COMPILING', 4.0)
    monkeypatch.setattr(automatic, '_kinds', {})
    monkeypatch.setattr(automatic, 'thread_time', lambda: made.now)
    monkeypatch.setattr(automatic, 'perf_counter', lambda: made.now)
    monkeypatch.setattr(compiled, 'is_loaded', made.is_loaded)
    monkeypatch.setattr(compiled, 'broken', made.load)
    monkeypatch.setattr(compiled, 'prepare_search', made.prepare)
    monkeypatch.setattr(on_disk, 'is_complete', lambda _name: made.on_disk)
    for name in ('start', 'serves', 'poll'):
        monkeypatch.setattr(helper, name, getattr(made, name))
    monkeypatch.setattr(helper, 'obstacle', lambda: made.why_no_helper)
    return made


def test_searches_shorter_than_loading_run_in_place(world):
    world.on_disk = True
    assert world.search(world.iterations(0.7)) == ['in place']


def test_cached_code_is_loaded_as_soon_as_it_pays(world):
    """At once: the search in place has hardly begun."""
    world.on_disk = True
    assert world.search(world.iterations(3)) == ['in place', 'load', 'read', 'fast']
    assert world.now < 1.0
    assert world.search(Search(5)) == ['fast']  # it is there


def test_many_short_searches_add_up(world):
    world.on_disk = True
    for _ in range(8):
        assert world.search(world.iterations(0.1)) == ['in place']
    assert world.search(world.iterations(0.1)) == ['load', 'read', 'fast']


def progress(_done):
    """A watch of someone who would notice that a search stands still."""


def test_a_helper_compiles_while_a_watched_search_runs_in_place(world):
    """A helper compiles while the search goes on; numba is loaded meanwhile."""
    done = world.search(world.iterations(60), progress)
    assert done == ['in place', 'help', 'load', 'read', 'fast']
    assert world.now < 4.5


def test_long_searches_without_a_watch_compile_here(world):
    heard = []
    with listening(heard.append):
        assert world.search(world.iterations(60)) == ['in place', 'load', 'compile', 'fast']
    assert world.now < 5.0
    assert ' '.join(heard) == (
        'compiling machine code for TicTacToe (UCB1) in this process: the search would take '
        'another 60 s without it'
    )


def test_one_process_compiles_for_all(world):
    """The others go on in place, until the machine code is on disk."""
    with helper.alone() as ours:
        assert ours
        assert world.search(world.iterations(60)) == ['in place', 'help', 'load', 'read', 'fast']


def test_a_search_does_not_wait_for_the_helper(world):
    assert world.search(world.iterations(4.4)) == ['in place', 'help']
    assert world.now < 4.5
    assert world.search(world.iterations(0.4)) == ['load', 'read', 'fast']


def test_short_searches_do_not_start_the_helper(world):
    assert world.search(world.iterations(3.9)) == ['in place']
    assert world.search(world.iterations(3.9)) == ['help', 'in place']  # but two of them do
    assert world.search(world.iterations(3.9)) == ['in place', 'load', 'read', 'fast']


def test_a_notice_gives_the_time_that_searches_took(world):
    """The next one takes less than a second."""
    heard = []
    with listening(heard.append):
        for _ in range(5):
            world.search(world.iterations(0.9))
    assert ' '.join(heard) == (
        'compiling machine code for TicTacToe (UCB1) in a helper process: such searches have taken '
        '4 s without it'
    )


def test_without_a_helper_the_process_compiles_if_it_pays(world):
    world.why_no_helper = 'there is only one processor'
    heard = []
    with listening(heard.append):
        assert world.search(world.iterations(4.7), progress) == ['in place']
        world.__init__()
        world.why_no_helper = 'there is only one processor'
        automatic._kinds.clear()
        done = world.search(world.iterations(6), progress)
        assert done == ['in place', 'load', 'compile', 'fast']
    said = 'compiling machine code for TicTacToe (UCB1) in this process: '
    assert heard == [said + 'there is only one processor']


def test_code_unknown_to_the_helper_is_compiled_here(world):
    heard = []
    search = Search(1000, selection=lambda edge, _parent: edge.value)
    with listening(heard.append):
        assert world.search(search, progress) == ['in place', 'load', 'compile', 'fast']
    assert heard[0].startswith(
        'compiling machine code for TicTacToe (Rule) in this process: '
        'a helper process could not import all of it ('
    )


def test_the_notice_says_what_is_compiled_and_why(world):
    heard = []
    with listening(heard.append):
        world.search(world.iterations(60), progress)
    assert ' '.join(heard) == (
        'compiling machine code for TicTacToe (UCB1) in a helper process: the search would take '
        'another 60 s without it'
    )


@pytest.mark.parametrize('outcome', [helper.Outcome.FAILED, helper.Outcome.BUSY])
def test_a_helper_that_fails(world, outcome):
    world.ends_with, world.takes = outcome, 1.0
    done = world.search(world.iterations(30), progress)
    if outcome is helper.Outcome.FAILED:
        assert done == ['in place', 'help', 'load', 'compile', 'fast']
    else:  # it is asked again, but not all the time
        assert done[:3] == ['in place', 'help', 'load']
        assert set(done[3:]) == {'help'}
        assert 10 < len(done) <= 30 / 1.5 + 3


def test_a_helper_with_other_code_is_not_asked_again(world):
    world.other_code = True
    done = world.search(world.iterations(60), progress)
    assert done == ['in place', 'help', 'load', 'missing', 'compile', 'fast']


def test_a_false_entry_in_the_cache_is_noticed(world):
    """It says that the code is on disk, and it is not."""
    world.on_disk = world.other_code = True
    done = world.search(world.iterations(60), progress)
    assert done == ['in place', 'load', 'missing', 'help', 'missing', 'compile', 'fast']


def test_broken_rules_are_detected_once(world):
    world.on_disk, world.wrong = True, RulesError('broken')
    heard = []
    with listening(heard.append):
        assert world.search(world.iterations(3)) == ['in place', 'load']
        assert world.search(world.iterations(3)) == ['in place']
    assert heard == ['broken; continuing with the engine inplace']


def test_watch_receives_each_iteration_once_and_can_end_the_search(world):
    """The engine that takes over begins anew, and nobody hears of that."""
    world.on_disk, told = True, []

    def watch(done):
        told.append(done)
        return STOP if done >= 400 else None

    assert world.search(world.iterations(60), watch) == ['in place', 'load', 'read', 'fast']
    assert told == sorted(set(told))
    assert told[0] == 0


def test_under_a_time_limit_cached_code_is_loaded_first(world):
    world.on_disk = True
    search = Search(1000)
    assert world.search(search, seconds=3.0) == ['load', 'read', 'fast']


def test_under_a_time_limit_nothing_is_compiled_first(world):
    """The search begins at once, and machine code comes when it is there."""
    search = Search(10_000)

    def until(done):
        return STOP if world.now >= 20.0 and done else None

    done = world.search(search, until, seconds=20.0)
    assert done == ['help', 'in place', 'load', 'read', 'fast']


@pytest.mark.needs_numba
@pytest.mark.parametrize(('iterations', 'begins_fast'), [(100_000, True), (1_000, False)])
def test_large_compiled_trees_stay_compiled(world, iterations, begins_fast):
    """A search in place would make a node of each of its numbers before the first iteration."""
    grown, rng = analyse(tictactoe.start, RNG, Search(iterations), engine='compiled')
    world.on_disk = True
    auto = Automatic(world.fast, lambda *_: None, world.in_place, 'inplace')
    choice = automatic._Choice(grown.tree, rng, Search(5), auto)
    assert choice.begins_fast() == begins_fast


def test_announced_iterations_count(world):
    world.on_disk = True
    automatic.expect(tictactoe.start, RNG, Search(10), 1000)
    assert world.search(world.iterations(0.2)) == ['in place', 'load', 'read', 'fast']


def test_measurements_are_kept_per_kind_of_search(world):
    world.on_disk = True
    world.search(world.iterations(3))
    assert world.search(Search(5, selection='puct')) == ['in place']


def test_the_number_of_measured_kinds_is_limited(world, monkeypatch):
    monkeypatch.setattr(automatic, 'KINDS', 2)
    for c in ('ucb1', 'puct', 'ucb-v'):
        world.search(Search(5, selection=c))
    assert len(automatic._kinds) == 2


def test_unsupported_searches_run_in_place():
    graph = Search(5, transpositions='sound')
    assert find_engine('auto', plant(connect4.start), RNG, graph) is ENGINES['inplace']
