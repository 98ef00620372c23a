"""The schema of a search's statistics in machine code: which row of a block stores which numbers.

A block (see `tree.layout`) has these rows of doubles: the method's columns of a child, its derived
statistics and the number that marks resolved children, the columns of moves (the method's, then its
table's), the moves' keys, and rewards other than halves. A table with numbers of all keys follows,
if nodes have one.
"""

from __future__ import annotations

from functools import cached_property

from attrs import frozen


@frozen
class Schema:
    """The statistics of a search.

    - `numbers`: how many numbers a child has, its own and derived; `resolves`: whether one more
      marks resolved children.
    - `move_columns`, `table_columns`: how many numbers a move has, of the method and of its table.
    - `keyed`: whether a row stores the moves' keys; `real`: whether one stores rewards.
    - `entries`: the number of moves in the table of a node: all keys of X's, then all of O's.
    - `in_halves`: whether tables hold counts and sums of halves, so that twice a number is an
      integer.
    """

    numbers: int
    resolves: bool
    move_columns: int
    table_columns: int
    keyed: bool
    real: bool
    entries: int
    in_halves: bool

    @property
    def resolution_row(self) -> int:
        """The row that marks resolved children, if the search resolves nodes."""
        return self.numbers

    @property
    def own(self) -> int:
        """The number of columns of children."""
        return self.numbers + self.resolves

    @property
    def moves(self) -> int:
        """The number of columns of moves; their rows follow those of children."""
        return self.move_columns + self.table_columns

    @property
    def table_row(self) -> int:
        """The first row of the table's columns."""
        return self.own + self.move_columns

    @property
    def key_row(self) -> int:
        """The row of the moves' keys."""
        return self.own + self.moves

    @property
    def reward_row(self) -> int:
        """The row of the children's rewards."""
        return self.key_row + self.keyed

    @cached_property
    def rows(self) -> int:
        """The number of rows of doubles in a block."""
        return self.reward_row + self.real

    @property
    def width(self) -> int:
        """The number of integers for a number of a table: one, or two for a double."""
        return 1 if self.in_halves else 2

    @cached_property
    def tail(self) -> int:
        """The number of integers in a table, which has a row of numbers for each column."""
        return self.width * self.table_columns * self.entries

    @property
    def stride(self) -> int:
        """The number of integers per level of the path: the third is the child's index."""
        return 3 if self.rows else 2
