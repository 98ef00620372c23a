"""Register plain functions with numba, so that rules need not import it."""

from __future__ import annotations

import types
import weakref
from typing import Any, Final

from fmcts import bits
from fmcts._content.reached import reached
from fmcts._numba import bits as _words  # noqa: F401 - registers fmcts.bits
from fmcts._numba.exact import make_exact
from fmcts._numba.formula_code import emitted
from fmcts._numba.intrinsics import inlined, make_known
from fmcts._numba.locks import registering
from fmcts._numba.traced import Traced
from fmcts._numba.whole import from_word

EXACT: Final = weakref.WeakSet[types.FunctionType]()
"""Functions to compile so that they give what Python gives: no integer wraps."""

RAISING: Final = weakref.WeakSet[types.FunctionType]()
"""Those of them whose `/` raises an error when it divides by zero: functions of positions."""

_registered: Final[weakref.WeakSet[types.FunctionType]] = weakref.WeakSet()


def register(*functions: object) -> None:
    """Let compiled code call these functions, and the plain functions that they call.

    Each is registered once in a process, as every registration adds a candidate for numba to try.
    Other callables are ignored; numba accepts or rejects them when it compiles.
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
                if function in EXACT:
                    make_exact(function, raising=function in RAISING)
                else:
                    make_known(function)
                unseen.extend(value for _, value in reached(function))


def known_to_numba(function: Any) -> Any:
    """Return the object that machine code calls for a function of a method, or for its formula."""
    if isinstance(function, Traced):
        return emitted(function)
    register(function)
    return function


def entering(function: Any) -> Any:
    """Return the object that machine code calls for a function of a position and other arguments.

    A function whose integers must not wrap gets positions and menus as exact integers.
    """
    register(function)
    if not isinstance(function, types.FunctionType) or function not in EXACT:
        return function
    count = function.__code__.co_argcount
    arguments = ', '.join(f'given{place}' for place in range(count))
    words = ', '.join(f'from_word(given{place})' for place in range(count))
    names: dict[str, Any] = {'function': function, 'from_word': from_word}
    exec(f'def enter({arguments}):\n    return function({words})', names)  # noqa: S102 - one a width
    return inlined(names['enter'])
