"""The bot that plays perfectly, and the one that looks ahead to some depth: alpha-beta."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from attrs import Attribute, field, frozen

from fmcts._running.registry import known_engine
from fmcts.game import MAX_PLIES, GameState
from fmcts.rng import Rng
from fmcts.rules import OnPositions
from fmcts.search._watch import Watch, ignore
from fmcts.solve import AlphaBeta, MoveValue, move_values, solve
from fmcts.solve._description import ENTRIES, check_alphabeta

__all__ = ['AlphaBetaBot', 'alphabeta', 'perfect', 'playing']

M = TypeVar('M')
R = TypeVar('R', bound=Rng)


def _is_alphabeta(_instance: object, _attribute: Attribute[Any], value: object) -> None:
    check_alphabeta(value)


@frozen
class AlphaBetaBot:
    """Alpha-beta as a bot: the best move, of equals the first; the generator is not used.

    :raises EngineError: no engine has that name.
    :raises TypeError: `search` is no `AlphaBeta`.
    """

    search: AlphaBeta = field(factory=AlphaBeta, validator=_is_alphabeta)
    engine: str = field(default='auto', kw_only=True, validator=known_engine)

    def __call__(self, state: GameState[M], rng: R) -> tuple[M, R]:
        """The best move, and the generator as it was; errors are those of `fmcts.solve.solve`."""
        return self.choose(state), rng

    def choose(self, state: GameState[M], *, watch: Watch = ignore) -> M:
        """The best move; `watch` and errors are those of `fmcts.solve.solve`."""
        return solve(state, self.search, engine=self.engine, watch=watch).move

    def values(
        self,
        state: GameState[M],
        *,
        watch: Watch = ignore,
        root_moves: Iterable[M] | None = None,
    ) -> tuple[MoveValue[M], ...]:
        """What each move is worth, or each of `root_moves`; see `fmcts.solve.move_values`.

        The best of all, of equals the first, is what the bot plays.
        """
        return move_values(
            state, self.search, engine=self.engine, watch=watch, root_moves=root_moves
        )


def alphabeta(
    depth: int | None = None,
    evaluate: Callable[[GameState[Any]], float] | OnPositions | None = None,
    *,
    distance: bool = True,
    table: int = ENTRIES,
    max_plies: int = MAX_PLIES,
    engine: str = 'auto',
) -> AlphaBetaBot:
    """The bot `(state, rng) -> (move, rng)` that looks `depth` plies ahead; `None`: to the end.

    The options are those of `fmcts.solve.AlphaBeta`, and `engine` is that of `fmcts.solve.solve`.

    >>> from fmcts.games import tictactoe
    >>> from fmcts.rng import SplitMix
    >>> state = tictactoe.parse('X.O.O..XX').unwrap()
    >>> alphabeta(2)(state, SplitMix(7, 1))
    (6, SplitMix(state=7, gamma=1))
    """
    search = AlphaBeta(depth, evaluate, distance=distance, table=table, max_plies=max_plies)
    return AlphaBetaBot(search, engine=engine)


def perfect(*, engine: str = 'auto') -> AlphaBetaBot:
    """The bot that wins as soon as it can, else draws, else loses as late as it can.

    Where moves are equal in that it plays the first. It is `alphabeta()`.
    """
    return AlphaBetaBot(engine=engine)


def playing(values: tuple[MoveValue[M], ...]) -> M:
    """The move that the bot plays where moves are worth so much: the best, of equals the first."""

    def rank(row: MoveValue[M]) -> tuple[float, int]:
        plies = row.plies or 0
        return row.value, -plies if row.value == 1 else plies if row.value == 0 else 0

    return max(values, key=rank).move  # max: the first of equals
