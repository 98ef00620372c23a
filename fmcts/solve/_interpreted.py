"""Alpha-beta in Python, for any game.

A visit of a node is a generator that asks for the score of one child after another. Visits are
stored in a list instead of on Python's stack, so that only memory limits the length of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Final, TypeAlias

from fmcts._engines.outcomes import valued
from fmcts.game import GameState, checked_moves, checked_winner, endless, given_winner
from fmcts.rules import OnPositions
from fmcts.search._watch import Watch
from fmcts.solve._description import AlphaBeta
from fmcts.solve._questions import LOOKED_AT, check_line, one_less
from fmcts.solve._scores import ANY, WIN, Score, after, before, score_of_worth

Window: TypeAlias = tuple[GameState[Any], Score, Score, int | None]
Visit: TypeAlias = Generator[Window, Score, Score]

EVERY: Final = 1 << 9  # nodes between two calls of `watch`


class Interpreted:
    """A search under way: its table, and the number of nodes visited."""

    def __init__(self, search: AlphaBeta, watch: Watch) -> None:
        self.search = search
        self.nodes = 0
        self.table: dict[Any, tuple[Score, Score, Any]] = {}
        self._watch = watch
        self._middle = _middle_of(search)

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

    def _visit(self, state: GameState[Any], alpha: Score, beta: Score, left: int | None) -> Visit:
        """Return the score of a state as `ask` does; request the scores of children by `yield`."""
        moves, mover, step = checked_moves(state), state.player, self.search.step
        if not moves:
            return ending(state, self.search)
        self._count()
        if left == 0:
            return self._middle(state)
        key = state if left is None else (state, left)
        lower, upper, likely = self.table.get(key, (step - WIN, WIN - step, None))
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        alpha, beta = max(alpha, lower), min(beta, upper)
        highest, best = alpha, -ANY
        choice = None
        for move in moves if likely is None else _led_by(likely, moves):
            child = state.play(move)
            low, high = after(highest, step), after(beta, step)
            if child.player is mover:
                score = before((yield child, low, high, one_less(left)), step)
            else:
                score = before(-(yield child, -high, -low, one_less(left)), step)
            if score > best:
                best, choice = score, move
                highest = max(highest, best)
                if best >= beta:
                    break
        if self.search.table and (len(self.table) < self.search.table or key in self.table):
            lower = best if best > alpha else lower
            upper = best if best < beta else upper
            self.table[key] = lower, upper, choice
        return best

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes % EVERY == 0:
            self._watch(self.nodes)


def ending(state: GameState[Any], search: AlphaBeta) -> Score:
    """Return the score of a finished state.

    :raises GameError: the winner is not a player.
    """
    winner, mover = checked_winner(state, given_winner(state)), state.player
    if winner is None:
        return score_of_worth(0.5, mover) if search.evaluated else 0
    return WIN if winner is mover else -WIN


def _led_by(likely: Any, moves: tuple[Any, ...]) -> list[Any]:
    """Return the moves, the one that was best before as the first."""
    return [likely, *(move for move in moves if move != likely)]


def _middle_of(search: AlphaBeta) -> Callable[[GameState[Any]], Score]:
    """Return the function to the score of a state where the search stops."""
    given: Callable[..., float] | OnPositions | None = search.evaluate
    if given is None:
        return lambda _state: 0
    worth = valued('the evaluator', given)
    return lambda state: score_of_worth(worth(state), state.player)
