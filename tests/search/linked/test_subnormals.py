"""No compiled search computes with subnormal numbers, which cost some processors a hundred cycles.

A search has none of its own. But a row of doubles is read eight at a time, and behind the last row
of a block are small integers, which read as subnormal doubles. The processor keeps a flag that
says whether any operation had such an operand, even in a lane whose result is not used.
"""

import ctypes
import platform
import sys

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts.games import tictactoe
from fmcts.rules import OnPositions
from fmcts.search.methods import METHODS
from tiers import usually

pytestmark = pytest.mark.skipif(
    sys.platform != 'linux' or platform.machine() != 'x86_64',
    reason='the flag is read as glibc keeps it on x86-64',
)

DENORMAL = 0b10  # of MXCSR, the flags of SSE and AVX
STATE = 32  # bytes of glibc's `fenv_t`
MXCSR = slice(28, 32)

C = ctypes.CDLL(None)


def denormal_flag():
    """Whether an operand was subnormal since the flag was cleared."""
    state = (ctypes.c_ubyte * STATE)()
    assert C.fegetenv(state) == 0
    return bool(int.from_bytes(bytes(state[MXCSR]), 'little') & DENORMAL)


def clear_denormal_flag():
    state = (ctypes.c_ubyte * STATE)()
    assert C.fegetenv(state) == 0
    flags = int.from_bytes(bytes(state[MXCSR]), 'little') & ~DENORMAL
    state[MXCSR] = list(flags.to_bytes(4, 'little'))
    assert C.fesetenv(state) == 0


def test_the_processor_flag_detects_subnormals():
    clear_denormal_flag()
    numbers = [5e-324, 1.0]
    assert not denormal_flag()
    assert numbers[0] * numbers[1] == 5e-324
    assert denormal_flag()
    clear_denormal_flag()
    assert not denormal_flag()


SEARCHES = {
    **{name: Search(2_000, selection=name) for name in METHODS},
    'solver': Search(2_000, solver=True),
    'solver with puct': Search(2_000, solver=True, selection='puct'),
    'jump with puct': Search(2_000, expansion='jump', selection='puct'),
    'reward': Search(2_000, reward=OnPositions(lambda _position: 0.25)),
}


# Those for which other tests compile the same.
KEPT = [SEARCHES[name] for name in ('ucb1', 'amaf', 'grave', 'bayes-uct2', 'solver')]


@pytest.mark.parametrize('search', usually(KEPT, SEARCHES.values()), ids=SEARCHES)
def test_searches_never_touch_subnormals(search):
    """Tic-tac-toe has nine moves, so that rows are read in two goes, the second past their end."""
    rng = SplitMix.from_seed(1)
    analyse(tictactoe.start, rng, search, engine='compiled')  # compiling is not looked at
    clear_denormal_flag()
    analyse(tictactoe.start, rng, search, engine='compiled')
    assert not denormal_flag()
