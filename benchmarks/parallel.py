"""What `parallel` gains on two cores: iterations a second, and a match at equal time.

    python benchmarks/parallel.py rates [TIMES]
    python benchmarks/parallel.py match [ITERATIONS [RATIO [GAMES [JOBS]]]]

`rates` times, in turn, one search of Connect Four, `parallel` with two trees by two workers, and
two searches of half the iterations that have nothing to do with each other, in two threads. It
prints medians, and of the ratios within a turn the quartiles, by the clock and by processor time,
which other programs on the machine change less.

`match` plays `parallel` against one search. `parallel` makes RATIO times the ITERATIONS of the
other: what it makes in the same time, as `rates` has it. JOBS processes play the games. Run it with
`pip install '.[fast]'`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from statistics import median, quantiles

from fmcts import Search, SplitMix, analyse, mcts
from fmcts.bots import parallel
from fmcts.games import connect4
from fmcts.matches import match

SIZES = (20_000, 50_000, 100_000, 300_000, 1_000_000)


def one(iterations: int) -> None:
    """A single search."""
    analyse(connect4.start, SplitMix.from_seed(1), Search(iterations), engine='compiled')


def two(iterations: int) -> None:
    """Two searches at the same time, each of half the iterations."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(one, [iterations // 2] * 2))


def shared(iterations: int) -> None:
    """`parallel` with two trees, by two workers."""
    bot = parallel(Search(iterations), trees=2, workers=2, engine='compiled')
    bot.analyse(connect4.start, SplitMix.from_seed(1))


def timed(work: Callable[[int], None], iterations: int) -> tuple[float, float]:
    """Return the seconds that passed, and those of the processor."""
    begin = time.perf_counter(), time.process_time()
    work(iterations)
    return time.perf_counter() - begin[0], time.process_time() - begin[1]


def rates(times: int) -> None:
    """Print the rates of each size, and the ratios of two workers to the others."""
    for iterations in SIZES:
        turns = [[timed(work, iterations) for work in (one, two, shared)] for _ in range(times)]
        print(f'{iterations:,} iterations')
        for kind, name in enumerate(('one search', 'two searches', 'two workers')):
            rate = median(iterations / turn[kind][0] for turn in turns)
            print(f'  {name:12}{rate:12,.0f} a second')
        for kind, name in enumerate(('one search', 'two searches')):
            for which, clock in enumerate(('clock', 'processor')):
                found = quantiles([turn[kind][which] / turn[2][which] for turn in turns])
                quartiles = ' '.join(f'{ratio:.2f}' for ratio in found)
                print(f'  two workers, of {name:12} by the {clock:9}: {quartiles}')


def play(iterations: int, ratio: float, games: int, jobs: int) -> None:
    """Play the match; by one worker, as the moves are the same."""
    bot = parallel(Search(round(ratio * iterations)), trees=2)
    result = match(
        bot,
        mcts(Search(iterations)),
        connect4.start,
        games=games,
        rng=SplitMix.from_seed(7),
        jobs=jobs,
    )
    low, high = result.interval
    print(
        f'parallel, {bot.search.iterations:,} iterations, against one search of {iterations:,}: '
        f'{result.score:.3f} [{low:.3f}, {high:.3f}] in {games} games'
    )


def main() -> None:
    """Measure what the command line asks for."""
    kind, *numbers = sys.argv[1:] or ['rates']
    shared(1_000)
    one(1_000)  # from here on machine code is there
    if kind == 'rates':
        rates(int(numbers[0]) if numbers else 11)
    elif kind == 'match':
        given = [*map(float, numbers), *(100_000, 1.7, 400, 1)[len(numbers) :]]
        play(int(given[0]), given[1], int(given[2]), int(given[3]))
    else:
        sys.exit('usage: parallel.py rates [TIMES] | match [ITERATIONS [RATIO [GAMES [JOBS]]]]')


if __name__ == '__main__':
    main()
