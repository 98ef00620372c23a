"""Saying what a check is doing, where it takes long: a notice every twenty seconds.

This is an effect, a clock in a thread of its own, as a game under test may take its time anywhere.
Nothing is done where nobody listens (see `fmcts.search.notices`).
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from attrs import define

from fmcts.search import notices

__all__ = ['PATIENCE', 'Work', 'reporting']

PATIENCE: Final = 20.0  # seconds


@define
class Work:
    """What a check called `name` is `doing`, and how many positions are done."""

    name: str
    doing: str = ''
    done: int = 0

    def __str__(self) -> str:
        """Return one line."""
        return f'{self.name}: {self.done:,} positions done; at work on {self.doing}'


@contextmanager
def reporting(name: str) -> Iterator[Work]:
    """Give a `Work` to write to; as long as the block runs, it is told every twenty seconds."""
    work, ended = Work(name), threading.Event()
    if not notices.heard():
        yield work
        return
    context = contextvars.copy_context()

    def report() -> None:
        while not ended.wait(PATIENCE):
            context.run(notices.info, str(work))

    thread = threading.Thread(target=report, daemon=True)
    thread.start()
    try:
        yield work
    finally:
        ended.set()
        thread.join()
