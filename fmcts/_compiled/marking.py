"""Mark the moves of an iteration by side and key, for methods that remember moves.

If there are few keys, the marks of a side are the bits of a 64-bit number, cleared before each
iteration; several moves are tested by one shift. Otherwise each move has a stamp, the number of the
last iteration that played it, and nothing needs to be cleared.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from fmcts._numba.intrinsics import Verb, get, get_long, inlined, int64, put, put_long
from fmcts._numba.marks import marked, marked_bits

LEAST, MOST = 2, 64  # number of keys for which bits are used; both sides take four integers
LONG: Final = 2  # 32-bit integers in a 64-bit number


class Marking(NamedTuple):
    """Verbs on marks.

    - `clear(marks)`: call it before an iteration.
    - `mark(marks, side, key, stamp)`: mark a move.
    - `has(marks, side, key, stamp)`: return whether a move is marked.
    - `have(marks, side, keys, count, stamp)`: return which of the first `count` moves are marked;
      the keys are doubles.
    - `bits(marks, side)`: return a side's marks as one number, if they are stored that way.
    """

    clear: Verb
    mark: Verb
    has: Verb
    have: Verb
    bits: Verb | None


def marking(keys: int) -> Marking:
    """Return the verbs for a game with this many keys."""
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
