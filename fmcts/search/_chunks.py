"""How much of a search is done before whoever watches it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import Final

from attrs import define, field

__all__ = ['ChunkSize', 'adapted', 'chunks', 'counted']

CHUNK: Final = 0.02  # seconds: no delay that a person would notice, at no cost
MOST: Final = 1 << 40  # chunks may be cut short, again and again, and look quick

_clock: Final[ContextVar[Callable[[], float]]] = ContextVar('_clock', default=perf_counter)


def adapted(size: int, done: int, seconds: float, *, aim: float, most: int) -> int:
    """How much takes about `aim` seconds, if so much was `done` in so many; `size` is what it was.

    Never by leaps, as clocks are coarse.
    """
    wanted = done * aim / max(seconds, 1e-6)
    return int(min(max(wanted, size / 8, 1), size * 8, most))


@define
class ChunkSize:
    """The size of the next chunk, found by the clock; what is found in it does not depend on it."""

    size: int = 1
    clock: Callable[[], float] = field(factory=_clock.get)
    began: float = 0.0

    def begin(self, most: int) -> int:
        """How much the chunk that begins now has, and at most so much."""
        self.began = self.clock()
        return min(self.size, most)

    def end(self) -> None:
        """Adapt to how long the chunk took."""
        self.size = adapted(self.size, self.size, self.clock() - self.began, aim=CHUNK, most=MOST)


def chunks(total: int) -> Iterator[int]:
    """Numbers that add up to `total`, each as large as suits how long the one before took."""
    size, left = ChunkSize(), total
    while left:
        chunk = size.begin(left)
        yield chunk
        size.end()
        left -= chunk


@contextmanager
def counted() -> Iterator[None]:
    """Within the block no clock is asked: every chunk is eight times as large as the one before."""
    token = _clock.set(lambda: 0.0)
    try:
        yield
    finally:
        _clock.reset(token)
