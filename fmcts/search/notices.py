"""Notices of what may take a while, for whoever wants to show them; by default nobody does.

The library prints nothing. An edge such as the command line says where notices go.

>>> with heard_by(print):
...     tell('compiling')
compiling
>>> tell('nobody hears this')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeAlias

__all__ = ['heard_by', 'tell']

Listener: TypeAlias = Callable[[str], object]

_listener: Final[ContextVar[Listener | None]] = ContextVar('_listener', default=None)


def tell(notice: str) -> None:
    """Pass one line on to the listener, if there is one."""
    listener = _listener.get()
    if listener is not None:
        listener(notice)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Within the block, `listener` is called with every notice."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
