"""What the solver proves of solved Connect Four positions, and whether it is right.

A line of FILE has the moves that lead to a position (columns 1 to 7) and its score, which is
positive when the side to move wins, negative when it loses, and 0 for a draw, as in the files of
Pascal Pons's "Solving Connect 4". Those with the fewest empty cells come first. Run it with
`pip install '.[fast]'`:

    python benchmarks/solver.py FILE [LINES] [ITERATIONS]
"""

from __future__ import annotations

import sys
import time
from functools import reduce
from pathlib import Path

from fmcts import Search, SplitMix, analyse
from fmcts.games import connect4


def main() -> None:
    """Print how many are proven, how many of these wrongly, and how many moves keep the outcome."""
    file = Path(sys.argv[1])
    lines = int(sys.argv[2]) if len(sys.argv) > 2 else 700
    search = Search(int(sys.argv[3]) if len(sys.argv) > 3 else 50_000, solver=True)
    rows = [line.split() for line in file.read_text(encoding='ascii').splitlines()]
    rows.sort(key=lambda row: -len(row[0]))
    rows = rows[:lines]
    proven = wrong = iterations = 0
    begin = time.perf_counter()
    for moves, score in rows:
        state = reduce(lambda here, move: here.play(int(move) - 1), moves, connect4.start)
        analysis, _ = analyse(state, SplitMix.from_seed(1), search, engine='compiled')
        iterations += analysis.iterations
        if analysis.proof is not None:
            proven += 1
            number = int(score)
            expected = 1.0 if number > 0 else 0.0 if number < 0 else 0.5
            wrong += analysis.proof.reward != expected
    seconds = time.perf_counter() - begin
    print(f'{len(rows)} positions, at most {search.iterations:,} iterations each')
    print(f'proven: {proven} ({proven / len(rows):.1%}), wrongly: {wrong}')
    print(f'{iterations:,} iterations in {seconds:.1f} s')


if __name__ == '__main__':
    main()
