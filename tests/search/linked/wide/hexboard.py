"""Hex on 9 by 9 cells: 81 of them, so that neither a side's stones nor a menu fit in 64 bits.

X joins the top row with the bottom row, O the left column with the right one. A move is a cell, 0
to 80 in reading order; its neighbours are left and right, above and above right, below and below
left.
"""

from typing import ClassVar, NamedTuple

from attrs import frozen

from fmcts import Player
from fmcts.bits import nth_bit, popcount
from fmcts.game import illegal
from fmcts.rules import IntegerRules, O, X

SIZE = 9
CELLS = range(SIZE * SIZE)
AROUND = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1))
NEIGHBOURS = [
    [
        SIZE * (row + down) + column + right
        for down, right in AROUND
        if 0 <= row + down < SIZE and 0 <= column + right < SIZE
    ]
    for row in range(SIZE)
    for column in range(SIZE)
]


def joined(stones, begin, end):
    """Whether a chain of these stones leads from a cell of `begin` to one of `end`."""
    unseen = stones - begin
    reached = [*stones & begin]
    while reached:
        cell = reached.pop()
        if cell in end:
            return True
        more = unseen & {*NEIGHBOURS[cell]}
        unseen -= more
        reached += more
    return False


TOP, BOTTOM = frozenset(CELLS[:SIZE]), frozenset(CELLS[-SIZE:])
LEFT, RIGHT = frozenset(CELLS[::SIZE]), frozenset(CELLS[SIZE - 1 :: SIZE])


@frozen
class Hex:
    """The cells of both sides."""

    x: frozenset[int] = frozenset()
    o: frozenset[int] = frozenset()

    compiled: ClassVar[IntegerRules]

    @property
    def player(self):
        return Player.X if len(self.x) == len(self.o) else Player.O

    @property
    def winner(self):
        if joined(self.x, TOP, BOTTOM):
            return Player.X
        return Player.O if joined(self.o, LEFT, RIGHT) else None

    @property
    def over(self):
        return self.winner is not None  # a full board has a winner

    @property
    def moves(self):
        return () if self.over else tuple(cell for cell in CELLS if cell not in self.x | self.o)

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        if self.player is Player.X:
            return type(self)(self.x | {move}, self.o)
        return type(self)(self.x, self.o | {move})


# ---- the rules on integers: a set of cells is two words, the upper five rows and the lower four,
# ---- ten bits a row, of which the last stays empty

ROW, LAST_ROW = 0b111_111_111, 30
UPPER_ROWS = sum(ROW << 10 * row for row in range(5))
LOWER_ROWS = sum(ROW << 10 * row for row in range(4))
UPPER_LEFT, LOWER_LEFT = (sum(1 << 10 * row for row in range(rows)) for rows in (5, 4))


class Position(NamedTuple):
    x_upper: int
    x_lower: int
    o_upper: int
    o_lower: int


class Cells(NamedTuple):
    """A menu: the cells that are empty, none when the game is over."""

    upper: int
    lower: int


def pack(state):
    words = [[0, 0], [0, 0]]
    for side, stones in enumerate((state.x, state.o)):
        for cell in stones:
            words[side][cell // 45] |= bit_of(cell)
    return Position(*words[0], *words[1])


def bit_of(cell):
    """The bit of a cell in its word."""
    return 1 << cell % 45 // 9 * 10 + cell % 9


def spread(stones):
    """The cells of a word, and those beside them in the same word, borders aside."""
    along = stones | stones << 1 | stones >> 1
    return along | stones << 10 | stones >> 10 | stones << 9 | stones >> 9


def reaches(upper, lower, begin, end):
    """Whether stones join two borders: `begin` and `end` are pairs of words."""
    high, low = upper & begin[0], lower & begin[1]
    changed = 1
    while changed != 0:
        down, up = high >> 40, low << 40  # the rows that meet
        more_high = upper & (spread(high) | up | up << 1)
        more_low = lower & (spread(low) | down | down >> 1)
        changed = more_high ^ high | more_low ^ low
        high, low = more_high, more_low
    return high & end[0] | low & end[1] != 0


def x_has_won(position):
    return reaches(position.x_upper, position.x_lower, (ROW, 0), (0, ROW << LAST_ROW))


def o_has_won(position):
    borders = (UPPER_LEFT, LOWER_LEFT), (UPPER_LEFT << 8, LOWER_LEFT << 8)
    return reaches(position.o_upper, position.o_lower, borders[0], borders[1])


def menu(position):
    if x_has_won(position) or o_has_won(position):
        return Cells(0, 0)
    return Cells(
        UPPER_ROWS & ~(position.x_upper | position.o_upper),
        LOWER_ROWS & ~(position.x_lower | position.o_lower),
    )


def count(cells):
    return popcount(cells.upper) + popcount(cells.lower)


def pick(cells, index):
    above = popcount(cells.upper)
    bit = nth_bit(cells.upper, index) if index < above else nth_bit(cells.lower, index - above)
    return bit // 10 * 9 + bit % 10 + (45 if index >= above else 0)


def play(position, cell):
    x_upper, x_lower, o_upper, o_lower = position
    stone = bit_of(cell)
    upper, lower = (stone, 0) if cell < 45 else (0, stone)
    if side(position) == X:
        return Position(x_upper | upper, x_lower | lower, o_upper, o_lower)
    return Position(x_upper, x_lower, o_upper | upper, o_lower | lower)


def side(position):
    x_upper, x_lower, o_upper, o_lower = position
    return (popcount(x_upper | o_upper) + popcount(x_lower | o_lower)) & 1


def winner(position):
    return X if x_has_won(position) else O


Hex.compiled = IntegerRules(
    pack=pack, menu=menu, count=count, pick=pick, play=play, side=side, winner=winner, keys=81
)
