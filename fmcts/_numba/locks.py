"""Locks on what a process makes once, and what becomes of them when it forks.

A child process has only the thread that forked, so a lock that another one held would stay shut in
it for ever, with what it guards half made. A fork therefore waits until nobody holds them: at most
as long as a compilation takes.
"""

from __future__ import annotations

import os
import threading
from typing import Final

from fmcts._numba.private import COMPILER_LOCK

__all__ = ['compiling', 'filling', 'registering']

# All may be taken again by the thread that has them, as a fork takes every one.
compiling: Final = threading.RLock()
"""Held while entry points are put together, so that threads do not make the same one twice."""

filling: Final = threading.RLock()
"""Held while the table of logarithms is made longer."""

registering: Final = threading.RLock()
"""Held while functions are made known to numba."""

# In the order in which threads take several.
_ALL: Final = (compiling, filling, registering, COMPILER_LOCK)


def _take() -> None:
    for lock in _ALL:
        lock.acquire()


def _give_back() -> None:
    for lock in reversed(_ALL):
        lock.release()


if hasattr(os, 'register_at_fork'):  # Windows has no fork
    os.register_at_fork(before=_take, after_in_parent=_give_back, after_in_child=_give_back)
