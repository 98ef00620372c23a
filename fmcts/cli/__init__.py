"""The command line `fmcts`, which reads boards, prints results and measures time.

In reading order: `app` (the commands), `ending` (exit codes and error lines), `inputs` (words to
positions, bots and generators), one module for each command, `screen` (output), `progress` (watches
of a search), `matches` and `keeping` (commands that play many games), `human` (a game against a
person).

A command parses its options to results, takes their values by `accepted`, which ends the command if
one is not accepted, calls one function, and prints its answer by `answer`, as JSON or as a page.

Exit codes: 0 success; 1 a negative result, or no disk space or memory left; 2 bad input; 130
interrupted; 141 the reader of the output has closed it. A process ended by another signal restores
the terminal's cursor first, and then ends by that signal.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

from fmcts.cli._starting import complain, leave_when_interrupted

__all__ = ['main']


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code (see the module's docstring).

    `arguments` are the words after `fmcts`. By default they are the arguments of this process;
    Ctrl-C before or after the command then ends the process at once.
    """
    if arguments is None:
        leave_when_interrupted()
        arguments = sys.argv[1:]
    # click and rich are in an extra, so importing this package must not need them.
    missing = [name for name in ('click', 'rich') if find_spec(name) is None]
    if missing:
        complain(f'the command line needs {" and ".join(missing)}: install fmcts[cli]')
        return 2
    from fmcts.cli._app import run  # noqa: PLC0415 - only now is it known that click is there

    return run(arguments)
