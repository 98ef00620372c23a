"""The function that watches a search, and the size of the chunks between two of its calls."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import Final, TypeAlias

from attrs import define, field


class Ending(enum.Enum):
    """The type of `STOP`."""

    STOP = 'stop'

    def __repr__(self) -> str:
        return self.name


STOP: Final = Ending.STOP
"""The value that a watch returns to end the search; any other value is ignored."""

Watch: TypeAlias = Callable[[int], object]
"""A function that receives the number of iterations done: first 0, then about fifty times a second,
or with a network after each of its calls, and at the end. If it returns `STOP`, the search ends,
though not before its first iteration.
"""


def ignore(_done: float) -> None:
    """Ignore the progress."""


CHUNK: Final = 0.02  # seconds: no delay that a person would notice, at no cost
MOST: Final = 1 << 40  # chunks may be cut short, again and again, and look quick

_clock: Final[ContextVar[Callable[[], float]]] = ContextVar('_clock', default=perf_counter)


def adapted(size: int, done: int, seconds: float, *, aim: float, most: int) -> int:
    """Return a size that takes about `aim` seconds, given that `done` took `seconds`.

    It differs from the last one, `size`, by a factor of at most 8, because clocks are coarse.
    """
    wanted = done * aim / max(seconds, 1e-6)
    return int(min(max(wanted, size / 8, 1), size * 8, most))


def _no_clock() -> float:
    return 0.0


@define
class ChunkSize:
    """The size of the next chunk, adapted by the clock; it does not affect the result."""

    size: int = 1
    clock: Callable[[], float] = field(factory=_clock.get)
    began: float = 0.0

    def __attrs_post_init__(self) -> None:
        if self.clock is _no_clock:
            self.size = 1

    def begin(self, most: int) -> int:
        """Start a chunk and return its size, at most `most`."""
        self.began = self.clock()
        return min(self.size, most)

    def end(self) -> None:
        """Adapt the size to the time that the chunk took."""
        self.size = adapted(self.size, self.size, self.clock() - self.began, aim=CHUNK, most=MOST)


def chunks(total: int) -> Iterator[int]:
    """Yield numbers that add up to `total`, each adapted to the time of the one before."""
    size, left = ChunkSize(), total
    while left:
        chunk = size.begin(left)
        yield chunk
        size.end()
        left -= chunk


@contextmanager
def chunks_by_count() -> Iterator[None]:
    """Replace the clock within the block: every chunk is eight times as large as the one before.

    The first chunk of every engine is one iteration.
    """
    token = _clock.set(_no_clock)
    try:
        yield
    finally:
        _clock.reset(token)
