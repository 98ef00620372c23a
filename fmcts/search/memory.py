"""Tables: numbers by player and key of a move, updated by the moves of every iteration.

The tables of a playout policy are stored at the root of a tree (`Columns.memory`), so that a search
can continue from a tree alone. A subtree (`fmcts.reroot`) has no tables: a search that continues it
starts with empty ones. The table of a method is stored at every node, and updated by the moves that
were played there or later.
"""

from __future__ import annotations

import functools
import operator
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias, get_args

from attrs import field, frozen

from fmcts._arguments import shown
from fmcts.errors import MethodError
from fmcts.game import GameState, Player, key_of
from fmcts.search._functions import Parametric, numbers_of

Place: TypeAlias = tuple[Player, int]
"""The player of a move, and its key."""

Numbers: TypeAlias = tuple[float, ...]
Where: TypeAlias = tuple[Any, ...]
"""A player and one key, or, in a table of pairs, a player and two keys."""

Entries: TypeAlias = Mapping[Where, Numbers]
Known: TypeAlias = dict[str, dict[Where, Numbers]]
"""The contents of each table by name, while they can be written to."""

Played: TypeAlias = Sequence[Place | None]
"""The moves of an iteration in order, in the tree and then in the playout; `None` for chance."""

_Rewards: TypeAlias = Mapping[Any, float]
"""The reward of an iteration for each player."""

_LARGEST: Final = 1 << 53
"""The largest key: doubles, which may store keys, represent all integers up to this one."""


def _read_only(entries: Entries) -> Entries:
    return MappingProxyType(entries)


Index: TypeAlias = Literal['moves', 'replies', 'pairs']
Scope: TypeAlias = Literal['root', 'node', 'ancestor']


Layout: TypeAlias = tuple[tuple[str, ...], Index, Numbers]
"""The meaning of a table's numbers: the `columns`, `index` and `absent` of a `Table`."""


@frozen
class Remembered:
    """The contents of one table at the root of a tree; an immutable value.

    `entries` has the numbers of every move, or pair of moves, that has any; nobody may write to
    what it is made from. `layout` is the table's
    layout, which a search that continues the tree must share (`None`: unknown); it does not count
    in comparisons. `players` are the game's, if they are others than X and O.
    """

    name: str
    entries: Entries = field(converter=_read_only)
    layout: Layout | None = field(default=None, eq=False)
    players: tuple[Any, ...] = field(default=(), eq=False)

    @property
    def rows(self) -> tuple[tuple[float, ...], ...]:
        """Each entry as numbers, in order: the player's (0 X, 1 O), the keys, and the numbers."""
        number = {player: place for place, player in enumerate(self.players or Player)}
        return tuple(
            sorted(
                (number[player], *keys, *numbers)
                for (player, *keys), numbers in self.entries.items()
            )
        )

    def __hash__(self) -> int:
        return hash((self.name, self.rows))

    def __reduce__(self) -> tuple[type[Remembered], tuple[Any, ...]]:
        return Remembered, (self.name, dict(self.entries), self.layout, self.players)


@frozen
class Table(Parametric):
    """Numbers by player and key of a move, updated by the moves of every iteration.

    A subclass, frozen by attrs, has `update` and these:

    - `name`: its name in a tree; tables of one name in one search must be equal;
    - `columns`: the names of its numbers, and `absent`: the numbers of a move without an entry;
    - `index`: which numbers a move of an iteration changes. `moves`: its own, once per iteration.
      `replies`: the numbers of the move directly before it, if the other side played that.
      `pairs`: the numbers of these two moves together;
    - `scope`: where the numbers are stored. `root`: one table for the whole tree, for a playout
      policy. `node`: at every node for its own moves, for a method. `ancestor`: at every node for
      all moves, for a method; a node uses the table of its reference, the nearest node, itself or
      an ancestor, for which `refers` is true.

    Numeric fields are run-time parameters, as in a `Method`.
    """

    name: ClassVar[str]
    columns: ClassVar[tuple[str, ...]]
    absent: ClassVar[Numbers]
    index: ClassVar[Index] = 'moves'
    scope: ClassVar[Scope] = 'root'

    def update(self, row: Any, reward: float) -> tuple[float, ...]:  # noqa: ARG002 - its subclasses use them
        """Return the new numbers after an iteration worth `reward` to the player of the move.

        `row` has the columns by name. In a table at the root it also has `key`, the key of the move
        (for a reply, of the reply itself). The function must use the language of `fmcts.formulas`.
        """
        raise TypeError(f'the table {type(self).__name__} has no update(self, row, reward)')

    def refers(self, visits: float) -> bool:  # noqa: ARG002 - its subclasses use it
        """Return whether a node with these visits is the reference for itself and the nodes below.

        Only for a table of scope `ancestor`. Without a reference every move has the numbers
        `absent`.
        """
        raise TypeError(f'the table {type(self).__name__} has no refers(self, visits)')

    @property
    def layout(self) -> Layout:
        """The meaning of its numbers."""
        return self.columns, self.index, self.absent

    @property
    def row(self) -> Any:
        """The class of `update`'s argument `row`."""
        return row_class(('key', *self.columns) if self.scope == 'root' else self.columns)


def _changed_by(index: Index, before: Place | None, move: Place) -> Where | None:
    """Return the place of the numbers that a move changes, given the move directly before it.

    `None`: the move is not a reply, and the table is one of replies or pairs.
    """
    if index == 'moves':
        return move
    if before is None or before[0] == move[0]:
        return None
    return before if index == 'replies' else (*before, move[1])


@functools.lru_cache(maxsize=1 << 10)
def row_class(names: tuple[str, ...]) -> Any:
    """Return the class of named tuples with these names."""
    return namedtuple('Row', names)  # noqa: PYI024 - the names are known only now


@frozen
class Learning:
    """A table and its `update`, prepared for one search in Python."""

    table: Table
    new: Callable[..., Numbers]

    @property
    def name(self) -> str:
        """The table's name."""
        return self.table.name

    def after(
        self, entries: Entries, line: Iterable[Place | None], rewards: _Rewards
    ) -> dict[Where, Numbers]:
        """Return the entries after one more iteration with these moves and rewards."""
        copied: Any = entries
        found: dict[Where, Numbers] = copied.copy()  # much faster where they are read only
        self.learn(found, line, rewards)
        return found

    def learn(
        self, entries: dict[Where, Numbers], line: Iterable[Place | None], rewards: _Rewards
    ) -> None:
        """Write what one more iteration changes to the entries."""
        table, absent = self.table, self.table.absent
        keyed = table.scope == 'root'
        before: Place | None = None
        # A move counts once an iteration, however often it was played; replies have their order.
        for move in dict.fromkeys(line) if table.index == 'moves' else line:
            if move is None:  # chance
                continue
            place = _changed_by(table.index, before, move)
            # A move that is no reply is still what the next one replies to.
            before = move
            if place is None:
                continue
            player, key = move
            reward = rewards[player]
            known = entries.get(place, absent)
            numbers = self.new(float(key), *known, reward) if keyed else self.new(*known, reward)
            # So that tables which say the same are equal, and have the same digest.
            if numbers == absent:
                entries.pop(place, None)
            else:
                entries[place] = numbers


def learning(table: Table) -> Learning:
    """Return the table with its `update` made ready."""
    called = f'update of the table {type(table).__name__}'
    new = numbers_of(table.update, table.row, called, count=len(table.columns), more=1)
    return Learning(table, new)


def size_of(table: Table, keys: int) -> int:
    """Return how many numbers a table has in a game with `keys` keys of moves."""
    return len(table.columns) * 2 * keys * (keys if table.index == 'pairs' else 1)


def check_tables(tables: Iterable[Table], scopes: Sequence[Scope] = ('root',)) -> None:
    """Check the tables of one policy or method, which may have these `scopes`.

    :raises MethodError: a table is declared wrongly.
    """
    for table in tables:
        absent, at_root = table.absent, table.scope == 'root'
        if (
            table.scope not in scopes
            or table.index not in (get_args(Index) if at_root else ('moves',))
            or [*map(type, absent)] != [float] * len(table.columns)
            or (any(absent) and not at_root)
        ):
            raise MethodError(
                f'the table {type(table).__name__} must have the scope {" or ".join(scopes)}, an '
                'index of moves, replies or pairs, and a float in absent for each of its columns; '
                'one at nodes or ancestors has the index moves, and zeros in absent'
            )


class Recalled(NamedTuple):
    """The argument of a policy before a move: tables by name, and the iteration's moves so far."""

    known: Mapping[str, Entries]
    line: Played


NOTHING: Final = Recalled(MappingProxyType({}), ())
"""The value before the first iteration."""


def entries_of(memories: Iterable[Any], kept: Iterable[Remembered]) -> dict[str, Entries]:
    """Return the contents of these tables at a root, by name; new tables are empty."""
    found: dict[str, Entries] = {memory.name: {} for memory in memories}
    found.update((each.name, each.entries) for each in kept)
    return found


def place_of(
    state: GameState[Any], move: Any, who: str = 'a playout policy that remembers moves'
) -> Place:
    """Return the player and key of a move in this state.

    :raises MethodError: its key is not an integer, or is too large; the error names `who`.
    """
    key = key_of(state, move)
    # Asked at every move of a playout: the usual key passes the first look.
    if type(key) is not int or not -_LARGEST <= key <= _LARGEST:
        with suppress(TypeError):
            if abs(operator.index(key)) <= _LARGEST:
                return state.player, operator.index(key)
        raise MethodError(
            f'{who} needs keys that are integers of at most 53 '
            f'bits, not {shown(key)}: {type(state).__name__} may give them by key(move)'
        )
    return state.player, key


def check_hash(state: GameState[Any], move: Any) -> None:
    """Raise `MethodError` if the key of a move cannot be looked up, as it has no hash."""
    key = key_of(state, move)
    try:
        hash(key)
    except TypeError:
        raise MethodError(
            'a search that keeps statistics by move, as amaf and grave do, needs keys of moves '
            f'with a hash, not {shown(key)}: {type(state).__name__} may give them by key(move)'
        ) from None


def united(tables: Iterable[Table]) -> tuple[Table, ...]:
    """Return these tables, each once, by name.

    :raises ValueError: two different ones have one name.
    """
    found: dict[str, Table] = {}
    for table in tables:
        if found.setdefault(table.name, table) != table:
            raise ValueError(
                f'two different tables are called {table.name}: give each a name of its own'
            )
    # By name, so that the order of the parts of a mixture does not change the digest.
    return tuple(found[name] for name in sorted(found))
