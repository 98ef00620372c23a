"""`AlphaBeta`: the description of an alpha-beta search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from attrs import Attribute, field, frozen, validators

from fmcts._arguments import shown
from fmcts._validators import a_function, as_count, count_from_zero, positive_count, switch
from fmcts.game import MAX_PLIES, GameState
from fmcts.rules import OnPositions

ENTRIES: Final = 1 << 22
"""The default limit on positions in the table."""


def _evaluate(instance: AlphaBeta, attribute: Attribute[Any], value: object) -> None:
    a_function(instance, attribute, value)
    if instance.depth is None:
        raise ValueError(
            'evaluate needs a depth: without one every line is followed to the end of the game, '
            'and nothing is evaluated'
        )


@frozen
class AlphaBeta:
    """An alpha-beta search (Knuth and Moore 1975), with a table of the positions met before.

    `depth`: the number of plies to look ahead; `None` searches to the end of every line, so that
    the answer is exact. `evaluate`: a function of a state that returns its value for X, from 0 (X
    loses) to 1 (X wins), or `OnPositions` of one; it is used where a search of limited depth stops.
    Without it such a state counts as a draw. `distance`: prefer short wins and long losses;
    otherwise only outcomes count. `table`: the most positions to keep, 0 for none. `max_plies`: the
    limit on the length of a game.

    The player of Méhat's course (steps 6 and 7), which explores the whole tree of the game, is
    `AlphaBeta(distance=False, table=0)`. The table changes the time taken and nothing else.

    :raises ValueError: a value is not accepted; the message names it and what is accepted.
    """

    depth: int | None = field(
        default=None, converter=as_count, validator=validators.optional(positive_count)
    )
    evaluate: Callable[[GameState[Any]], float] | OnPositions | None = field(
        default=None, validator=validators.optional(_evaluate)
    )
    distance: bool = field(default=True, kw_only=True, validator=switch)
    table: int = field(default=ENTRIES, kw_only=True, converter=as_count, validator=count_from_zero)
    max_plies: int = field(
        default=MAX_PLIES, kw_only=True, converter=as_count, validator=positive_count
    )

    @property
    def step(self) -> int:
        """Return how much a score moves to the middle per ply; see `fmcts.solve._scores`."""
        return int(self.distance)

    @property
    def evaluated(self) -> bool:
        """Return whether there may be scores other than for wins, draws and losses."""
        return self.evaluate is not None


def check_alphabeta(value: object) -> None:
    """Raise `TypeError` unless the value is an `AlphaBeta`.

    :raises TypeError: it is something else.
    """
    if not isinstance(value, AlphaBeta):
        raise TypeError(f'search must be an AlphaBeta, not {shown(value)}')
