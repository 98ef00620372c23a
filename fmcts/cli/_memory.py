"""End a search while some memory is left.

A process without memory cannot be relied on to report it: even clean-up allocates, and the
interpreter itself may crash.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from fmcts.search._watch import Watch

RESERVE: Final = 32 << 20  # bytes; between two checks a search takes a few megabytes

PROC: Final = Path('/proc')


def memory_left() -> int | None:
    """Return how many bytes this process may still take; `None` if the system does not say.

    The number is the smaller of the machine's available memory and what the limit of addresses
    (`ulimit -v`) leaves. Both are read from `/proc`, which Linux has.
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
    """Return the watch, extended to end a search that has nearly used up the memory.

    The limit is `RESERVE`, or half of what was left at the start if that is less (compiled code
    reserves addresses in advance).

    :raises MemoryError: (the watch) less than the limit is left.
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
