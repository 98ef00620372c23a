"""What a bot is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from fmcts.game import FinishedGameError, GameState
from fmcts.rng import Rng
from fmcts.search.analysis import Analysis
from fmcts.search.watch import Watch, ignore

S = TypeVar('S', bound=GameState[Any])
M = TypeVar('M')
R = TypeVar('R', bound=Rng)

Bot: TypeAlias = Callable[[S, R], tuple[M, R]]
"""A bot, `Bot[State, Generator, Move]`: gives a move and the generator to use next."""


@runtime_checkable
class AnalysingBot(Protocol):
    """A bot that can also say why: its move rests on an analysis."""

    __slots__ = ()

    def __call__(self, state: GameState[M], rng: R) -> tuple[M, R]:
        """The move of the analysis, and the generator to use next.

        :raises FinishedGameError: the game is over.
        """
        analysis, rng = self.analyse(state, rng)
        return analysis.move, rng

    def analyse(
        self,
        state: GameState[M],
        rng: R,
        *,
        watch: Watch = ignore,
        root_moves: Iterable[M] | None = None,
    ) -> tuple[Analysis[M], R]:
        """The analysis whose `move` the bot plays, and the generator to use next.

        `watch` is told now and then how many playouts are done; `root_moves` are the moves to
        choose among, when they are not to be all that are legal.
        """


def check_running(state: GameState[Any]) -> None:
    """Nothing, when there is a move to choose.

    :raises FinishedGameError: the game is over.
    """
    if state.over:
        raise FinishedGameError('the game is over: there is no move to choose')
