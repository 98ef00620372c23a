"""Whether this Python finds what every other finds, and how fast, as one line of JSON.

    python benchmarks/platforms/check.py            # --write: into expected.json, after an addition

It needs attrs and returns only, and takes a minute, or several where a processor is emulated. Told
are the platform, how many of the golden analyses (tests/search/golden.json) come out the same, two
digests over drawn searches and the generators that they hand back (200 of plain search, 200 of all
methods, playout policies, solvers, schedules and graphs, by the three engines in Python), whether
arithmetic rounds twice, and how many iterations a second the engine `persistent` makes from the
start of connect4. The exit code is 1 if something differs from `expected.json`, which is beside it.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import platform
import sys
import time
from collections.abc import Sequence
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from fmcts import (  # noqa: E402 - found by the line above
    Search,
    SplitMix,
    StdGen,
    analyse,
    rng as rngs,
)
from fmcts._arithmetic import rounds_twice  # noqa: E402
from fmcts.games import GAMES, connect4  # noqa: E402
from fmcts.search.methods import METHODS  # noqa: E402
from fmcts.search.policies import POLICIES  # noqa: E402

EXPECTED = pathlib.Path(__file__).with_name('expected.json')
DRAWN = 200
SECONDS = 5.0


def goldens() -> tuple[int, int]:
    """How many golden analyses come out the same, and how many there are."""
    cases = json.loads((ROOT / 'tests/search/golden.json').read_text(encoding='utf-8'))
    same = 0
    for case in cases:
        game = GAMES[case['game']]
        state = game.start
        for move in case['moves']:
            state = state.play(game.parse_move(move).unwrap())
        rng = rngs.parse(case['rng']).unwrap()
        analysis, rng = analyse(state, rng, Search(**case['search']), engine='persistent')
        found = game.format_move(analysis.move), analysis.digest, rngs.format(rng)
        same += found == (case['move'], case['digest'], case['rng_out'])
    return same, len(cases)


class Draw:
    """Draws from lists, by a generator of the library."""

    def __init__(self, number: int) -> None:
        self.rng = SplitMix.from_seed(2026).child(number)

    def __call__(self, values: Sequence[Any]) -> Any:
        """One of the values."""
        index, self.rng = self.rng.uniform(0, len(values) - 1)
        return values[index]


ENGINES = ('persistent', 'monadic', 'inplace')
SORTS: tuple[dict[str, Any], ...] = (
    {},
    {'solver': True},
    {'solver': True, 'bounds': True},
    {'closing': True, 'final': 'max'},
    {'rollout_expand': True},
    {'schedule': 'halving'},
    {'schedule': 'shot'},
    {'expansion': 'jump'},
    {'transpositions': 'sound'},
    {'transpositions': 'naive'},
)  # one is drawn where selection and playout are plain: these do not all go together


def position(draw: Draw, games: Sequence[str]) -> Any:
    """A position of one of these games, which is not over."""
    state = GAMES[draw(games)].start
    for _ in range(draw(range(20))):
        after = state.play(draw(state.moves))
        if after.over:
            break
        state = after
    return state


def of_all_kinds() -> str:
    """A digest over searches of every method, policy, solver, schedule and graph."""
    total = hashlib.sha256()
    for number in range(DRAWN):
        draw = Draw(DRAWN + number)
        state = position(draw, ['connect4', 'tictactoe'])
        options: dict[str, Any] = {'iterations': draw(range(8, 100))}
        sort = draw(['method', 'policy', 'both', 'sort', 'sort'])
        if sort == 'sort':
            options |= draw(SORTS)
        if sort in ('method', 'both'):
            options['selection'] = draw(tuple(METHODS))
        if sort in ('policy', 'both'):
            options['playout'] = draw(tuple(POLICIES))
        engine = draw(ENGINES)
        if 'transpositions' in options:
            engine = 'inplace'  # the others need a library for it
        analysis, rng = analyse(state, draw.rng, Search(**options), engine=engine)
        total.update(f'{analysis.digest} {analysis.move} {rngs.format(rng)}\n'.encode())
    return total.hexdigest()


def drawn() -> str:
    """A digest over searches of the plain kind: positions, generators and their options."""
    total = hashlib.sha256()
    for number in range(DRAWN):
        draw = Draw(number)
        state = position(draw, sorted(GAMES))
        search = Search(
            iterations=draw(range(1, 150)),
            c=draw([0.0, 0.5, 1.0, 2.0**0.5, 7.25]),
            expansion=draw(['in-order', 'random', 'full']),
            final=draw(['robust', 'first-robust', 'max', 'ucb']),
            max_nodes=draw([None, None, 100]),
        )
        rng = draw([draw.rng, StdGen.from_seed(number)])
        analysis, rng = analyse(state, rng, search, engine='persistent')
        total.update(f'{analysis.digest} {analysis.move} {rngs.format(rng)}\n'.encode())
    return total.hexdigest()


def speed() -> float:
    """Iterations a second of this process's own time, when what is done once has been done."""
    rng, search = SplitMix.from_seed(42), Search(iterations=500)
    began, best = time.process_time(), 0.0
    ends = began + SECONDS
    while began < ends or not best:
        analyse(connect4.start, rng, search, engine='persistent')
        now = time.process_time()
        best, began = max(best, search.iterations / (now - began)), now
    return best


def main() -> int:
    """Print the line; give 1 if something differs from what is expected, else 0."""
    same, of = goldens()
    found = {'drawn': drawn(), 'of all kinds': of_all_kinds()}
    if '--write' in sys.argv:
        EXPECTED.write_text(json.dumps(found, indent=2) + '\n', encoding='utf-8')
    expected = json.loads(EXPECTED.read_text(encoding='utf-8'))
    print(
        json.dumps(
            {
                'machine': platform.machine(),
                'bits': 64 if sys.maxsize > 2**32 else 32,
                'byte order': sys.byteorder,
                'python': f'{platform.python_implementation()} {platform.python_version()}',
                'release': '.'.join(map(str, sys.implementation.version[:3])),
                'goldens': f'{same}/{of}',
                **found,
                'same': same == of and found == expected,
                'rounds twice': rounds_twice(),
                'iterations a second': round(speed()),
            }
        )
    )

    return int(same != of or found != expected)


if __name__ == '__main__':
    if main():
        sys.exit(1)
