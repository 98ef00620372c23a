"""The bots that play the move chosen by a tree search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import field, frozen
from returns.unsafe import unsafe_perform_io

from fmcts._running import analyse, analyse_for, known_engine
from fmcts.bots._bot import AnalysingBot
from fmcts.game import GameState, M
from fmcts.rng import R
from fmcts.search import Analysis, Search, Watch, check_search, ignore


@frozen
class MctsBot(AnalysingBot):
    """Monte-Carlo tree search as a bot; every move is searched in a new tree.

    :raises EngineError: no engine has that name.
    :raises TypeError: `search` is not a `Search`.
    """

    search: Search = field(factory=Search, validator=lambda _bot, _field, it: check_search(it))
    engine: str = field(default='auto', kw_only=True, validator=known_engine)

    def analyse(
        self,
        state: GameState[M],
        rng: R,
        *,
        watch: Watch = ignore,
        root_moves: Iterable[M] | None = None,
    ) -> tuple[Analysis[M], R]:
        """Return the analysis whose move the bot plays; see `fmcts.analyse`."""
        return analyse(
            state, rng, self.search, engine=self.engine, watch=watch, root_moves=root_moves
        )


def mcts(search: Search | None = None, *, engine: str = 'auto') -> MctsBot:
    """Return a bot `(state, rng) -> (move, rng)` that plays by `search`; by default `Search()`.

    :raises EngineError: no engine has that name.
    :raises TypeError: `search` is something else.

    >>> from fmcts.games import connect4
    >>> from fmcts.rng import SplitMix
    >>> move, rng = mcts(Search(iterations=50))(connect4.start, SplitMix.from_seed(42))
    >>> move in connect4.start.moves
    True
    """
    return MctsBot(Search() if search is None else search, engine=engine)


@frozen
class TimedBot(AnalysingBot):
    """A tree search with `seconds` for each move. It is not a pure function."""

    bot: MctsBot
    seconds: float

    def analyse(self, state: GameState[M], rng: R, **given: Any) -> tuple[Analysis[M], R]:
        """Analyse as `fmcts.analyse_for` does."""
        search, engine = self.bot.search, self.bot.engine
        return unsafe_perform_io(
            analyse_for(state, rng, search, seconds=self.seconds, engine=engine, **given)
        )
