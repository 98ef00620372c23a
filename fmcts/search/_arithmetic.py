"""Whether this machine's arithmetic is the one that results are the same in.

Every operation rounds once, to a double: so IEEE 754 has it, and so all that is built for 64 bits
does. The floating-point unit that 32-bit x86 code may use, x87, rounds to 64 bits first and then
once more to 53, which differs in rare cases (docs/platforms.md).
"""

from __future__ import annotations

import functools
import math

from fmcts.notices import warning

__all__ = ['notice_double_rounding', 'rounds_twice']


@functools.cache
def rounds_twice() -> bool:
    """Whether a sum is rounded to more bits first: then what is just above a half becomes a half.

    Its terms are computed, as a compiler would add numbers that it knows in an arithmetic of its
    own. See S. Boldo and G. Melquiond, "When double rounding is odd", 2005.
    """
    above_half = math.ldexp(1.0, -53) + math.ldexp(1.0, -78)
    return 1.0 + above_half == 1.0


@functools.cache
def notice_double_rounding() -> None:
    """Say once in a process that results may differ here, if they may."""
    if rounds_twice():
        warning(
            'floating-point arithmetic rounds twice on this machine (x87): results may differ from '
            'those of others in rare cases'
        )
