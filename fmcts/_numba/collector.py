"""Python's collector of garbage, which has nothing to find while machine code is made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from fmcts._numba.private import COMPILER_LOCK

__all__ = ['collector_rests']


@contextmanager
def collector_rests() -> Iterator[None]:
    """Within the block the collector does not run by itself; then it is as it was before.

    numba makes many objects and keeps most of them, so that the collector is called again and
    again, looks at all that the program holds, and frees little of it: about a tenth of the time
    that compiling takes. The lock lets only one thread at a time switch the collector off.
    """
    with COMPILER_LOCK:
        running = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if running:
                gc.enable()
