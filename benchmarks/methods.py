"""What a method costs: the compiled engine's time for an iteration, against plain search.

All methods are timed in turn, again and again, from the start of each game at equal iterations; the
shortest time of each counts. Run it with `pip install '.[fast]'`:

    python benchmarks/methods.py [ROUNDS]
"""

from __future__ import annotations

import sys
import time

from fmcts import Search, SplitMix, analyse
from fmcts.games import GAMES
from fmcts.search.methods import METHODS

ITERATIONS = {'tictactoe': 50_000, 'connect4': 50_000, 'othello': 20_000}


def main() -> None:
    """Print a line a method."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    least = {game: {name: timed(game, name) for name in METHODS} for game in GAMES}  # it compiles
    for _ in range(rounds):
        for game, times in least.items():
            for name in METHODS:
                times[name] = min(times[name], timed(game, name))
    print(f'{"method":18}' + ''.join(f'{game:>20}' for game in GAMES))
    for name in METHODS:
        print(f'{name:18}', end='')
        for game, times in least.items():
            per_iteration = 1e9 * times[name] / ITERATIONS[game]
            print(f'{per_iteration:11.0f} ns {times[name] / times["ucb1"]:5.2f}', end='')
        print()


def timed(game: str, name: str) -> float:
    """The seconds of the processor that one search takes."""
    search, rng = Search(ITERATIONS[game], selection=name), SplitMix.from_seed(1)
    begin = time.process_time()
    analyse(GAMES[game].start, rng, search, engine='compiled')
    return time.process_time() - begin


if __name__ == '__main__':
    main()
