"""Tic-tac-toe after the C course: games lost to the perfect player, by number of playouts.

    python benchmarks/studies/losses.py [GAMES] [JOBS]

plays each of the course's three bots (`mehat-mc`, `mehat-uct`, `mehat-rave`) against `perfect`, who
is deterministic, at each budget; writes docs/studies/losses.csv and losses.svg, and prints a table.
`losses.py draw` draws the picture anew from the file. It needs
`pip install '.[fast,matches,plot]'`. The bot is X in half of the games.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
COLUMNS = ('bot', 'playouts', 'games', 'lost', 'low', 'high', 'lost of 200', 'as X', 'as O')
BEGINS = 'the bot begins'


def main() -> None:
    """Play, write, print, draw."""
    if sys.argv[1:] != ['draw']:
        games = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
        jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 1
        with (HERE / 'losses.csv').open('w', newline='', encoding='utf-8') as file:
            writer = csv.writer(file, lineterminator='\n')
            writer.writerow(COLUMNS)
            for number, name in enumerate(BOTS):
                for row in played(name, SplitMix.from_seed(1).child(number), games, jobs):
                    writer.writerow(row)
                    print('{:12}{:6}{:7}{:6}  {:.4f} to {:.4f}{:5}{:6}{:6}'.format(*row))
    saved(drawn(), HERE / 'losses.svg')


def played(
    name: str, rng: SplitMix, games: int, jobs: int
) -> Iterator[tuple[str, int, int, int, float, float, int, int, int]]:
    """A row for each budget of a bot."""
    results = curve(
        lambda budget: parse_bot(f'{name}:{budget}').unwrap(),
        BUDGETS,
        parse_bot('perfect').unwrap(),
        tictactoe.start,
        rng=rng,
        games=games,
        names=(name, 'perfect'),
        jobs=jobs,
    )
    for budget, result in zip(BUDGETS, results, strict=True):
        lost = result.losses
        few = sum(game.points == 0 for game in result.games[:TOGETHER])
        as_x = sum(game.points == 0 for game in result.games[::2])
        yield name, budget, games, lost, *wilson(lost, games), few, as_x, lost - as_x


def drawn() -> Any:
    """The share of games lost where the bot begins, as the file has it."""
    with (HERE / 'losses.csv').open(encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    lines = {
        name: [
            (int(row['playouts']), *in_percent(int(row['as X']), int(row['games']) // 2))
            for row in rows
            if row['bot'] == name
        ]
        for name in BOTS
    }
    figure = curves(
        lines, across='playouts a move', up='% of games lost to the perfect player', title=BEGINS
    )
    figure.axes[0].set_xscale('log')
    figure.axes[0].set_yscale('symlog', linthresh=1)
    figure.axes[0].set_ylim(0, 100)
    return figure


def in_percent(lost: int, games: int) -> tuple[float, float, float]:
    """The share lost, and its interval."""
    low, high = wilson(lost, games)
    return 100 * lost / games, 100 * low, 100 * high


if __name__ == '__main__':
    main()
