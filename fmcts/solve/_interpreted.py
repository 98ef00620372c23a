"""Alpha-beta in Python, for any game.

A visit of a node is a generator that asks for the score of one child after another. Visits are
stored in a list instead of on Python's stack, so that only memory limits the length of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Hashable
from typing import Any, Final, TypeAlias

from fmcts._engines import valued
from fmcts._promises import checked_moves, checked_winner
from fmcts.errors import EndlessGameError
from fmcts.game import GameState, endless, given_winner
from fmcts.rules import OnPositions
from fmcts.search import Watch
from fmcts.solve._description import AlphaBeta
from fmcts.solve._scores import ANY, WIN, Score, after, before, score_of_worth

Window: TypeAlias = tuple[GameState[Any], Score, Score, int | None]
Visit: TypeAlias = Generator[Window, Score, Score]

EVERY: Final = 1 << 9  # nodes between two calls of `watch`
LOOKED_AT: Final = 1 << 10  # nodes of a line when it is first looked at; then whenever it doubles
TIMES: Final = 4  # how often the nodes of a line come, on average, if the game goes round


class Interpreted:
    """A search under way: its table, and the number of nodes visited."""

    def __init__(self, search: AlphaBeta, watch: Watch) -> None:
        self.search = search
        self.nodes = 0
        self.table: dict[Any, tuple[Score, Score, Any]] = {}
        self._watch = watch
        given: Callable[..., float] | OnPositions | None = search.evaluate
        self._worth = None if given is None else valued('the evaluator', given)

    def ask(self, state: GameState[Any], alpha: Score, beta: Score, left: int | None) -> Score:
        """Return the score of a state for its side to move, if it is between `alpha` and `beta`.

        Outside of this window the result is a bound of the score ("fail-soft"). `left` is the
        number of plies to look ahead; `None` searches to the end.

        :raises EndlessGameError: a line has more than `max_plies` plies, or goes round.
        :raises GameError: the game breaks a promise of `GameState`.
        :raises MethodError: the evaluation does not return a number from 0 to 1.
        """
        line: list[Window] = [(state, alpha, beta, left)]
        visits = [self._visit(*line[0])]
        looked_at = LOOKED_AT
        score: Any = None
        while visits:
            try:
                child = visits[-1].send(score)
            except StopIteration as end:
                visits.pop()
                line.pop()
                score = end.value
                continue
            if len(visits) > self.search.max_plies:
                raise endless(state, self.search.max_plies)
            if len(line) == looked_at and self.search.table:
                check_line(state, len(line), set(line))
                looked_at *= 2
            visits.append(self._visit(*child))
            line.append(child)
            score = None
        found: Score = score
        return found

    def _visit(  # noqa: C901 - one visit, from its table to its table
        self, state: GameState[Any], alpha: Score, beta: Score, left: int | None
    ) -> Visit:
        """Return the score of a state as `ask` does; request the scores of children by `yield`."""
        moves, mover, step = checked_moves(state), state.player, self.search.step
        if not moves:
            return ending(state, self.search)
        self.nodes += 1
        if self.nodes % EVERY == 0:
            self._watch(self.nodes)
        if left == 0:
            return score_of_worth(self._worth(state), mover) if self._worth else 0
        key = state if left is None else (state, left)
        # Nothing is worse than to lose by the next move, or better than to win by it.
        lower, upper, likely = self.table.get(key, (step - WIN, WIN - step, None))
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        alpha, beta = max(alpha, lower), min(beta, upper)
        highest, best, choice = alpha, -ANY, None
        rest = None if left is None else left - 1
        if likely is not None:  # what was best before goes first
            moves = (likely, *(move for move in moves if move != likely))
        for move in moves:
            child = state.play(move)
            low, high = after(highest, step), after(beta, step)
            if child.player is mover:
                score = before((yield child, low, high, rest), step)
            else:
                score = before(-(yield child, -high, -low, rest), step)
            if score > best:
                best, choice = score, move
                highest = max(highest, best)
                if best >= beta:
                    break
        if self.search.table and (len(self.table) < self.search.table or key in self.table):
            # Outside of the window a score is a bound on the value, and no more.
            lower = best if best > alpha else lower
            upper = best if best < beta else upper
            self.table[key] = lower, upper, choice
        return best


def ending(state: GameState[Any], search: AlphaBeta) -> Score:
    """Return the score of a finished state.

    :raises GameError: the winner is not a player.
    """
    winner, mover = checked_winner(state, given_winner(state)), state.player
    if winner is None:
        return score_of_worth(0.5, mover) if search.evaluated else 0
    return WIN if winner is mover else -WIN


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
