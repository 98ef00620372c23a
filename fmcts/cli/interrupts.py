"""Ctrl-C at any time, also while machine code is made."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

__all__ = ['interruptible']

AGAIN: Final = 0.05  # seconds


def _interrupt(_signal: int, frame: FrameType | None) -> None:
    """Raise `KeyboardInterrupt`, but not inside llvmlite: there it comes a little later.

    LLVM calls back into Python, and an error that is raised in such a call is lost.
    """
    while frame is not None:
        if frame.f_globals.get('__name__', '').partition('.')[0] == 'llvmlite':
            later = threading.Timer(AGAIN, _thread.interrupt_main)
            later.daemon = True
            later.start()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


@contextmanager
def interruptible() -> Iterator[None]:
    """Whatever is done meanwhile can be interrupted, unless the process does not want to be."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
