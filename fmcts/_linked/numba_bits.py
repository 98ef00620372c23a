"""numba's implementations of `fmcts.bits` and `fmcts.formulas`, registered on import.

Words are signed 64-bit integers here, with the same bits as Python's unsigned ones.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import binding
from numba import types
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import overload

from fmcts import bits, formulas

INLINED: Final = {'forceinline': True}


def in_c(name: str, count: int) -> Any:
    """Return a function of `game.h` from `count` integers to one, which is linked in later.

    What numba compiles never runs here, but must have an address for it.
    """
    binding.add_symbol(name, 1)
    return types.ExternalFunction(name, types.int64(*[types.int64] * count))


ones: Final = in_c('popcount', 1)
highest: Final = in_c('highest_bit', 1)
nth: Final = in_c('nth_bit', 2)
runs: Final = in_c('past_runs', 10)


def implement(function: Any, plain: Any) -> None:
    """Let numba compile `plain` where it meets a function of this library."""
    overload(function, strict=False, jit_options=INLINED)(lambda *_kinds: plain)


implement(bits.popcount, lambda bits: ones(np.int64(bits)))
implement(bits.nth_bit, lambda bits, index: nth(np.int64(bits), np.int64(index)))
implement(bits.past_runs, lambda steps, insides, mine, theirs: runs(*steps, *insides, mine, theirs))
implement(bits.lowest_bit, lambda bits: bits & -bits)
implement(bits.highest_bit, lambda bits: highest(np.int64(bits)))
implement(bits.keep_if, lambda bits, condition: bits if condition != 0 else 0)
implement(formulas.where, lambda condition, yes, no: yes if condition else no)
implement(formulas.minimum, lambda one, two: one if one < two else two)
implement(formulas.maximum, lambda one, two: one if one > two else two)
implement(formulas.sqrt, lambda number: np.sqrt(number))


@overload(bits.replaced, strict=False, jit_options=INLINED)
def _replaced(words: Any, place: Any, word: Any) -> Any:
    if not isinstance(words, types.UniTuple | types.NamedUniTuple) or words.dtype != types.int64:
        return None
    count = words.count

    def replaced(words: Any, place: Any, word: Any) -> Any:
        if place < 0 or place >= count:
            raise IndexError('the place is outside the tuple')
        return tuple_setitem(words, np.int64(place), np.int64(word))

    return replaced
