"""The end of a command: an exit code, and one line if something went wrong.

Bad input gives one line on standard error and exit code 2; a full disk or memory one line and 1; an
interrupt one line and 130; a reader that closed the output no line and 141. The last two are the
codes that shells use for these signals.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NoReturn, TypeVar, cast

import click
from returns.io import IOResult
from returns.pipeline import is_successful
from returns.result import Result
from returns.unsafe import unsafe_perform_io

from fmcts._arguments import cut
from fmcts.cli._named import in_own_code
from fmcts.cli._starting import INTERRUPTED, leave
from fmcts.errors import (
    EngineError,
    FinishedGameError,
    GameError,
    IllegalMoveError,
    IterationsError,
    MethodError,
    MissingLibraryError,
    NoRoomError,
    PrintedProgramError,
)

T = TypeVar('T')

DONE: Final = 0
NEGATIVE: Final = 1  # something differs, or a law is broken; also no disk space or memory
BAD_INPUT: Final = 2
NO_READER: Final = 141  # 128 + SIGPIPE

LONGEST: Final = 200  # characters of an error message from another library
AGAIN: Final = 0.05  # seconds
OUT_OF_MEMORY: Final = 'out of memory: use fewer iterations, or max_nodes=N in SPEC'
REFUSALS: Final = (
    EngineError,
    GameError,
    IllegalMoveError,
    IterationsError,
    NoRoomError,
    PrintedProgramError,
)
"""Errors that only the search finds, or that a user's bot raises."""


class EndedError(Exception):
    """The end of a run, with this exit code and possibly a `complaint` to print."""

    def __init__(self, code: int, complaint: str | None = None) -> None:
        super().__init__(code, complaint)
        self.code = code
        self.complaint = complaint


def accepted(parsed: Result[T, str] | IOResult[T, str]) -> T:
    """Return the value of an argument that was parsed.

    :raises EndedError: the argument was not accepted.
    """
    found: Any = parsed.unwrap() if is_successful(parsed) else parsed.failure()
    found = unsafe_perform_io(found) if isinstance(parsed, IOResult) else found
    if not is_successful(parsed):
        raise EndedError(BAD_INPUT, found)
    return cast('T', found)


@contextmanager
def ending_early() -> Iterator[None]:
    """Turn whatever can end a run at any point into an `EndedError`."""
    try:
        yield
    except KeyboardInterrupt:
        raise EndedError(INTERRUPTED, 'interrupted') from None
    except BrokenPipeError:
        raise EndedError(NO_READER) from None
    except OSError as error:  # a full disk
        name = '' if error.filename is None else f' {error.filename}'
        why = f'cannot write{name}: {error.strerror}' if error.strerror else str(error)
        raise EndedError(NEGATIVE, why) from None
    except MemoryError:
        raise EndedError(NEGATIVE, OUT_OF_MEMORY) from None
    except REFUSALS as error:
        raise EndedError(BAD_INPUT, str(error)) from None
    except (EndedError, click.Abort, click.ClickException, click.exceptions.Exit):
        raise
    except BaseException as error:  # including SystemExit, which would end the run silently
        end = _end_of(error)
        if end is None:
            raise
        raise end from None


def _end_of(error: BaseException) -> EndedError | None:
    """Return the end of a run by an error of the user's code, a refused search or a lack."""
    where = in_own_code(error)
    if where is not None:
        return EndedError(BAD_INPUT, where)
    if isinstance(error, FinishedGameError | MethodError | MissingLibraryError):
        return EndedError(BAD_INPUT, str(error))
    if isinstance(error, ImportError):  # for example for lack of memory
        return EndedError(NEGATIVE, f'cannot load a library: {_first(error)}')
    return None


def _first(error: BaseException) -> str:
    """Return the first error of a chain in one line; libraries wrap it in long ones."""
    before = error.__cause__ or error.__context__
    return cut(str(error), LONGEST) if before is None else _first(before)


@contextmanager
def no_silent_end() -> Iterator[None]:
    """Turn a call of `os._exit` in this process into an error that can be reported.

    A user's game or bot could otherwise end the process silently.
    """
    process, exit_at_once = os.getpid(), os._exit

    def refuse(status: int) -> NoReturn:
        if os.getpid() != process:  # a forked child
            exit_at_once(status)
        raise SystemExit(f'os._exit({status})')

    os._exit = refuse
    try:
        yield
    finally:
        os._exit = exit_at_once


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C raise `KeyboardInterrupt` in the block, not end the process at once."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is not leave or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


@contextmanager
def errors_in_clean_up() -> Iterator[None]:
    """Handle errors that Python drops: those in finalizers and callbacks of weak references.

    An interrupt is raised a little later. Of memory that ran out nothing is printed, since one line
    reports it all.
    """
    show = sys.unraisablehook

    def dropped(what: sys.UnraisableHookArgs) -> None:
        if issubclass(what.exc_type, KeyboardInterrupt):
            timer = threading.Timer(AGAIN, _interrupt_main_thread)
            timer.daemon = True
            timer.start()
        elif what.exc_type is not MemoryError:
            show(what)

    sys.unraisablehook = dropped
    try:
        yield
    finally:
        sys.unraisablehook = show


def _interrupt_main_thread() -> None:
    """Send SIGINT where the system can, which also interrupts a blocked system call."""
    if hasattr(signal, 'pthread_kill'):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()
