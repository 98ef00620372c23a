"""The driver: the same budgets, stops and progress in every engine."""

import signal
import subprocess
import sys
from itertools import count

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st
from returns.unsafe import unsafe_perform_io

from fmcts import STOP, Search, SplitMix, analyse, analyse_for, trees
from fmcts._running import playouts
from fmcts._running.registry import ENGINES
from fmcts.games import connect4, tictactoe
from fmcts.search import _watch as chunks
from fmcts.search._analysis import stats_of
from fmcts.search._tree import plant
from fmcts.search.methods import METHODS
from fmcts.testing import positions, searches

RNG = SplitMix.from_seed(1)
LATE_WIN = tictactoe.parse('XX.OO....').unwrap()


def any_search(selection):
    return searches(max_iterations=200, selection=selection)


@pytest.fixture
def still():
    """No clock: every chunk is eight times as large as the one before."""
    with chunks.chunks_by_count():
        yield


@pytest.mark.usefixtures('still')
@pytest.mark.parametrize(
    ('iterations', 'told'), [(1, [0, 1]), (9, [0, 1, 9]), (250, [0, 1, 9, 73, 250])]
)
def test_every_engine_reports_the_same_progress(engine, iterations, told):
    seen = []
    analyse(tictactoe.start, RNG, Search(iterations), engine=engine, watch=seen.append)
    assert seen == told
    again = []
    tree = analyse(tictactoe.start, RNG, Search(40))[0]
    analyse(tictactoe.start, RNG, Search(iterations), engine=engine, watch=again.append, tree=tree)
    assert again == told


@pytest.mark.usefixtures('still')
def test_progress_of_a_search_that_ends_early(engine):
    seen, search = [], Search(500, max_nodes=131)
    analyse(tictactoe.start, RNG, search, engine=engine, watch=seen.append)
    assert seen == [0, 1, 9, 73, 130]


def stopping_at(number):
    """A watch that ends the search at its telling of that number."""
    tellings = count()
    return lambda _done: STOP if next(tellings) >= number else None


RUNNING = st.one_of(
    positions(tictactoe.start, running=True), positions(connect4.start, running=True)
)
ABLE = [
    name for name, it in ENGINES.items() if it.unsupported(plant(LATE_WIN), RNG, Search()) is None
]
ANY_ENGINE = st.sampled_from(ABLE)


@settings(max_examples=500)
@given(RUNNING, st.sampled_from(tuple(METHODS)).flatmap(any_search), ANY_ENGINE, st.integers(0, 5))
def test_an_interrupted_search_is_repeated_by_its_count(state, search, engine, number):
    if search.selection != 'ucb1' and engine == 'compiled':
        engine = 'monadic'  # machine code for each method and expansion would take minutes
    found, after = analyse(state, RNG, search, engine=engine, watch=stopping_at(number))
    again = evolve(search, iterations=found.iterations)
    repeated = analyse(state, RNG, again, engine='inplace')
    assert repeated == (found, after)
    assert repeated[0].digest == found.digest


@settings(max_examples=250)
@given(RUNNING, st.floats(1e-9, 0.003), ANY_ENGINE)
def test_a_search_by_time_is_repeated_by_its_count(state, seconds, engine):
    found, after = unsafe_perform_io(analyse_for(state, RNG, seconds=seconds, engine=engine))
    other = 'compiled' if engine == 'compiled' else 'inplace'  # as many as another has no time for
    repeated = analyse(state, RNG, Search(found.iterations), engine=other)
    assert repeated == (found, after)
    assert repeated[0].digest == found.digest


@pytest.mark.usefixtures('still')
@pytest.mark.parametrize('rule', [None, 'sound'])
@pytest.mark.parametrize(('told', 'made'), [(0, 1), (9, 9)])
def test_watch_can_stop_a_search_at_any_telling(engine, rule, told, made):
    """The first telling comes before any move has a visit, and one iteration is always made."""
    search = Search(5_000, transpositions=rule)
    if ENGINES[engine].unsupported(plant(tictactoe.start), RNG, search):
        return

    def watch(done):
        return STOP if done >= told else None

    found, _ = analyse(tictactoe.start, RNG, search, engine=engine, watch=watch)
    assert found.iterations == made


@pytest.mark.parametrize('engine', ['compiled', 'inplace'])
def test_watch_can_stop_playouts(engine):
    found, after = playouts(
        connect4.start, RNG, 10**9, engine=engine, watch=lambda done: STOP if done > 10 else None
    )
    assert 10 < found.total() < 10**9
    assert playouts(connect4.start, RNG, found.total(), engine='inplace') == (found, after)


def ahead(stats):
    """Whether a move has twice the visits of all others."""
    visits = sorted(row.visits for row in stats)
    return visits[-1] > 2 * sum(visits[:-1])


@pytest.mark.parametrize('iterations', [99, 100, 101, 700])
def test_stop_conditions_are_checked_every_hundredth_visit(engine, iterations):
    asked = []

    def never(stats):
        asked.append(sum(row.visits for row in stats))
        return False

    search = Search(iterations, stop=never)
    found = analyse(tictactoe.start, RNG, search, engine=engine)
    assert asked == list(range(100, iterations, 100))
    assert found == analyse(tictactoe.start, RNG, Search(iterations))


def test_stop_conditions_end_every_engine_alike(engine):
    state = connect4.start
    for move in (3, 0, 3, 0, 3, 1):
        state = state.play(move)  # column 3 wins
    search = Search(10_000, stop=ahead)
    found, after = analyse(state, RNG, search, engine=engine)
    assert found.iterations % 100 == 0
    assert found.iterations < 10_000
    by_hand = next(
        (tree, rng)
        for tree, rng in trees(state, RNG, Search())
        if tree.visits % 100 == 0 and ahead(stats_of(tree))
    )
    assert (found.tree, after) == by_hand
    *_, last = trees(state, RNG, search)
    assert last == by_hand
    # What has ended stays as it is.
    assert analyse(state, after, search, engine=engine, tree=found) == (found, after)


@pytest.mark.parametrize('count', [1, 7, 10])
def test_stop_conditions_do_not_depend_on_how_a_search_is_divided(engine, count):
    search, tree, rng = Search(100, stop=ahead), None, RNG
    for _ in range(count):
        tree, rng = analyse(LATE_WIN, rng, search, engine=engine, tree=tree)
    once = analyse(LATE_WIN, RNG, evolve(search, iterations=100 * count), engine=engine)
    assert once == (tree, rng)


# ---- interrupts ----


ENDLESS = """
import sys
from fmcts import Search, SplitMix, analyse
from fmcts.games import connect4
def watch(done):
    if done:
        print('begun', flush=True)
try:
    analyse(connect4.start, SplitMix.from_seed(1), Search(10**9), engine='compiled', watch=watch)
except KeyboardInterrupt:
    print('interrupted')
    sys.exit(7)
"""


@pytest.mark.needs_numba
def test_a_long_search_can_be_interrupted():
    with subprocess.Popen(
        [sys.executable, '-c', ENDLESS], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == 'begun\n'
        process.send_signal(signal.SIGINT)
        output = process.stdout.read()
    assert process.returncode == 7
    assert output.endswith('interrupted\n')
