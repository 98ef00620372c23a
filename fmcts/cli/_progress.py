"""Running a search in a command: a progress bar, Ctrl-C, and limits by time or by iterations."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from itertools import count
from time import monotonic
from types import FrameType
from typing import Any, Final, Self, TypeVar

import attrs
import click
from attrs import define, frozen

from fmcts._arguments import amount, shown
from fmcts.bots import (
    AlphaBetaBot,
    AnalysingBot,
    AnyBot,
    Human,
    MctsBot,
    TimedBot,
    budget,
    checked_answer,
)
from fmcts.game import GameState, M
from fmcts.rng import R
from fmcts.search import STOP, Analysis, Watch

PATIENCE: Final = 1.0  # seconds before anything is shown
PAUSE: Final = 0.1  # seconds between two updates


class Progress:
    """A bar of rich for one or several searches in a row, removed when the block ends.

    A search may call what `watching` returns at any rate, since most calls only read the clock.
    Nothing is shown in the first second, nor unless standard error is a terminal.
    """

    def __init__(self) -> None:
        self.next = monotonic() + PATIENCE
        self.visible = sys.stderr is not None and sys.stderr.isatty()
        self.bar: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def watching(self, label: str, total: float | None) -> Callable[[float], None]:
        """Return a function that receives how much of `total` is done; `label` heads the bar."""

        def watch(done: float) -> None:
            now = monotonic()
            if now >= self.next:
                self.next = now + PAUSE
                self._draw(label, total, done)

        return watch if self.visible else lambda _done: None

    def timing(self, label: str, seconds: float) -> Watch:
        """Return a watch for a search limited to `seconds`; the bar shows the time."""
        began: list[float] = []

        def watch(done: int) -> None:
            now = monotonic()
            began.extend([] if began else [now])
            self.watching(f'{label}, {done:,} done', seconds)(now - began[0])

        return watch

    def counting(self, label: str, total: int) -> Callable[[object], None]:
        """Return a function to call once for each of `total` items done."""
        watch, done = self.watching(label, total), count(1)
        return lambda _one: watch(next(done))

    def _draw(self, label: str, total: float | None, done: float) -> None:
        if self.bar is None:
            # rich takes a while to import, and most commands never show a bar.
            from rich import progress  # noqa: PLC0415
            from rich.console import Console  # noqa: PLC0415

            self.bar = progress.Progress(
                progress.TextColumn('{task.description}'),
                progress.BarColumn(),
                progress.MofNCompleteColumn(),
                progress.TimeRemainingColumn(),
                progress.TextColumn('left'),
                console=Console(stderr=True),
                auto_refresh=False,
                transient=True,
            )
            self.bar.add_task('', total=None)
            self.bar.start()
        (task,) = self.bar.tasks
        task.total = total  # `update` ignores a total of `None`
        self.bar.update(task.id, description=label, completed=done, refresh=True)


class Stopping:
    """A block in which the first Ctrl-C ends the running search and keeps what it has found.

    The second Ctrl-C interrupts, and so does one before the first iteration.
    """

    def __init__(self) -> None:
        self.asked = False
        self.usual: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._restore()

    def watching(self, watch: Watch) -> Watch:
        """Return `watch`, extended to end the search when asked."""
        main = threading.current_thread() is threading.main_thread()

        def look(done: int) -> object:
            handler = signal.getsignal(signal.SIGINT)
            # Only the main thread may set a handler, and one that somebody else set stays.
            if self.usual is None and main and handler is signal.default_int_handler:
                self.usual = signal.signal(signal.SIGINT, self._ask)
            answer = watch(done)
            return STOP if self.asked else answer

        return look

    def _ask(self, _signal: int, _frame: FrameType | None) -> None:
        self.asked = True
        self._restore()

    def _restore(self) -> None:
        if self.usual is not None:
            signal.signal(signal.SIGINT, self.usual)


def decide(
    bot: AnyBot,
    state: GameState[int],
    rng: R,
    progress: Progress,
    root_moves: tuple[int, ...] | None = None,
    stopping: Stopping | None = None,
) -> tuple[int, Analysis[int] | None, R]:
    """Return the bot's move, the analysis behind it if there is one, and the next generator.

    `root_moves` limits the choice of a bot that analyses; `stopping` lets Ctrl-C end its search.
    """
    name = f'{state.player} thinks'
    if isinstance(bot, AlphaBetaBot):
        return bot.choose(state, watch=progress.watching(name, None)), None, rng
    if not isinstance(bot, AnalysingBot):
        move, rng = checked_answer(bot(state, rng), state, rng)
        return move, None, rng
    watch: Watch = (
        progress.timing(name, bot.seconds)
        if isinstance(bot, TimedBot)
        else progress.watching(name, budget(bot))
    )
    if stopping is not None:
        watch = stopping.watching(watch)
    analysis, rng = bot.analyse(state, rng, watch=watch, root_moves=root_moves)
    return analysis.move, analysis, rng


B = TypeVar('B', AnyBot, AnyBot | Human)


@define
class Counts:
    """The numbers of iterations for the searches of a game, in order."""

    given: tuple[int, ...]
    used: int = 0

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
        return cls(tuple(map(int, words)))

    def next(self) -> int:
        """Return the number for the next search.

        :raises UsageError: there are no more.
        """
        if self.used == len(self.given):
            why = f'--iterations: the game has more searches than the {self.used} given'
            raise click.UsageError(why)
        self.used += 1
        return self.given[self.used - 1]

    def check_used(self) -> None:
        """Raise UsageError if some numbers were not used."""
        if self.used < len(self.given):
            made = amount(self.used, 'search', 'searches')
            raise click.UsageError(f'--iterations: the game has only {made}, not {len(self.given)}')


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
