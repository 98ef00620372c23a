"""Connect Four positions in which exactly one move keeps the outcome, and who finds it.

They arise in games of half random, half sensible moves, after 14 to 24 plies, and are solved by
`fmcts.solve`. Left out are those that every setting answers: a win at once, and a move that is
forced because all others lose at once. `benchmarks/data/only_moves.txt` has 771 of them (`make 240
2`, then `make 531 3`), each with its moves, columns 0 to 6, and the one that keeps the win or the
draw. Settings are tuned on every other line, the first included (`tuning`), and reported on the
rest (`held-back`). Run it with `pip install '.[fast]'`:

    python benchmarks/only_moves.py make COUNT SEED > FILE
    python benchmarks/only_moves.py judge tuning|held-back SEEDS SPEC ...
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any

from fmcts import Search, SplitMix, mcts
from fmcts.bots._spec import parse_bot
from fmcts.games import connect4
from fmcts.solve import AlphaBeta, move_values

FILE = Path(__file__).parent / 'data/only_moves.txt'
PLIES = (14, 24)
SENSIBLE = mcts(Search(60), engine='compiled')


def main() -> None:
    """Print positions, or how often each bot finds the move."""
    match sys.argv[1:]:
        case ['make', count, seed]:
            for number, line in enumerate(made(int(seed)), 1):
                print(line, flush=True)
                if number == int(count):
                    break
        case ['judge', ('tuning' | 'held-back') as half, seeds, *specs]:
            judge(half, int(seeds), specs)
        case _:
            sys.exit(__doc__)


def made(seed: int) -> Iterator[str]:
    """Lines of the file, without end."""
    seen, number = set(), 0
    while True:
        number += 1
        state, moves = drawn(SplitMix.from_seed(seed).child(number))
        if state.over or state in seen:
            continue
        seen.add(state)
        safe = [move for move in state.moves if not wins(state.play(move))]
        if wins(state) or len(safe) < 2:
            continue
        values = move_values(state, AlphaBeta(distance=False), engine='compiled')
        best = max(row.value for row in values)
        keeping = [row.move for row in values if row.value == best]
        if best > 0 and len(keeping) == 1:
            yield f'{"".join(map(str, moves))} {keeping[0]}'


def drawn(rng: SplitMix) -> tuple[Any, list[int]]:
    """A position of a game in which a third of the moves is random."""
    plies, rng = rng.uniform(*PLIES)
    state: Any = connect4.start
    moves: list[int] = []
    while len(moves) < plies and not state.over:
        kind, rng = rng.uniform(0, 2)
        if kind:
            move, rng = SENSIBLE(state, rng)
        else:
            index, rng = rng.uniform(0, len(state.moves) - 1)
            move = state.moves[index]
        moves.append(move)
        state = state.play(move)
    return state, moves


def wins(state: Any) -> bool:
    """Whether the side to move has won or can win at once; of a finished game: no."""
    return any((after := state.play(move)).over and after.winner for move in state.moves)


def judge(half: str, seeds: int, specs: list[str]) -> None:
    """Print for each bot the share of moves found, over so many seeds, and the time of one seed."""
    rows = [line.split() for line in FILE.read_text(encoding='ascii').splitlines()]
    rows = rows[half == 'held-back' :: 2]
    for spec in specs:
        bot: Any = parse_bot(spec).unwrap()
        found, begin = 0, time.process_time()
        for seed in range(1, seeds + 1):
            for moves, move in rows:
                state: Any = reduce(lambda here, it: here.play(int(it)), moves, connect4.start)
                analysis, _ = bot.analyse(state, SplitMix.from_seed(seed))
                found += analysis.move == int(move)
        seconds = (time.process_time() - begin) / seeds
        share = found / (seeds * len(rows))
        print(f'{spec:60} {share:6.1%} of {len(rows)}, {seconds:6.1f} s', flush=True)


if __name__ == '__main__':
    main()
