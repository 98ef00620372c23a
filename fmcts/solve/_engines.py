"""Choose the engine of an alpha-beta search: compiled, or Python."""

from __future__ import annotations

from typing import Any, Final

from attrs import define, field

from fmcts import _linked as linked
from fmcts._linked.structure import of_states
from fmcts._running.automatic import warn_of_rules
from fmcts._running.registry import ENGINES, check_engine, look_at
from fmcts.errors import EngineError, RulesError
from fmcts.game import GameState
from fmcts.rng import SplitMix
from fmcts.search._watch import Watch
from fmcts.solve._description import AlphaBeta
from fmcts.solve._interpreted import Interpreted
from fmcts.solve._questions import Asked
from fmcts.solve._scores import Score


def begin(state: GameState[Any], search: AlphaBeta, engine: str, watch: Watch) -> Asked:
    """Start a search by the engine called `engine`.

    :raises EngineError: the engine is unknown, or does not support the search.
    :raises GameError: the game has chance or other players, or breaks another promise.
    """
    check_engine(engine)
    look_at(state, engine)
    missing = _unsupported(state, search)
    if engine == 'compiled':
        if missing is not None:
            able = ', '.join(name for name in ENGINES if name != 'compiled')
            raise EngineError(f'the engine compiled does not support {missing}; use one of: {able}')
        return _compiled(state, search, watch)
    if engine == 'auto' and missing is None:
        return _Auto(state, search, watch)
    return Interpreted(search, watch)


def _unsupported(state: GameState[Any], search: AlphaBeta) -> str | None:
    """Return what keeps a search from being compiled; `None` if nothing does."""
    missing = of_states('evaluate', search.evaluate)
    return missing or linked.unsupported_game(state, SplitMix(0, 1))


def _compiled(state: GameState[Any], search: AlphaBeta, watch: Watch) -> Asked:
    linked.loaded('engine')
    from fmcts.solve._linked import Linked  # noqa: PLC0415 - loads LLVM

    return Linked(state, search, watch)


PAYS: Final = 5_000
"""Nodes in Python that take about as long as linking."""


class _Worthwhile(Exception):  # noqa: N818 - not an error
    """Raised when the search has grown so large that machine code pays."""


@define
class _Auto:
    """Search in Python while the search is small, then start again in machine code.

    Both give the same result, so only the speed depends on when it changes over.
    """

    state: GameState[Any]
    search: AlphaBeta
    watch: Watch
    asked: Asked = field(init=False)
    turned: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self.asked = Interpreted(self.search, self._watched)

    @property
    def nodes(self) -> int:
        """Return the number of nodes that the engine in use has visited."""
        return self.asked.nodes

    def ask(self, state: GameState[Any], alpha: Score, beta: Score, left: int | None) -> Score:
        """Return a score or a bound, as `Asked.ask` does."""
        try:
            return self.asked.ask(state, alpha, beta, left)
        except _Worthwhile:
            self._turn()
        except RulesError as error:
            self._continue(error)
        return self.ask(state, alpha, beta, left)

    def _watched(self, nodes: int) -> None:
        self.watch(nodes)
        if not self.turned and nodes >= PAYS:
            raise _Worthwhile

    def _turn(self) -> None:
        self.turned = True
        try:
            self.asked = _compiled(self.state, self.search, self.watch)
        except RulesError as error:
            self._continue(error)

    def _continue(self, error: RulesError) -> None:
        """Continue in Python, because the compiled rules cannot be used."""
        warn_of_rules(self.state, error, 'inplace')
        self.asked = Interpreted(self.search, self.watch)
