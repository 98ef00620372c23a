"""Ask a search for windows until the score is exact, and for the best move."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any, Final, Protocol

from fmcts.errors import EndlessGameError
from fmcts.game import GameState, M
from fmcts.solve._description import AlphaBeta
from fmcts.solve._scores import ANY, WIN, Score, after, before

LOOKED_AT: Final = 1 << 10  # nodes of a line when it is first looked at; then whenever it doubles
TIMES: Final = 4


class Asked(Protocol):
    """A search under way, by any engine; it keeps what it has found for later questions."""

    @property
    def search(self) -> AlphaBeta:
        """Return the description of the search."""

    @property
    def nodes(self) -> int:
        """Return the number of nodes visited."""

    def ask(self, state: GameState[Any], alpha: Score, beta: Score, left: int | None) -> Score:
        """Return the score of a state for its side to move, if it is between `alpha` and `beta`.

        A result of `beta` or more is a lower bound of the score, one of `alpha` or less an upper
        bound. `left` is the number of plies to look ahead; `None` searches to the end.
        """


def exact(asked: Asked, state: GameState[Any], left: int | None) -> Score:
    """Return the exact score of a state for its side to move.

    With a table it pays to ask for several narrow windows: first who wins, then how soon, by
    bisection, as Pascal Pons's solver does (http://blog.gamesolver.org).
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
    """Return the first move with at least this score, which the best move must reach."""
    *others, last = state.moves
    for move in others:
        if score_of(asked, state, move, score - 1, score, left) >= score:
            return move
    return last  # one of them must be it


def score_of(
    asked: Asked, state: GameState[M], move: M, alpha: Score, beta: Score, left: int | None
) -> Score:
    """Return the score of a move for who plays it, within a window as `ask` has it."""
    step, child = asked.search.step, state.play(move)
    low, high = after(alpha, step), after(beta, step)
    if child.player is state.player:
        return before(asked.ask(child, low, high, one_less(left)), step)
    return before(-asked.ask(child, -high, -low, one_less(left)), step)


def one_less(left: int | None) -> int | None:
    """Return the number of plies left to look ahead after one more."""
    return None if left is None else left - 1


def check_line(state: GameState[Any], nodes: int, different: Collection[Hashable]) -> None:
    """Raise an error if the nodes of a line come again and again, so that it has no end.

    :param state: of the game.
    :param nodes: how many nodes the line has.
    :param different: its nodes, each once: positions, with their windows.
    :raises EndlessGameError: a node comes four times on average.
    """
    if TIMES * len(different) <= nodes:
        raise EndlessGameError(
            f'a game of {type(state).__name__} goes round: its positions come again and again, '
            'and every game must end'
        )
