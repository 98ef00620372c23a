"""Plain functions made known to numba, so that rules need not import it."""

from __future__ import annotations

import types
import weakref
from typing import Final

from fmcts import bits
from fmcts.reached import reached
from fmcts.search.compiled.numba_support import bits as _words  # noqa: F401 - makes fmcts.bits known
from fmcts.search.compiled.numba_support.intrinsics import make_known
from fmcts.search.compiled.numba_support.locks import registering

__all__ = ['register']

_registered: Final[weakref.WeakSet[types.FunctionType]] = weakref.WeakSet()


def register(*functions: object) -> None:
    """Let compiled code call these functions, and whatever plain functions they call.

    Each is registered once in a process, as every registration adds a candidate for numba to try.
    Whatever is no plain function is left for numba to judge when it compiles.
    """
    with registering:
        unseen = list(functions)
        while unseen:
            function = unseen.pop()
            if (
                isinstance(function, types.FunctionType)
                and function not in _registered
                and function.__module__ not in (bits.__name__, 'fmcts.formulas')
            ):
                _registered.add(function)
                make_known(function)
                unseen.extend(value for _, value in reached(function))
