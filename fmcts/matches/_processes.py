"""Play games in this process and others; the games do not depend on which process plays them."""

from __future__ import annotations

import io
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection
from time import perf_counter
from typing import Any, Final

from attrs import define, field

from fmcts._content.elsewhere import Texts, texts_of
from fmcts.errors import MoveLimitError
from fmcts.matches._batches import (
    AHEAD,
    Played,
    compared,
    next_size,
    play_batch,
    plies_of_batch,
    result_of,
)
from fmcts.matches._description import Match
from fmcts.matches._game import PlayedGame, name_of
from fmcts.matches._limits import PAUSE, Asked, Asking, Watched
from fmcts.record import exited

TURN: Final = 0.01  # seconds that this process plays before it checks the others
LIVES: Final = 5  # processes that the same games may kill


class UnsentError(TypeError):
    """Raised when a match cannot be pickled for another process."""


@define(eq=False)
class Process:
    """A worker process in its own single-worker pool, so that its death affects no other."""

    pool: ProcessPoolExecutor
    asking: Asking | None = None
    watched: Watched | None = None
    given: list[Future[Played]] = field(factory=list, init=False)

    def unplayed(self) -> list[Future[Played]]:
        """Return the worker's unfinished futures, and forget the finished ones."""
        self.given = [future for future in self.given if not future.done()]
        return self.given


@define(eq=False)
class Here:
    """Games that this process plays, one ply per step, and their results."""

    steps: Generator[None, None, list[PlayedGame]]
    future: Future[Played] = field(factory=Future, init=False)
    seconds: float = field(default=0.0, init=False)

    def turn(self) -> bool:
        """Play for `TURN` seconds; return whether all games are finished."""
        begin = now = perf_counter()
        try:
            while now - begin < TURN:
                next(self.steps)
                now = perf_counter()
            self.seconds += now - begin
        except StopIteration as end:
            self.future.set_result((end.value, self.seconds + perf_counter() - begin))
        except (Exception, SystemExit, GeneratorExit) as error:  # noqa: BLE001
            self.future.set_exception(exited(error, 'game'))  # raised when their turn comes
        return self.future.done()

    def next_size(self, size: int) -> int:
        """Return the size of the next batch."""
        return size if self.future.exception() else next_size(size, self.future.result())


@define(eq=False)
class Batch:
    """A batch that was handed out: its numbers, its result, and its worker."""

    numbers: range
    future: Future[Played]
    process: Process | None = None
    asking: Asking | None = None  # of its worker, which may have been replaced
    killed: int = 0  # how many workers died while they had it
    asked: set[Asked | None] = field(factory=set)  # the moves that these workers were asking for


@define(eq=False)
class Processes:
    """Worker processes: this one, and others that start when games are requested.

    A worker takes most of a second to start, during which this process plays. If one is killed, a
    new one takes over its games.

    With a limit of seconds for each move, this process only watches the others.
    """

    jobs: int
    move_limit: float | None = None
    _sent: Texts = field(default=(), init=False)
    _others: list[Process] = field(factory=list, init=False)
    _told: connection.Connection | None = field(default=None, init=False)
    _wanted: connection.Connection | None = field(
        default=None, init=False
    )  # `None` until the first worker, and after it is closed

    def games_of(self, described: Match, numbers: range) -> Iterator[PlayedGame]:
        """Yield the games of these numbers, in order.

        :raises BrokenProcessPool: the same games ended several processes.
        :raises MoveLimitError: a bot returned no move in time.
        :raises UnsentError: the match cannot be pickled.
        """
        if self._begun > 0:
            _expect_sendable(described)
        self._sent = texts_of(compared(described))
        batches: deque[Batch] = deque()
        here: Here | None = None
        size = 1
        while numbers or batches:
            come = bool(batches) and batches[0].future.done()
            if come and self._goes_on(batches[0], described):
                continue
            more = bool(numbers) and len(batches) < AHEAD * self.jobs
            some = min(
                size, max(1, len(numbers) // (4 * self.jobs))
            )  # so that all finish at about the same time
            free = self._free(1 if size == 1 else 2) if more else None
            if free is not None:
                batches.append(self._given(free, described, numbers[:some]))
                numbers = numbers[some:]
            elif come:
                batch = batches.popleft()
                played = (
                    result_of(described, batch.numbers, batch.future)
                    if self.move_limit is None
                    else batch.future.result()
                )
                size = next_size(size, played)
                yield from played[0]
            elif here is not None:
                if here.turn():
                    size, here = here.next_size(size), None
            elif more and self.move_limit is None:
                here = Here(plies_of_batch(described, numbers[:some]))
                batches.append(Batch(numbers[:some], here.future))
                numbers = numbers[some:]
            else:
                unplayed = [future for other in self._others for future in other.unplayed()]
                pause = None if self.move_limit is None else PAUSE
                wait(unplayed, timeout=pause, return_when=FIRST_COMPLETED)
                self._expect_moves(described)

    @property
    def _begun(self) -> int:
        """The number of worker processes besides this one."""
        return self.jobs - 1 if self.move_limit is None else self.jobs

    def _expect_moves(self, described: Match) -> None:
        for other in self._others:
            late = other.watched.late() if other.watched else None
            if late is not None:
                raise MoveLimitError(
                    f'{name_of(described, *late)}: gave no move within {self.move_limit:g} s'
                )

    def _free(self, enough: int) -> Process | None:
        """Return a worker with fewer than `enough` unfinished batches, or `None`."""
        if len(self._others) < self._begun:
            self._others.append(self._process())
        return next((one for one in self._others if len(one.unplayed()) < enough), None)

    def _given(self, process: Process, described: Match, numbers: range) -> Batch:
        batch = Batch(numbers, Future(), process)
        self._give(process, described, batch)
        return batch

    def _give(self, process: Process, described: Match, batch: Batch) -> None:
        """Submit a batch to a worker; replace the worker first if it was killed."""
        try:
            batch.future = process.pool.submit(play_here, described, batch.numbers, self._sent)
        except BrokenProcessPool:
            process.pool.shutdown(wait=False)
            again = self._process(Asking.new())
            process.pool, process.asking, process.watched = again.pool, again.asking, again.watched
            batch.future = process.pool.submit(play_here, described, batch.numbers, self._sent)
        batch.asking = process.asking
        process.given.append(batch.future)

    def _goes_on(self, batch: Batch, described: Match) -> bool:
        """Return whether the batch's worker was killed and a new one has the batch now.

        :raises BrokenProcessPool: too many were killed for it to be an accident.
        """
        killed = None if batch.process is None else batch.future.exception()
        if batch.process is None or not isinstance(killed, BrokenProcessPool):
            return False
        batch.killed += 1
        if batch.asking is not None:
            batch.asked.add(batch.asking.asked)
        if batch.killed == LIVES:
            raise BrokenProcessPool(_why_they_ended(described, batch)) from killed
        self._give(batch.process, described, batch)
        return True

    def _process(self, asking: Asking | None = None) -> Process:
        if asking is None and self.move_limit is not None:
            asking = Asking.new()
        context = multiprocessing.get_context(
            'spawn'
        )  # the compiled engine has locks, so processes must not be forked
        if self._told is None:
            self._told, self._wanted = context.Pipe(duplex=False)
        memory = None if asking is None else asking.memory
        pool = ProcessPoolExecutor(
            1, mp_context=context, initializer=begin_process, initargs=(self._told, memory)
        )
        if asking is None or self.move_limit is None:
            return Process(pool, asking)
        return Process(pool, asking, Watched(self.move_limit, asking))

    def end(self) -> None:
        """End all workers, even in the middle of a game."""
        for other in self._others:
            other.pool.shutdown(wait=False, cancel_futures=True)
            if other.watched is not None:
                other.watched.kill()  # it may hang
        if self._wanted is not None:
            self._wanted.close()
        self._others, self._told, self._wanted = [], None, None


def _why_they_ended(described: Match, batch: Batch) -> str:
    """Return why workers ended; name the bot if all ended while asking it for one move.

    The first worker does not record that, because it costs fast bots too much.
    """
    where = batch.asked.pop() if len(batch.asked) == 1 else None
    if where is not None and where[0] in batch.numbers:
        return f'{name_of(described, *where)}: each process that asked it for a move ended'
    first, last = batch.numbers[0], batch.numbers[-1]
    games = f'game {first}' if first == last else f'one of the games {first} to {last}'
    return (
        f'{LIVES} processes that were to play {games} ended, one after another: a bot may have '
        'ended them, or they could not start because the program lacks the guard if __name__ == '
        "'__main__':"
    )


class _Names(pickle.Unpickler):
    """Read a pickle; refuse what is defined where other processes cannot import it."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a function or class by its name.

        :raises UnsentError: it is defined at a prompt or in a notebook.
        """
        # A program that is not in a file has no __file__, or '<stdin>'.
        file = getattr(sys.modules[module], '__file__', None) or '<'
        if module == '__main__' and file.startswith('<'):
            raise UnsentError(
                f'the match cannot be sent to other processes: {name} is defined in a notebook or '
                'at a prompt: put it in a module'
            )
        return super().find_class(module, name)


def _expect_sendable(described: Match) -> None:
    """Raise an error if the match cannot be sent to other processes.

    :raises UnsentError: it cannot be pickled, or refers to what only this process has.
    """
    try:
        _Names(io.BytesIO(pickle.dumps(described))).load()
    except UnsentError:
        raise
    except Exception as error:
        raise UnsentError(
            f'the match cannot be sent to other processes: {error} (use functions and classes '
            'defined in a module, not lambdas)'
        ) from error


_asking: Asking | None = None
"""The record of this process, if there is a limit of time."""


def play_here(described: Match, numbers: range, sent: Texts) -> Played:
    """Return the games of these numbers, in a process started with `begin_process`."""
    return play_batch(described, numbers, _asking, sent)


def begin_process(pipe: connection.Connection, memory: Any = None) -> None:
    """Make this process end when its parent closes the pipe, ends or is killed.

    Without this it would wait for ever, because it holds the other end of the pipe itself. Ctrl-C,
    which a terminal sends to all processes, is left to the parent.
    """
    global _asking  # noqa: PLW0603 - a process begins once
    if memory is not None:
        _asking = Asking(memory)
        _asking.here()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def end() -> None:
        if parent is not None:
            connection.wait([parent.sentinel, pipe])
            os._exit(1)

    threading.Thread(target=end, daemon=True).start()
