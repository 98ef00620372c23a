"""Share functions: of equal functions created by the same lines, only the first is used.

Building a search creates its small functions anew. Replacing each by an equal earlier one means
that its code is compiled once.
"""

from __future__ import annotations

import types
from typing import Any, Final

_first: Final[dict[object, types.FunctionType]] = {}
_kept: Final[list[object]] = []  # objects in the keys of `_first` by identity must stay alive

PLAIN: Final = (bool, int, str, type(None))


def made_before(function: types.FunctionType) -> types.FunctionType:
    """Return the first function equal to this one, which may be the function itself.

    Equal functions have the same code, the same globals, and closures with the same values, which
    must not change afterwards. A function with default arguments or an unset closure variable is
    returned itself.
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
    """Return a key that two values share only if they are one object, or equal plain values."""
    return (type(value), value) if type(value) in PLAIN else id(value)
