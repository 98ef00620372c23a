"""The result of a match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from attrs import frozen

from fmcts import __version__
from fmcts._arguments import amount
from fmcts._declared import shown_by
from fmcts.matches._description import Match
from fmcts.matches._game import PlayedGame, points
from fmcts.matches._statistics import elo_of_score, independent_games, wilson
from fmcts.matches._tables import ResultTable, plain

COLUMNS: Final = {
    'fmcts': str,
    'number': int,
    'x': str,
    'o': str,
    'opening': str,
    'moves': str,
    'winner': str,
    'points': float,
    'rng_in': str,
    'rng_out': str,
}
OF_TIMED_GAMES: Final = {'iterations': str}
COUNTS: Final = ('wins', 'draws', 'losses', 'distinct')
SCORES: Final = ('score', 'interval', 'elo', 'elo_interval', 'accepted')


@frozen(repr=False)
class MatchResult:
    """The games of a match, and their statistics from the first bot's side."""

    match: Match
    games: tuple[PlayedGame, ...]

    def _count(self, worth: float) -> int:
        return sum(game.points == worth for game in self.games)

    @property
    def wins(self) -> int:
        """The number of games that the first bot won."""
        return self._count(1.0)

    @property
    def draws(self) -> int:
        """The number of draws."""
        return self._count(0.5)

    @property
    def losses(self) -> int:
        """The number of games that the first bot lost."""
        return self._count(0.0)

    @property
    def distinct(self) -> int:
        """The number of different games, by their moves; bots that draw nothing repeat theirs."""
        lines = [game.opening + game.moves for game in self.games]
        try:
            return len({*lines})
        except TypeError:  # moves without a hash, such as lists
            return len({repr(line) for line in lines})

    @property
    def score(self) -> float:
        """The first bot's share of the points; a draw is half a point.

        :raises ValueError: no game was played.
        """
        if not self.games:
            raise ValueError('no game was played: there is no score')
        return sum(game.points for game in self.games) / len(self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the share of points (Wilson).

        It is wider if the two games of a pair tend to end alike for the first bot.
        """
        score, games = self.score, independent_games([game.points for game in self.games])
        return wilson(score * games, games)

    @property
    def elo(self) -> float:
        """The first bot's lead in Elo points."""
        return elo_of_score(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the lead."""
        low, high = self.interval
        return elo_of_score(low), elo_of_score(high)

    @property
    def accepted(self) -> str | None:
        """The hypothesis accepted by the match's test, `elo0` or `elo1`; `None` if neither is."""
        return None if self.match.sprt is None else self.match.sprt.accepted(points(self.games))

    def __repr__(self) -> str:
        names, games = ' against '.join(self.match.names), amount(len(self.games), 'game')
        ends = f'{self.wins} won, {self.draws} drawn, {self.losses} lost'
        return f'<MatchResult {names}, {games}: {ends}>'

    _repr_html_ = shown_by('_notebook.match_html')

    def to_dict(self) -> dict[str, Any]:
        """Return the names of the bots, the counts and the scores as values for JSON.

        :raises ValueError: no game was played.
        """
        first, second = self.match.names
        found = {name: getattr(self, name) for name in (*COUNTS, *SCORES)}
        return plain({'first': first, 'second': second, 'games': len(self.games), **found})

    def table(self, text: Callable[[Any], str] = str) -> ResultTable:
        """Return one row per game, of texts and numbers, for JSON, CSV and frames.

        The columns are the library's version (`fmcts`), the game's number, the bots of X and O, the
        opening and the bots' moves separated by spaces, the winner (X, O, or empty for a draw), the
        points of the match's first bot, and the generators at the bots' first move and after their
        last. A match by time also has `iterations`: those of each tree search, in order, separated
        by spaces.

        :param text: writes a move, as a game's `format_move`.
        """
        columns = COLUMNS if self.match.seconds is None else {**COLUMNS, **OF_TIMED_GAMES}
        rows = []
        for game in self.games:
            row = game.to_dict(self.match.names, text)
            for name in ('opening', 'moves', 'iterations'):
                row[name] = ' '.join(map(str, row.get(name, ())))
            row |= {'fmcts': __version__, 'points': game.points}
            rows.append(tuple(row[name] for name in columns))
        return ResultTable(columns, tuple(rows))
