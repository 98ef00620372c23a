"""Notices for whoever wants to show them: of what may take a while, and of what went wrong.

The library prints nothing. An edge such as the command line says where notices go. Where nobody
listens, a notice of trouble becomes a warning, as trouble must not pass in silence; others do not.

>>> with listening(print):
...     info('compiling')
...     warning('cannot be compiled')
compiling
cannot be compiled
>>> info('nobody hears this')
"""

from __future__ import annotations

import sys
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeAlias

from attrs import field, frozen

from fmcts.errors import FmctsWarning

__all__ = ['heard', 'info', 'listening', 'warning']

Listener: TypeAlias = Callable[[str], object]


@frozen
class _Outlet:
    """Where notices go, and which notices of trouble went there already."""

    listener: Listener | None
    said: weakref.WeakKeyDictionary[type, set[str]] = field(factory=weakref.WeakKeyDictionary)


_outlet: Final[ContextVar[_Outlet]] = ContextVar('_outlet', default=_Outlet(None))  # noqa: B039 - what was said stays said


def heard() -> bool:
    """Return whether there is a listener."""
    return _outlet.get().listener is not None


def info(notice: str) -> None:
    """Pass one line on to the listener, if there is one."""
    listener = _outlet.get().listener
    if listener is not None:
        listener(notice)


def warning(notice: str, about: type = FmctsWarning) -> None:
    """Pass one line about trouble on to the listener, or warn of it; once for each class `about`.

    The warning, a `FmctsWarning`, names the line of code outside this library that led to it.
    """
    outlet = _outlet.get()
    said = outlet.said.setdefault(about, set())
    if notice in said:
        return
    if outlet.listener is not None:
        outlet.listener(notice)
    else:
        warnings.warn(notice, FmctsWarning, stacklevel=_levels_to_the_caller())
    said.add(notice)  # not when warnings are errors, which are raised each time


def _levels_to_the_caller() -> int:
    """Return how many frames above `warning` the code that called this library is."""
    library = __name__.partition('.')[0]
    frame, levels = sys._getframe(1), 1  # noqa: SLF001 - what `warnings` counts itself
    while frame.f_back and frame.f_globals.get('__name__', '').partition('.')[0] == library:
        frame, levels = frame.f_back, levels + 1
    return levels


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Within the block, `listener` is called with every notice, and with each of trouble once."""
    token = _outlet.set(_Outlet(listener))
    try:
        yield
    finally:
        _outlet.reset(token)
