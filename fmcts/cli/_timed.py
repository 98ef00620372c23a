"""Bots limited by time, and bots that replay them by their numbers of iterations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import attrs
import click
from attrs import define, frozen

from fmcts._arguments import amount, shown
from fmcts.bots import AnalysingBot, AnyBot, Human, MctsBot, TimedBot
from fmcts.game import GameState, M
from fmcts.rng import R
from fmcts.search import Analysis

B = TypeVar('B', AnyBot, AnyBot | Human)


@define
class Counts:
    """The numbers of iterations for the searches of a game, in order."""

    left: Iterator[int]
    given: int

    @classmethod
    def of(cls, text: str) -> Counts:
        """Return the comma-separated numbers in `text`.

        :raises ValueError: they are something else.
        """
        words = [word.strip() for word in text.split(',')]
        if not all(w.isascii() and w.isdecimal() and len(w) < 19 and int(w) for w in words):
            raise ValueError(
                f'expected whole numbers above 0, separated by commas, not {shown(text)}'
            )
        return cls(iter([int(word) for word in words]), len(words))

    def next(self) -> int:
        """Return the number for the next search.

        :raises UsageError: there are no more.
        """
        for count in self.left:
            return count
        why = f'--iterations: the game has more searches than the {self.given} given'
        raise click.UsageError(why)

    def check_used(self) -> None:
        """Raise UsageError if some numbers were not used."""
        if rest := len(list(self.left)):
            made = amount(self.given - rest, 'search', 'searches')
            why = f'--iterations: the game has only {made}, not {self.given}'
            raise click.UsageError(why)


@frozen
class ReplayedBot(AnalysingBot):
    """A tree search that takes the iterations of each move from a list."""

    bot: MctsBot
    counts: Counts

    def analyse(self, state: GameState[M], rng: R, **given: Any) -> tuple[Analysis[M], R]:
        """Analyse with the next number of iterations."""
        search = attrs.evolve(self.bot.search, iterations=self.counts.next())
        return attrs.evolve(self.bot, search=search).analyse(state, rng, **given)


def limited(bot: B, seconds: float | None, counts: Counts | None = None) -> B:
    """Return the bot; a tree search is limited by time or by counts if either is given.

    :raises UsageError: there are seconds for a search with a schedule.
    """
    if not isinstance(bot, MctsBot):
        return bot
    if counts is not None:
        return ReplayedBot(bot, counts)
    if seconds is None:
        return bot
    if bot.search.schedule is not None:
        raise click.UsageError(
            'a search with a schedule must know its number of iterations: give one, not --time',
        )
    return TimedBot(bot, seconds)


def counts_of(bot: AnyBot, analysis: Analysis[int] | None) -> tuple[int, ...]:
    """Return the iterations of a search to be printed; empty if it was not limited by time."""
    limit = isinstance(bot, TimedBot | ReplayedBot)
    return (analysis.iterations,) if limit and analysis is not None else ()
