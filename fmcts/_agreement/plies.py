"""One ply of a random game, as rules on integers describe it; see `agreement`."""

from __future__ import annotations

from typing import Any

from attrs import frozen


class Disagreement(Exception):  # noqa: N818 - it is what was found, and no failure of the search
    """The first difference between rules and states, in one line."""


@frozen
class Tried:
    """A move that was played: its index, its integer, and the fields it led to.

    Of an outcome also its weight, else 0.
    """

    index: int
    move: int
    fields: tuple[int, ...]
    weight: int = 0


@frozen
class Ply:
    """A position of a random game, and the rules' answers about it.

    `path`: the moves that lead there. `menu`: an integer, or a `NamedTuple` of integers, of one
    class everywhere. `count` is 0 at the end of a game, `winner` 0 before it. `tried` are the moves
    that were played. `chances` is the sum of the weights where chance moves; `rewards` are those of
    the players at the end of a game with rewards.
    """

    path: tuple[Any, ...]
    fields: tuple[int, ...]
    menu: Any
    side: int
    count: int
    winner: int
    tried: tuple[Tried, ...]
    chances: int = 0
    rewards: tuple[float, ...] = ()


def after_moves(path: tuple[Any, ...]) -> str:
    """Return where a position is in its game, in words.

    >>> after_moves(()), after_moves((3, 2))
    ('at the start', 'after the moves [3, 2]')
    """
    return f'after the moves {list(path)}' if path else 'at the start'
