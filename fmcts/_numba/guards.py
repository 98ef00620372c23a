"""A build for tests that checks every memory access against the length of the array.

Set `FMCTS_CHECK_BOUNDS=1` in the environment before the engine is loaded to select it. An access
outside the array then raises `IndexError`. In the usual build pointers are bare addresses, and
nothing is checked.
"""

from __future__ import annotations

import os
from typing import Any, Final

from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import register_model

CHECKED: Final = os.environ.get('FMCTS_CHECK_BOUNDS', '0') != '0'


class CheckedPointer(types.Type):
    """The numba type of an address together with the number of entries stored there."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f'Checked({dtype})')


@register_model(CheckedPointer)
class CheckedModel(models.StructModel):
    """The data model of a checked pointer: address and length."""

    def __init__(self, manager: Any, numba_type: Any) -> None:
        members = [('data', types.CPointer(numba_type.dtype)), ('length', types.int64)]
        super().__init__(manager, numba_type, members)


def pointer_to(dtype: Any) -> Any:
    """Return the numba type of pointers to entries of type `dtype`, in this build."""
    return CheckedPointer(dtype) if CHECKED else types.CPointer(dtype)


def refuse_outside(context: Any, build: Any, first: Any, count: int, length: Any) -> None:
    """Emit code that raises `IndexError` unless the array has `count` entries from `first` on."""
    past = build.add(first, first.type(count))
    below = build.icmp_signed('<', first, first.type(0))
    outside = build.or_(below, build.icmp_signed('>', past, length))
    with build.if_then(outside, likely=False):
        message = f'an access to {count} entries reaches outside the array'
        context.call_conv.return_user_exc(build, IndexError, (message,))


def bare(
    context: Any, build: Any, kind: Any, pointer: Any, index: Any = None, count: int = 1
) -> Any:
    """Return the address in a pointer of `kind`, checked for `count` entries from `index` on."""
    if not isinstance(kind, CheckedPointer):
        return pointer
    both = cgutils.create_struct_proxy(kind)(context, build, pointer)
    if index is not None:
        refuse_outside(context, build, index, count, both.length)
    return both.data
