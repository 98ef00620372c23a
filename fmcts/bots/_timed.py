"""A tree search with a limit of time for each move."""

from __future__ import annotations

from typing import Any

from attrs import frozen
from returns.unsafe import unsafe_perform_io

from fmcts._running.timed import analyse_for
from fmcts.bots._bot import AnalysingBot
from fmcts.bots._treesearch import MctsBot
from fmcts.game import GameState, M
from fmcts.rng._protocol import R
from fmcts.search._analysis import Analysis


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
