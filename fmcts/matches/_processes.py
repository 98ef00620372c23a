"""Games by this process and others that it begins; what comes out does not depend on who plays."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection
from time import perf_counter
from typing import Any, Final

from attrs import define, field

from fmcts.errors import MoveLimitError
from fmcts.matches._batches import AHEAD, Played, next_size, play_batch, plies_of_batch
from fmcts.matches._description import Match
from fmcts.matches._game import PlayedGame, name_of
from fmcts.matches._limits import PAUSE, Asked, Asking, Watched
from fmcts.record import exited

__all__ = ['Processes', 'UnsentError']

TURN: Final = 0.01  # seconds: so long this process plays before it looks what the others have done
LIVES: Final = 5  # processes that may be killed by the same games


class UnsentError(TypeError):
    """A match that cannot be sent to another process."""


@define(eq=False)
class Process:
    """One that was begun, as a pool of one, so that where it is killed the others play on."""

    pool: ProcessPoolExecutor
    asking: Asking | None = None
    watched: Watched | None = None
    given: list[Future[Played]] = field(factory=list, init=False)

    def unplayed(self) -> list[Future[Played]]:
        """What it was given and has not played."""
        self.given = [future for future in self.given if not future.done()]
        return self.given


@define(eq=False)
class Here:
    """Games that this process plays, a ply at each step, and what comes of them."""

    steps: Generator[None, None, list[PlayedGame]]
    future: Future[Played] = field(factory=Future, init=False)
    seconds: float = field(default=0.0, init=False)

    def turn(self) -> bool:
        """Play for a while; whether that was all."""
        begin = now = perf_counter()
        try:
            while now - begin < TURN:
                next(self.steps)
                now = perf_counter()
            self.seconds += now - begin
        except StopIteration as end:
            self.future.set_result((end.value, self.seconds + perf_counter() - begin))
        except (Exception, SystemExit, GeneratorExit) as error:  # noqa: BLE001
            self.future.set_exception(exited(error, 'game'))  # raised when it is their turn
        return self.future.done()

    def next_size(self, size: int) -> int:
        """How many games come next, after these."""
        return size if self.future.exception() else next_size(size, self.future.result())


@define(eq=False)
class Batch:
    """Games that were handed out: their numbers, what comes of them, and to which process."""

    numbers: range
    future: Future[Played]
    process: Process | None = None
    asking: Asking | None = None  # of the process that has it, which another may follow
    killed: int = 0  # how many processes were, that had it
    asked: set[Asked | None] = field(factory=set)  # of which moves those asked that said so


@define(eq=False)
class Processes:
    """So many processes that play: this one, and others that begin when games are asked for.

    Beginning takes them most of a second, in which this one plays. Where one is killed, a new one
    goes on with what it had.

    With a limit of seconds for each move, this one does not play, but looks whether they do.
    """

    jobs: int
    move_limit: float | None = None
    _others: list[Process] = field(factory=list, init=False)
    _told: connection.Connection | None = field(default=None, init=False)
    _wanted: connection.Connection | None = field(default=None, init=False)  # until it is closed

    def games_of(self, described: Match, numbers: range) -> Iterator[PlayedGame]:
        """The games of these numbers, in their order.

        :raises BrokenProcessPool: the same games ended several processes.
        :raises MoveLimitError: a bot gave no move in time.
        :raises UnsentError: the match cannot be sent to others.
        """
        if self._begun > 0:
            _expect_sendable(described)
        batches: deque[Batch] = deque()
        here: Here | None = None
        size = 1
        while numbers or batches:
            come = bool(batches) and batches[0].future.done()
            if come and self._goes_on(batches[0], described):
                continue
            more = bool(numbers) and len(batches) < AHEAD * self.jobs
            some = min(size, max(1, len(numbers) // (4 * self.jobs)))  # all end at about one time
            free = self._free(1 if size == 1 else 2) if more else None
            if free is not None:
                batches.append(self._given(free, described, numbers[:some]))
                numbers = numbers[some:]
            elif come:
                played = batches.popleft().future.result()
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
        """How many processes are begun, besides this one."""
        return self.jobs - 1 if self.move_limit is None else self.jobs

    def _expect_moves(self, described: Match) -> None:
        for other in self._others:
            late = other.watched.late() if other.watched else None
            if late is not None:
                raise MoveLimitError(
                    f'{name_of(described, *late)}: gave no move within {self.move_limit:g} s'
                )

    def _free(self, enough: int) -> Process | None:
        """One that has less to do than is enough, if there is one."""
        if len(self._others) < self._begun:
            self._others.append(self._process())
        return next((one for one in self._others if len(one.unplayed()) < enough), None)

    def _given(self, process: Process, described: Match, numbers: range) -> Batch:
        batch = Batch(numbers, Future(), process)
        self._give(process, described, batch)
        return batch

    def _give(self, process: Process, described: Match, batch: Batch) -> None:
        """Have a process play; where it was killed, a new one, which says what it asks of whom."""
        try:
            batch.future = process.pool.submit(play_here, described, batch.numbers)
        except BrokenProcessPool:
            process.pool.shutdown(wait=False)
            again = self._process(Asking.new())
            process.pool, process.asking, process.watched = again.pool, again.asking, again.watched
            batch.future = process.pool.submit(play_here, described, batch.numbers)
        batch.asking = process.asking
        process.given.append(batch.future)

    def _goes_on(self, batch: Batch, described: Match) -> bool:
        """Whether the process that had it was killed, so that a new one has it now.

        :raises BrokenProcessPool: so many were killed that this is no accident.
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
        context = multiprocessing.get_context('spawn')  # the compiled engine has locks
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
        """End them, also those in the middle of a game: nobody waits for it."""
        for other in self._others:
            other.pool.shutdown(wait=False, cancel_futures=True)
            if other.watched is not None:
                other.watched.kill()  # it may hang
        if self._wanted is not None:
            self._wanted.close()
        self._others, self._told, self._wanted = [], None, None


def _why_they_ended(described: Match, batch: Batch) -> str:
    """Name the bot, where all those that said what they asked ended while one asked it for a move.

    The first did not say so: it costs quick bots too much.
    """
    where = batch.asked.pop() if len(batch.asked) == 1 else None
    if where is not None and where[0] in batch.numbers:
        return f'{name_of(described, *where)}: each process that asked it for a move ended'
    first, last = batch.numbers[0], batch.numbers[-1]
    games = f'game {first}' if first == last else f'one of the games {first} to {last}'
    return (
        f'{LIVES} processes ended, one after another, that were to play {games}: a bot may '
        'have ended them, or they could not begin, as the program does not keep what it '
        "does below if __name__ == '__main__':"
    )


def _expect_sendable(described: Match) -> None:
    """Nothing, when other processes can be told the match."""
    try:
        pickle.dumps(described)
    except Exception as error:
        raise UnsentError(
            f'the match cannot be sent to other processes: {error} (what is found by its name '
            'in a module can, as functions and classes there, but no lambda)'
        ) from error


_asking: Asking | None = None
"""Where this process says which bot it asks, if there is a limit."""


def play_here(described: Match, numbers: range) -> Played:
    """The games of these numbers, in a process that `begin_process` has begun."""
    return play_batch(described, numbers, _asking)


def begin_process(told: connection.Connection, memory: Any = None) -> None:
    """Let this process end when nobody wants it, or the one that began it ends or is killed.

    Else it would wait for ever: it holds the other end of the pipe itself. Ctrl-C, of which a
    terminal tells all processes, is left to the one that began it.
    """
    global _asking  # noqa: PLW0603 - a process begins once
    if memory is not None:
        _asking = Asking(memory)
        _asking.here()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def end() -> None:
        if parent is not None:
            connection.wait([parent.sentinel, told])
            os._exit(1)

    threading.Thread(target=end, daemon=True).start()
