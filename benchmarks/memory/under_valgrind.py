"""Short compiled searches under valgrind's memcheck, to see that machine code keeps to its arrays.

    python benchmarks/memory/under_valgrind.py [--slack N]

Valgrind (https://valgrind.org, `apt-get install valgrind`) watches every access to memory, those of
machine code made by numba too. The searches fill arrays that are as long as they need to be and no
longer. Each kind of error is counted, by where it happened: in machine code (which has no file), or
in the libraries around it, which are not ours to judge. Exits with 1 when there is one in machine
code. `--slack 0` leaves out what must lie behind the last block, so that there are some to find.

It takes some minutes, most of them for numba under valgrind, and is no part of the test suite.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter

VALGRIND = (
    *('valgrind', '--tool=memcheck', '--xml=yes', '--smc-check=all-non-file', '--num-callers=4'),
    *('--error-limit=no', '--undef-value-errors=yes', '--redzone-size=256'),
)


def search(slack: int | None) -> None:
    """What is watched: a tree grown in steps of a few entries, its digest, and playouts."""
    import numpy as np  # noqa: PLC0415 - the same

    from fmcts import Search, SplitMix, analyse  # noqa: PLC0415 - under valgrind only
    from fmcts._compiled import loop  # noqa: PLC0415 - the same
    from fmcts._linked.tree import arena  # noqa: PLC0415 - the same
    from fmcts._running.playouts import playouts  # noqa: PLC0415 - the same
    from fmcts.games import tictactoe  # noqa: PLC0415 - the same

    if slack is not None:
        arena.SLACK = loop.SLACK = slack
    arena.AHEAD = 0

    def grow_by_one(array: arena.Arena) -> None:
        words = np.empty(len(array.words) + 1, np.int32)
        words[: array.used] = array.words[: array.used]
        array.words = words

    arena.Arena.grow = grow_by_one  # type: ignore[method-assign]  # a patch
    state = tictactoe.start
    for move in (0, 1, 2, 4, 3):
        state = state.play(move)
    for expansion in ('in-order', 'full'):
        wanted = Search(40, expansion=expansion)
        found, rng = analyse(state, SplitMix.from_seed(1), wanted, engine='compiled')
        again, _ = analyse(state, rng, wanted, engine='compiled', tree=found.tree)
        print(expansion, found.digest[:16], again.digest[:16], flush=True)
    print(playouts(state, rng, 50, engine='compiled')[0])


def place(error: ET.Element) -> str:
    """Where an error happened: the innermost frame's file, or machine code."""
    frame = error.find('stack/frame')
    found = None if frame is None else frame.findtext('obj')
    return pathlib.Path(found).name if found else 'machine code'


def main() -> int:
    """Run under valgrind, then count."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').partition('\n')[0])
    parser.add_argument('--slack', type=int, help='entries behind the last block')
    parser.add_argument('--inside', action='store_true', help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        search(options.slack)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / 'report.xml'
        # Every array from malloc, which valgrind replaces by its own.
        environment = os.environ | {'PYTHONMALLOC': 'malloc', 'FMCTS_CACHE_DIR': folder}
        again = (sys.executable, __file__, '--inside')
        slack = () if options.slack is None else ('--slack', str(options.slack))
        command = (*VALGRIND, f'--xml-file={report}', *again, *slack)
        status = subprocess.run(command, check=False, env=environment).returncode
        errors = ET.parse(report).getroot().findall('error')  # noqa: S314 - valgrind's own
    counts = Counter((place(error), str(error.findtext('kind'))) for error in errors)
    for (where, kind), times in sorted(counts.items()):
        print(f'{times:5} {kind} in {where}')
    ours = sum(times for (where, _), times in counts.items() if where == 'machine code')
    print(f'errors in machine code: {ours}; the searches ended with status {status}')
    return 1 if ours or status else 0


if __name__ == '__main__':
    sys.exit(main())
