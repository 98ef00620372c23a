"""What is asked of a search under way, until the answer is exact: scores and best moves."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from fmcts.game import GameState
from fmcts.solve.description import AlphaBeta
from fmcts.solve.scores import ANY, WIN, Score, after, before

__all__ = ['Asked', 'exact', 'first_move', 'one_less', 'score_of']

M = TypeVar('M')


class Asked(Protocol):
    """A search under way, whichever engine carries it out; what it has found serves it later."""

    @property
    def search(self) -> AlphaBeta:
        """What is asked for."""

    @property
    def nodes(self) -> int:
        """How many nodes were looked at."""

    def ask(self, state: GameState[Any], alpha: Score, beta: Score, left: int | None) -> Score:
        """The score of a state for its side to move, at least where it lies in the window.

        At `beta` or above it is a lower bound of the score, at `alpha` or below an upper one.
        `left` is how many plies are looked ahead; `None`: to the end.
        """


def exact(asked: Asked, state: GameState[Any], left: int | None) -> Score:
    """The score of a state for its side to move.

    With a table, narrow windows are worth asking more than once: first who wins, then how soon, by
    halves. (So does Pascal Pons's solver, http://blog.gamesolver.org; a question about few plies
    ends early, as nothing else can still happen in them.)
    """
    search = asked.search
    if search.evaluated or not search.table:
        return asked.ask(state, -ANY, ANY, left)
    score = asked.ask(state, -1, 1, left)
    if not search.distance or score == 0:
        return score
    lower, upper = (score, WIN) if score > 0 else (-WIN, score)
    while lower < upper:
        middle = (lower + upper) // 2
        found = asked.ask(state, middle, middle + 1, left)
        if found > middle:
            lower = found
        else:
            upper = found
    return lower


def first_move(asked: Asked, state: GameState[M], score: Score, left: int | None) -> M:
    """The first move with at least this score, which is no more than that of the best."""
    *others, last = state.moves
    for move in others:
        if score_of(asked, state, move, score - 1, score, left) >= score:
            return move
    return last  # one of them must be it


def score_of(
    asked: Asked, state: GameState[M], move: M, alpha: Score, beta: Score, left: int | None
) -> Score:
    """The score of a move for who plays it, as `ask` gives those of states."""
    step, child = asked.search.step, state.play(move)
    low, high = after(alpha, step), after(beta, step)
    if child.player is state.player:
        return before(asked.ask(child, low, high, one_less(left)), step)
    return before(-asked.ask(child, -high, -low, one_less(left)), step)


def one_less(left: int | None) -> int | None:
    """How many plies are left to be looked ahead after one more."""
    return None if left is None else left - 1
