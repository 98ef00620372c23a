"""The command line `fmcts`, which reads boards, prints results and measures time.

In reading order: `_app` (the commands, and how each ends), `_types` (words to positions, bots and
generators, as types of click), one module for each command, `_many` (what commands that play many
games share), `_screen` (output), `_progress` (running a search: a bar, Ctrl-C and limits), `_human`
(a game so far, and the conversation with a person).

A command is its signature: its options are parsed before it is called. It calls one function of the
library and prints the answer by `answer`, as JSON or as a page.

Exit codes: 0 success; 1 a negative result, or no disk space or memory left; 2 bad input; 130
interrupted; 141 the reader of the output has closed it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

__all__ = ['main']


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code (see the module's docstring).

    `arguments` are the words after `fmcts`. By default they are the arguments of this process.
    """
    # click and rich are in an extra, so importing this package must not need them.
    missing = [name for name in ('click', 'rich') if find_spec(name) is None]
    if missing:
        needed = ' and '.join(missing)
        print(f'fmcts: the command line needs {needed}: install fmcts[cli]', file=sys.stderr)
        return 2
    try:
        from fmcts.cli._app import run  # noqa: PLC0415 - only now is it known that click is there

        return run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:  # while modules load; later, `run` says so
        print('fmcts: interrupted', file=sys.stderr)
        return 130
