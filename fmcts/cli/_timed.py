"""Bots limited by time, and bots that replay them by their numbers of iterations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import attrs
import click
from attrs import define, frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import amount, shown
from fmcts._running.timed import check_seconds
from fmcts.bots._bot import AnalysingBot
from fmcts.bots._presets import AnyBot, Human
from fmcts.bots._treesearch import MctsBot, TimedBot
from fmcts.game import GameState, M
from fmcts.rng._protocol import R
from fmcts.search._analysis import Analysis

B = TypeVar('B', AnyBot, AnyBot | Human)


@define
class Counts:
    """The numbers of iterations for the searches of a game, in order."""

    left: Iterator[int]
    given: int

    def next(self) -> int:
        """Return the number for the next search.

        :raises click.ClickException: there are no more.
        """
        for count in self.left:
            return count
        raise click.ClickException(
            f'--iterations: the game has more searches than the {self.given} given'
        )

    def check_used(self) -> None:
        """Raise an error if some numbers were not used.

        :raises click.ClickException: some are left.
        """
        if rest := len(list(self.left)):
            made = amount(self.given - rest, 'search', 'searches')
            raise click.ClickException(f'--iterations: the game has only {made}, not {self.given}')


@frozen
class ReplayedBot(AnalysingBot):
    """A tree search that takes the iterations of each move from a list."""

    bot: MctsBot
    counts: Counts

    def analyse(self, state: GameState[M], rng: R, **given: Any) -> tuple[Analysis[M], R]:
        """Analyse with the next number of iterations."""
        search = attrs.evolve(self.bot.search, iterations=self.counts.next())
        bot = attrs.evolve(self.bot, search=search)
        return bot.analyse(state, rng, **given)


def to_seconds(text: str | None) -> Result[float | None, str]:
    """Return the number of seconds in `text`; `None` without one."""
    if text is None:
        return Success(None)
    try:
        return Success(check_seconds('--time', float(text)))
    except ValueError:
        return Failure(f'--time must be a finite number of seconds above 0, not {shown(text)}')


def to_counts(text: str | None, seconds: float | None) -> Result[Counts | None, str]:
    """Return the comma-separated numbers in `text`; `None` without it."""
    if text is None:
        return Success(None)
    if seconds is not None:
        return Failure('--time and --iterations exclude each other: give one of them')
    words = [word.strip() for word in text.split(',')]
    if not all(w.isascii() and w.isdecimal() and len(w) < 19 and int(w) for w in words):
        return Failure(
            f'--iterations must be whole numbers above 0, separated by commas, not {shown(text)}'
        )
    return Success(Counts(iter([int(word) for word in words]), len(words)))


def limited(bot: B, seconds: float | None, counts: Counts | None = None) -> Result[B, str]:
    """Return the bot, limited by time or by counts if either is given."""
    if not isinstance(bot, MctsBot):
        return Success(bot)
    if counts is not None:
        return Success(ReplayedBot(bot, counts))
    if seconds is None:
        return Success(bot)
    if bot.search.schedule is not None:
        return Failure(
            'a search with a schedule must know its number of iterations: give one, not --time'
        )
    return Success(TimedBot(bot, seconds))


def counts_of(bot: AnyBot, analysis: Analysis[int] | None) -> tuple[int, ...]:
    """Return the iterations of a search to be printed; empty if it was not limited by time."""
    limit = isinstance(bot, TimedBot | ReplayedBot)
    return (analysis.iterations,) if limit and analysis is not None else ()
