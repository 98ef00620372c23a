"""Set up the command line before it is loaded: one line for Ctrl-C and for missing memory.

Loading takes a fifth of a second. An interrupt or a failed import during that time would otherwise
print a traceback of a half-loaded module. So `fmcts` imports this module before all others. It acts
only if the process was started as the command line; worker processes (`--jobs`) leave interrupts to
their parent.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from types import TracebackType

INTERRUPTED = 130  # 128 + SIGINT


def is_command_line(argv: list[str], command: list[str]) -> bool:
    """Return whether these words, from `sys.argv` and `sys.orig_argv`, start the command line.

    >>> is_command_line(['/usr/bin/fmcts', 'move'], ['python', '/usr/bin/fmcts', 'move'])
    True
    >>> is_command_line(['-m', 'move'], ['python', '-m', 'fmcts', 'move'])
    True
    >>> is_command_line(['-m'], ['python', '-Imfmcts'])
    True
    >>> is_command_line(['-m', 'fmcts'], ['python', '-m', 'pytest', 'fmcts'])
    False
    """
    if argv[:1] == ['-m']:  # `sys.argv` while the package of a module to run is loaded
        module = command[-len(argv)] if len(command) > len(argv) else ''
        return module == 'fmcts' or (module.startswith('-') and module.endswith('mfmcts'))
    # `pathlib` is slow to load.
    return bool(argv) and os.path.basename(argv[0]) in {'fmcts', 'fmcts.exe'}  # noqa: PTH119


def is_worker(command: list[str]) -> bool:
    """Return whether these words, from `sys.orig_argv`, start a worker of `multiprocessing`.

    >>> is_worker(['python', '-c', 'from multiprocessing.spawn ...', '--multiprocessing-fork'])
    True
    >>> is_worker(['python', '-m', 'fmcts', 'move'])
    False
    """
    return '--multiprocessing-fork' in command


def complain(message: str) -> None:
    """Print one line on standard error, if it can be written to."""
    line = f'fmcts: {message}\n'
    with suppress(OSError):
        os.write(2, line.encode(errors='backslashreplace'))


def leave(_signal: int, _frame: object) -> None:
    """End the process at once: there is nothing to clean up."""
    with suppress(OSError):
        os.write(2, b'\n' if os.isatty(2) else b'')  # the terminal has just shown ^C
    complain('interrupted')
    os._exit(INTERRUPTED)


def leave_when_interrupted() -> None:
    """Let Ctrl-C call `leave` from now on, unless SIGINT is ignored or already handled."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)


def fail(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
    """Report in one line why a module could not be loaded; Python then ends with exit code 1."""
    if issubclass(kind, (ImportError, MemoryError, OSError)):
        why = str(error).partition('\n')[0]
        complain(f'the command line cannot be loaded: {why or "out of memory"}')
    else:
        sys.__excepthook__(kind, error, where)


if is_command_line(getattr(sys, 'argv', []), getattr(sys, 'orig_argv', [])):
    if is_worker(getattr(sys, 'orig_argv', [])):  # a terminal sends Ctrl-C to all processes
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    else:
        leave_when_interrupted()
    sys.excepthook = fail
