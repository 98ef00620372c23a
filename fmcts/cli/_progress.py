"""Watches of a running search: a progress bar, Ctrl-C, and the memory that is left."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from time import monotonic
from types import FrameType, TracebackType
from typing import Any, Final, Self

from fmcts.bots._bot import AnalysingBot, checked_answer
from fmcts.bots._presets import AnyBot
from fmcts.bots._solving import AlphaBetaBot
from fmcts.bots._spec import budget
from fmcts.bots._treesearch import TimedBot
from fmcts.game import GameState
from fmcts.rng._protocol import R
from fmcts.search._analysis import Analysis
from fmcts.search._watch import STOP, Watch

PATIENCE: Final = 1.0  # seconds before anything is shown
PAUSE: Final = 0.1  # seconds between two updates
RESERVE: Final = 32 << 20  # bytes; between two checks a search takes a few megabytes
PROC: Final = Path('/proc')

# Signals that end a process by default. Not all systems have all of them.
ENDING: Final = tuple(
    getattr(signal, name) for name in ('SIGTERM', 'SIGHUP', 'SIGQUIT') if hasattr(signal, name)
)
CLEAN_UP: Final = b'\r\x1b[2K\x1b[?25h'  # empty the bar's line, show the cursor


class Progress:
    """A progress bar for one or several searches in a row, removed when the block ends.

    Time is counted from the start of the block. A search may call what `watching` returns at any
    rate, since most calls only read the clock. Nothing is shown unless standard error is a
    terminal.
    """

    def __init__(self) -> None:
        self.next = monotonic() + PATIENCE
        self.visible = sys.stderr.isatty()
        self.bar: Any = None
        self.caught: tuple[int, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.bar is not None:
            self.bar.stop()
            for caught in self.caught:
                signal.signal(caught, signal.SIG_DFL)

    def watching(self, label: str, total: float | None) -> Callable[[float], None]:
        """Return a function that receives how much of `total` is done; `label` heads the bar."""
        if not self.visible:
            return lambda _done: None

        def watch(done: float) -> None:
            now = monotonic()
            if now >= self.next:
                self.next = now + PAUSE
                self._draw(label, total, done)

        return watch

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

        def one_more(_one: object) -> None:
            watch(next(done))

        return one_more

    def _draw(self, label: str, total: float | None, done: float) -> None:
        if self.bar is None:
            self.bar = _bar()
            self.bar.add_task('', total=None)
            self.caught = _clean_up_at_the_end()
            self.bar.start()
        (task,) = self.bar.tasks
        task.total = total  # `update` ignores a total of `None`
        self.bar.update(task.id, description=label, completed=done, refresh=True)


def may_handle(number: int, usual: object) -> bool:
    """Return whether this thread can set a handler for a signal that has its `usual` one."""
    here = threading.current_thread() is threading.main_thread()
    return here and signal.getsignal(number) is usual


def _clean_up_at_the_end() -> tuple[int, ...]:
    """Restore the terminal before a signal ends the process; return the signals handled."""
    caught = tuple(it for it in ENDING if may_handle(it, signal.SIG_DFL))
    for it in caught:
        signal.signal(it, _end)
    return caught


def _end(number: int, _frame: FrameType | None) -> None:
    """Restore the terminal, then end by the signal."""
    with suppress(OSError):  # the terminal may be gone
        os.write(sys.stderr.fileno(), CLEAN_UP)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _bar() -> Any:
    # rich takes a while to import, and most commands never show a bar.
    from rich import progress  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415

    return progress.Progress(
        progress.TextColumn('{task.description}'),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeRemainingColumn(),
        progress.TextColumn('left'),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
    )


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

        def look(done: int) -> object:
            if self.usual is None and may_handle(signal.SIGINT, signal.default_int_handler):
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


# A process without memory cannot be relied on to report it: even clean-up allocates, and the
# interpreter itself may crash. So a search ends while some is left.


def memory_left() -> int | None:
    """Return how many bytes this process may still take; `None` if the system does not say.

    The number is the smaller of the machine's available memory and what the limit of addresses
    (`ulimit -v`) leaves. Both are read from `/proc`, which Linux has.
    """
    try:
        import resource  # noqa: PLC0415 - Windows has no such module

        facts = (PROC / 'meminfo').read_text(encoding='ascii')
        pages = int((PROC / 'self' / 'statm').read_text(encoding='ascii').split()[0])
    except (ImportError, OSError):
        return None
    there = [int(line.split()[1]) << 10 for line in facts.splitlines() if 'MemAvailable' in line]
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY:
        there.append(limit - pages * resource.getpagesize())
    return min(there, default=None)


def within_memory(watch: Watch, left: Callable[[], int | None] = memory_left) -> Watch:
    """Return the watch, extended to end a search that has nearly used up the memory.

    The limit is `RESERVE`, or half of what was left at the start if that is less (compiled code
    reserves addresses in advance).

    :raises MemoryError: (the watch) less than the limit is left.
    """
    least: int | None = None

    def look(done: int) -> object:
        nonlocal least
        room = left()
        if room is not None:
            least = min(RESERVE, room // 2) if least is None else least
            if room < least:
                raise MemoryError
        return watch(done)

    return look


def _watch_of(bot: AnyBot, progress: Progress, name: str) -> Watch:
    if isinstance(bot, TimedBot):
        return progress.timing(name, bot.seconds)
    return progress.watching(name, budget(bot))


def decide(
    bot: AnyBot,
    state: GameState[int],
    rng: R,
    progress: Progress,
    label: str = '',
    root_moves: tuple[int, ...] | None = None,
    stopping: Stopping | None = None,
) -> tuple[int, Analysis[int] | None, R]:
    """Return the bot's move, the analysis behind it if there is one, and the next generator.

    `root_moves` limits the choice of a bot that analyses; `stopping` lets Ctrl-C end its
    search.
    """
    name = label or f'{state.player} thinks'
    if isinstance(bot, AlphaBetaBot):
        return bot.choose(state, watch=progress.watching(name, None)), None, rng
    if isinstance(bot, AnalysingBot):
        watch = _watch_of(bot, progress, name)
        watch = within_memory(watch if stopping is None else stopping.watching(watch))
        analysis, rng = bot.analyse(state, rng, watch=watch, root_moves=root_moves)
        return analysis.move, analysis, rng
    move, rng = checked_answer(bot(state, rng), state, rng)
    return move, None, rng


def watched(
    bot: AnyBot, progress: Progress, tell: Callable[[AnyBot, Analysis[int] | None], object]
) -> AnyBot:
    """Return the bot with a progress bar; `tell` receives the bot and the analysis of each move."""

    def play(state: GameState[int], rng: R) -> tuple[int, R]:
        move, analysis, rng = decide(bot, state, rng, progress)
        tell(bot, analysis)
        return move, rng

    return play
