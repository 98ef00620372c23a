"""`AlphaBeta`: the description of an alpha-beta search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from attrs import Attribute, field, frozen

from fmcts.arguments import shown, whole_number
from fmcts.game import MAX_PLIES, GameState
from fmcts.rules import OnPositions
from fmcts.search.checks import positive_count

__all__ = ['ENTRIES', 'AlphaBeta', 'check_alphabeta']

ENTRIES: Final = 1 << 22
"""How many positions the table holds at most, unless another number is given."""


def _depth(_instance: object, _attribute: Attribute[Any], value: object) -> None:
    if value is not None:
        whole_number('depth', value)


def _evaluate(instance: AlphaBeta, _attribute: Attribute[Any], value: object) -> None:
    if value is None:
        return
    if not callable(value):
        raise ValueError(  # noqa: TRY004 - as every other option
            f'evaluate must be a function of a state, not {shown(value)}'
        )
    if instance.depth is None:
        raise ValueError(
            'evaluate needs a depth: without one every line is followed to the end of the game, '
            'and nothing is evaluated'
        )


def _switch(_instance: object, attribute: Attribute[Any], value: object) -> None:
    if not isinstance(value, bool):
        raise ValueError(  # noqa: TRY004 - as every other option
            f'{attribute.name} must be True or False, not {shown(value)}'
        )


def _entries(_instance: object, _attribute: Attribute[Any], value: object) -> None:
    whole_number('table', value, least=0)


@frozen
class AlphaBeta:
    """An alpha-beta search (Knuth and Moore 1975), with a table of the positions met before.

    `depth`: how many plies are looked ahead; `None`: to the ends of all games, which makes the
    answer exact. `evaluate`: a function from a state to what it is worth to X, from 0 (X loses) to
    1 (X wins), for states where a search of limited depth stops (also an `OnPositions`, as in
    `Search`); without it such a state counts as a draw. `distance`: whether short wins and long
    losses are preferred; without it only outcomes are. `table`: how many positions are remembered
    at most, 0 for none. `max_plies`: how many plies a game may have before it is taken for endless.

    The player of Méhat's text (004, steps 6 and 7), which explores the whole tree of the game, is
    `AlphaBeta(distance=False, table=0)`. The table changes nothing but the time taken.

    :raises ValueError: a value outside what is accepted; the message names it and what is.
    """

    depth: int | None = field(default=None, validator=_depth)
    evaluate: Callable[[GameState[Any]], float] | OnPositions | None = field(
        default=None, validator=_evaluate
    )
    distance: bool = field(default=True, kw_only=True, validator=_switch)
    table: int = field(default=ENTRIES, kw_only=True, validator=_entries)
    max_plies: int = field(default=MAX_PLIES, kw_only=True, validator=positive_count)

    @property
    def step(self) -> int:
        """How much nearer to the middle a score is for each ply: see `fmcts.solve.scores`."""
        return int(self.distance)

    @property
    def evaluated(self) -> bool:
        """Whether scores may be other than those of wins, draws and losses."""
        return self.evaluate is not None


def check_alphabeta(value: object) -> None:
    """Nothing, when the value is an `AlphaBeta`.

    :raises TypeError: it is something else.
    """
    if not isinstance(value, AlphaBeta):
        raise TypeError(f'search must be an AlphaBeta, not {shown(value)}')
