"""Lookups of users' functions in machine code: as in Python, or an error."""

import pytest
from attrs import evolve

np = pytest.importorskip('numpy', reason='numpy comes with the extra fmcts[fast]')
numba = pytest.importorskip('numba', reason='numba comes with the extra fmcts[fast]')

from fmcts import EngineError, SplitMix, analyse, bits  # noqa: E402
from fmcts._numba.cache.current import current  # noqa: E402
from fmcts._numba.intrinsics import inlined  # noqa: E402
from fmcts._numba.register import entering  # noqa: E402
from fmcts._numba.whole import plain  # noqa: E402
from fmcts.bits import Table, nth_bit, replaced  # noqa: E402
from maze import Maze  # noqa: E402
from shapes import BEYOND, SHAPES  # noqa: E402

ARRAY = np.array([3, 5, 7])
WORDS = (3, 5, 7)
TABLE = Table(WORDS)


def written(place):
    numbers = np.zeros(3)
    numbers[place] = 1.0
    return numbers[0]


def looked_up(place, which):
    if which == 0:
        return float(ARRAY[place])
    if which == 1:
        return float(WORDS[place])
    if which == 2:
        return float(TABLE[place])
    if which == 3:
        return float(replaced(WORDS, place, 1)[0])
    if which == 4:
        return float(nth_bit(0b111, place) + bits.nth_bit(0b111, place))
    return written(place)


@pytest.fixture(scope='module')
def machine():
    enter = entering(current(looked_up, positions=True))
    as_real = inlined(lambda it: float(plain(it)))

    @numba.njit(error_model='numpy')
    def apply(place, which):
        return as_real(enter(place, which))

    return apply


@pytest.mark.parametrize('which', range(6))
def test_lookups_equal_python_or_raise_an_error(machine, which):
    assert [machine(place, which) for place in range(3)] == [
        looked_up(place, which) for place in range(3)
    ]
    for outside in (3, 4, 1 << 40):
        with pytest.raises(IndexError):
            machine(outside, which)


def test_the_message_names_the_function_with_an_index_out_of_range():
    search = evolve(SHAPES['evaluated'], iterations=100)
    with pytest.raises(EngineError, match='the evaluator valued raised IndexError'):
        analyse(Maze(BEYOND, 20, 5), SplitMix.from_seed(1), search, engine='compiled')
