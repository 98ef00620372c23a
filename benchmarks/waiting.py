"""How long `auto` keeps a user waiting, against the best engine chosen by hand.

Each search runs in a process of its own, with the rules on disk (warm) or not (cold); timed is
the call of `analyse`, without the import of the library. By hand the better of `compiled` and
`inplace` is taken; `inplace` is given up once it takes longer than the other. Beside the time by
the clock stands that of the processor, which means more on a busy machine. Each is the shortest of
`REPEATS` runs, made in turn. Run it with `pip install '.[fast]'`:

    python benchmarks/waiting.py [GAME[,GAME...] [ITERATIONS ...]]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

GAMES = ('tictactoe', 'connect4', 'othello', 'hex:9')
ITERATIONS = (100, 1_000, 10_000, 100_000, 1_000_000)
REPEATS = 3

SEARCH = """
import sys, time
from fmcts import Search, SplitMix, analyse
from fmcts.games import find_game
state = find_game(sys.argv[1]).unwrap().start
search, rng = Search(int(sys.argv[2])), SplitMix.from_seed(1)
begin, used = time.perf_counter(), time.process_time()
found, _ = analyse(state, rng, search, engine=sys.argv[3])
print(time.perf_counter() - begin, time.process_time() - used)
"""
GIVEN_UP = 2.0  # seconds after the other engine's time


def main() -> None:
    """Print a line for each game and number of iterations."""
    games = sys.argv[1].split(',') if len(sys.argv) > 1 else GAMES
    numbers = tuple(map(int, sys.argv[2:])) or ITERATIONS
    print(
        '                           by hand: clock, processor     auto: clock, processor     more'
    )
    for game in games:
        for cache in ('cold', 'warm'):
            for iterations in numbers:
                show(game, iterations, cache)


def show(game: str, iterations: int, cache: str) -> None:
    """Print the shortest times of the engines by hand and of `auto`."""
    shortest = {name: (float('inf'), float('inf')) for name in ('compiled', 'inplace', 'auto')}
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as folder:
            for name, times in times_of(game, iterations, cache, folder).items():
                shortest[name] = min(shortest[name], times)
    clock, used = shortest.pop('auto')
    best = min(shortest, key=lambda name: shortest[name][1])
    print(
        f'{game:9} {iterations:9,} {cache} {best:>9} {shortest[best][0]:7.2f} '
        f'{shortest[best][1]:7.2f} {clock:14.2f} {used:7.2f} {clock - shortest[best][0]:+10.2f} '
        f'{used - shortest[best][1]:+7.2f}',
        flush=True,
    )


def times_of(game: str, iterations: int, cache: str, folder: str) -> dict[str, tuple[float, float]]:
    """The times of the engines by hand and of `auto`, each from the same state of the disk."""

    def timed(engine: str, limit: float | None = None) -> tuple[float, float]:
        place = folder if cache == 'warm' else f'{folder}/{engine}'
        return seconds(game, iterations, engine, place, limit)

    if cache == 'warm':
        run([sys.executable, '-m', 'fmcts', 'prepare', game, 'mcts'], folder, None)
    compiled = timed('compiled')
    inplace = timed('inplace', compiled[0] + GIVEN_UP)
    return {'compiled': compiled, 'inplace': inplace, 'auto': timed('auto')}


def seconds(
    game: str, iterations: int, engine: str, folder: str, limit: float | None
) -> tuple[float, float]:
    """The time of a search by the clock and by the processor; infinite past the limit."""
    out = run([sys.executable, '-c', SEARCH, game, str(iterations), engine], folder, limit)
    if out is None:
        return float('inf'), float('inf')
    clock, used = map(float, out.split())
    return clock, used


def run(command: list[str], folder: str, limit: float | None) -> str | None:
    """What a command prints; `None` if it takes longer than the limit."""
    environment = os.environ | {'FMCTS_CACHE_DIR': folder}
    try:
        done = subprocess.run(
            command, env=environment, timeout=limit, capture_output=True, text=True, check=True
        )
    except subprocess.TimeoutExpired:
        return None
    return done.stdout


if __name__ == '__main__':
    main()
