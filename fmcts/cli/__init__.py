"""The command line `fmcts`: the edge where boards are read, results printed and time shown.

In reading order: `app` (the commands, and how they end), `inputs` (from words to positions, bots
and generators), one module for each command, `screen` and `progress` (what is shown), `human` (a
game against a person).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

__all__ = ['main']


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code: 0 done, 1 broken off, 2 bad input.

    `arguments` are the words after `fmcts`; without them, those of this process.
    """
    # click and rich come with an extra, so importing this package must not need them.
    missing = [name for name in ('click', 'rich') if find_spec(name) is None]
    if missing:
        print(
            f'fmcts: the command line needs {" and ".join(missing)}: install fmcts[cli]',
            file=sys.stderr,
        )
        return 2
    from fmcts.cli.app import run  # noqa: PLC0415 - only now is it known that click is there

    return run(sys.argv[1:] if arguments is None else arguments)
