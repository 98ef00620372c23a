"""How far a match has come, and when it is over: all games are played, or its test ends it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts.matches._description import Match
from fmcts.matches._game import PlayedGame
from fmcts.matches._sprt import Evidence

__all__ = ['MatchState']

NOTHING: Final = Evidence()


@frozen
class MatchState:
    """A match of which so many games were played: its first ones, in the order of their numbers.

    :param games: how many.
    :param seen: what the whole pairs among them say.
    :param half: the first bot's points in the last game, where its pair is not whole.
    """

    match: Match
    games: int = 0
    seen: Evidence = NOTHING
    half: float = 0.0

    @property
    def over(self) -> str | None:
        """Why no game follows, if so; the test looks after whole pairs, whoever played them."""
        test = self.match.sprt
        accepted = None if test is None else test.accepted(self.seen)
        if accepted is not None:
            return f'the match was over, as its test had accepted {accepted}'
        if self.games >= self.match.games:
            return f'the match was over, as it has {self.match.games} games'
        return None

    def after(self, game: PlayedGame) -> MatchState:
        """Return the state after one game more."""
        count, points = self.games + 1, self.half + game.points
        if count % 2:
            return MatchState(self.match, count, self.seen, points)
        return MatchState(self.match, count, self.seen.also(points))

    @classmethod
    def of(cls, match: Match, games: Iterable[PlayedGame]) -> Result[MatchState, str]:
        """The match after these games; a failure, where it was over before one of them."""
        state = cls(match)
        for game in games:
            if state.over:
                return Failure(f'game {state.games}: {state.over}')
            state = state.after(game)
        return Success(state)
