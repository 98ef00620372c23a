"""Locks on objects that a process makes once, and their handling when it forks.

A child process has only the thread that forked. A lock held by another thread would stay locked in
the child for ever, and what it guards half made. A fork therefore waits until all locks are free,
which takes as long as a compilation at most.
"""

from __future__ import annotations

import os
import threading
from typing import Final

from fmcts._numba.private import COMPILER_LOCK

# All are reentrant, because a fork acquires every lock.
compiling: Final = threading.RLock()
"""Held while entry points are made, so that threads do not make the same one twice."""

registering: Final = threading.RLock()
"""Held while functions are registered with numba."""

# In the order in which threads acquire several.
_ALL: Final = (compiling, registering, COMPILER_LOCK)


def _take() -> None:
    for lock in _ALL:
        lock.acquire()


def _give_back() -> None:
    for lock in reversed(_ALL):
        lock.release()


if hasattr(os, 'register_at_fork'):  # Windows has no fork
    os.register_at_fork(before=_take, after_in_parent=_give_back, after_in_child=_give_back)
