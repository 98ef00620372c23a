"""What a bot is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from fmcts._arguments import shown
from fmcts.errors import FinishedGameError, IllegalMoveError
from fmcts.game import GameState, Player, illegal
from fmcts.rng import Rng
from fmcts.search._analysis import Analysis
from fmcts.search._watch import Watch, ignore

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


def of_side(player: Player, _plies: int) -> str:
    """How a bot is named of which only the side is known."""
    return f'the bot of {player}'


def checked_answer(
    answer: Any,
    state: GameState[M],
    rng: R,
    who: Callable[[Player, int], str] = of_side,
    plies: int = 0,
) -> tuple[M, R]:
    """What a bot answered to the state and the generator, when it is a legal move and a generator.

    The move is the state's own that equals it: a bot may say 3.0 where the move is 3.

    :param who: names the bot by its side and the number of plies that were played, in a complaint.
    :raises IllegalMoveError: it is something else.
    """
    try:
        move, after = answer
    except (TypeError, ValueError):
        wrong = f'expected a move and a generator, not {shown(answer)}'
    else:
        if type(after) is not type(rng) and not _is_generator(after):
            wrong = f'expected a generator beside its move, not {shown(after)}'
        else:
            for legal in state.moves:
                if legal is move or legal == move:
                    return legal, after
            wrong = str(illegal(state, move))
    raise IllegalMoveError(f'{who(state.player, plies)}: {wrong}')


def _is_generator(value: object) -> bool:
    """Whether it has what an `Rng` has; a class is none, though its methods have these names."""
    names = ('uniform', 'split', 'child')
    return not isinstance(value, type) and all(callable(getattr(value, it, None)) for it in names)
