"""Functions that are made again and again by the same lines, told to be the same.

What puts a search together makes its small functions anew for every search. Where such a function
cannot be told from one that was made before, that one is taken, so that its code is made once.
"""

from __future__ import annotations

import types
from typing import Any, Final

__all__ = ['made_before']

_first: Final[dict[object, types.FunctionType]] = {}
_kept: Final[list[object]] = []  # what stands in `_first` by its identity must not be let go

PLAIN: Final = (bool, int, str, type(None))


def made_before(function: types.FunctionType) -> types.FunctionType:
    """The first of the functions that are as this one: itself, where there was none before.

    They are by the same lines, in the same globals, over variables with the same values, which must
    not get others afterwards. Where a variable has no value yet, or there are defaults, it is taken
    for the first.
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
    """A name that two values share only if they are the same one, or plain and equal."""
    return (type(value), value) if type(value) in PLAIN else id(value)
