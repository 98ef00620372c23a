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


@pytest.mark.parametrize(
    ('worth', 'reason'),
    [
        (lambda x: 0.5 * np.tanh(x), 'tanh of numpy, which may give floats with another last bit'),
        (lambda x: 0.1 * math.hypot(x, 1.0), 'hypot of math, which may give floats with another'),
        (lambda x: sum((x, x, x)) / 9, 'one call that makes a float of many: use a loop'),
        (lambda x: np.array([x, x]).mean(), 'one call that makes a float of many: use a loop'),
        (lambda x: float(np.float32(x)), 'a float of 32 bits'),
    ],
    ids=('numpy', 'math', 'sum', 'mean', '32 bits'),
)
def test_functions_whose_floats_may_differ_are_refused(worth, reason):
    search = Search(100, evaluate=OnPositions(lambda position: worth(0.01 * (position[0] & 63))))
    with pytest.raises(RulesError, match=f'cannot be compiled: {reason}'):
        analyse(othello.start, SplitMix.from_seed(3), search, engine='compiled')


def test_other_functions_give_the_same_floats():
    def worth(position):
        x, y = 0.005 + 0.01 * (position[0] & 63), 0.01 + (position[1] & 15) / 16
        total = 0.0
        for value in (
            *(math.acos(x), math.acosh(1 + y), math.asin(x), math.asinh(x), math.atan(y)),
            *(math.atan2(x, y), math.atanh(x), math.cos(y), math.cosh(y), math.degrees(x)),
            *(math.erf(x), math.erfc(y), math.exp(y), math.expm1(x), math.frexp(x)[0]),
            *(math.log(x), math.log10(y), math.log1p(x), math.log2(y), math.ldexp(x, 3)),
            *(math.radians(y), math.sin(x), math.sinh(y), math.sqrt(x), math.tan(y)),
            *(math.tanh(x), np.sqrt(y), np.floor(9 * x), np.rint(9 * y), np.absolute(-x)),
            *(1.0 * math.floor(9 * x), 1.0 * math.ceil(9 * y), 1.0 * math.trunc(-9 * x)),
        ):
            total += 1099511627776.0 * value % 1.0  # its last bits
        return total / 33

    search = Search(300, evaluate=OnPositions(worth), evaluate_after=9)
    one, two = (
        analyse(othello.start, SplitMix.from_seed(3), search, engine=engine)[0].tree
        for engine in ('inplace', 'compiled')
    )
    assert one == two


@pytest.mark.parametrize(
    ('function', 'number', 'message'),
    [
        (math.log, 0.0, 'domain'), (math.sqrt, -1.0, 'domain'), (math.sin, math.inf, 'domain'),
        (math.exp, 1e3, 'range'), (lambda x: math.ldexp(x, 3000), 1.0, 'range'),
    ],
)  # fmt: skip
def test_functions_of_math_raise_the_same_errors(function, number, message):
    """C gives a NaN or an infinity, which a comparison would hide."""
    search = Search(100, evaluate=OnPositions(lambda _: 0.5 if function(number) > 1.0 else 0.25))
    with pytest.raises((ValueError, OverflowError), match=f'math {message} error'):
        analyse(othello.start, SplitMix.from_seed(3), search, engine='compiled')


@pytest.mark.parametrize(('number', 'message'), [(math.nan, 'NaN'), (math.inf, 'infinity')])
def test_no_integer_is_made_of_what_is_none(number, message):
    search = Search(100, evaluate=OnPositions(lambda _: 0.5 if math.floor(number) > 1 else 0.25))
    with pytest.raises((ValueError, OverflowError), match=f'cannot convert float {message} to int'):
        analyse(othello.start, SplitMix.from_seed(3), search, engine='compiled')


def test_whole_numbers_of_more_than_64_bits_are_python_s():
    search = Search(100, evaluate=OnPositions(lambda p: math.floor(1e30 * (1 + p[0] % 7)) % 9 / 9))
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
