"""The command line `fmcts`: the edge where boards are read, results printed and time shown.

In reading order: `app` (the commands), `ending` (how every run of them ends), `inputs` (from words
to positions, bots and generators), one module for each command, `screen` and `progress` (what is
shown), `human` with `asking` (a game against a person), `interrupts` (Ctrl-C).

Exit codes: 0 done; 1 an answer of no, or broken off (no room on the disk, no memory left); 2 bad
input; 130 interrupted; 141 nobody reads the output any more. A process that is ended by another
signal gives the terminal its cursor back, and ends by that signal.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

from fmcts.cli._starting import complain, leave_when_interrupted

__all__ = ['main']


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code, as above.

    `arguments` are the words after `fmcts`; without them, those of this process, which then belongs
    to the command line: before and after a command Ctrl-C ends it at once.
    """
    if arguments is None:
        leave_when_interrupted()
        arguments = sys.argv[1:]
    # click and rich come with an extra, so importing this package must not need them.
    missing = [name for name in ('click', 'rich') if find_spec(name) is None]
    if missing:
        complain(f'the command line needs {" and ".join(missing)}: install fmcts[cli]')
        return 2
    from fmcts.cli._app import run  # noqa: PLC0415 - only now is it known that click is there

    return run(arguments)
