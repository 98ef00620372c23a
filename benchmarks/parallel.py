"""What `parallel` gains on two cores: iterations a second, and a match at equal time.

    python benchmarks/parallel.py rates [TIMES]
    python benchmarks/parallel.py match [ITERATIONS [RATIO [GAMES [JOBS]]]]

`rates` times one search of Connect Four, and `parallel` with two trees by one worker and by two, in
turn, and two searches that have nothing to do with each other, in two threads: no more can be had
from the machine. The shortest of TIMES counts. Besides the time that passed it prints processor
time, which other programs on the machine change less. From this comes the time on two idle cores:
the work that the two workers share is measured piece by piece and laid out on two cores.

`match` plays `parallel` against one search. `parallel` makes RATIO times the ITERATIONS of the
other: what it makes in the same time, as `rates` has it. JOBS processes play the games. Run it with
`pip install '.[fast]'`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from attrs import define, field

from fmcts import Search, SplitMix, analyse, mcts
from fmcts._running.rounds import grow_in_rounds
from fmcts.bots import parallel
from fmcts.games import connect4
from fmcts.matches import match
from fmcts.search._tree import plant

SIZES = (20_000, 50_000, 100_000, 300_000)


@define
class Layout:
    """Calls functions one after another, and finds how long they would take on two cores."""

    pieces: float = 0.0
    two_cores: float = 0.0
    began: float = field(factory=time.process_time)

    def __call__(self, function: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
        """Call `function` with each of the items, the first that are left on the free core."""
        cores, results = [0.0, 0.0], []
        for item in items:
            begin = time.process_time()
            results.append(function(item))
            took = time.process_time() - begin
            cores.sort()
            cores[0] += took
            self.pieces += took
        self.two_cores += max(cores)
        return results

    def seconds(self) -> float:
        """The time on two cores: that of the pieces, and all else."""
        return time.process_time() - self.began - self.pieces + self.two_cores


def one(iterations: int) -> None:
    """A single search."""
    analyse(connect4.start, SplitMix.from_seed(1), Search(iterations), engine='compiled')


def two(iterations: int) -> None:
    """Two searches at the same time, each of half the iterations."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(one, [iterations // 2] * 2))


def by(workers: int) -> Callable[[int], None]:
    """`parallel` with two trees."""

    def run(iterations: int) -> None:
        bot = parallel(Search(iterations), trees=2, workers=workers, engine='compiled')
        bot.analyse(connect4.start, SplitMix.from_seed(1))

    return run


def on_two_cores(iterations: int) -> float:
    """The seconds that `parallel` would take with two cores for itself."""
    rng, layout = SplitMix.from_seed(1), Layout()
    grow_in_rounds(
        plant(connect4.start),
        [rng.child(0), rng.child(1)],
        Search(iterations),
        layout,
        lambda _done: None,
        engine='compiled',
    )
    return layout.seconds()


def rates(times: int) -> None:
    """Print a line for each size and kind of search."""
    kinds = {
        'one search': one,
        'two searches': two,
        'one worker': by(1),
        'two workers': by(2),
    }
    for iterations in SIZES:
        wall = dict.fromkeys(kinds, float('inf'))
        processor = dict(wall)
        laid_out = float('inf')
        for _ in range(times):
            for name, work in kinds.items():
                begin = time.perf_counter(), time.process_time()
                work(iterations)
                wall[name] = min(wall[name], time.perf_counter() - begin[0])
                processor[name] = min(processor[name], time.process_time() - begin[1])
            laid_out = min(laid_out, on_two_cores(iterations))
        print(f'{iterations:,} iterations')
        for name in kinds:
            print(
                f'  {name:12}{iterations / wall[name]:12,.0f} a second, '
                f'{wall["one search"] / wall[name]:.2f} times one search; '
                f'processor {1e3 * processor[name]:6.1f} ms, '
                f'{processor[name] / processor["one search"]:.2f} times'
            )
        print(f'  two idle cores, from processor time: {processor["one search"] / laid_out:.2f}')


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
    one(1_000)
    by(2)(1_000)  # from here on machine code is there
    if kind == 'rates':
        rates(int(numbers[0]) if numbers else 5)
    elif kind == 'match':
        given = [*map(float, numbers), *(100_000, 1.7, 400, 1)[len(numbers) :]]
        play(int(given[0]), given[1], int(given[2]), int(given[3]))
    else:
        sys.exit('usage: parallel.py rates [TIMES] | match [ITERATIONS [RATIO [GAMES [JOBS]]]]')


if __name__ == '__main__':
    main()
