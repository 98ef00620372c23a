"""`solve`: what a position is worth, and the best move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from attrs import field, frozen

from fmcts.game import FinishedGameError, GameState
from fmcts.search.candidates import candidates
from fmcts.search.watch import STOP, Watch, ignore
from fmcts.solve.description import AlphaBeta, check_alphabeta
from fmcts.solve.engines import begin
from fmcts.solve.questions import Asked, exact, first_move, one_less
from fmcts.solve.scores import Score, before, plies_of, value_of

__all__ = ['MoveValue', 'Solution', 'move_values', 'solve', 'started']

M = TypeVar('M')


@frozen
class Solution(Generic[M]):
    """What an alpha-beta search found, for the side to move.

    `move`: the best one, of equals the first. `value`: 1 for a win, 1/2 for a draw, 0 for a loss;
    where lines were cut off and evaluated, what they are worth to the side to move. `plies`: how
    many until the game is won or lost, the winner being as quick and the loser as slow as can be;
    `None` for anything else, or where distance was not asked for. `nodes`: how many the search
    looked at, which differs between engines and is not compared.
    """

    move: M
    value: float
    plies: int | None
    nodes: int = field(eq=False)


@frozen
class MoveValue(Generic[M]):
    """What a move is worth to who plays it; `value` and `plies`, itself counted, as `Solution`."""

    move: M
    value: float
    plies: int | None


def solve(
    state: GameState[M],
    search: AlphaBeta | None = None,
    *,
    engine: str = 'auto',
    watch: Watch = ignore,
) -> Solution[M]:
    """The value of a position, after how many plies its game ends, and the best move.

    `search` is `AlphaBeta()` unless given: to the end, with distance. `engine` is as in `analyse`
    and changes nothing but the speed: `compiled` wants rules on integers and an evaluation of
    positions, the others are one and the same search in Python. `watch` is told how many nodes
    are done.

    :raises EndlessGameError: a line has more than `max_plies` plies.
    :raises EngineError: no engine has that name, or it lacks what is needed.
    :raises FinishedGameError: the game is over.
    :raises GameError: the game breaks a promise of `GameState`.
    :raises MethodError: the evaluation gives no number from 0 to 1.
    :raises TypeError: `search` is no `AlphaBeta`.
    :raises ValueError: `watch` returns `STOP`.

    >>> from fmcts.games import tictactoe
    >>> solution = solve(tictactoe.parse('X.O.O..XX').unwrap())  # O to move
    >>> solution.move, solution.value, solution.plies
    (6, 1.0, 1)
    """
    asked = started(state, search, engine, watch)
    depth = asked.search.depth
    score = exact(asked, state, depth)
    move = first_move(asked, state, score, depth)
    value, plies = _meaning(asked, state, score)
    return Solution(move, value, plies, asked.nodes)


def move_values(
    state: GameState[M],
    search: AlphaBeta | None = None,
    *,
    engine: str = 'auto',
    watch: Watch = ignore,
    root_moves: Iterable[M] | None = None,
) -> tuple[MoveValue[M], ...]:
    """What each move is worth, in canonical order; arguments and errors are those of `solve`.

    `root_moves` are the moves in question, when they are not to be all that are legal.

    :raises IllegalMoveError: one of `root_moves` is not legal.

    >>> from fmcts.games import tictactoe
    >>> move_values(tictactoe.parse('X.O.O..XX').unwrap(), root_moves=(5, 6))
    (MoveValue(move=5, value=0.0, plies=2), MoveValue(move=6, value=1.0, plies=1))
    """
    moves = candidates(state, root_moves) if not state.over else ()
    asked = started(state, search, engine, watch)
    return tuple(
        MoveValue(move, *_meaning(asked, state, _score(asked, state, move))) for move in moves
    )


def _score(asked: Asked, state: GameState[M], move: M) -> Score:
    child = state.play(move)
    score = exact(asked, child, one_less(asked.search.depth))
    return before(score if child.player is state.player else -score, asked.search.step)


def _meaning(asked: Asked, state: GameState[Any], score: Score) -> tuple[float, int | None]:
    """The value and the plies that a score stands for."""
    value = value_of(score, state.player, evaluated=asked.search.evaluated)
    return value, plies_of(score, asked.search.step)


def started(state: GameState[Any], search: AlphaBeta | None, engine: str, watch: Watch) -> Asked:
    """A search under way for an unfinished position; the errors are those of `solve`."""
    description = AlphaBeta() if search is None else search
    check_alphabeta(description)
    if state.over:
        raise FinishedGameError('the game is over: there is no move to choose')

    def told(nodes: int) -> None:
        if watch(nodes) is STOP:
            raise ValueError('watch cannot end an alpha-beta search, which has no answer before')

    return begin(state, description, engine, told)
