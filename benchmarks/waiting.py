"""How long `auto` keeps a user waiting, against the best engine chosen by hand.

Each search runs in a process of its own, with machine code on disk (warm) or none (cold); timed is
the call of `analyse`, without the import of the library. By hand the better of `compiled` and
`inplace` is taken; `inplace` is given up once it takes longer than the other. Run it with
`pip install '.[fast]'`:

    python benchmarks/waiting.py [ITERATIONS ...]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

GAMES = ('tictactoe', 'connect4', 'othello', 'hex:9')
ITERATIONS = (100, 1_000, 10_000, 100_000, 1_000_000)

SEARCH = """
import sys, time
from fmcts import Search, SplitMix, analyse
from fmcts.games import find_game
state = find_game(sys.argv[1]).unwrap().start
search, rng = Search(int(sys.argv[2])), SplitMix.from_seed(1)
begin = time.perf_counter()
found, _ = analyse(state, rng, search, engine=sys.argv[3])
print(time.perf_counter() - begin, found.move)
"""
GIVEN_UP = 2.0  # seconds after the other engine's time


def main() -> None:
    """Print a line for each game and number of iterations."""
    numbers = tuple(map(int, sys.argv[1:])) or ITERATIONS
    print(f'{"":10} {"iterations":>10} {"":>5} {"by hand":>9} {"":9} {"auto":>9} {"more":>6}')
    for game in GAMES:
        for cache in ('cold', 'warm'):
            for iterations in numbers:
                with tempfile.TemporaryDirectory() as folder:
                    show(game, iterations, cache, folder)


def show(game: str, iterations: int, cache: str, folder: str) -> None:
    """Time the engines by hand and `auto`, each from the same state of the disk."""

    def timed(engine: str, limit: float | None = None) -> float:
        place = folder if cache == 'warm' else f'{folder}/{engine}'
        return seconds(game, iterations, engine, place, limit)

    if cache == 'warm':
        command = [sys.executable, '-m', 'fmcts', 'prepare', game, 'mcts']
        run(command, folder, None)
    compiled = timed('compiled')
    by_hand = {'compiled': compiled, 'inplace': timed('inplace', compiled + GIVEN_UP)}
    best = min(by_hand, key=lambda name: by_hand[name])
    auto = timed('auto')
    more = auto - by_hand[best]
    print(
        f'{game:10} {iterations:10,} {cache:>5} {by_hand[best]:7.2f} s {best:9} {auto:7.2f} s '
        f'{more:+6.2f}',
        flush=True,
    )


def seconds(game: str, iterations: int, engine: str, folder: str, limit: float | None) -> float:
    """The time of a search in a process of its own; infinity beyond the limit."""
    out = run([sys.executable, '-c', SEARCH, game, str(iterations), engine], folder, limit)
    return float('inf') if out is None else float(out.split()[0])


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
