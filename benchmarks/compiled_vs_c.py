"""The compiled engine beside a program written by hand in C, and how its cost grows.

Builds `benchmarks/c/uct.c` with the system's C compiler (-O3 -march=native, with and without
-fno-math-errno; the better of the two counts), checks that both make the same root visits and hand
back the same generator, and prints rates and ratios. Run it with `pip install '.[fast]'`:

    python benchmarks/compiled_vs_c.py [rounds]
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable

from timing import Rate, in_turn, rate_of

from fmcts import Player, Search, SplitMix, analyse
from fmcts._running import playouts
from fmcts.games import GAMES

SOURCE = pathlib.Path(__file__).parent / 'c' / 'uct.c'
FLAGS = ['-O3', '-march=native', '-ffp-contract=off']
NUMBERS = {'tictactoe': 1, 'connect4': 2, 'othello': 3}
ITERATIONS = {'tictactoe': 200_000, 'connect4': 200_000, 'othello': 30_000}
PLAYOUTS = {'tictactoe': 4_000_000, 'connect4': 1_000_000, 'othello': 100_000}


def build(folder: pathlib.Path, game: str) -> list[pathlib.Path]:
    """Both builds of the C program for a game."""
    compiler = shutil.which('cc') or shutil.which('gcc') or shutil.which('clang')
    if compiler is None:
        sys.exit('a C compiler is needed: none of cc, gcc, clang is on the path')
    programs = []
    for number, more in enumerate([[], ['-fno-math-errno']]):
        program = folder / f'{game}{number}'
        define = f'-DGAME={NUMBERS[game]}'
        command = [compiler, *FLAGS, *more, define, str(SOURCE), '-lm', '-o', str(program)]
        subprocess.run(command, check=True)
        programs.append(program)
    return programs


def run_c(program: pathlib.Path, what: str, count: int, seed: int) -> list[str]:
    """The words that the C program prints."""
    command = [str(program), what, str(count), str(seed)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def rate_of_c(programs: list[pathlib.Path], what: str, count: int) -> Rate:
    """The rate of the better build."""
    return lambda seed: max(float(run_c(program, what, count, seed)[1]) for program in programs)


def check_equal(programs: list[pathlib.Path], game: str, iterations: int) -> None:
    """Exit when the C program and the compiled engine do not make the same search."""
    seed = 42
    _, _, state, *visits = run_c(programs[0], 'search', iterations, seed)
    analysis, rng = searched(game, iterations)(seed)
    if [str(stats.visits) for stats in analysis.stats] != visits or str(rng.state) != state:
        sys.exit(f'{game}: the C program and the compiled engine make different searches')
    _, _, state, *wins = run_c(programs[0], 'playouts', iterations, seed)
    winners, rng = played(game, iterations)(seed)
    if [str(winners[side]) for side in (*Player, None)] != wins or str(rng.state) != state:
        sys.exit(f'{game}: the C program and the compiled engine play different games')


def searched(game: str, iterations: int) -> Callable[[int], tuple]:
    """A search from the start by the compiled engine, for a seed."""
    search = Search(iterations)
    return lambda seed: analyse(
        GAMES[game].start, SplitMix.from_seed(seed), search, engine='compiled'
    )


def played(game: str, count: int) -> Callable[[int], tuple]:
    """Uniform playouts from the start by the compiled engine, for a seed."""
    start = GAMES[game].start
    return lambda seed: playouts(start, SplitMix.from_seed(seed), count, engine='compiled')


def main(rounds: int) -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        programs = {game: build(folder, game) for game in GAMES}
        print(
            f'{"search":12}{"compiled it/s":>15}{"C it/s":>12}{"ratio":>7}   to reach 1.0, aim 1.5'
        )
        for game, iterations in ITERATIONS.items():
            check_equal(programs[game], game, iterations)
            ours = rate_of(iterations, searched(game, iterations))
            theirs = rate_of_c(programs[game], 'search', iterations)
            one, other, ratio = in_turn(ours, theirs, rounds)
            print(f'{game:12}{one:15,.0f}{other:12,.0f}{ratio:7.2f}')
        print(f'\n{"playouts":12}{"compiled /s":>15}{"C /s":>12}{"ratio":>7}   to reach 0.7')
        for game, count in PLAYOUTS.items():
            ours = rate_of(count, played(game, count))
            theirs = rate_of_c(programs[game], 'playouts', count)
            one, other, ratio = in_turn(ours, theirs, rounds)
            print(f'{game:12}{one:15,.0f}{other:12,.0f}{ratio:7.2f}')
        print('\ncost growth on Connect Four (to reach: at most 2.5 times that at 100,000)')
        base = 0.0
        for iterations in (100_000, 1_000_000, 10_000_000):
            rates = [rate_of(iterations, searched('connect4', iterations))(seed) for seed in (1, 2)]
            nanoseconds = 1e9 / max(rates)
            base = base or nanoseconds
            print(f'{iterations:12,}{nanoseconds:10.0f} ns/iteration{nanoseconds / base:8.2f}')


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
