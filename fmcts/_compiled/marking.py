"""Which moves an iteration had: marks by side and key, for methods that remember moves.

Where keys are few enough, the marks of a side are the bits of one number of 64, which is cleared
before each iteration, and a test of several moves is one shift. Else each move has a stamp, the
number of the last iteration that had it, and nothing need be cleared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from fmcts._numba.intrinsics import (
    get,
    get_long,
    inlined,
    int64,
    put,
    put_long,
)
from fmcts._numba.marks import marked, marked_bits

__all__ = ['Marking', 'marking']

Verb: TypeAlias = Callable[..., Any]

LEAST, MOST = 2, 64  # keys that have bits; the marks of both sides take four integers
LONG: Final = 2  # integers in a number of 64 bits


class Marking(NamedTuple):
    """The verbs.

    `clear(marks)`, before an iteration. `mark(marks, side, key, stamp)`. `has(marks, side, key,
    stamp)`: whether a move is marked; `have(marks, side, keys, count, stamp)`: which of the first
    `count` moves of several, whose keys are doubles. `bits(marks, side)`: the number whose bits the
    marks of a side are, where there is one.
    """

    clear: Verb
    mark: Verb
    has: Verb
    have: Verb
    bits: Verb | None


def marking(keys: int) -> Marking:
    """Return how moves are marked in a game with this many keys."""
    return _bits() if LEAST <= keys <= MOST else _stamps(keys)


def _bits() -> Marking:
    @inlined
    def clear(marks: Any) -> None:
        put_long(marks, 0, int64(0))
        put_long(marks, LONG, int64(0))

    @inlined
    def mark(marks: Any, side: Any, key: Any, _stamp: Any) -> None:
        put_long(marks, LONG * side, get_long(marks, LONG * side) | int64(1) << key)

    @inlined
    def has(marks: Any, side: Any, key: Any, _stamp: Any) -> Any:
        return get_long(marks, LONG * side) >> key & 1 != 0

    @inlined
    def have(marks: Any, side: Any, its_keys: Any, count: Any, _stamp: Any) -> Any:
        return marked_bits(get_long(marks, LONG * side), its_keys, count)

    @inlined
    def bits(marks: Any, side: Any) -> Any:
        return get_long(marks, LONG * side)

    return Marking(clear, mark, has, have, bits)


def _stamps(keys: int) -> Marking:
    @inlined
    def clear(marks: Any) -> None:
        pass

    @inlined
    def mark(marks: Any, side: Any, key: Any, stamp: Any) -> None:
        put(marks, side * keys + key, stamp)

    @inlined
    def has(marks: Any, side: Any, key: Any, stamp: Any) -> Any:
        return get(marks, side * keys + key) == stamp

    @inlined
    def have(marks: Any, side: Any, its_keys: Any, count: Any, stamp: Any) -> Any:
        return marked(marks, side * keys, its_keys, count, stamp)

    return Marking(clear, mark, has, have, None)
