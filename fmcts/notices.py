"""Notices of progress and of trouble, delivered to a listener.

The library prints nothing. A program such as the command line registers a listener. Without one, a
notice of trouble becomes a Python warning, and notices of progress are dropped.

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

__all__ = ['info', 'listening', 'warning']

Listener: TypeAlias = Callable[[str], object]


@frozen
class _Outlet:
    """A listener, and the notices of trouble that it has received."""

    listener: Listener | None
    said: weakref.WeakKeyDictionary[type, set[str]] = field(factory=weakref.WeakKeyDictionary)


_outlet: Final[ContextVar[_Outlet]] = ContextVar('_outlet', default=_Outlet(None))  # noqa: B039 - shared on purpose: each notice once


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
    """Return the number of frames from `warning` up to the code that called this library."""
    library = __name__.partition('.')[0]
    frame, levels = sys._getframe(1), 1  # noqa: SLF001 - as `warnings` itself does
    while frame.f_back and frame.f_globals.get('__name__', '').partition('.')[0] == library:
        frame, levels = frame.f_back, levels + 1
    return levels


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Call `listener` with every notice within the block; with each notice of trouble once."""
    token = _outlet.set(_Outlet(listener))
    try:
        yield
    finally:
        _outlet.reset(token)
