"""What the history of a compiled search costs, against the search itself; and its file's bytes.

Each search of Connect Four is made by `analyse` and by `history` in turn, in this process, with
machine code ready; the median of the ratios is printed. `log`, `leaders` and `at`, `why` (the
slowest of ten iterations) come after the history, and last the saving of a tree of 300,000
iterations. Times are those of the processor, which mean more
on a busy machine. Run it with `pip install '.[fast]'`:

    python benchmarks/histories.py [ROUNDS [ITERATIONS ...]]
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from fmcts import Search, SplitMix, analyse
from fmcts.games import connect4
from fmcts.history import history, save

ITERATIONS = (20_000, 1_000_000)
PLACES = 10


def seconds(work: Callable[[], object]) -> float:
    """Return how long the processor is at work."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def costs(iterations: int, seed: int) -> dict[str, float]:
    """Return the seconds of each thing that is done with one search."""
    rng, search = SplitMix.from_seed(seed), Search(iterations)
    plain = seconds(lambda: analyse(connect4.start, rng, search, engine='compiled'))
    begin = time.process_time()
    h = history(connect4.start, rng, search, 'compiled')
    found = {'analyse': plain, 'history': time.process_time() - begin}
    found['log'] = seconds(lambda: h.log)
    found['leaders'] = seconds(h.leaders)
    places = [max(1, iterations * (2 * place + 1) // (2 * PLACES)) for place in range(PLACES)]
    for name, ask in (('at', h.at), ('why', h.why)):
        found[name] = max(seconds(lambda k=k, ask=ask: ask(k)) for k in places)  # type: ignore[misc]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'history'
        found['save'] = seconds(lambda: save(path, h))
        found['bytes'] = path.stat().st_size
    return found


def saved(iterations: int = 300_000) -> None:
    """Print what saving a tree of so many nodes costs."""
    rng = SplitMix.from_seed(1)
    analysis, rng = analyse(connect4.start, rng, Search(iterations), engine='compiled')
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'tree'
        spent = seconds(lambda: save(path, analysis, rng))
        size = path.stat().st_size
    print(f'a tree of {analysis.tree.count():,} nodes: saved in {spent:.2f} s, {size:,} bytes')


def main() -> None:
    """Print a line for each number of iterations and thing that is done."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    analyse(connect4.start, SplitMix.from_seed(0), Search(10), engine='compiled')
    for iterations in tuple(map(int, sys.argv[2:])) or ITERATIONS:
        rows = [costs(iterations, seed) for seed in range(rounds)]
        print(f'{iterations:,} iterations')
        for name in rows[0]:
            middle = statistics.median(row[name] for row in rows)
            if name == 'bytes':
                print(f'  {name:8} {middle:10,.0f}')
                continue
            ratio = statistics.median(row[name] / row['analyse'] for row in rows)
            print(f'  {name:8} {middle:10.4f} s  {ratio:8.2f} times analyse')
    saved()


if __name__ == '__main__':
    main()
