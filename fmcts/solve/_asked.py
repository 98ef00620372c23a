"""A search under way: the engine that answers, and the questions that it is asked.

A question is a window of scores; windows are asked until the score is known, and then for the
first move that has it.
"""

from __future__ import annotations

from typing import Any, Final

from fmcts import _linked as linked
from fmcts._arguments import check_start
from fmcts._linked import of_states
from fmcts._promises import check_hash, check_plain
from fmcts._running import ENGINES, check_engine, look_at, warn_of_rules
from fmcts.errors import EngineError, FinishedGameError, RulesError
from fmcts.game import GameState, M
from fmcts.rng import SplitMix
from fmcts.search import STOP, Watch
from fmcts.solve._description import AlphaBeta, check_alphabeta
from fmcts.solve._interpreted import Interpreted
from fmcts.solve._scores import ANY, WIN, Score, after, before

PAYS: Final = 5_000
"""Nodes in Python that take about as long as linking."""


class _Worthwhile(Exception):  # noqa: N818 - not an error
    """Raised when the search has grown so large that machine code pays."""


class Asked:
    """A search under way, by any engine; it keeps what it has found for later questions.

    The engine `auto` searches in Python while the search is small, then starts again in machine
    code. Both give the same result, so only the speed depends on when it changes over. The errors
    are those of `fmcts.solve.solve`.
    """

    def __init__(
        self, state: GameState[Any], search: AlphaBeta | None, engine: str, watch: Watch
    ) -> None:
        """Start a search of an unfinished position by the engine called `engine`."""
        self.search = search = AlphaBeta() if search is None else search
        check_alphabeta(search)
        check_start(state)
        check_plain(state, 'alpha-beta (use fmcts.solve.expectation)')
        if state.over:
            raise FinishedGameError('the game is over: there is no move to choose')
        self._state, self._engine, self._given = state, check_engine(engine), watch
        look_at(state, engine)
        missing = of_states('evaluate', search.evaluate)
        missing = missing or linked.unsupported_game(state, SplitMix(0, 1))
        self._changes = engine == 'auto' and missing is None
        if engine == 'compiled' and missing is not None:
            able = ', '.join(name for name in ENGINES if name != 'compiled')
            raise EngineError(f'the engine compiled does not support {missing}; use one of: {able}')
        if engine != 'compiled':
            check_hash(state, 'alpha-beta in Python')
        self._by = self._linked() if engine == 'compiled' else Interpreted(search, self._watch)

    def _watch(self, nodes: int) -> None:
        if self._given(nodes) is STOP:
            raise ValueError('watch cannot end an alpha-beta search, which has no answer before')
        if self._changes and nodes >= PAYS:
            raise _Worthwhile

    def _linked(self) -> Any:
        self._changes = False
        linked.loaded('engine')
        from fmcts.solve._linked import Linked  # noqa: PLC0415 - loads LLVM

        return Linked(self._state, self.search, self._watch)

    @property
    def nodes(self) -> int:
        """Return the number of nodes that the engine in use has visited."""
        return int(self._by.nodes)

    def ask(self, state: GameState[Any], alpha: Score, beta: Score, left: int | None) -> Score:
        """Return the score of a state for its side to move, if it is between `alpha` and `beta`.

        A result of `beta` or more is a lower bound of the score, one of `alpha` or less an upper
        bound. `left` is the number of plies to look ahead; `None` searches to the end.
        """
        question = state, alpha, beta, left
        try:
            try:
                found: Score = self._by.ask(*question)
            except _Worthwhile:
                self._by = self._linked()
                found = self._by.ask(*question)
        except RulesError as error:
            if self._engine == 'compiled':
                raise
            warn_of_rules(self._state, error, 'inplace')
            self._by = Interpreted(self.search, self._watch)
            found = self._by.ask(*question)
        return found

    def exact(self, state: GameState[Any], left: int | None) -> Score:
        """Return the exact score of a state for its side to move.

        With a table it pays to ask for several narrow windows: first who wins, then how soon, by
        bisection, as Pascal Pons's solver does (http://blog.gamesolver.org).
        """
        if self.search.evaluated or not self.search.table:
            return self.ask(state, -ANY, ANY, left)
        score = self.ask(state, -1, 1, left)
        if not self.search.distance or score == 0:
            return score
        lower, upper = (score, WIN) if score > 0 else (-WIN, score)
        while lower < upper:
            middle = (lower + upper) // 2
            found = self.ask(state, middle, middle + 1, left)
            if found > middle:
                lower = found
            else:
                upper = found
        return lower

    def first_move(self, state: GameState[M], score: Score, left: int | None) -> M:
        """Return the first move with at least this score, which the best move must reach."""
        step, rest = self.search.step, None if left is None else left - 1
        low, high = after(score - 1, step), after(score, step)
        *others, last = state.moves
        for move in others:
            child = state.play(move)
            if child.player is state.player:
                found = before(self.ask(child, low, high, rest), step)
            else:
                found = before(-self.ask(child, -high, -low, rest), step)
            if found >= score:
                return move
        return last  # one of them must be it
