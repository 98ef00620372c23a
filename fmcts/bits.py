"""Sets of bits for rules on integers: plain Python here, one or two instructions when compiled.

Rules import these without loading numba. The compiled engine replaces each by its own
implementation (`fmcts._linked.numba_bits`); tests hold the two together. Values are
words: 0 to 2**64 - 1 here, the same bits as signed integers there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

WORD: Final = 0xFFFF_FFFF_FFFF_FFFF


def popcount(bits: int) -> int:
    """Return the number of set bits.

    >>> popcount(0b1011)
    3
    """
    return (bits & WORD).bit_count()


def nth_bit(bits: int, index: int) -> int:
    """Return the position of the set bit with `index` set bits below it; there must be one.

    >>> nth_bit(0b1011, 0), nth_bit(0b1011, 2)
    (0, 3)
    """
    bits &= WORD
    for _ in range(index):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1


def lowest_bit(bits: int) -> int:
    """Return the lowest set bit alone; 0 if no bit is set.

    >>> lowest_bit(0b1010)
    2
    """
    return bits & -bits


def highest_bit(bits: int) -> int:
    """Return the highest set bit alone; 0 if no bit is set.

    >>> highest_bit(0b1010)
    8
    """
    return 1 << bits.bit_length() - 1 if bits else 0


def keep_if(bits: int, condition: int) -> int:
    """Return `bits` if `condition` is not 0, else 0; compiled without a branch."""
    return bits if condition else 0


def replaced(words: tuple[int, ...], place: int, word: int) -> tuple[int, ...]:
    """Return `words` with `word` at index `place`, which must be in range.

    Compiled rules need it for sets of more than 64 cells: machine code cannot assign to a computed
    index of a tuple in any other way.

    >>> replaced((5, 6, 7), 1, 0)
    (5, 0, 7)
    """
    return (*words[:place], word, *words[place + 1 :])


def union_of_four(
    rule: Callable[..., int],
    steps: tuple[int, int, int, int],
    masks: tuple[int, int, int, int],
    *same: Any,
) -> int:
    """Return the union of `rule(step, mask, *same)` over four pairs of step and mask.

    Compiled, the four are computed at once in one register, so `rule` may only use `&`, `|`, `<<`,
    `>>` (which shifts in zeros there) and `*`.

    >>> union_of_four(lambda step, mask, bits: bits << step & mask, (1, 2, 3, 4), (15,) * 4, 1)
    14
    """
    (step1, step2, step3, step4), (mask1, mask2, mask3, mask4) = steps, masks
    return (
        rule(step1, mask1, *same)
        | rule(step2, mask2, *same)
        | rule(step3, mask3, *same)
        | rule(step4, mask4, *same)
    )


class Table(tuple[int, ...]):
    """A constant table of words: a tuple here, static data when compiled.

    The index must be in `range(len(table))`. Compiled rules do not check it, and
    `fmcts.testing.check_rules` does; other functions of users raise `IndexError`.
    """

    __slots__ = ()
