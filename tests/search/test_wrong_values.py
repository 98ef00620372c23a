"""Invalid and very large arguments: one line that names what is accepted."""

import pytest

from fmcts import Search, SplitMix, analyse, mcts, monte_carlo, trees
from fmcts._linked import compiles
from fmcts._running import playouts
from fmcts._running.registry import ENGINES
from fmcts.bots._treesearch import MctsBot
from fmcts.compare import compare_designs
from fmcts.games import connect4, tictactoe

RNG = SplitMix.from_seed(1)
START = tictactoe.start


@pytest.mark.parametrize(
    ('value', 'said'),
    [
        (0, '0 (did you mean Search(0)?)'),
        (500, '500 (did you mean Search(500)?)'),
        (True, 'True'),
        (False, 'False'),
        ('', "''"),
        ('mcts:500', "'mcts:500'"),
        ((), '()'),
        (Search, "<class 'fmcts.search._description.Search'>"),
    ],
)
def test_anything_but_a_search_is_refused(value, said):
    for act in (
        lambda: mcts(value),
        lambda: MctsBot(value),
        lambda: analyse(START, RNG, value),
        lambda: trees(START, RNG, value),
        lambda: compare_designs(START, RNG, value),
    ):
        with pytest.raises(TypeError) as told:
            act()
        assert str(told.value).startswith('search must be a Search, not ')
        assert str(told.value).endswith(said) or len(said) > 40


def test_none_means_the_default_search():
    assert mcts() == mcts(None) == mcts(Search()) == MctsBot()
    assert mcts(Search(500)).search.iterations == 500


@pytest.mark.parametrize('engine', ['auto', *ENGINES])
@pytest.mark.parametrize('times', [None, 1.5, float('nan'), -1, True, '5'])
def test_the_number_of_playouts_must_be_a_whole_number(times, engine):
    with pytest.raises(
        ValueError, match='times must be a whole number of at least 0, not '
    ) as told:
        playouts(START, RNG, times, engine=engine)
    assert str(told.value).endswith(repr(times))


@pytest.mark.parametrize('engine', [name for name in ENGINES if name != 'compiled' or compiles()])
def test_zero_playouts(engine):
    assert playouts(START, RNG, 0, engine=engine) == ({}, RNG)


class StopError(Exception):
    """Stands for Ctrl-C."""


@pytest.mark.parametrize('iterations', [2**31, 2**63 - 1, 2**63, 2**64, 10**30])
@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace', 'auto'])
def test_huge_numbers_of_iterations_can_be_interrupted(engine, iterations):
    told = []

    def watch(done):
        told.append(done)
        if done >= 200:
            raise StopError

    with pytest.raises(StopError):
        analyse(connect4.start, RNG, Search(iterations), engine=engine, watch=watch)
    assert told[-1] >= 200
    with pytest.raises(StopError):
        playouts(START, RNG, iterations, engine=engine, watch=watch)
    with pytest.raises(StopError):
        monte_carlo(iterations, engine=engine).analyse(START, RNG, watch=watch)
