"""Shared functions: those created repeatedly by the same lines become one.

Building a search creates its small functions anew. If such a function is equal to an earlier one,
that one is used, so that its code is compiled once.
"""

from __future__ import annotations

import types
from typing import Any, Final

__all__ = ['made_before']

_first: Final[dict[object, types.FunctionType]] = {}
_kept: Final[list[object]] = []  # what stands in `_first` by its identity must not be let go

PLAIN: Final = (bool, int, str, type(None))


def made_before(function: types.FunctionType) -> types.FunctionType:
    """Return the first function equal to this one, which may be the function itself.

    Equal functions are from the same lines, in the same globals, with closures of the same values,
    which must not change afterwards. A function with default arguments or an unset variable counts
    as the first.
    """
    if function.__defaults__ or function.__kwdefaults__:
        return function
    try:
        values = [cell.cell_contents for cell in function.__closure__ or ()]
    except ValueError:  # no value yet
        return function
    within = function.__code__, function.__globals__
    name = (*map(id, within), *map(_named, values))
    first = _first.setdefault(name, function)
    if first is function:
        _kept.extend((within, values))
    return first


def _named(value: Any) -> object:
    """Return a key that two values share only if they are the same object, or plain and equal."""
    return (type(value), value) if type(value) in PLAIN else id(value)
