"""Handle Ctrl-C at any time during a command, even while machine code is compiled.

`_starting` handles it before and after.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, Self

from fmcts._numba.interrupts import called_by_llvm
from fmcts.cli._starting import leave
from fmcts.search._watch import STOP, Watch

AGAIN: Final = 0.05  # seconds


def _later() -> None:
    """Interrupt again after `AGAIN` seconds, when Python has left the current function."""
    timer = threading.Timer(AGAIN, _interrupt_main_thread)
    timer.daemon = True
    timer.start()


def _interrupt_main_thread() -> None:
    """Send SIGINT where the system can, which also interrupts a blocked system call."""
    if hasattr(signal, 'pthread_kill'):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _interrupt(_signal: int, frame: FrameType | None) -> None:
    """Raise `KeyboardInterrupt`; inside llvmlite, raise it a little later.

    LLVM calls back into Python, and an error raised in such a callback is lost.
    """
    if not called_by_llvm(frame):
        raise KeyboardInterrupt
    _later()


@contextmanager
def interruptible() -> Iterator[None]:
    """Make the block interruptible by Ctrl-C, unless the process ignores it.

    Python drops errors raised in weak references' callbacks and finalizers. An interrupt that
    arrives in one is raised a little later, not reported as ignored.
    """
    usual = signal.getsignal(signal.SIGINT)
    if (
        usual not in (signal.default_int_handler, leave)
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    show = sys.unraisablehook

    def dropped(what: Any) -> None:
        if issubclass(what.exc_type, KeyboardInterrupt):
            _later()
        else:
            show(what)

    signal.signal(signal.SIGINT, _interrupt)
    sys.unraisablehook = dropped
    try:
        yield
    finally:
        sys.unraisablehook = show
        signal.signal(signal.SIGINT, usual)


class Stopping:
    """A block in which the first Ctrl-C ends the running search and keeps what it has found.

    The second Ctrl-C interrupts, and so does one before the first iteration.
    """

    def __init__(self) -> None:
        self.asked = False
        self.usual: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._restore()

    def watching(self, watch: Watch) -> Watch:
        """Return `watch`, extended to end the search when asked."""

        def told(done: int) -> object:
            if self.usual is None and signal.getsignal(signal.SIGINT) is _interrupt:
                self.usual = signal.signal(signal.SIGINT, self._ask)
            answer = watch(done)
            return STOP if self.asked else answer

        return told

    def _ask(self, _signal: int, _frame: FrameType | None) -> None:
        self.asked = True
        self._restore()

    def _restore(self) -> None:
        if self.usual is not None:
            signal.signal(signal.SIGINT, self.usual)
