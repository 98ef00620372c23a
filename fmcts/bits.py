"""Sets of bits for rules on integers: plain Python here, one or two instructions when compiled.

Rules import these without loading numba. The compiled engine replaces each by its own
implementation (`fmcts._linked.numba_bits`); tests hold the two together. Values are
words: 0 to 2**64 - 1 here, the same bits as signed integers there.
"""

from __future__ import annotations

from typing import Final

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


def past_runs(
    steps: tuple[int, int, int, int], insides: tuple[int, int, int, int], mine: int, theirs: int
) -> int:
    """Return the squares just past a row of one to six `theirs` that begins beside one of `mine`.

    Those within a longer row are among them. Along four lines, in both directions of each: a step
    is the distance of two neighbours on the line, and `insides` has the squares with a neighbour on
    both sides along it. Compiled, the four are computed at once in one register. Bit 63 is in no
    row.

    >>> past_runs((1, 8, 7, 9), (0x7E, 0, 0, 0), 0b1, 0b110) == 0b1100
    True
    """
    found = 0
    for step, inside in zip(steps, insides, strict=True):
        between = inside & theirs
        # Upwards: one disc, two, then pairs, so that runs of up to six are complete.
        up = between & mine << step
        up |= between & up << step
        pairs = between & between << step
        up |= pairs & up << 2 * step
        up |= pairs & up << 2 * step
        down = between & mine >> step
        down |= between & down >> step
        pairs = between & between >> step
        down |= pairs & down >> 2 * step
        down |= pairs & down >> 2 * step
        found |= up << step | down >> step
    return found & WORD


class Table(tuple[int, ...]):
    """A constant table of words: a tuple here, static data when compiled.

    The index must be in `range(len(table))`. Compiled rules do not check it, and
    `fmcts.testing.check_rules` does; other functions of users raise `IndexError`.
    """

    __slots__ = ()
