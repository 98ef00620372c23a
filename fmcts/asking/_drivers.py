"""Drivers: loops over `ask` and `tell` for executors and for asyncio, on public names alone."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from pathlib import Path
from threading import TIMEOUT_MAX
from time import monotonic
from typing import Any

from attrs import define, evolve, field

from fmcts._arguments import amount, as_number, is_number, shown, whole_number
from fmcts.asking._journal import Append, journal as opened
from fmcts.asking._search import Asking
from fmcts.asking._session import Request
from fmcts.errors import MethodError, UnansweredError
from fmcts.search import STOP, ignore


def run(
    search: Asking[Any],
    evaluate: Callable[[Any], Any],
    executor: Executor,
    *,
    attempts: int = 3,
    timeout: float | None = None,
    journal: str | Path | None = None,
    watch: Callable[[Any], object] = ignore,
) -> Asking[Any]:
    """Return the search after `evaluate(state)` answered all its requests, by an executor.

    The executor is one of threads, of processes, or of another library with the same interface,
    such as Dask's `client.get_executor()`; give it a worker for each request of the window. A call
    that raises an error, that returns what is not an answer, or that takes more than `timeout`
    seconds has failed; then it is made again, up to `attempts` times. The answer of a call that was
    given up counts if it comes before another one.

    `journal`: a file to which each answer is written first (see `journal`); the search
    first resumes from it. `watch` receives the search after each answer, and ends the run by
    returning `STOP`; what is in flight is still told.

    :raises FileError: the file is of another search.
    :raises UnansweredError: a request failed `attempts` times, the executor takes no more calls, or
        the file cannot keep an answer; answers in flight are told to the search first.
    :raises ValueError: `attempts` is not a whole number of at least 1, or `timeout` not one of
        seconds.
    """
    timeout = _seconds(timeout)
    with _running(search, None, attempts, journal, watch) as work:
        calls: dict[Future[Any], Request[Any]] = {}
        deadlines: dict[Future[Any], float] = {}  # of the calls that were not given up
        while True:
            for request in work.starting(len(deadlines)):
                try:
                    call = executor.submit(evaluate, request.state)
                except RuntimeError as error:  # a worker has died, or it was shut down
                    work.end(f'request {request.id} was not made: {error}', error)
                    break
                calls[call] = request
                deadlines[call] = math.inf if timeout is None else monotonic() + timeout
            if not deadlines:
                return work.finished()
            left = None if timeout is None else max(0.0, min(deadlines.values()) - monotonic())
            done, _ = wait(calls, left, FIRST_COMPLETED)
            for call in done:
                request = calls.pop(call)
                failed = CancelledError() if call.cancelled() else call.exception()
                # A call that was given up may still answer, which counts; its failure was counted
                # before.
                if deadlines.pop(call, None) is not None or failed is None:
                    work.settle(request, failed or call.result())
            for call in [call for call, end in deadlines.items() if end <= monotonic()]:
                del deadlines[call]
                call.cancel()
                work.settle(calls[call], TimeoutError(f'no answer in {timeout:g} seconds'))


async def run_async(
    search: Asking[Any],
    evaluate: Callable[[Any], Awaitable[Any]],
    *,
    at_once: int | None = None,
    attempts: int = 3,
    timeout: float | None = None,  # noqa: ASYNC109 - of each call, not of the run
    journal: str | Path | None = None,
    watch: Callable[[Any], object] = ignore,
) -> Asking[Any]:
    """Return the search after `await evaluate(state)` answered all its requests.

    As `run`, in the running loop of asyncio, with at most `at_once` calls at a time (by default as
    many as the window has). A call that takes too long is cancelled, and so is
    what is in flight when the run is; answers that have arrived by then are in the journal, and
    `watch` receives them.

    :raises FileError: the file is of another search.
    :raises UnansweredError: a request failed `attempts` times, or the file cannot keep an answer;
        answers in flight are told to the search first.
    :raises ValueError: `at_once` or `attempts` is not a whole number of at least 1, or `timeout`
        not one of seconds.
    """
    timeout = _seconds(timeout)
    with _running(search, at_once, attempts, journal, watch) as work:
        calls: dict[asyncio.Task[Any], Request[Any]] = {}

        def settle(call: asyncio.Task[Any]) -> None:
            request = calls.pop(call)
            cancelled = asyncio.CancelledError() if call.cancelled() else None
            work.settle(request, cancelled or call.exception() or call.result())

        try:
            while True:
                for request in work.starting(len(calls)):
                    answer = asyncio.wait_for(evaluate(request.state), timeout)
                    calls[asyncio.ensure_future(answer)] = request
                if not calls:
                    return work.finished()
                done, _ = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
                for call in done:
                    settle(call)
        finally:
            for call in calls:
                call.cancel()
            # What was answered in the meantime is paid for: it is kept before the error goes on.
            await asyncio.gather(*calls, return_exceptions=True)
            for call in [*calls]:
                if not call.cancelled():
                    settle(call)


@define
class _Work:
    """The requests of a run that are still to be answered, and the answers so far."""

    search: Asking[Any]
    append: Append
    at_once: int
    attempts: int
    watch: Callable[[Any], object]
    last: int = -1
    waiting: list[Request[Any]] = field(factory=list)  # oldest last
    unanswered: set[int] = field(factory=set)
    failures: Counter[int] = field(factory=Counter)
    stopped: bool = False
    error: UnansweredError | None = None

    def starting(self, running: int) -> Iterator[Request[Any]]:
        """Yield the requests to start, if that many calls are running."""
        new = self.search.ask(self.last)
        if new:
            self.last = new[-1].id
            self.unanswered.update(it.id for it in new)
            # The oldest first, repeated ones too: later answers wait for it in any case.
            self.waiting = sorted((*self.waiting, *new), key=lambda it: -it.id)
        while self.waiting and running < self.at_once and not self.stopped:
            request = self.waiting.pop()
            if request.id in self.unanswered:
                running += 1
                yield request

    def settle(self, request: Request[Any], answer: Any) -> None:
        """Tell an answer, or the error in its place, unless another attempt was answered."""
        if request.id not in self.unanswered:
            return
        if not isinstance(answer, BaseException):
            try:
                found = self.search.tell(request, answer)
            except MethodError as error:
                answer = error
        if isinstance(answer, BaseException):
            self.keep(request, answer)
            self.search = self.search.fail(request)
            self.failures[request.id] += 1
            if self.failures[request.id] < self.attempts:
                self.waiting.append(evolve(request, attempt=request.attempt + 1))
            else:
                tries = amount(self.attempts, 'attempt')
                self.end(f'request {request.id} failed in {tries}: {answer!r}', answer)
            return
        self.keep(request, answer)
        self.search = found
        self.unanswered.remove(request.id)
        if self.watch(found) is STOP:
            self.stopped = True

    def keep(self, request: Request[Any], answer: Any) -> None:
        """Append an answer to the file; if that cannot keep it, it is told, and the run ends."""
        try:
            self.append(request, answer)
        except MethodError as error:
            self.end(str(error), error)

    def end(self, message: str, cause: BaseException) -> None:
        """Start nothing more, and raise the first such error once nothing is in flight."""
        self.stopped = True
        if self.error is None:
            self.error = UnansweredError(message)
            self.error.__cause__ = cause

    def finished(self) -> Asking[Any]:
        """Return what was found.

        :raises UnansweredError: `end` was called.
        """
        if self.error is not None:
            self.error.search = self.search
            raise self.error
        return self.search


def _seconds(timeout: Any) -> float | None:
    """Return the timeout of a call, if there is one.

    :raises ValueError: it is not a number of seconds for which Python can wait.
    """
    number: Any = as_number(timeout)
    if timeout is not None and not (is_number(number) and 0 < number <= TIMEOUT_MAX):
        raise ValueError(f'timeout must be a number of seconds above 0, not {shown(timeout)}')
    return None if timeout is None else float(number)


@contextmanager
def _running(
    search: Asking[Any],
    at_once: int | None,
    attempts: int,
    path: str | Path | None,
    watch: Callable[[Any], object],
) -> Iterator[_Work]:
    """Give the work of a run, with the journal open if there is one."""
    most = search.search.batch if at_once is None else whole_number('at_once', at_once)
    whole_number('attempts', attempts)
    if path is None:
        yield _Work(search, lambda _request, _answer: None, most, attempts, watch)
        return
    with opened(path, search) as (resumed, append):
        yield _Work(resumed, append, most, attempts, watch)
