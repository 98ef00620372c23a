"""The progress of a match: whether all games are played, or its test has ended it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import amount
from fmcts.matches._description import Match
from fmcts.matches._game import PlayedGame
from fmcts.matches._sprt import Evidence

NOTHING: Final = Evidence()


@frozen
class MatchState:
    """A match after its first games, in the order of their numbers.

    :param games: the number of games played.
    :param seen: the evidence of the complete pairs among them.
    :param half: the first bot's points in the last game, if its pair is incomplete.
    """

    match: Match
    games: int = 0
    seen: Evidence = NOTHING
    half: float = 0.0

    @property
    def over(self) -> str | None:
        """The reason why the match is over, else `None`; the test runs after complete pairs."""
        test = self.match.sprt
        accepted = None if test is None else test.accepted(self.seen)
        if accepted is not None:
            return f'the match was over, because its test had accepted {accepted}'
        if self.games >= self.match.games:
            return f'the match was over, because it has {amount(self.match.games, "game")}'
        return None

    def after(self, game: PlayedGame) -> MatchState:
        """Return the state after one more game."""
        count, points = self.games + 1, self.half + game.points
        if count % 2:
            return MatchState(self.match, count, self.seen, points)
        return MatchState(self.match, count, self.seen.also(points))

    @classmethod
    def of(cls, match: Match, games: Iterable[PlayedGame]) -> Result[MatchState, str]:
        """Return the state after these games; fail if the match was over before one."""
        state = cls(match)
        for game in games:
            if state.over:
                return Failure(f'game {state.games}: {state.over}')
            state = state.after(game)
        return Success(state)
