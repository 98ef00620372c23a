"""The type of bots, checks of their answers, and the bot that plays at random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from fmcts._arguments import check_start, shown
from fmcts._promises import checked_moves
from fmcts.errors import FinishedGameError, GameError, IllegalMoveError
from fmcts.game import GameState, M, Player, chances_of, illegal
from fmcts.rng import R
from fmcts.search import Analysis, Watch, ignore

Position = TypeVar('Position')  # pyright finds no class of states within the bound of `S`
Bot: TypeAlias = Callable[[Position, R], tuple[M, R]]
"""A bot, `Bot[State, Generator, Move]`: returns a move and the generator to use next."""


@runtime_checkable
class AnalysingBot(Protocol):
    """A bot whose move rests on an analysis, which it can return too."""

    __slots__ = ()

    def __call__(self, state: GameState[M], rng: R) -> tuple[M, R]:
        """Return the move of the analysis, and the generator to use next.

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
        """Return the analysis whose `move` the bot plays, and the generator to use next.

        `watch` is called from time to time with the number of playouts done. `root_moves` are the
        moves to choose among; by default, all legal moves.
        """


def check_unfinished(state: GameState[Any]) -> None:
    """Raise an error if the game is over, or this is not a state.

    :raises FinishedGameError: the game is over.
    :raises TypeError: it is not a state.
    """
    check_start(state)
    if state.over:
        raise FinishedGameError('the game is over: there is no move to choose')


def check_running(state: GameState[Any]) -> None:
    """Raise an error if the game is over, or chance moves, or this is not a state.

    :raises FinishedGameError: the game is over.
    :raises GameError: chance moves here.
    :raises TypeError: it is not a state.
    """
    check_unfinished(state)
    if chances_of(state):
        raise GameError(
            f"it is chance's turn in this state of {type(state).__name__}: play an outcome "
            'before a bot chooses'
        )


def of_side(player: Player, _plies: int) -> str:
    """Return a name for a bot by its side, in errors."""
    return f'the bot of {player}'


def checked_answer(
    answer: Any,
    state: GameState[M],
    rng: R,
    who: Callable[[Player, int], str] = of_side,
    plies: int = 0,
    moves: Sequence[M] | None = None,
) -> tuple[M, R]:
    """Return a bot's answer, checked: a legal move and a generator.

    The move is replaced by the equal one in `state.moves`: a bot may return 3.0 for the move 3.

    :param who: names the bot in an error, given its side and the number of plies played.
    :param moves: those of the state, if they are known.
    :raises IllegalMoveError: the answer is not a legal move and a generator.
    """
    try:
        move, after = answer
    except (TypeError, ValueError):
        wrong = f'expected a move and a generator, not {shown(answer)}'
    else:
        # A generator of the same type, as nearly always, needs no second look.
        if type(after) is not type(rng) and (
            isinstance(after, type) or not hasattr(after, 'uniform')
        ):
            wrong = f'expected a generator after its move, not {shown(after)}'
        else:
            moves = state.moves if moves is None else moves
            for legal in moves:
                if legal is move or legal == move:
                    return legal, after
            if not (moves or state.over):  # they cannot be listed: `play` checks it
                return move, after
            wrong = str(illegal(state, move))
    raise IllegalMoveError(f'{who(state.player, plies)}: {wrong}')


def random_bot(state: GameState[M], rng: R) -> tuple[M, R]:
    """Return a random legal move: the one at index `uniform(0, len(moves) - 1)`.

    :raises FinishedGameError: the game is over.
    """
    check_running(state)
    # Without moves this says which promise of the game is broken.
    moves = state.moves or checked_moves(state)
    index, rng = rng.uniform(0, len(moves) - 1)
    return moves[index], rng
