"""The shared parts of families: descriptions, sizes, positions, lettered boards, sets of cells.

A set of cells is an integer with a bit for each cell. On boards of more than 64 cells it is a tuple
of words of 60 bits, cell 0 in the lowest bit, so that no operation reaches the sign bit of a word.
"""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable, Sequence
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar

from attrs import frozen

from fmcts._arguments import shown
from fmcts.bits import nth_bit, popcount, replaced
from fmcts.games.boards import Layout
from fmcts.games.from_rules import Game

MAKE: Final[Any] = collections.namedtuple  # noqa: PYI024 - mypy wants fields written out


GAMES: Final = 1 << 10  # of each family, more than any program plays at a time

P = ParamSpec('P')
G = TypeVar('G')


@frozen
class Family:
    """A family of games: its name, the names of its sizes, and `make(*sizes)`.

    `make` raises `ValueError` for sizes that are not accepted. With `several`, any number of sizes
    may be given. `example` is the name of a game, `other` of one of another size; `about`, the
    `limits` of the sizes, the `rules` and how `moves` are written are for readers.
    """

    name: str
    sizes: tuple[str, ...]
    example: str
    about: str
    make: Callable[..., Game]
    several: bool = False
    other: str = ''
    limits: str = ''
    rules: str = ''
    moves: str = ''

    @property
    def pattern(self) -> str:
        """The form of a game's name, such as `nim:PILE,...`."""
        return f'{self.name}:{",".join(self.sizes)}{",..." if self.several else ""}'


def one_for_each(make: Callable[P, G]) -> Callable[P, G]:
    """Return a function that makes the game of the same sizes once; 3.0 is not the size 3."""
    # One game for equal sizes: its states' class is made once, so that states can be equal.
    return functools.lru_cache(maxsize=GAMES, typed=True)(make)  # type: ignore[return-value] # `P`


def integers(name: str, *fields: Sequence[str]) -> Any:
    """Return the class `name` of named tuples of integers with all these fields.

    Each of `fields` is a sequence of names, such as `['left']`, not one name.
    >>> integers('Position', ('x0', 'x1'), ['turn'])(1, 2, turn=0)
    Position(x0=1, x1=2, turn=0)
    """
    return MAKE(name, [field for several in fields for field in several])


def between(what: str, given: object, least: int, most: int) -> None:
    """Check that `given` is a whole number from `least` to `most`.

    :raises ValueError: it is not.
    """
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise ValueError(f'{what}: expected {least} to {most}, not {shown(given)}')


LETTERS: Final = 'abcdefghijklmnopqrstuvwxyz'


def lettered(rows: int, columns: int, *, slanted: bool = False) -> Layout:
    """Return the layout of a board with letters for columns and numbers for rows.

    >>> lettered(3, 3).header, lettered(12, 2).header, lettered(3, 3).cells[5]
    ('  a b c', '   a b', 'c2')
    """
    names = square_names(rows, columns)
    indent = ' ' * (len(str(rows)) + 1)
    header = indent + ' '.join(LETTERS[:columns])
    return Layout(rows, columns, names, header=header, numbered=True, slanted=slanted)


def square_names(rows: int, columns: int) -> tuple[str, ...]:
    """Return the names of a board's squares in reading order.

    >>> square_names(2, 3)
    ('a1', 'b1', 'c1', 'a2', 'b2', 'c2')
    """
    return tuple(f'{LETTERS[column]}{row + 1}' for row in range(rows) for column in range(columns))


Words: TypeAlias = tuple[int, ...]

# Below 64, so that no shift within a word meets the sign.
WIDTH = 60


def words_for(cells: int) -> int:
    """Return how many words a set of `cells` cells takes.

    >>> words_for(60), words_for(61)
    (1, 2)
    """
    return -(-cells // WIDTH)


def fields(name: str, cells: int) -> tuple[str, ...]:
    """Return the names of a set's words as fields of a position.

    >>> fields('x', 121)
    ('x0', 'x1', 'x2')
    """
    return tuple(f'{name}{place}' for place in range(words_for(cells)))


def every(cells: int) -> Words:
    """Return the set of all cells.

    >>> every(61) == (2**60 - 1, 1)
    True
    """
    board = (1 << cells) - 1
    return tuple(board >> WIDTH * n & (1 << WIDTH) - 1 for n in range(words_for(cells)))


# ---- the functions below are also compiled into rules ----


def holds(words: Words, cell: int) -> int:
    """Return 1 if a cell belongs to the set, else 0.

    >>> holds((0, 0b100), 62), holds((0, 0b100), 2)
    (1, 0)
    """
    return words[cell // WIDTH] >> cell % WIDTH & 1


def with_cell(words: Words, cell: int) -> Words:
    """Return the set with one more cell.

    >>> with_cell((0, 0), 62)
    (0, 4)
    """
    place = cell // WIDTH
    return replaced(words, place, words[place] | 1 << cell % WIDTH)


def without_cell(words: Words, cell: int) -> Words:
    """Return the set without a cell.

    >>> without_cell((7, 7), 61)
    (7, 5)
    """
    place = cell // WIDTH
    return replaced(words, place, words[place] & ~(1 << cell % WIDTH))


def cardinality(words: Words) -> int:
    """Return how many cells belong to the set."""
    cells = 0
    for word in words:
        cells += popcount(word)
    return cells


def picked(words: Words, index: int) -> int:
    """Return the cell with `index` others of the set below it; the set must have one.

    >>> picked((0b101, 0b1), 1), picked((0b101, 0b1), 2)
    (2, 60)
    """
    below = 0
    for word in words:
        here = popcount(word)
        if index < here:
            return below + nth_bit(word, index)
        index -= here
        below += WIDTH
    return -1


def shifts(step: int, length: int) -> tuple[int, ...]:
    """Return the shifts that leave rows of `length` when a set is shifted onto itself by each.

    Stones next to a stone give pairs, pairs two steps from a pair give fours.

    >>> shifts(7, 4), shifts(1, 5)
    ((7, 14), (1, 2, 1))
    """
    found, have = [], 1
    # Doubling: a row of four takes two steps, one of seven three.
    while have < length:
        more = min(have, length - have)
        found.append(more * step)
        have += more
    return tuple(found)


def finder(stride: int, length: int, starts: Sequence[int] = (-1,) * 4) -> Callable[[int], bool]:
    """Return the rule `has_row(stones)`: whether stones contain `length` (2 or more) in a row.

    A row goes to the next bit, by `stride` bits, or by one less or one more. `starts` are the cells
    at which rows may start in each of these directions; by default all, for boards with a gap after
    each line of cells, which keeps rows from continuing into the next line.

    >>> has_row = finder(7, 4)
    >>> has_row(0b0001111), has_row(0b1_0000001_0000001_0000000_0000001)
    (True, False)
    """
    directions = tuple(shifts(step, length) for step in (1, stride, stride - 1, stride + 1))
    ways = tuple(zip(directions, starts, strict=True))

    def has_row(stones: int) -> bool:
        for by, start in ways:
            row = stones
            for shift in by:
                row &= row >> shift
            if row & start != 0:
                return True
        return False

    return has_row


# ---- the sets of X and of O, as integers of any size ----


def joined(words: Words) -> int:
    """Return a set as one integer.

    >>> joined((1, 1)) == 1 | 1 << 60
    True
    """
    return sum(word << WIDTH * place for place, word in enumerate(words))


def in_words_of(size: int) -> Callable[[Any], tuple[int, int]]:
    """Return `sides` for positions that begin with the words of the empty cells and of X's."""
    width, full = words_for(size), (1 << size) - 1

    def sides(position: Any) -> tuple[int, int]:
        empty, x = joined(position[:width]), joined(position[width : 2 * width])
        return x, full ^ empty ^ x

    return sides


def in_turn(position: Any) -> tuple[int, int]:
    """Return X's and O's of the sets of the side to move and of the other, told by the counts."""
    mine, theirs = position
    return (theirs, mine) if popcount(mine | theirs) & 1 else (mine, theirs)
