"""`python -m fmcts.conformance`: traces of our engines as JSON; with FILEs, check the traces there.

A trace is one JSON object with `dialect`, `tree` and `steps`, in a line of its own. The exit code
is 1 if one differs from its dialect, 2 if a line is not a trace.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from fmcts.conformance._engine import engine_trace
from fmcts.conformance._traces import Dialect, difference, from_json, to_json
from fmcts.conformance._trees import trees
from fmcts.rng import SplitMix

DIALECTS = (Dialect(), Dialect(c=0.5), Dialect(logarithm='1+N'))


def main(files: Sequence[str]) -> int:
    """Print the traces of our engines, or what is found in the traces of files."""
    if not files:
        for dialect in DIALECTS:
            for tree in trees(SplitMix.from_seed(2), 40, least=3, each=2):
                print(json.dumps(to_json(tree, dialect, engine_trace(tree, dialect, 30))))
        return 0
    code = 0
    for file in files:
        number = 0
        try:
            for number, line in enumerate(Path(file).read_text('utf-8').splitlines(), 1):
                tree, dialect, steps = from_json(json.loads(line))
                found = difference(tree, dialect, steps)
                print(f'{file}:{number}: {found or f"{len(steps)} iterations as the dialect says"}')
                code = code or int(found is not None)
        except (OSError, ValueError) as error:
            print(f'{file}:{number}: {error}', file=sys.stderr)
            return 2
    return code


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
