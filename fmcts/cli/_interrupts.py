"""Ctrl-C at any time during a command, also while machine code is made; `starting` has the rest."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, Self

from fmcts.cli._starting import leave
from fmcts.search._watch import STOP, Watch

__all__ = ['Stopping', 'interruptible']

AGAIN: Final = 0.05  # seconds


def _later() -> None:
    """Interrupt once more, when Python has got out of where it is."""
    timer = threading.Timer(AGAIN, _interrupt_main_thread)
    timer.daemon = True
    timer.start()


def _interrupt_main_thread() -> None:
    """As from outside, where the system can: then what waits in the system is interrupted too."""
    if hasattr(signal, 'pthread_kill'):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _interrupt(_signal: int, frame: FrameType | None) -> None:
    """Raise `KeyboardInterrupt`, but not inside llvmlite: there it comes a little later.

    LLVM calls back into Python, and an error that is raised in such a call is lost.
    """
    while frame is not None:
        if frame.f_globals.get('__name__', '').partition('.')[0] == 'llvmlite':
            _later()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


@contextmanager
def interruptible() -> Iterator[None]:
    """Whatever is done meanwhile can be interrupted, unless the process does not want to be.

    An interrupt that met one of the functions of which Python drops every error (weak references
    and finalizers call such) comes a little later instead of being shown as ignored.
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
    """Within the block the first Ctrl-C ends the search that is under way, with what it has found.

    The second one interrupts, as does one before the first iteration.
    """

    def __init__(self) -> None:
        self.asked = False
        self.usual: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._restore()

    def watching(self, watch: Watch) -> Watch:
        """The same watch, which ends the search when that is asked for."""

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
