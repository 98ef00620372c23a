"""Interrupts that wait, so that what must not be left half done is done first.

While numba is loaded and compiles, Python runs code that LLVM calls: an error raised there is lost,
and what LLVM was doing stays undone. One raised elsewhere may leave numba's registries half filled
for the rest of the process. Both are a matter of seconds at most, after which an interrupt comes
through as it always does.
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

__all__ = ['interrupts_wait']

AGAIN: Final = 0.05  # seconds


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Within the block SIGINT waits until its end; a second one, if possible, does not wait.

    Whoever handles the signal, Python or the program, is told then. In other threads than the main
    one nothing changes, as they are never interrupted.
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
        elif _called_by_llvm(frame):
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


def _called_by_llvm(frame: FrameType | None) -> bool:
    """Return whether the frame's code may run inside a call of LLVM, where errors are lost."""
    while frame is not None:
        if frame.f_globals.get('__name__', '').partition('.')[0] == 'llvmlite':
            return True
        frame = frame.f_back
    return False
