"""`solve` and `move_values`: the value of a position, of each move, and the best move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic

from attrs import field, frozen

from fmcts.game import GameState, M
from fmcts.search import Watch, candidates, ignore
from fmcts.solve._asked import Asked
from fmcts.solve._description import AlphaBeta
from fmcts.solve._scores import Score, before, plies_of, value_of


@frozen
class Solution(Generic[M]):
    """The result of an alpha-beta search, for the side to move.

    `move`: the best move, the first of equals. `value`: 1 for a win, 1/2 for a draw, 0 for a loss;
    if lines were cut off and evaluated, their value for the side to move. `plies`: the number until
    the game is won or lost, the winner playing as quickly and the loser as slowly as possible;
    `None` for draws and evaluations, or without `distance`. `nodes`: the number visited, which
    differs between engines and is not compared.
    """

    move: M
    value: float
    plies: int | None
    nodes: int = field(eq=False)


@frozen
class MoveValue(Generic[M]):
    """The value of a move for who plays it, as in `Solution`; `plies` counts the move itself."""

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
    """Return the value of a position, the plies to the end of its game, and the best move.

    `search`: `AlphaBeta()` by default, to the end and with distance. `engine`: as in `analyse`; it
    changes only the speed. `compiled` needs rules on integers and an evaluation of positions; the
    other names are one search in Python. `watch`: called with the number of nodes visited.

    :raises EndlessGameError: a line has more than `max_plies` plies, or goes round.
    :raises EngineError: the engine is unknown, or does not support the search.
    :raises FinishedGameError: the game is over.
    :raises GameError: the game breaks a promise of `GameState`.
    :raises MethodError: the evaluation does not return a number from 0 to 1.
    :raises TypeError: `search` is not an `AlphaBeta`.
    :raises ValueError: `watch` returns `STOP`.

    >>> from fmcts.games import tictactoe
    >>> solution = solve(tictactoe.parse('X.O.O..XX').unwrap())  # O to move
    >>> solution.move, solution.value, solution.plies
    (6, 1.0, 1)
    """
    asked = Asked(state, search, engine, watch)
    depth = asked.search.depth
    score = asked.exact(state, depth)
    move = asked.first_move(state, score, depth)
    return Solution(move, *_meaning(asked.search, state, score), asked.nodes)


def move_values(
    state: GameState[M],
    search: AlphaBeta | None = None,
    *,
    engine: str = 'auto',
    watch: Watch = ignore,
    root_moves: Iterable[M] | None = None,
) -> tuple[MoveValue[M], ...]:
    """Return the value of each move, in canonical order; arguments and errors as for `solve`.

    `root_moves`: the moves to judge, if not all that are legal.

    :raises IllegalMoveError: one of `root_moves` is not legal.

    >>> from fmcts.games import tictactoe
    >>> move_values(tictactoe.parse('X.O.O..XX').unwrap(), root_moves=(5, 6))
    (MoveValue(move=5, value=0.0, plies=2), MoveValue(move=6, value=1.0, plies=1))
    """
    moves = candidates(state, root_moves) if not state.over else ()
    asked = Asked(state, search, engine, watch)
    depth, step = asked.search.depth, asked.search.step
    rows = []
    for move in moves:
        child = state.play(move)
        score = asked.exact(child, None if depth is None else depth - 1)
        score = before(score if child.player is state.player else -score, step)
        rows.append(MoveValue(move, *_meaning(asked.search, state, score)))
    return tuple(rows)


def _meaning(search: AlphaBeta, state: GameState[Any], score: Score) -> tuple[float, int | None]:
    """Return the value and the plies that a score of the side to move means."""
    value = value_of(score, state.player, evaluated=search.evaluated)
    return value, plies_of(score, search.step)
