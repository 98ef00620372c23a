"""What a graph knows of one state, and what of it follows from the rest. Nothing here draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from fmcts.game import Player
from fmcts.search._columns import Columns

__all__ = ['Edge', 'Entries', 'Entry', 'Rows', 'credited', 'recomputed']

X = Player.X


class Edge(NamedTuple):
    """A move that was tried: the number of the state it leads to, and how often it was chosen."""

    move: Any
    to: int
    visits: int


class Entry(NamedTuple):
    """What is known of one state. Rewards are those for X: a state has no one mover.

    `moves` are the legal ones in canonical order (at the root perhaps only some), `edges` those
    that were tried, in the same order; `columns` has what a method keeps of the moves. `level` is
    higher than that of any state that leads here. `own` counts the iterations that ended here: none
    or one, but any number in a finished state, and `worth` is what each of them was worth (by the
    naive rule any number everywhere, and the last one's worth). `visits` and `total` are of all
    iterations, the sum of their rewards (see `recomputed`), and `for_x` and `for_o` what the state
    is therefore worth to either player: the mean, or if it is finished its reward itself.
    `parents`, which `naive` alone keeps, has the numbers of the states that lead here, one for each
    edge.
    """

    state: Any
    moves: tuple[Any, ...]
    columns: Columns
    level: int
    own: int = 0
    worth: float = 0.0
    visits: int = 0
    total: float = 0.0
    for_x: float = 0.0
    for_o: float = 0.0
    edges: tuple[Edge, ...] = ()
    parents: tuple[int, ...] = ()

    def worth_to(self, player: Player) -> float:
        """What the state is worth to a player; 0 before the first visit."""
        return self.for_x if player is X else self.for_o

    def reward(self, player: Player, chosen: int) -> float:
        """What so many of its visits are worth to a player: all of them, exactly the total."""
        if chosen == self.visits:
            return self.total if player is X else chosen - self.total
        return chosen * self.worth_to(player)


def credited(entry: Entry, visits: int, total: float) -> Entry:
    """The entry with so many visits, of that total, and with what it is worth by them."""
    state, moves, columns, level, own, worth, _, _, _, _, edges, parents = entry
    if moves:
        for_x, for_o = total / visits, (visits - total) / visits
    else:  # exactly, whatever a sum of it is rounded to
        for_x, for_o = worth, 1.0 - worth
    return Entry(
        state, moves, columns, level, own, worth, visits, total, for_x, for_o, edges, parents
    )


class Rows(Protocol):
    """A table from numbers to entries that may be written to."""

    def __len__(self) -> int:
        """How many there are."""

    def __getitem__(self, number: int, /) -> Entry:
        """The entry of that number."""

    def __setitem__(self, number: int, entry: Entry, /) -> None:
        """Put another in its place."""

    def append(self, entry: Entry, /) -> Any:
        """Add one, with the next number."""


Entries: TypeAlias = Sequence[Entry] | Rows


def recomputed(entry: Entry, entries: Entries) -> Entry:
    """The entry with what follows from the rest of it and from what its edges lead to.

    Visits are its own and those of its edges; the total is its own worth, and for each edge so many
    times what the state it leads to is worth. Doing it twice changes nothing (that is what makes it
    right where a state is updated through several parents).
    """
    visits, total = entry.own, entry.own * entry.worth
    for _, to, chosen in entry.edges:
        if chosen:
            visits += chosen
            child = entries[to]
            total += child.total if chosen == child.visits else chosen * child.for_x
    return credited(entry, visits, total)
