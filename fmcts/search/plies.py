"""What is seen of rules on integers at one ply of a random game; see `agreement`."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from fmcts.search.errors import RulesError

__all__ = [
    'Disagreement',
    'Ply',
    'Tried',
    'fields_of',
    'fits',
    'place_of',
    'plain',
    'settled',
]


class Disagreement(Exception):  # noqa: N818 - it is what was found, and no failure of the search
    """What rules and states disagree about, in one line."""


@frozen
class Tried:
    """A move that was played: its index, itself on integers, and the fields it led to."""

    index: int
    move: int
    fields: tuple[int, ...]


@frozen
class Ply:
    """A position of a random game, and what the rules said of it.

    `path`: the moves that lead there. `menu`: an integer, or a `NamedTuple` of integers, of one
    class everywhere. `count` is 0 at the end of a game, `winner` 0 before it. `tried` are the moves
    that were looked at.
    """

    path: tuple[Any, ...]
    fields: tuple[int, ...]
    menu: Any
    side: int
    count: int
    winner: int
    tried: tuple[Tried, ...]


def place_of(path: tuple[Any, ...]) -> str:
    """Where a position stands, in words.

    >>> place_of(()), place_of((3, 2))
    ('at the start', 'after the moves [3, 2]')
    """
    return f'after the moves {list(path)}' if path else 'at the start'


def fields_of(position: Any, what: str = 'a position') -> tuple[int, ...]:
    """The fields of a position, or of what else is called so.

    :raises RulesError: it is no `NamedTuple` of integers of up to 64 bits.
    """
    names = getattr(position, '_fields', ())
    if not names or not isinstance(position, tuple):
        raise RulesError(f'{what} must be a NamedTuple of integers, not {position!r}')
    for name, value in zip(names, position, strict=True):
        if not isinstance(value, int) or not fits(value):
            raise RulesError(
                f'field {name!r} of {what} must be an integer of 64 bits, not {value!r}'
            )
    return tuple(map(int, position))


def fits(value: int) -> bool:
    """Whether an integer fits in 64 bits, signed or not."""
    return -(1 << 63) <= value < 1 << 64


def settled(position: Any) -> Any:
    """The position with NumPy's numbers as Python's."""
    return position._make(map(plain, position))


def plain(value: Any) -> Any:
    """Python's number for one of NumPy's; anything else as it is."""
    return value.item() if hasattr(value, 'dtype') and hasattr(value, 'item') else value
