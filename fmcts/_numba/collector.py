"""Pause Python's garbage collector while code is compiled."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from fmcts._numba.private import COMPILER_LOCK


@contextmanager
def collector_rests() -> Iterator[None]:
    """Disable automatic garbage collection within the block, and restore its state afterwards.

    numba creates many objects and keeps most of them, so the collector runs again and again, scans
    all objects of the program, and frees little. That costs about a tenth of the time of compiling.
    The lock lets only one thread at a time disable the collector.
    """
    with COMPILER_LOCK:
        running = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if running:
                gc.enable()
