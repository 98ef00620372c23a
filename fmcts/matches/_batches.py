"""Games that are handed out together, so that a call does not cost more than what it asks for."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Executor, Future
from time import perf_counter
from typing import Final

from fmcts.matches._description import Match
from fmcts.matches._game import PlayedGame, expect_searches, plies_of
from fmcts.matches._limits import Asking
from fmcts.record import finished
from fmcts.search._chunks import adapted

__all__ = ['AHEAD', 'Played', 'cancel', 'handed_out', 'next_size', 'play_batch', 'plies_of_batch']

SECONDS: Final = 0.1  # that a batch takes, about
MOST: Final = 256  # games in a batch
AHEAD: Final = 32  # batches that are handed out before the first comes back

Played = tuple[list[PlayedGame], float]  # the games, and how many seconds they took


def handed_out(
    described: Match, numbers: range, executor: Executor, waiting: deque[Future[Played]]
) -> Iterator[PlayedGame]:
    """The games of these numbers by an executor, never far ahead of what was taken: `waiting`.

    How many games a batch has depends on how long earlier ones took; the first have one.
    """
    size = 1
    while numbers or waiting:
        if numbers and len(waiting) < AHEAD:
            waiting.append(executor.submit(play_batch, described, numbers[:size]))
            numbers = numbers[size:]
            continue
        played = waiting.popleft().result()
        size = next_size(size, played)
        yield from played[0]


def play_batch(described: Match, numbers: range, asking: Asking | None = None) -> Played:
    """The games of these numbers; `asking` is where it says which bot it asks."""
    begin = perf_counter()
    try:
        return finished(plies_of_batch(described, numbers, asking)), perf_counter() - begin
    except Exception as error:  # noqa: BLE001 - it is raised again
        wrong = _sendable(error)
    # Out there, so that it has nothing of the other with it: Dask sends causes as well.
    raise wrong


def _sendable(error: Exception) -> Exception:
    """The error, or where it could not be made again elsewhere, one that says the same.

    Else the process that waits for it would hear of a broken pool.
    """
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own, a moment ago
    except Exception:  # noqa: BLE001 - whatever its class does
        again = RuntimeError(f'{type(error).__name__}: {error}').with_traceback(error.__traceback__)
        for note in getattr(error, '__notes__', ()):
            again.add_note(note)
        return again
    return error


def plies_of_batch(
    described: Match, numbers: range, asking: Asking | None = None
) -> Generator[None, None, list[PlayedGame]]:
    """The games of these numbers, a ply at each step; it returns them."""
    expect_searches(described)
    games = []
    for number in numbers:
        games.append((yield from plies_of(described, number, asking)))  # noqa: PERF401 - no comprehension may
    return games


def next_size(size: int, played: Played) -> int:
    """How many games a batch has, after those."""
    games, seconds = played
    return adapted(size, len(games), seconds, aim=SECONDS, most=MOST)


def cancel(waiting: deque[Future[Played]]) -> None:
    """Take back what was not begun."""
    for future in waiting:
        future.cancel()
