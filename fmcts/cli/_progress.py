"""Running a search in a command: a progress bar, Ctrl-C, and limits by time or by iterations."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import count
from threading import Event, current_thread, main_thread
from time import monotonic
from typing import Any, Final, Self, TypeVar

import click

from fmcts.bots import (
    AlphaBetaBot,
    AnalysingBot,
    AnyBot,
    LimitedBot,
    Made,
    MctsBot,
    budget,
    checked_answer,
    limited,
)
from fmcts.cli._types import Spec, tell_of_number
from fmcts.game import GameState
from fmcts.rng import R
from fmcts.search import STOP, Analysis, Watch
from fmcts.solve import solve

T = TypeVar('T')

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
        began = 0.0

        def watch(done: int) -> None:
            nonlocal began
            began = began or monotonic()  # machine code was linked before
            self.watching(f'{label}, {done:,} done', seconds)(monotonic() - began)

        return watch

    def counting(self, label: str, total: int) -> Callable[[T], T]:
        """Return a function to call with each of `total` items done; it returns the item."""
        watch, done = self.watching(label, total), count(1)

        def counted(one: T) -> T:
            watch(next(done))
            return one

        return counted

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


@contextmanager
def ended_by_interrupt(watch: Watch, asked: Event) -> Iterator[Watch]:
    """Yield `watch`, extended to end the search at the first Ctrl-C, which sets `asked`.

    The second Ctrl-C interrupts, and so does one before the first iteration.
    """
    usual = signal.default_int_handler

    def ask(*_signal: object) -> None:
        asked.set()
        signal.signal(signal.SIGINT, usual)

    def look(done: int) -> object:
        # Only the main thread may set a handler, and one that somebody else set stays.
        free = current_thread() is main_thread() and signal.getsignal(signal.SIGINT) is usual
        if free and not asked.is_set():
            signal.signal(signal.SIGINT, ask)
        answer = watch(done)
        return STOP if asked.is_set() else answer

    try:
        yield look
    finally:
        if signal.getsignal(signal.SIGINT) is ask:
            signal.signal(signal.SIGINT, usual)


def decide(
    bot: AnyBot,
    state: GameState[int],
    rng: R,
    progress: Progress,
    root_moves: tuple[int, ...] | None = None,
    asked: Event | None = None,
) -> tuple[int, R, Analysis[int] | None]:
    """Return the bot's move, the next generator, and the analysis behind the move if there is one.

    `root_moves` limits the choice of a bot that analyses. If `asked` is given, Ctrl-C sets it and
    ends a tree search early, but one with a schedule, as fewer iterations are divided otherwise.

    :raises UsageError: a limited bot has no more numbers of iterations.
    """
    watch: Watch
    name = f'{state.player} thinks'
    if isinstance(bot, AlphaBetaBot):
        watch = progress.watching(name, None)
        return solve(state, bot.search, engine=bot.engine, watch=watch).move, rng, None
    if not isinstance(bot, AnalysingBot):
        return *checked_answer(bot(state, rng), state, rng), None
    if not isinstance(bot, LimitedBot):
        watch = progress.watching(name, budget(bot))
    elif bot.iterations is None:
        watch = progress.timing(name, bot.seconds or 0)
    elif len(bot.made) < len(bot.iterations):
        watch = progress.watching(name, bot.iterations[len(bot.made)])
    else:
        why = f'--iterations: the game has more searches than the {len(bot.made)} given'
        raise click.UsageError(why)
    ending: AbstractContextManager[Watch] = nullcontext(watch)
    if asked is not None and isinstance(bot, MctsBot) and bot.search.schedule is None:
        ending = ended_by_interrupt(watch, asked)
    with ending as watch:
        analysis, rng = bot.analyse(state, rng, watch=watch, root_moves=root_moves)
    return analysis.move, rng, analysis


def seated(
    specs: Sequence[Spec],
    engine: str,
    seconds: float | None,
    iterations: Sequence[int] | None = None,
) -> tuple[tuple[Any, ...], Made]:
    """Return the players, tree searches limited by --time or --iterations, and what these make.

    :raises UsageError: no player can be limited, or there are seconds for a search with a schedule.
    """
    made: Made = []
    players = tuple(spec.bot(engine) for spec in specs)
    if seconds is None and iterations is None:
        return players, made
    searches = [player.search for player in players if isinstance(player, MctsBot)]
    if not searches:
        option = '--time' if iterations is None else '--iterations'
        raise click.UsageError(f'{option} needs a tree search, such as mcts')
    if seconds is not None:
        for spec in dict.fromkeys(specs):
            tell_of_number('--time', spec.text, spec.player)
        if any(search.schedule is not None for search in searches):
            raise click.UsageError(
                'a search with a schedule must know its number of iterations: give one, not --time',
            )
    return tuple(limited(player, seconds, iterations, made) for player in players), made


def counts_of(made: Made) -> tuple[int, ...]:
    """Return the iterations of searches, to be printed."""
    return tuple(count for _, count, _ in made)
