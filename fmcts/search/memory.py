"""What playout policies remember from one iteration to the next: values at the root of a tree.

A memory is kept by player and key of a move (`fmcts.game.key_of`). It belongs to the search that a
tree was grown by and stands at its root (`Columns.memory`), so that a tree is all that there is to
go on from. A subtree (`fmcts.reroot`) has none: a search that goes on from it begins to remember
anew.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from attrs import field, frozen

from fmcts.arguments import shown
from fmcts.game import GameState, Player, key_of
from fmcts.search.errors import MethodError

__all__ = [
    'NOTHING',
    'Entries',
    'Known',
    'Line',
    'Memory',
    'Numbers',
    'Place',
    'Recalled',
    'Remembered',
    'check_hash',
    'check_key',
    'entries_of',
    'place_of',
    'united',
]

Place: TypeAlias = tuple[Player, int]
"""Who played a move, and its key."""

Numbers: TypeAlias = tuple[float, ...]
Entries: TypeAlias = Mapping[Place, Numbers]
Known: TypeAlias = dict[str, dict[Place, Numbers]]
"""What each memory holds, by its name, where it is written to."""

Line: TypeAlias = Sequence[Place]
"""The moves of an iteration in their order, in the tree and then in the playout."""

LARGEST: Final = 1 << 53
"""Keys may lie in doubles, which tell all integers up to this one apart."""


def _read_only(entries: Entries) -> Entries:
    return MappingProxyType(dict(entries))


@frozen
class Remembered:
    """What one memory holds, at the root of a tree; an immutable value.

    `entries` has the numbers of every move that there are any of.
    """

    name: str
    entries: Entries = field(converter=_read_only)

    @property
    def rows(self) -> tuple[tuple[float, ...], ...]:
        """Each entry as numbers, in order: 0 for X or 1 for O, the key, and what is remembered."""
        return tuple(
            sorted(
                (int(player is Player.O), key, *numbers)
                for (player, key), numbers in self.entries.items()
            )
        )

    def __hash__(self) -> int:
        return hash((self.name, self.rows))

    def __reduce__(self) -> tuple[type[Remembered], tuple[str, dict[Place, Numbers]]]:
        return Remembered, (self.name, dict(self.entries))


@frozen
class Memory:
    """What is remembered, stated once for all engines that run in Python.

    `name` is what the memory of a tree is called; `absent`: the numbers that stand for a move of
    which nothing is remembered, and that say how many numbers there are for each.
    """

    name: ClassVar[str]
    absent: ClassVar[Numbers]

    def changes(self, entries: Entries, line: Line, for_x: float) -> dict[Place, Numbers]:  # noqa: ARG002 - its subclasses use them
        """The new numbers after an iteration with these moves, which was worth `for_x` to X."""
        raise TypeError(f'the memory {type(self).__name__} has no changes')

    def after(self, entries: Entries, line: Line, for_x: float) -> dict[Place, Numbers]:
        """The entries after one more iteration."""
        found = {**entries}
        self.learn(found, line, for_x)
        return found

    def learn(self, entries: dict[Place, Numbers], line: Line, for_x: float) -> None:
        """Write what one more iteration changes to the entries."""
        for place, numbers in self.changes(entries, line, for_x).items():
            if numbers == self.absent:
                entries.pop(place, None)
            else:
                entries[place] = numbers


class Recalled(NamedTuple):
    """What a policy is told before a move: memories by name, and the iteration's moves so far."""

    known: Mapping[str, Entries]
    line: Line


NOTHING: Final = Recalled(MappingProxyType({}), ())
"""Before the first iteration."""


def entries_of(memories: Iterable[Memory], kept: Iterable[Remembered]) -> dict[str, Entries]:
    """What a root keeps of these memories, by their names: nothing, where it keeps none."""
    found: dict[str, Entries] = {memory.name: {} for memory in memories}
    found.update((each.name, each.entries) for each in kept)
    return found


def place_of(state: GameState[Any], move: Any) -> Place:
    """Where what is remembered of a move in this state stands.

    :raises MethodError: its key is no integer, or too large.
    """
    key = key_of(state, move)
    check_key(state, key, 'a playout policy that remembers moves')
    return state.player, operator.index(key)


def check_key(state: GameState[Any], given: Any, who: str) -> None:
    """See that a key of a move in this state can be kept, as `who` wants it.

    :raises MethodError: it is no integer, or too large.
    """
    try:
        key = operator.index(given)
    except TypeError:
        key = LARGEST + 1
    if abs(key) > LARGEST:
        raise MethodError(
            f'{who} needs keys that are integers of at most 53 '
            f'bits, not {shown(given)}: {type(state).__name__} may give them by key(move)'
        )


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


def united(memories: Iterable[Memory]) -> tuple[Memory, ...]:
    """These memories, each once, by name.

    :raises ValueError: two that are not the same have one name.
    """
    found: dict[str, Memory] = {}
    for memory in memories:
        if found.setdefault(memory.name, memory) != memory:
            raise ValueError(f'two memories that are not the same are called {memory.name}')
    return tuple(found[name] for name in sorted(found))
