"""Bots whose searches end by the clock, and the same played again by the counts that came out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import attrs
import click
from attrs import define, frozen
from returns.result import Failure, Result, Success
from returns.unsafe import unsafe_perform_io

from fmcts._arguments import shown
from fmcts._running.timed import analyse_for, check_seconds
from fmcts.bots._bot import AnalysingBot
from fmcts.bots._spec import AnyBot, Human
from fmcts.bots._treesearch import MctsBot
from fmcts.game import GameState
from fmcts.rng import Rng
from fmcts.search._analysis import Analysis

__all__ = [
    'Counts',
    'ReplayedBot',
    'TimedBot',
    'counts_of',
    'limited',
    'to_counts',
    'to_seconds',
]

B = TypeVar('B', AnyBot, AnyBot | Human)
M = TypeVar('M')
R = TypeVar('R', bound=Rng)


@frozen
class TimedBot(AnalysingBot):
    """What a tree search chooses after so many seconds for each move. It is no pure function."""

    bot: MctsBot
    seconds: float

    def analyse(self, state: GameState[M], rng: R, **given: Any) -> tuple[Analysis[M], R]:
        """As `fmcts._running.timed.analyse_for`."""
        search, engine = self.bot.search, self.bot.engine
        return unsafe_perform_io(
            analyse_for(state, rng, search, seconds=self.seconds, engine=engine, **given)
        )


@define
class Counts:
    """How many iterations the searches of a game are to make, one after another."""

    left: Iterator[int]
    given: int

    def next(self) -> int:
        """How many the next search makes.

        :raises click.ClickException: there are no more.
        """
        for count in self.left:
            return count
        raise click.ClickException(
            f'--iterations: the game has more searches than the {self.given} that are given'
        )

    def check_used(self) -> None:
        """Nothing, when none is left.

        :raises click.ClickException: some are.
        """
        if rest := len(list(self.left)):
            raise click.ClickException(
                f'--iterations: the game has only {self.given - rest} searches, not {self.given}'
            )


@frozen
class ReplayedBot(AnalysingBot):
    """A tree search whose iterations are counted out move by move."""

    bot: MctsBot
    counts: Counts

    def analyse(self, state: GameState[M], rng: R, **given: Any) -> tuple[Analysis[M], R]:
        """As the bot, with the next count."""
        search = attrs.evolve(self.bot.search, iterations=self.counts.next())
        bot = attrs.evolve(self.bot, search=search)
        return bot.analyse(state, rng, **given)


def to_seconds(text: str | None) -> Result[float | None, str]:
    """The number of seconds in `text`; `None` without one."""
    if text is None:
        return Success(None)
    try:
        return Success(check_seconds('--time', float(text)))
    except ValueError:
        return Failure(f'--time must be a finite number of seconds above 0, not {shown(text)}')


def to_counts(text: str | None, seconds: float | None) -> Result[Counts | None, str]:
    """The counts in `text`, separated by commas; `None` without it."""
    if text is None:
        return Success(None)
    if seconds is not None:
        return Failure('--time and --iterations exclude each other: give one of them')
    words = [word.strip() for word in text.split(',')]
    if not all(w.isascii() and w.isdecimal() and len(w) < 19 and int(w) for w in words):
        return Failure(
            f'--iterations must be whole numbers above 0, commas between them, not {shown(text)}'
        )
    return Success(Counts(iter([int(word) for word in words]), len(words)))


def limited(bot: B, seconds: float | None, counts: Counts | None = None) -> Result[B, str]:
    """The bot with a limit of time, or its counts, for each search; as it is without either."""
    if not isinstance(bot, MctsBot):
        return Success(bot)
    if counts is not None:
        return Success(ReplayedBot(bot, counts))
    if seconds is None:
        return Success(bot)
    if bot.search.schedule is not None:
        return Failure('a schedule shares out the count of iterations: give a number, not --time')
    return Success(TimedBot(bot, seconds))


def counts_of(bot: AnyBot, analysis: Analysis[int] | None) -> tuple[int, ...]:
    """The iterations of a search of which they are to be known; else nothing."""
    limit = isinstance(bot, TimedBot | ReplayedBot)
    return (analysis.iterations,) if limit and analysis is not None else ()
