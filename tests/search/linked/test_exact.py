"""Functions of positions compute with Python's integers, whatever their size."""

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts.errors import RulesError
from fmcts.games import othello
from fmcts.rules import OnPositions
from fmcts.solve import AlphaBeta, solve

pytestmark = pytest.mark.needs_numba

CORNER = 0x8000000000000000


def grows(position):
    number = 1
    for _ in range(50):
        number = 3 * number + (position[0] & 7)
    return (number % 1000) / 1000


def sums(position):
    number = 1 << 62
    return ((number + number + position[0] % 5) % 9) / 9


def shifts(position):
    return ((position[0] << 40) % 1001) / 1001


def looks_at_the_corner(position):
    return 0.5 * (position[0] >> 60) / 15 + 0.5 * (position[1] >> 60) / 15


def counts(position):
    total = 0
    for place in range(8):
        total += (position[0] >> 5 * place) & 1
    return total / 8


@pytest.mark.parametrize('evaluate', [grows, sums, shifts, looks_at_the_corner, counts])
def test_evaluators_give_every_engine_the_same_tree(evaluate):
    # Playouts of 50 plies reach the corner of bit 63 in nearly every game.
    search = Search(120, evaluate=OnPositions(evaluate), evaluate_after=50)
    trees = [
        analyse(othello.start, SplitMix.from_seed(3), search, engine=engine)[0].tree
        for engine in ('inplace', 'compiled')
    ]
    assert trees[0] == trees[1]


def test_arithmetic_on_unsigned_integers_is_refused():
    def adds(position):
        return ((position[0] + CORNER) % 7) / 7

    search = Search(100, evaluate=OnPositions(adds))
    with pytest.raises(RulesError, match='adds cannot be compiled: arithmetic on an integer of 2'):
        analyse(othello.start, SplitMix.from_seed(3), search, engine='compiled')


def test_a_float_to_the_power_of_an_integer_is_refused():
    """numba multiplies where Python calls `pow`: one result of four has another last bit."""

    def power(position, exponent):
        return (0.01 * (position[0] & 63)) ** exponent

    def whole(position):
        return power(position, 3)

    def exact(position):
        return power(position, 3.0)

    search = Search(100, evaluate=OnPositions(whole))
    with pytest.raises(RulesError, match=r'whole cannot be compiled: a float to the power of an'):
        analyse(othello.start, SplitMix.from_seed(3), search, engine='compiled')
    search = Search(100, evaluate=OnPositions(exact))
    one, two = (
        analyse(othello.start, SplitMix.from_seed(3), search, engine=engine)[0].tree
        for engine in ('inplace', 'compiled')
    )
    assert one == two


def test_the_solver_computes_with_them_too():
    values = [
        solve(othello.start, AlphaBeta(depth=4, evaluate=OnPositions(grows)), engine=engine).value
        for engine in ('persistent', 'compiled')
    ]
    assert values[0] == values[1]
