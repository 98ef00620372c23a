"""What the command line does before it is loaded: Ctrl-C and missing memory are one line each.

Loading takes a fifth of a second. An interrupt meanwhile would leave as a traceback of some module
that is only half there, and so would the error of one that cannot be loaded. So `fmcts` imports
this module before all others; but only where the process was started as the command line is
anything done. The processes that it begins itself (`--jobs`) leave interrupts to it.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from types import TracebackType

__all__ = [
    'INTERRUPTED',
    'complain',
    'is_command_line',
    'is_worker',
    'leave',
    'leave_when_interrupted',
]

INTERRUPTED = 130  # 128 + SIGINT


def is_command_line(argv: list[str], command: list[str]) -> bool:
    """Whether these words, as `sys.argv` and `sys.orig_argv` have them, start the command line.

    >>> is_command_line(['/usr/bin/fmcts', 'move'], ['python', '/usr/bin/fmcts', 'move'])
    True
    >>> is_command_line(['-m', 'move'], ['python', '-m', 'fmcts', 'move'])
    True
    >>> is_command_line(['-m'], ['python', '-Imfmcts'])
    True
    >>> is_command_line(['-m', 'fmcts'], ['python', '-m', 'pytest', 'fmcts'])
    False
    """
    if argv[:1] == ['-m']:  # so it is while the package of a module to be run is loaded
        module = command[-len(argv)] if len(command) > len(argv) else ''
        return module == 'fmcts' or (module.startswith('-') and module.endswith('mfmcts'))
    # Not by `pathlib`, which takes a while to load.
    return bool(argv) and os.path.basename(argv[0]) in {'fmcts', 'fmcts.exe'}  # noqa: PTH119


def is_worker(command: list[str]) -> bool:
    """Whether these words, as `sys.orig_argv` has them, start a process of `multiprocessing`'s.

    >>> is_worker(['python', '-c', 'from multiprocessing.spawn ...', '--multiprocessing-fork'])
    True
    >>> is_worker(['python', '-m', 'fmcts', 'move'])
    False
    """
    return '--multiprocessing-fork' in command


def complain(message: str) -> None:
    """Print one line on standard error, if that can be written to."""
    line = f'fmcts: {message}\n'
    with suppress(OSError):
        os.write(2, line.encode(errors='backslashreplace'))


def leave(_signal: int, _frame: object) -> None:
    """End the process at once: there is nothing to clean up yet, or any more."""
    with suppress(OSError):
        os.write(2, b'\n' if os.isatty(2) else b'')  # the terminal has just shown ^C
    complain('interrupted')
    os._exit(INTERRUPTED)


def leave_when_interrupted() -> None:
    """From here on `leave` is what Ctrl-C does, unless the process does not want to hear of it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)


def fail(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
    """Say in one line what kept a module from being loaded; Python ends with exit code 1 then."""
    if issubclass(kind, (ImportError, MemoryError, OSError)):
        why = str(error).partition('\n')[0]
        complain(f'the command line cannot be loaded: {why or "out of memory"}')
    else:
        sys.__excepthook__(kind, error, where)


if is_command_line(getattr(sys, 'argv', []), getattr(sys, 'orig_argv', [])):
    if is_worker(getattr(sys, 'orig_argv', [])):  # a terminal tells all of them of Ctrl-C
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    else:
        leave_when_interrupted()
    sys.excepthook = fail
