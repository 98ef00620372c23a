"""Passing positions between Python and compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core.errors import TypingError

from fmcts import rules
from fmcts._numba.intrinsics import overload_for


def fields_of(position: Any) -> tuple[Any, ...]:
    """Return the fields of a position as signed 64-bit integers with the same bits.

    They are passed as a plain tuple, so that machine code on disk does not name a user's class.

    :raises RulesError: the position is not a `NamedTuple` of integers of up to 64 bits.
    """
    return tuple(map(signed, rules.fields_of(position)))


def signed(number: int) -> int:
    """Return the signed 64-bit integer with the same bits."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def normalised(position: Any) -> Any:
    """Return the position with every field converted to a signed 64-bit integer."""
    return position


@overload_for(normalised)
def _normalised(position: Any) -> Any:
    if not isinstance(position, types.BaseNamedTuple):
        raise TypingError(f'a position must be a NamedTuple of integers, not {position}')
    kinds = list(position.types)
    for field, kind in zip(position.fields, kinds, strict=True):
        if not isinstance(kind, types.Integer | types.Boolean):
            raise TypingError(f'field {field!r} of a position must be an integer, not {kind}')
    if all(kind == types.int64 for kind in kinds):
        return lambda position: position
    make = position.instance_class
    # One source for each number of fields, as numba types each field of a mixed tuple separately.
    fields = ', '.join(f'int64(position[{place}])' for place in range(len(kinds)))
    names: dict[str, Any] = {'make': make, 'int64': np.int64}
    exec(f'def convert(position):\n    return make({fields})', names)  # noqa: S102 - see above
    return names['convert']
