"""Functions of positions compute with Python's integers, whatever their size."""

import math

import numpy as np
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


def shifts_far_left(position):
    return ((1 + (position[0] & 7) << (position[1] & 67)) % 1001) / 1001


def shifts_far_right(position):
    return ((1023 & position[0]) >> (position[1] & 127)) / 1023


@pytest.mark.parametrize(
    'evaluate',
    [grows, sums, shifts, looks_at_the_corner, counts, shifts_far_left, shifts_far_right],
)
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


@pytest.mark.parametrize('by', [64, -1])
def test_constant_shifts_that_are_too_far_are_refused(by):
    search = Search(100, evaluate=OnPositions(lambda position: 0 * (position[0] << by)))
    with pytest.raises(RulesError, match=f'cannot be compiled: a shift by {by}: at most by 63'):
        analyse(othello.start, SplitMix.from_seed(3), search, engine='compiled')


POWERS = [
    lambda x, _y: x**2,
    lambda x, _y: x**0.5,
    lambda _x, y: 2**y,
    lambda x, _y: math.pow(x, 2.0),
    lambda x, _y: pow(x, 2.0),
    lambda x, _y: np.power(x, 2.0),
    lambda x, y: x**y,
]


@pytest.mark.parametrize('power', POWERS, ids=range(len(POWERS)))
def test_powers_of_floats_are_refused(power):
    """Python calls `pow`; `x * x`, a root or `exp2` differ once in a thousand times."""

    def worth(position):
        return 0.5 * power(0.01 * (position[0] & 63), 1.0 / (1 + (position[1] & 7)))

    search = Search(100, evaluate=OnPositions(worth))
    with pytest.raises(RulesError, match=r'worth cannot be compiled: a power of floats: write x'):
        analyse(othello.start, SplitMix.from_seed(3), search, engine='compiled')


def test_powers_may_be_written_by_what_is_exact():
    def worth(position):
        x = 0.01 * (1 + (position[0] & 63))
        return 0.25 * (x * x + math.sqrt(x) + math.exp(1.7 * math.log(x)) + (position[0] & 1) ** 2)

    search = Search(100, evaluate=OnPositions(worth))
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
