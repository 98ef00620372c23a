"""Report what a long check is doing: a notice after two seconds, and then every twenty.

This is an effect, a clock in a separate thread, because the code under test may take its time
anywhere. Nothing is done unless somebody listens (see `fmcts.notices`).
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from attrs import define

from fmcts import notices

PATIENCE: Final = 2.0  # seconds before the first notice
PAUSE: Final = 20.0  # seconds between two notices


@define
class Work:
    """The check called `name`: what it is `doing`, and how many cases it has checked."""

    name: str
    doing: str = 'the beginning'
    cases: int = -1

    def __str__(self) -> str:
        """Return one line."""
        cases = f'{self.cases:,} cases were looked at' if self.cases > 0 else 'nothing is done yet'
        return f'{self.name}: still at work on {self.doing}; {cases}'


_work: Final[ContextVar[Work | None]] = ContextVar('_work', default=None)


def note(doing: str) -> None:
    """Record what the current check, if it reports, is starting to do."""
    work = _work.get()
    if work is not None:
        work.doing = doing
        work.cases += 1


@contextmanager
def reporting(name: str) -> Iterator[None]:
    """While the block runs, report the latest `note` after two seconds, then every twenty."""
    if not notices.heard():
        yield
        return
    work, ended = Work(name), threading.Event()
    context = contextvars.copy_context()

    def report() -> None:
        wait = PATIENCE
        while not ended.wait(wait):
            context.run(notices.info, str(work))
            wait = PAUSE

    thread = threading.Thread(target=report, daemon=True)
    thread.start()
    token = _work.set(work)
    try:
        yield
    finally:
        _work.reset(token)
        ended.set()
        thread.join()
