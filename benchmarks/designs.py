"""Where the time of the interpreted designs goes, on Connect Four.

Prints, in one run: the time of each engine as a ratio to `inplace` (the median of the rounds, run
in turn), then the share of the time in each verb, from the deterministic profiler of the standard
library (which slows calls down, so the shares are a map, not a measurement):

    python benchmarks/designs.py [iterations] [rounds]
"""

from __future__ import annotations

import cProfile
import pstats
import statistics
import sys
import time

from fmcts import Search, SplitMix, analyse
from fmcts.games import connect4

ENGINES = ('inplace', 'persistent', 'monadic')


def search(engine: str, iterations: int, seed: int) -> float:
    """Seconds of one search."""
    begin = time.perf_counter()
    analyse(connect4.start, SplitMix.from_seed(seed), Search(iterations), engine=engine)
    return time.perf_counter() - begin


def shares(engine: str, iterations: int) -> dict[str, float]:
    """The share of the time inside each function by name, without what it calls."""
    profile = cProfile.Profile()
    profile.runcall(search, engine, iterations, 1)
    rows = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    total = sum(own for _, _, own, _, _ in rows.values())
    by_name: dict[str, float] = {}
    for (_, _, name), (_, _, own, _, _) in rows.items():
        by_name[name] = by_name.get(name, 0.0) + own / total
    return by_name


def main(iterations: int, rounds: int) -> None:
    """Print both tables."""
    times = [
        {engine: search(engine, iterations, seed) for engine in ENGINES} for seed in range(rounds)
    ]
    print(f'Connect Four, {iterations:,} iterations, {rounds} rounds')
    print('engine      seconds  against inplace')
    for engine in ENGINES:
        seconds = statistics.median(row[engine] for row in times)
        ratio = statistics.median(row[engine] / row['inplace'] for row in times)
        print(f'{engine:10}{seconds:9.3f}{ratio:17.2f}')
    print()
    print('own time    ' + ''.join(f'{engine:>12}' for engine in ENGINES))
    tables = {engine: shares(engine, iterations) for engine in ENGINES}
    names = sorted({n for t in tables.values() for n, share in t.items() if share >= 0.02})
    for name in names:
        row = ''.join(f'{tables[engine].get(name, 0):12.1%}' for engine in ENGINES)
        print(f'{name[-30:]:30}{row}')


if __name__ == '__main__':
    numbers = [int(word) for word in sys.argv[1:]]
    main(*(numbers + [20_000, 5][len(numbers) :]))
