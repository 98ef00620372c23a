"""`auto`: in place until linking has paid, then linked; the clock decides nothing but the speed."""

import pytest
from attrs import define, evolve

from fmcts import STOP, Search, SplitMix, StdGen, analyse, analyse_for, prepare
from fmcts._engines.plan import fitted
from fmcts._running import automatic
from fmcts._running.automatic import Automatic
from fmcts._running.registry import ENGINES
from fmcts.errors import EngineError, FinishedGameError, RulesError
from fmcts.games import connect4, tictactoe
from fmcts.notices import listening
from fmcts.search._tree import plant
from fmcts.search._watch import chunks_by_count

RNG = SplitMix.from_seed(1)
IN_PLACE = ENGINES['inplace'].run


class World:
    """A clock that a search in place moves on, by a second at each report; and what ran."""

    def __init__(self):
        self.now, self.done, self.wrong = 0.0, [], None

    def time(self):
        self.now += 1.0
        return self.now

    def slow(self, *given):
        self.done.append('in place')
        return IN_PLACE(*given)

    def fast(self, *given):
        if self.wrong:
            raise self.wrong
        self.done.append('linked')
        return IN_PLACE(*given)

    def search(self, search, watch=lambda _done: None, *, timed=False, state=tictactoe.start):
        """What ran, in order; the result is always that of the reference."""
        self.done = []
        auto = Automatic(self.fast, self.slow, 'inplace', timed)
        found, after = auto(fitted(plant(state), search), RNG, search, watch)
        expected, other = analyse(state, RNG, search, engine='persistent')
        assert (found, after) == (expected.tree, other)
        return self.done


@pytest.fixture
def world(monkeypatch):
    made = World()
    monkeypatch.setattr(automatic, 'thread_time', made.time)
    monkeypatch.setattr(automatic, 'PAYS', 10.0)
    monkeypatch.setattr(automatic, '_spent', {})
    return made


def test_short_searches_run_in_place_until_their_seconds_add_up(world):
    """Each takes a few reports, and ends in the middle of one where the ten seconds are over."""
    done = [world.search(Search(20)) for _ in range(5)]
    assert done[0] == ['in place']
    assert done[-1] == ['linked']
    first = next(index for index, each in enumerate(done) if each != ['in place'])
    assert done[first] in (['in place', 'linked'], ['linked'])
    assert all(each == ['linked'] for each in done[first + 1 :])


def test_a_long_search_begins_again_and_its_watch_hears_each_number_once(world, monkeypatch):
    heard = []
    monkeypatch.setattr(automatic, 'PAYS', 2.5)
    with chunks_by_count():
        done = world.search(Search(100_000, max_nodes=2_000), heard.append)
    assert done == ['in place', 'linked']
    assert heard == sorted(set(heard))
    assert heard[0] == 0


def test_a_watch_that_stops_is_obeyed(world):
    auto = Automatic(world.fast, world.slow, 'inplace')
    tree, _ = auto(plant(tictactoe.start), RNG, Search(10**9), lambda done: STOP if done else None)
    assert tree.visits > 0
    assert world.done == ['in place']


def test_a_tree_that_takes_long_to_copy_stays_in_place(world):
    """Machine code would have to copy it, too."""
    slow = world.slow

    def copying(*given):
        world.now += 100.0
        found = slow(*given)
        world.now += 100.0
        return found

    world.slow = copying
    assert [world.search(Search(5)) for _ in range(2)] == [['in place']] * 2


def test_kinds_are_counted_apart(world):
    """What differs in iterations only is of one kind."""
    while world.search(Search(20)) != ['linked']:
        pass
    assert world.search(Search(30)) == ['linked']
    assert world.search(Search(20, selection='ucb1-tuned')) == ['in place']
    assert world.search(Search(20), state=connect4.start) == ['in place']


def test_a_search_that_a_clock_ends_is_linked_before(world):
    assert world.search(Search(20), timed=True) == ['linked']


def test_rules_that_cannot_be_compiled_are_told_of(world):
    world.wrong, heard = RulesError('broken'), []
    with listening(heard.append):
        assert world.search(Search(20), timed=True) == ['in place']
    assert heard == ['broken; continuing with the engine inplace']


@pytest.mark.needs_numba
def test_a_tree_of_numbers_stays_one(world):
    grown, _ = analyse(tictactoe.start, RNG, Search(100), engine='compiled')
    auto = Automatic(world.fast, world.slow, 'inplace')
    auto(grown.tree, RNG, Search(5), lambda _done: None)
    assert world.done == ['linked']


@define
class Halves:
    """A function without a hash."""

    number: float = 0.5

    def __call__(self, _state):
        return self.number


def test_functions_without_a_hash_are_accepted():
    search = Search(30, evaluate=Halves())
    found = [analyse(tictactoe.start, RNG, search, engine=name) for name in ('auto', 'inplace')]
    assert found[0] == found[1]


@pytest.mark.needs_numba
def test_prepared_searches_are_linked_at_once(world, monkeypatch):
    assert prepare(tictactoe.start)
    assert prepare(tictactoe.start, Search(selection='puct'), rng=StdGen(1, 1))
    assert world.search(Search(20)) == ['linked']
    monkeypatch.setattr(automatic, '_spent', {})
    assert world.search(Search(20)) == ['in place']


@pytest.mark.needs_numba
def test_prepare_refuses_what_no_search_accepts():
    with pytest.raises(FinishedGameError, match='the game is over'):
        prepare(tictactoe.parse('XXXOO....').unwrap())
    with pytest.raises(TypeError, match='search must be a Search, not 9'):
        prepare(tictactoe.start, 9)
    with pytest.raises(EngineError, match='the engine compiled does not support schedules below'):
        prepare(tictactoe.start, Search(schedule='shot'))


@pytest.mark.needs_numba
def test_the_real_clock_changes_no_result(monkeypatch, linking):
    """From the first iteration on, after some milliseconds, and never."""
    search = Search(3_000)
    expected = analyse(tictactoe.start, RNG, search, engine='persistent')
    for seconds in (-1.0, 0.005, linking):
        monkeypatch.setattr(automatic, 'PAYS', seconds)
        monkeypatch.setattr(automatic, '_spent', {})
        found = analyse(tictactoe.start, RNG, search)
        assert found == expected
        assert found[0].tree == expected[0].tree


def test_a_timed_search_asks_for_an_engine_for_its_time(monkeypatch):
    asked = []

    def find(*_given, timed):
        asked.append(timed)
        return ENGINES['inplace']

    monkeypatch.setattr('fmcts._running.timed.find_engine', find)
    analyse_for(tictactoe.start, RNG, Search(max_nodes=5), seconds=7)
    assert asked == [True]


def test_counted_kinds_are_bounded(world, monkeypatch):
    monkeypatch.setattr(automatic, 'KINDS', 3)
    for number in range(5):
        world.search(evolve(Search(2), c=1.0 + number))
    assert len(automatic._spent) == 3
