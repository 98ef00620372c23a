"""Batches of games, large enough that a call costs less than the games it plays."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Executor, Future
from time import perf_counter
from typing import Final, TypeAlias
from warnings import warn

from fmcts._content.remembered import keep
from fmcts.errors import FmctsWarning
from fmcts.matches._content import comparison_of
from fmcts.matches._description import Match
from fmcts.matches._game import PlayedGame, expect_searches, plies_of
from fmcts.matches._limits import Asking
from fmcts.record import finished
from fmcts.search._chunks import adapted

Sent: TypeAlias = tuple[str | None, ...]
"""Texts of what `KEPT` names; `None` for what has none."""

KEPT: Final = ('the first bot', 'the second bot', 'the game')

SECONDS: Final = 0.1  # the time a batch should take
MOST: Final = 256  # games in a batch
AHEAD: Final = 32  # batches submitted before the first returns

SAME: Final = 64  # matches of which a process remembers that it has the same bots

Played = tuple[list[PlayedGame], float]  # the games, and the seconds they took

_same: Final[dict[Sent, bool]] = {}


class OtherCodeError(TypeError):
    """Raised in a process where a bot or the game differs from the program's."""


def handed_out(
    described: Match, numbers: range, executor: Executor, waiting: deque[Future[Played]]
) -> Iterator[PlayedGame]:
    """Yield the games of these numbers, played by an executor; `waiting` holds submitted batches.

    The size of a batch depends on the time that earlier ones took; the first have one game.
    """
    size, sent = 1, sent_with(described)
    given: deque[range] = deque()
    while numbers or waiting:
        if numbers and len(waiting) < AHEAD:
            waiting.append(executor.submit(play_batch, described, numbers[:size], None, sent))
            given.append(numbers[:size])
            numbers = numbers[size:]
            continue
        played = result_of(described, given.popleft(), waiting.popleft())
        size = next_size(size, played)
        yield from played[0]


def sent_with(described: Match) -> Sent:
    """Return the texts of a match's bots and game, for comparison in another process."""
    kept = described.first, described.second, type(described.start)
    return tuple(map(comparison_of, kept))


def result_of(described: Match, numbers: range, future: Future[Played]) -> Played:
    """Return the games of these numbers; play them here if the other process has other bots."""
    try:
        return future.result()
    except OtherCodeError as error:
        warn(f'{error}: the games are played in this process', FmctsWarning, stacklevel=2)
        return play_batch(described, numbers)


def _expect_same(described: Match, sent: Sent) -> None:
    """Check once that this process has the same bots and game; later their memories may differ.

    :raises OtherCodeError: they differ.
    """
    if sent in _same:
        return
    for what, here, there in zip(KEPT, sent_with(described), sent, strict=True):
        if here and there and here != there:
            raise OtherCodeError(
                f'{what} is different in other processes, which import its module again'
            )
    keep(_same, sent, True, SAME)  # noqa: FBT003 - a set that forgets the oldest


def play_batch(
    described: Match, numbers: range, asking: Asking | None = None, sent: Sent | None = None
) -> Played:
    """Return the games of these numbers; `asking` records which bot is asked for a move.

    `sent`: what `sent_with` gave in the program.
    """
    begin = perf_counter()
    try:
        if sent is not None:
            _expect_same(described, sent)
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
    expect_searches(described)
    games = []
    for number in numbers:
        games.append((yield from plies_of(described, number, asking)))  # noqa: PERF401 - no comprehension may
    return games


def next_size(size: int, played: Played) -> int:
    """Return the number of games in the next batch."""
    games, seconds = played
    return adapted(size, len(games), seconds, aim=SECONDS, most=MOST)


def cancel(waiting: deque[Future[Played]]) -> None:
    """Cancel the batches that have not started."""
    for future in waiting:
        future.cancel()
