"""What is explored, such as a position: it has a line that leads to it, and options to continue."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Protocol, Self, TypeVar

FEW: Final = 32
"""The number of moves of a position that are played, evenly spaced if there are more."""


class Item(Protocol):
    """What is explored; it need not be legal, nor of a correct game."""

    @property
    def line(self) -> tuple[Any, ...]:
        """The moves from the start to here."""

    @property
    def options(self) -> Sequence[Any]:
        """The moves to continue with."""

    @property
    def checked(self) -> bool:
        """True if laws are checked here."""

    @property
    def identity(self) -> Any:
        """The key by which items are distinguished, if it can be hashed."""

    def step(self, move: Any) -> Self:
        """Return the item after a move; any error may be raised."""


T = TypeVar('T', bound=Item)


def few(moves: Sequence[Any], most: int = FEW) -> Sequence[Any]:
    """Return the moves, or `most` of them evenly spaced with the first and the last.

    >>> few((1, 2, 3)), few(range(101), 3)
    ((1, 2, 3), [0, 50, 100])
    """
    if len(moves) <= most:
        return moves
    last = len(moves) - 1
    return [moves[last * place // (most - 1)] for place in range(most)]


def nearest(first: T, *, merged: bool = False, deepest: int | None = None) -> Iterator[T]:
    """Yield the items by the lengths of their lines; if `merged`, equal ones once."""
    waiting: deque[tuple[T, Any]] = deque()
    met: set[Any] = set()
    item: T | None = first
    while True:
        if item is not None and not (merged and _known(item, met)):
            yield item
            if deepest is None or len(item.line) < deepest:
                waiting.extend((item, move) for move in few(item.options))
        if not waiting:
            return
        item = stepped(*waiting.popleft())


def along(first: T, line: Iterable[Any]) -> Iterator[T]:
    """Yield the items of a line of moves, as far as they can be played."""
    item: T | None = first
    for move in line:
        if item is None:
            return
        yield item
        item = stepped(item, move)
    if item is not None:
        yield item


def stepped(item: T, move: Any) -> T | None:
    """Return the item after a move; `None` if the move cannot be played, which a law reports."""
    try:
        return item.step(move)
    except Exception:  # noqa: BLE001 - the user's code may raise anything
        return None


def _known(item: Item, met: set[Any]) -> bool:
    """Return whether an equal item was met before."""
    try:
        if item.identity in met:
            return True
        met.add(item.identity)
    except Exception:  # noqa: BLE001 - no hash, or the user's own raises
        return False
    return False
