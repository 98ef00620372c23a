"""Alpha-beta as a bot: perfect play, or play that looks a number of plies ahead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import field, frozen

from fmcts._running import known_engine
from fmcts.game import MAX_PLIES, GameState, M
from fmcts.rng import R
from fmcts.rules import OnPositions
from fmcts.solve import ENTRIES, AlphaBeta, MoveValue, check_alphabeta, rank, solve


@frozen
class AlphaBetaBot:
    """A bot that plays the best move by alpha-beta, the first of equals; it uses no randomness.

    :raises EngineError: no engine has that name.
    :raises TypeError: `search` is not an `AlphaBeta`.
    """

    search: AlphaBeta = field(
        factory=AlphaBeta, validator=lambda _bot, _field, it: check_alphabeta(it)
    )
    engine: str = field(default='auto', kw_only=True, validator=known_engine)

    def __call__(self, state: GameState[M], rng: R) -> tuple[M, R]:
        """Return the best move, and the generator unchanged; see `fmcts.solve.solve`.

        `fmcts.solve.move_values` gives the value of each move; the bot plays the first of the best.
        """
        return solve(state, self.search, engine=self.engine).move, rng


def alphabeta(
    depth: int | None = None,
    evaluate: Callable[[GameState[Any]], float] | OnPositions | None = None,
    *,
    distance: bool = True,
    table: int = ENTRIES,
    max_plies: int = MAX_PLIES,
    engine: str = 'auto',
) -> AlphaBetaBot:
    """Return the bot that looks `depth` plies ahead; `None` for the end of the game.

    The options are as in `fmcts.solve.AlphaBeta`, `engine` as in `fmcts.solve.solve`.

    >>> from fmcts.games import tictactoe
    >>> from fmcts.rng import SplitMix
    >>> state = tictactoe.parse('X.O.O..XX').unwrap()
    >>> alphabeta(2)(state, SplitMix(7, 1))
    (6, SplitMix(state=7, gamma=1))
    """
    search = AlphaBeta(depth, evaluate, distance=distance, table=table, max_plies=max_plies)
    return AlphaBetaBot(search, engine=engine)


def perfect(*, engine: str = 'auto') -> AlphaBetaBot:
    """Return the bot that wins as soon as it can, else draws, else loses as late as it can.

    Among equal moves it plays the first. It is `alphabeta()`.
    """
    return AlphaBetaBot(engine=engine)


def playing(values: tuple[MoveValue[M], ...]) -> M:
    """Return the move that the bot plays given the moves' values: the best, the first of equals."""
    return max(values, key=lambda row: rank(row.value, row.plies or 0)).move  # of equals the first
