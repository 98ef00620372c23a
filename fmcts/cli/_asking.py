"""Read a line from a person, with a line editor (arrow keys) where the terminal has one."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import FrameType
from typing import Any, Final, TextIO

import click

from fmcts.cli._screen import Screen
from fmcts.cli._session import LONGEST
from fmcts.view._parts import Line

PIECES: Final = 1000  # of LONGEST characters; a longer line is treated as endless


def ask(screen: Screen, prompt: str) -> str | None:
    """Return the next line typed, or `None` at the end of the input.

    :raises click.ClickException: the input cannot be read, or a line is too long.
    """
    with _continued(screen, prompt):
        line = _edited(prompt) if _has_editor(screen) else _plain(screen, prompt)
    if line is None:
        screen.show(Line(''))
    return line


def _has_editor(screen: Screen) -> bool:
    """Return whether `input` edits lines here, which it does on standard output only."""
    return (
        find_spec('readline') is not None
        and screen.stream is sys.stdout
        and screen.terminal
        and sys.stdin is not None
        and sys.stdin.isatty()
    )


def _edited(prompt: str) -> str | None:
    import readline  # noqa: F401, PLC0415 - `input` uses it when it is loaded

    try:
        return f'{input(prompt)}\n'
    except EOFError:
        return None
    except OSError as error:
        raise _unreadable(error) from error


def _plain(screen: Screen, prompt: str) -> str | None:
    screen.prompt(prompt)
    line = _read_line(sys.stdin) if sys.stdin else ''
    if line and not sys.stdin.isatty() and len(line) <= LONGEST:
        screen.show(Line(line.strip()))  # a terminal echoes what is typed, a pipe does not
    return line or None


def _read_line(stream: TextIO) -> str:
    """Return the next line, cut if it is too long for an entry; '' at the end of the input."""
    try:
        line = piece = stream.readline(LONGEST + 1)
        for _ in range(PIECES):
            if len(piece) <= LONGEST or piece.endswith('\n'):
                return line
            piece = stream.readline(LONGEST + 1)
    except OSError as error:
        raise _unreadable(error) from error
    raise click.ClickException(
        f'standard input: a line has more than {PIECES * LONGEST:,} characters: expected moves, '
        'one on a line'
    )


def _unreadable(error: OSError) -> click.ClickException:
    return click.ClickException(f'standard input cannot be read: {error.strerror or error}')


@contextmanager
def _continued(screen: Screen, prompt: str) -> Iterator[None]:
    """Show the prompt again when the process resumes after Ctrl-Z.

    A line editor puts the terminal into its own mode, which is restored too.
    """
    if not (
        screen.terminal
        and hasattr(signal, 'SIGTSTP')
        and signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL
        and threading.current_thread() is threading.main_thread()
    ):
        yield
        return
    import termios  # noqa: PLC0415 - where there is such a signal

    edited = _has_editor(screen)
    stream = (sys.stdin if edited else screen.stream).fileno()
    usual = termios.tcgetattr(stream)

    def stop(number: int, _frame: FrameType | None) -> None:
        editing = termios.tcgetattr(stream)
        termios.tcsetattr(stream, termios.TCSADRAIN, usual)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # execution resumes here
        signal.signal(number, stop)
        termios.tcsetattr(stream, termios.TCSADRAIN, editing)
        editor: Any = sys.modules.get('readline') if edited else None
        screen.prompt(f'{prompt}{editor.get_line_buffer() if editor else ""}')

    signal.signal(signal.SIGTSTP, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
