"""The bot that plays what a tree search chooses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from attrs import field, frozen

from fmcts.bots.bot import AnalysingBot
from fmcts.game import GameState
from fmcts.rng import Rng
from fmcts.search.analysis import Analysis
from fmcts.search.description import Search
from fmcts.search.engines import analyse, known_engine
from fmcts.search.watch import Watch, ignore

M = TypeVar('M')
R = TypeVar('R', bound=Rng)


@frozen
class MctsBot(AnalysingBot):
    """Monte-Carlo tree search as a bot; a new tree for every move.

    :raises EngineError: no engine has that name.
    """

    search: Search = field(factory=Search)
    engine: str = field(default='auto', kw_only=True, validator=known_engine)

    def analyse(
        self,
        state: GameState[M],
        rng: R,
        *,
        watch: Watch = ignore,
        root_moves: Iterable[M] | None = None,
    ) -> tuple[Analysis[M], R]:
        """The analysis whose move the bot plays; as `fmcts.analyse`, which says the rest."""
        return analyse(
            state, rng, self.search, engine=self.engine, watch=watch, root_moves=root_moves
        )


def mcts(search: Search | None = None, *, engine: str = 'auto') -> MctsBot:
    """The bot `(state, rng) -> (move, rng)` that plays what `search` chooses.

    >>> from fmcts.games import connect4
    >>> from fmcts.rng import SplitMix
    >>> move, rng = mcts(Search(iterations=50))(connect4.start, SplitMix.from_seed(42))
    >>> move in connect4.start.moves
    True
    """
    return MctsBot(search or Search(), engine=engine)
