"""Statistics beyond visits and reward: named columns, which a method declares and a tree keeps.

Every number is a double. A node's own columns tell of the node as a child (the sum of squared
rewards, say); the columns of its moves lie at the node too, one row for each legal move, tried or
not (a prior, say). So an update copies nothing but the path. What nodes further down look up at a
node lies in its table: numbers by player and key, of moves in whatever position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from fmcts.search.memory import Remembered

__all__ = ['NONE', 'ColumnNames', 'Columns']


class ColumnNames(NamedTuple):
    """What the columns are called: those of a node as a child, of its moves, and of its table."""

    own: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    table: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.own or self.moves or self.table)


class Columns(NamedTuple):
    """The columns of one node: a number for each of its own, and a row for each of its moves'.

    A row has one number for each of the node's moves, in their order. `memory` is what the playouts
    of a search remember (see `fmcts.search.memory`); only the root of its tree has any. `table` has
    the numbers of every move that there are any of.
    """

    names: ColumnNames = ColumnNames()
    own: tuple[float, ...] = ()
    moves: tuple[Sequence[float], ...] = ()
    memory: tuple[Remembered, ...] = ()
    table: Remembered | None = None


NONE: Final = Columns()
"""The columns of plain search."""
