"""Postpone interrupts until work that must not be interrupted is done.

While numba is loaded and compiles, LLVM calls back into Python: an error raised there is lost, and
LLVM's work stays unfinished. An error raised elsewhere may leave numba's registries half filled for
the rest of the process. Loading and compiling take seconds at most; then the interrupt is handled
as usual.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

AGAIN: Final = 0.05  # seconds


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Postpone SIGINT to the end of the block; handle a second SIGINT at once if possible.

    Either is passed to the previous handler. Only the main thread is affected: Python never
    interrupts others.
    """
    handler: Any = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    waiting = False

    def wait(number: int, frame: FrameType | None) -> None:
        nonlocal waiting
        if not waiting:
            waiting = True
        elif called_by_llvm(frame):
            later = threading.Timer(AGAIN, _thread.interrupt_main)
            later.daemon = True
            later.start()
        else:
            waiting = False
            handler(number, frame)

    signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if waiting:
            handler(signal.SIGINT, sys._getframe())  # noqa: SLF001 - as Python gives it


def called_by_llvm(frame: FrameType | None) -> bool:
    """Return whether the frame's code may run inside a call of LLVM, where errors are lost."""
    while frame is not None:
        if frame.f_globals.get('__name__', '').partition('.')[0] == 'llvmlite':
            return True
        frame = frame.f_back
    return False
