"""Statistics beyond visits and reward: named columns that a method declares and a tree stores.

Every number is a double. A node's own columns describe the node as a child (for example, the sum of
squared rewards). The columns of its moves are stored at the node too, one row for each legal move,
tried or not (for example, a prior). So an update copies only the path. A node's table has numbers
by player and key, of moves in any position, which nodes below look up.
"""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple, Self

from fmcts._arguments import shown
from fmcts.search.memory import Remembered


class ColumnNames(NamedTuple):
    """The names of the columns: of a node as a child, of its moves, and of its table."""

    own: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    table: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.own or self.moves or self.table)


@functools.lru_cache(maxsize=1 << 10)
def _own_type(names: tuple[str, ...]) -> Any:
    """Return the class of a node's own numbers, named tuples with these fields."""

    class Numbers(namedtuple('Numbers', names)):  # type: ignore[misc] # noqa: PYI024 - known only now
        __slots__ = ()

        def __reduce__(self) -> Any:  # as no module has the class; `Columns` names the fields again
            return tuple, (tuple(self),)

    return Numbers


NO_NAMES: Final = ColumnNames()


class _Fields(NamedTuple):
    names: ColumnNames
    own: Any
    moves: tuple[Sequence[float], ...]
    memory: tuple[Remembered, ...]
    table: Remembered | None
    proposed: Any


class Columns(_Fields):
    """The columns of one node: a number for each of its own, and a row for each of its moves'.

    `own` is a named tuple: `columns.own.squares`. A row has one number for each of the node's
    moves, in order. `memory` is what the playouts of a search remember (see `fmcts.search.memory`),
    at the root only. `table` has the numbers of every move that has any. `proposed` is `None` if
    the state lists the moves of the node, the generator of its proposals (see
    `fmcts.search.proposals`), or how many an evaluator proposed (see `fmcts.asking`).
    """

    __slots__ = ()

    def __new__(
        cls,
        names: ColumnNames = NO_NAMES,
        own: Iterable[float] | None = None,
        moves: tuple[Sequence[float], ...] = (),
        memory: tuple[Remembered, ...] = (),
        table: Remembered | None = None,
        proposed: Any = None,
    ) -> Self:
        """Return the columns; `own` has a number for each of its names, 0 if it is left out."""
        own = (0.0,) * len(names.own) if own is None else own
        return cls._make((names, _own_type(names.own)(*own), moves, memory, table, proposed))

    def __getnewargs__(self) -> Any:
        """Return what a pickle has, which is shorter with plain tuples."""
        return self.names, tuple(self.own), *self[2:]

    def of(self, name: str) -> float:
        """Return the node's own number of that name.

        :raises ValueError: the tree has no such column.
        """
        if name in self.names.own:
            return getattr(self.own, name)  # type: ignore[no-any-return]
        known = ', '.join(self.names.own) or 'none'
        raise ValueError(f'the tree has no column {shown(name)}: its columns are {known}')


NO_COLUMNS: Final = Columns()
"""The columns of a search without further statistics."""
