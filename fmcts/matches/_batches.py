"""Batches of games, large enough that a call costs less than the games it plays."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Executor, Future
from time import perf_counter
from typing import Any, Final, TypeAlias
from warnings import warn

from fmcts._content.elsewhere import OtherCodeError, Texts, expect_same, texts_of
from fmcts.errors import FmctsWarning
from fmcts.matches._description import Match
from fmcts.matches._game import PlayedGame, plies_of
from fmcts.matches._limits import Asking
from fmcts.record import finished
from fmcts.search._watch import adapted

SECONDS: Final = 0.1  # the time a batch should take
MOST: Final = 256  # games in a batch
AHEAD: Final = 32  # batches submitted before the first returns

Played = tuple[list[PlayedGame], float]  # the games, and the seconds they took
Waiting: TypeAlias = deque[Future[Played | OtherCodeError]]


def handed_out(
    described: Match, numbers: range, executor: Executor, waiting: Waiting
) -> Iterator[PlayedGame]:
    """Yield the games of these numbers, played by an executor; `waiting` holds submitted batches.

    The size of a batch depends on the time that earlier ones took; the first have one game.
    """
    size, sent = 1, texts_of(compared(described))
    given: deque[range] = deque()
    while numbers or waiting:
        if numbers and len(waiting) < AHEAD:
            waiting.append(executor.submit(_elsewhere, described, numbers[:size], sent))
            given.append(numbers[:size])
            numbers = numbers[size:]
            continue
        played = result_of(described, given.popleft(), waiting.popleft())
        size = next_size(size, played)
        yield from played[0]


def compared(described: Match) -> dict[str, object]:
    """Return what must be the same in every process that plays the match."""
    return {
        'the first bot': described.first,
        'the second bot': described.second,
        'the game': type(described.start),
    }


def result_of(described: Match, numbers: range, future: Future[Any]) -> Played:
    """Return the games of these numbers; play them here if the other process has other bots."""
    found: Played | OtherCodeError
    try:
        found = future.result()
    except OtherCodeError as error:
        found = error
    if isinstance(found, OtherCodeError):
        warn(f'{found}: the games are played in this process', FmctsWarning, stacklevel=2)
        return play_batch(described, numbers)
    return found


def _elsewhere(described: Match, numbers: range, sent: Texts) -> Played | OtherCodeError:
    """Return what `play_batch` does; an `OtherCodeError` too, which Dask would print if raised."""
    try:
        return play_batch(described, numbers, None, sent)
    except OtherCodeError as error:
        return error


def play_batch(
    described: Match, numbers: range, asking: Asking | None = None, sent: Texts | None = None
) -> Played:
    """Return the games of these numbers; `asking` records which bot is asked for a move.

    `sent`: the texts of what is `compared`, from the program.
    """
    begin = perf_counter()
    try:
        if sent is not None:
            expect_same(compared(described), sent)
        return finished(plies_of_batch(described, numbers, asking)), perf_counter() - begin
    except Exception as error:  # noqa: BLE001 - it is raised again
        wrong = _sendable(error)
    # Raised outside the `except` block, so that the error has no context: Dask sends causes as
    # well.
    raise wrong


def _sendable(error: Exception) -> Exception:
    """Return the error, or one with the same message if it cannot be pickled.

    Otherwise the waiting process would get a broken pool instead of the error.
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
    """Play the games of these numbers, one ply per step; return the games."""
    games = []
    for number in numbers:
        games.append((yield from plies_of(described, number, asking)))  # noqa: PERF401 - no comprehension may
    return games


def next_size(size: int, played: Played) -> int:
    """Return the number of games in the next batch."""
    games, seconds = played
    return adapted(size, len(games), seconds, aim=SECONDS, most=MOST)


def cancel(waiting: Waiting) -> None:
    """Cancel the batches that have not started."""
    for future in waiting:
        future.cancel()
