"""All games of a match, by any executor; what comes out does not depend on it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from time import perf_counter
from typing import Any, Final

from attrs import define, field
from returns.pipeline import is_successful

from fmcts.arguments import whole_number
from fmcts.game import GameState
from fmcts.matches.course import Course
from fmcts.matches.description import Match
from fmcts.matches.game import PlayedGame, expect_searches, play_number
from fmcts.matches.result import MatchResult
from fmcts.rng import Rng

__all__ = ['Processes', 'Watch', 'games_of', 'match', 'play_match', 'players']

LOT: Final = 0.1  # seconds: what a worker is given together takes about so long
MOST: Final = 256  # games in a lot
AHEAD: Final = 32  # lots that are given out before the first comes back
LIVES: Final = 5  # pools of processes that may break before any game comes back

Watch = Callable[[PlayedGame], object]
Waiting = deque[Future[tuple[list[PlayedGame], float]]]


def match(  # noqa: PLR0913 - what is asked for most, by name
    first: Any,
    second: Any,
    start: GameState[Any],
    *,
    rng: Rng,
    games: int = 100,
    executor: Executor | None = None,
    jobs: int = 1,
    watch: Watch = lambda _game: None,
    **options: Any,
) -> MatchResult:
    """Play a match between two bots, `(state, rng) -> (move, rng)`; as `Match` and `play_match`.

    `options` are the other fields of `Match`: `opening_plies`, `openings`, `keep_trees`, `sprt`,
    `names`, `max_plies`.
    """
    described = Match(first=first, second=second, start=start, games=games, rng=rng, **options)
    return play_match(described, executor=executor, jobs=jobs, watch=watch)


def play_match(
    described: Match,
    *,
    executor: Executor | Processes | None = None,
    jobs: int = 1,
    watch: Watch = lambda _game: None,
    before: Iterable[PlayedGame] = (),
) -> MatchResult:
    """Play the games of a match.

    :param executor: where they are played: anything with the interface of
        `concurrent.futures.Executor`, as threads, processes, Dask's or mpi4py's; left out, here.
    :param jobs: so many processes of this machine, if there is no executor. (They are started anew,
        so a program that asks for some must be one that can be imported.)
    :param watch: is told every game in the order of their numbers.
    :param before: the first games of this match, played earlier; they are not played again.
    :raises ValueError: `jobs` is no whole number of at least 1, or the match was over before one of
        the earlier games.
    """
    played = list(before)
    known = Course.of(described, played)
    if not is_successful(known):
        raise ValueError(known.failure())
    course = known.unwrap()
    with players(executor, jobs) as there:
        if course.over:
            return MatchResult(described, tuple(played))
        for game in games_of(described, range(len(played), described.games), there):
            played.append(game)
            watch(game)
            course = course.also(game)
            if course.over:
                break
    return MatchResult(described, tuple(played))


def games_of(
    described: Match, numbers: range, executor: Executor | Processes | None = None
) -> Iterator[PlayedGame]:
    """The games of these numbers, in their order."""
    if isinstance(executor, Processes):
        yield from executor.games_of(described, numbers)
    elif executor is not None:
        waiting: Waiting = deque()
        try:
            yield from _handed_out(described, numbers, executor, waiting)
        finally:
            _cancel(waiting)
    else:
        expect_searches(described)
        for number in numbers:
            yield play_number(described, number)


@contextmanager
def players(
    executor: Executor | Processes | None, jobs: int
) -> Iterator[Executor | Processes | None]:
    """Who plays, until the end of the block: the executor, else so many processes, else `None`.

    :raises ValueError: `jobs` is no whole number of at least 1.
    """
    whole_number('jobs', jobs)
    if executor is not None or jobs == 1:
        yield executor
        return
    processes = Processes(jobs)
    try:
        yield processes
    finally:
        processes.end()


@define(eq=False)
class Processes:
    """So many processes of our own, begun when games are first asked for.

    Where one is killed, new ones go on with what is left.
    """

    jobs: int
    _pool: ProcessPoolExecutor | None = field(default=None, init=False)
    _wanted: Connection | None = field(default=None, init=False)  # until it is closed

    def games_of(self, described: Match, numbers: range) -> Iterator[PlayedGame]:
        """The games of these numbers, in their order."""
        lives = LIVES
        while numbers:
            waiting: Waiting = deque()
            try:
                for game in _handed_out(described, numbers, self._begun(), waiting):
                    lives, numbers = LIVES, numbers[1:]
                    yield game
            except GeneratorExit:  # other matches may come; else the pool itself cancels the rest
                _cancel(waiting)
                raise
            except BrokenProcessPool:
                self.end()
                lives -= 1
                if not lives:
                    raise

    def _begun(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context('spawn')  # the compiled engine has locks
            told, self._wanted = context.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(
                self.jobs, mp_context=context, initializer=_begin_process, initargs=(told,)
            )
        return self._pool

    def end(self) -> None:
        """End them, also those in the middle of a game: nobody waits for it."""
        if self._pool is not None and self._wanted is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._wanted.close()
        self._pool = self._wanted = None


def _begin_process(told: Connection) -> None:
    """Let this process end when nobody wants it, or the one that began it ends or is killed.

    Else it would wait for ever: it holds the other end of the pipe itself. Ctrl-C, of which a
    terminal tells all processes, is left to the one that began it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def end() -> None:
        if parent is not None:
            wait([parent.sentinel, told])
            os._exit(1)

    threading.Thread(target=end, daemon=True).start()


def _handed_out(
    described: Match, numbers: range, executor: Executor, waiting: Waiting
) -> Iterator[PlayedGame]:
    """By an executor, which is never far ahead of what was taken: what is `waiting` to be.

    A lot has as many games as suits how long those took that came back before; the first have one.
    """
    size = 1
    while numbers or waiting:
        if numbers and len(waiting) < AHEAD:
            waiting.append(executor.submit(_play_lot, described, numbers[:size]))
            numbers = numbers[size:]
            continue
        games, seconds = waiting.popleft().result()
        wanted = len(games) * LOT / max(seconds, 1e-6)
        size = int(min(max(wanted, size / 8, 1), size * 8, MOST))
        yield from games


def _cancel(waiting: Waiting) -> None:
    for future in waiting:
        future.cancel()


def _play_lot(described: Match, numbers: range) -> tuple[list[PlayedGame], float]:
    """The games, and how many seconds they took."""
    begin = perf_counter()
    expect_searches(described)
    games = [play_number(described, number) for number in numbers]
    return games, perf_counter() - begin
