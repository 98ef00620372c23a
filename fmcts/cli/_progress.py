"""Watches of a running search: a progress bar, and Ctrl-C."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from itertools import count
from time import monotonic
from types import FrameType
from typing import Any, Final, Self

from fmcts.bots import AlphaBetaBot, AnalysingBot, AnyBot, TimedBot, budget, checked_answer
from fmcts.game import GameState
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
