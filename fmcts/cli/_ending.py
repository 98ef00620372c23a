"""The end of a command: an exit code, and one line if something went wrong.

Bad input gives one line on standard error and exit code 2; a full disk or memory one line and 1; an
interrupt one line and 130; a reader that closed the output no line and 141. The last two are the
codes that shells use for these signals.
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

T = TypeVar('T')

DONE: Final = 0
BROKEN_OFF: Final = 1
BAD_INPUT: Final = 2
NO_READER: Final = 141  # 128 + SIGPIPE

LONGEST: Final = 200  # characters of an error message from another library
OUT_OF_MEMORY: Final = 'out of memory: use fewer iterations, or max_nodes=N in SPEC'


class EndedError(Exception):
    """The end of a run, with this exit code and possibly a `complaint` to print."""

    def __init__(self, code: int, complaint: str | None = None) -> None:
        super().__init__(code, complaint)
        self.code = code
        self.complaint = complaint


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
        raise EndedError(BROKEN_OFF, why) from None
    except MemoryError:
        raise EndedError(BROKEN_OFF, OUT_OF_MEMORY) from None
    except (EndedError, click.Abort, click.ClickException, click.exceptions.Exit):
        raise
    except BaseException as error:  # including SystemExit, which would end the run silently
        where = in_own_code(error)
        if where is not None:
            raise EndedError(BAD_INPUT, where) from None
        if isinstance(error, MissingLibraryError):
            raise EndedError(BAD_INPUT, str(error)) from None
        if isinstance(error, ImportError):  # for example for lack of memory
            raise EndedError(BROKEN_OFF, f'cannot load a library: {_first(error)}') from None
        raise


def _first(error: BaseException) -> str:
    """Return the first error of a chain in one line; libraries wrap it in long ones."""
    before = error.__cause__ or error.__context__
    return cut(str(error), LONGEST) if before is None else _first(before)


@contextmanager
def no_silent_end() -> Iterator[None]:
    """Turn a call of `os._exit` in this process into an error that can be reported.

    A user's game or bot could otherwise end the process silently.
    """
    process, leave = os.getpid(), os._exit

    def refuse(status: int) -> NoReturn:
        if os.getpid() != process:  # a forked child
            leave(status)
        raise SystemExit(f'os._exit({status})')

    os._exit = refuse
    try:
        yield
    finally:
        os._exit = leave


@contextmanager
def silent_about_lost_memory() -> Iterator[None]:
    """Suppress Python's own reports of lost memory during clean-up; one line reports it all."""
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
    """Return a function that prints the result of a request, as JSON or for reading."""

    def act(request: T) -> int:
        if as_json:
            print_json(in_json(request))
        else:
            Screen.of_output().page(*page(request))
        return DONE

    return act


def carry_out(request: IOResult[T, str], act: Callable[[T], int]) -> int:
    """Return the exit code of `act` on the request; report bad input instead."""
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
    ) as error:  # errors that only the search finds, or that a user's bot raises
        complain(str(error))
        return BAD_INPUT
