"""Perfect play: how long whole explorations take, and positions solved by others.

- Tic-tac-toe explored to the end without a table, over and over (the C course, step 6, measured
  1,250 explorations a second), and how many uniform playouts take the same time (there 1,600).
- Connect Four positions in the form of Pascal Pons (http://blog.gamesolver.org), "moves score" on
  each line, columns 1 to 7: each is scored, exactly, and compared.
- Othello ends in Edax's form (.obf), "board side; MOVE:score; ...": won, drawn or lost, compared in
  sign, of the positions with at most so many empty squares.

    python benchmarks/solving.py [--connect4 FILE]... [--othello FILE] [--empties N] [--engine NAME]

It leaves with exit code 1 when an answer differs.
"""

from __future__ import annotations

import argparse
import functools
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from timing import in_turn, rate_of

from fmcts import SplitMix
from fmcts._running import playouts
from fmcts.games import connect4, othello, tictactoe
from fmcts.solve import AlphaBeta, Solution, solve

WHOLE = AlphaBeta(distance=False, table=0)


def explorations(engine: str, times: int) -> None:
    """Print how many explorations and playouts a second, and how many playouts take as long."""

    def explore(_seed: int) -> None:
        for _ in range(times):
            solve(tictactoe.start, WHOLE, engine=engine)

    def play(seed: int) -> None:
        playouts(tictactoe.start, SplitMix.from_seed(seed), 1_000 * times, engine=engine)

    explore(0), play(0)  # compiled code is made or loaded
    one, other, ratio = in_turn(rate_of(times, explore), rate_of(1_000 * times, play), 5)
    print(
        f'{engine:10}{one:10,.0f} explorations/s{other:12,.0f} playouts/s'
        f'{1 / ratio:8,.0f} playouts take as long as one'
    )


def connect4_lines(path: Path) -> Iterator[tuple[connect4.Connect4, int]]:
    """Positions and their scores."""
    for line in path.read_text().splitlines():
        moves, score = line.split()
        columns = (int(letter) - 1 for letter in moves)
        yield functools.reduce(connect4.Connect4.play, columns, connect4.start), int(score)


def pons_score(state: connect4.Connect4, solution: Solution[int]) -> int:
    """How many stones early who wins does so: 1 with their last stone, 2 with the one before."""
    if solution.plies is None:
        return 0
    stones = (state.x | state.o).bit_count()
    own = (solution.plies + 1) // 2  # stones that the winner still plays
    winner_has = (stones + 1 if solution.value == 0 else stones) // 2
    score = 22 - own - winner_has
    return score if solution.value == 1 else -score


def solve_connect4(path: Path, engine: str) -> int:
    """Print how long all positions of the file take; gives how many scores differ."""
    lines = list(connect4_lines(path))
    solve(lines[0][0], engine=engine)  # compiled code is made or loaded
    begin, nodes, wrong, longest = time.perf_counter(), 0, 0, 0.0
    for state, score in lines:
        before = time.perf_counter()
        solution = solve(state, engine=engine)
        longest = max(longest, time.perf_counter() - before)
        nodes += solution.nodes
        wrong += pons_score(state, solution) != score
    seconds = time.perf_counter() - begin
    print(
        f'{path.name}: {len(lines)} positions in {seconds:.2f} s, the longest {longest:.2f} s, '
        f'{nodes:,} nodes, {nodes / seconds:,.0f} a second, {wrong} wrong'
    )
    return wrong


def solve_othello(path: Path, empties: int, engine: str) -> int:
    """Print how long each end takes by outcome; gives how many differ."""
    wrong = 0
    for number, line in enumerate(path.read_text().splitlines(), 40):
        board, rest = line.split(maxsplit=1)
        if board.count('-') > empties:
            continue
        state = othello.parse(f'{board.replace("-", ".")}\n{rest[0]} to move').unwrap()
        best = int(rest.split(':')[1].split(';')[0])
        begin = time.perf_counter()
        solution = solve(state, AlphaBeta(distance=False), engine=engine)
        seconds = time.perf_counter() - begin
        right = solution.value == (best > 0) + (best == 0) / 2
        wrong += not right
        print(
            f'FFO {number}, {board.count("-")} empty: {seconds:.2f} s, {solution.nodes:,} nodes, '
            f'{othello.format_move(solution.move)} is worth {solution.value}, '
            f'{"right" if right else "wrong"}'
        )
    return wrong


def main() -> int:
    """Print what was asked for; gives the exit code."""
    asked = argparse.ArgumentParser(description=(__doc__ or '').partition('\n')[0])
    asked.add_argument('--connect4', type=Path, action='append', default=[])
    asked.add_argument('--othello', type=Path)
    asked.add_argument('--empties', type=int, default=20)
    asked.add_argument('--engine', default='compiled')
    given = asked.parse_args()
    explorations('compiled', 2_000)
    explorations('inplace', 10)
    wrong = sum(solve_connect4(path, given.engine) for path in given.connect4)
    if given.othello is not None:
        wrong += solve_othello(given.othello, given.empties, given.engine)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
