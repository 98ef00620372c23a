"""How much memory a run may still take, so that a search ends while there is some left.

A process without memory cannot be trusted to say so: what is let go allocates too, and the
interpreter itself may crash.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from fmcts.search._watch import Watch

__all__ = ['RESERVE', 'memory_left', 'within_memory']

RESERVE: Final = 32 << 20  # bytes: between two looks a search takes a few megabytes

PROC: Final = Path('/proc')


def memory_left() -> int | None:
    """Return how many bytes this process may still take; `None` where nobody says.

    It is what the machine has available, or what the limit of addresses (`ulimit -v`) leaves, if
    that is less. Both are read from `/proc`, which Linux has.
    """
    try:
        import resource  # noqa: PLC0415 - Windows has no such module

        facts = (PROC / 'meminfo').read_text(encoding='ascii')
        pages = int((PROC / 'self' / 'statm').read_text(encoding='ascii').split()[0])
    except (ImportError, OSError):
        return None
    there = [int(line.split()[1]) << 10 for line in facts.splitlines() if 'MemAvailable' in line]
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY:
        there.append(limit - pages * resource.getpagesize())
    return min(there, default=None)


def within_memory(watch: Watch, left: Callable[[], int | None] = memory_left) -> Watch:
    """Return the watch, made to end a search that has nearly used up the memory.

    That is when less than `RESERVE` is left, or half of what there was at first, if that is less
    (compiled code reserves addresses ahead).

    :raises MemoryError: (the watch) so little is left.
    """
    least: int | None = None

    def looked(done: int) -> object:
        nonlocal least
        room = left()
        if room is not None:
            least = min(RESERVE, room // 2) if least is None else least
            if room < least:
                raise MemoryError
        return watch(done)

    return looked
