"""Tic-tac-toe after the C course: games lost to the perfect player, by number of playouts.

    python benchmarks/studies/losses.py [GAMES] [JOBS]

plays each of the course's three bots (`mehat-mc`, `mehat-uct`, `mehat-rave`) against `perfect`, who
is deterministic, at each budget; writes docs/studies/losses.csv and losses.svg, and prints a table.
It needs `pip install '.[fast,matches,plot]'`. Each opening is the empty board, from both sides.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from fmcts import SplitMix
from fmcts.bots.spec import parse_bot
from fmcts.games import tictactoe
from fmcts.matches import curve
from fmcts.matches.plots import curves, saved
from fmcts.matches.statistics import wilson

HERE = Path(__file__).parents[2] / 'docs/studies'
BUDGETS = (10, 20, 30, 40, 50, 60, 90, 120, 160, 200, 250, 330, 400, 500, 700, 960)
BOTS = ('mehat-mc', 'mehat-uct', 'mehat-rave')
TOGETHER = 200  # games, as the course has them


def main() -> None:
    """Play, write, print."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    perfect = parse_bot('perfect').unwrap()
    rows, lines = [], {}
    for number, name in enumerate(BOTS):
        results = curve(
            lambda budget, name=name: parse_bot(f'{name}:{budget}').unwrap(),
            BUDGETS,
            perfect,
            tictactoe.start,
            rng=SplitMix.from_seed(1).child(number),
            games=games,
            names=(name, 'perfect'),
            jobs=jobs,
        )
        points = []
        for budget, result in zip(BUDGETS, results, strict=True):
            lost = result.losses
            low, high = wilson(lost, games)
            few = sum(game.points == 0 for game in result.games[:TOGETHER])
            as_x = sum(game.points == 0 for game in result.games[::2])
            rows.append((name, budget, games, lost, low, high, few, as_x, lost - as_x))
            points.append((budget, 100 * lost / games, 100 * low, 100 * high))
            print(f'{name:12}{budget:6}{100 * lost / games:8.2f} %  ({100 * low:.2f} to '
                  f'{100 * high:.2f})  {few:4} of {TOGETHER}  as X {as_x}, as O {lost - as_x}',
                  flush=True)  # fmt: skip
        lines[name] = points
    with (HERE / 'losses.csv').open('w', newline='', encoding='utf-8') as file:
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(
            ('bot', 'playouts', 'games', 'lost', 'low', 'high', 'lost of 200', 'as X', 'as O')
        )
        writer.writerows(rows)
    figure = curves(lines, across='playouts a move', up='% of games lost to the perfect player')
    figure.axes[0].set_yscale('symlog', linthresh=0.1)
    figure.axes[0].set_xscale('log')
    saved(figure, HERE / 'losses.svg')


if __name__ == '__main__':
    main()
