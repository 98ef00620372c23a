"""Check that this machine's floating-point arithmetic is the one that results rely on.

Every operation must round once, to a double, as IEEE 754 requires and all 64-bit builds do. The
floating-point unit that 32-bit x86 code may use, x87, rounds to 64 bits first and then again to 53,
which differs in rare cases (docs/platforms.md).
"""

from __future__ import annotations

import functools
import math

from fmcts.notices import warning


@functools.cache
def rounds_twice() -> bool:
    """Return whether sums are rounded twice, which turns values just above a half into a half.

    The terms are computed at run time, because a compiler might add constants in other arithmetic.
    See S. Boldo and G. Melquiond, "When double rounding is odd", 2005.
    """
    above_half = math.ldexp(1.0, -53) + math.ldexp(1.0, -78)
    return 1.0 + above_half == 1.0


@functools.cache
def notice_double_rounding() -> None:
    """Send a notice, once in a process, if results may differ on this machine."""
    if rounds_twice():
        warning(
            'floating-point arithmetic rounds twice on this machine (x87): results may differ from '
            'those of others in rare cases'
        )
