"""How a run ends: with an exit code, and with one line where something went wrong.

Bad input ends in one line on standard error and exit code 2; a full disk or memory in one line and
1; an interrupt in one line and 130, and a reader that went away without a word in 141: the codes
that shells use for the two signals.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NoReturn, TypeVar

import click
from returns.io import IOResult
from returns.pipeline import is_successful
from returns.unsafe import unsafe_perform_io

from fmcts._arguments import cut
from fmcts.cli._named import in_own_code
from fmcts.cli._screen import Screen, complain, print_json
from fmcts.cli._starting import INTERRUPTED
from fmcts.errors import (
    EngineError,
    GameError,
    IllegalMoveError,
    IterationsError,
    MissingLibraryError,
    NoRoomError,
    PrintedProgramError,
)
from fmcts.view._parts import Part

__all__ = [
    'BAD_INPUT',
    'BROKEN_OFF',
    'DONE',
    'INTERRUPTED',
    'NO_READER',
    'OUT_OF_MEMORY',
    'EndedError',
    'carry_out',
    'ending_early',
    'no_silent_end',
    'printing',
    'silent_about_lost_memory',
]

T = TypeVar('T')

DONE: Final = 0
BROKEN_OFF: Final = 1
BAD_INPUT: Final = 2
NO_READER: Final = 141  # 128 + SIGPIPE

LONGEST: Final = 200  # characters of another library's own message
OUT_OF_MEMORY: Final = 'out of memory: fewer iterations, or max_nodes=N in SPEC, need less'


class EndedError(Exception):
    """The run is over, with this exit code and perhaps a `complaint`."""

    def __init__(self, code: int, complaint: str | None = None) -> None:
        super().__init__(code, complaint)
        self.code = code
        self.complaint = complaint


@contextmanager
def ending_early() -> Iterator[None]:
    """What can break off any run at any place, as an `EndedError`."""
    try:
        yield
    except KeyboardInterrupt:
        raise EndedError(INTERRUPTED, 'interrupted') from None
    except BrokenPipeError:
        raise EndedError(NO_READER) from None
    except OSError as error:  # a full disk
        name = '' if error.filename is None else f' {error.filename}'
        why = f'cannot write{name}: {error.strerror}' if error.strerror else str(error)
        raise EndedError(BROKEN_OFF, why) from None
    except MemoryError:
        raise EndedError(BROKEN_OFF, OUT_OF_MEMORY) from None
    except (EndedError, click.Abort, click.ClickException, click.exceptions.Exit):
        raise
    except BaseException as error:  # SystemExit among them: it would end the run without a word
        where = in_own_code(error)
        if where is not None:
            raise EndedError(BAD_INPUT, where) from None
        if isinstance(error, MissingLibraryError):
            raise EndedError(BAD_INPUT, str(error)) from None
        if isinstance(error, ImportError):  # for want of memory, say
            raise EndedError(BROKEN_OFF, f'cannot load a library: {_first(error)}') from None
        raise


def _first(error: BaseException) -> str:
    """Return what was raised first, in one line: libraries make long errors of it."""
    before = error.__cause__ or error.__context__
    return cut(str(error), LONGEST) if before is None else _first(before)


@contextmanager
def no_silent_end() -> Iterator[None]:
    """Make of a call of `os._exit` an error that can be reported, in this process.

    A game or bot of the user's could end it without a word otherwise.
    """
    process, leave = os.getpid(), os._exit

    def refuse(status: int) -> NoReturn:
        if os.getpid() != process:  # one that was forked
            leave(status)
        raise SystemExit(f'os._exit({status})')

    os._exit = refuse
    try:
        yield
    finally:
        os._exit = leave


@contextmanager
def silent_about_lost_memory() -> Iterator[None]:
    """No word of Python's own where memory ends while something is let go: one line says it all."""
    before = sys.unraisablehook

    def tell(unraisable: sys.UnraisableHookArgs) -> None:
        if unraisable.exc_type is not MemoryError:
            before(unraisable)

    sys.unraisablehook = tell
    try:
        yield
    finally:
        sys.unraisablehook = before


def printing(
    in_json: Callable[[T], Mapping[str, object]],
    page: Callable[[T], Iterable[Part]],
    *,
    as_json: bool,
) -> Callable[[T], int]:
    """Return the act that prints what either makes of the request, as JSON or for a reader."""

    def act(request: T) -> int:
        if as_json:
            print_json(in_json(request))
        else:
            Screen.of_output().page(*page(request))
        return DONE

    return act


def carry_out(request: IOResult[T, str], act: Callable[[T], int]) -> int:
    """The exit code of `act` on what was asked for; bad input is complained about instead."""
    if not is_successful(request):
        complain(unsafe_perform_io(request.failure()))
        return BAD_INPUT
    try:
        return act(unsafe_perform_io(request.unwrap()))
    except (
        EngineError,
        GameError,
        IllegalMoveError,
        IterationsError,
        NoRoomError,
        PrintedProgramError,
    ) as error:  # what only the search itself finds out, or a bot of the user's does
        complain(str(error))
        return BAD_INPUT
