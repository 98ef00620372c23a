"""Pictures of the long tables of docs/figures: docs/strength.svg and docs/methods.svg.

Reads the files that `strength.py` and `methods.py` write. Run it with `pip install '.[plot]'`:

    python benchmarks/plot_figures.py
"""

from __future__ import annotations

import csv
import pathlib
import re

import matplotlib as mpl

mpl.use('Agg')
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

DOCS = pathlib.Path(__file__).parent.parent / 'docs'
BLUE, ORANGE = '#0072b2', '#d55e00'  # Okabe and Ito's, told apart by colour-blind readers
STYLES = ((BLUE, 'o', -0.16), (ORANGE, 's', 0.16))  # colour, marker, place beside the row's middle
GAMES = {'connect4': 'Connect Four, 1,000 iterations', 'othello': 'Othello, 300 iterations'}


def read(name: str) -> list[dict[str, str]]:
    """Return the rows of a file of figures by their headings."""
    _, _, *lines = (DOCS / f'figures/{name}.csv').read_text(encoding='utf-8').splitlines()
    return [*csv.DictReader(lines)]


def rows_of(axis: Axes, names: list[str], middle: float, title: str) -> None:
    """Give each variant a row, the first on top, and mark plain search by a line."""
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 0.4, -0.6)
    axis.axvline(middle, color='black', linewidth=0.8)
    axis.grid(axis='x', alpha=0.3)
    axis.set_title(title)


def strength() -> None:
    """Draw the share of points of each variant, at equal iterations and at equal time."""
    figure, axes = plt.subplots(1, len(GAMES), figsize=(11, 8), layout='constrained')
    for axis, (game, title) in zip(axes, GAMES.items(), strict=True):
        rows = read(f'strength_{game}')
        rows.sort(key=lambda row: -float(row['equal iterations, % of points'].split()[0]))
        rows_of(axis, [row['variant'] for row in rows], 50, title)
        axis.set_xlabel('% of points, intervals of 95 %')
        columns = ('equal iterations, % of points', 'equal time')
        for column, (colour, marker, shift) in zip(columns, STYLES, strict=True):
            found = [[float(it) for it in re.findall(r'[\d.]+', row[column])] for row in rows]
            values = [middle for middle, _, _ in found]
            reach = [[middle - low for middle, low, _ in found], [it[2] - it[0] for it in found]]
            places = [place + shift for place in range(len(rows))]
            axis.errorbar(
                values, places, xerr=reach, fmt=marker, color=colour, markersize=4, linewidth=1,
                label=column.partition(',')[0],
            )  # fmt: skip
    figure.legend(*axes[0].get_legend_handles_labels(), loc='outside upper center', ncols=2)
    save(figure, 'strength')


def methods() -> None:
    """Draw what an iteration of each variant takes against one of plain search."""
    rows = read('methods')
    figure, axes = plt.subplots(1, 3, figsize=(11, 7), sharey=True, layout='constrained')
    for axis, game in zip(axes, ('tic-tac-toe', 'Connect Four', 'Othello'), strict=True):
        rows_of(axis, [row['variant'] for row in rows], 1, game)
        ratios = [re.search(r'\(([\d.]+)\)', row[game]) for row in rows]
        found = [(float(it[1]), place) for place, it in enumerate(ratios) if it]
        axis.plot(*zip(*found, strict=True), 'o', color=BLUE, markersize=5)
        axis.set_xscale('log', base=2)
        axis.set_xticks([0.75, 1, 1.5, 2, 3, 5, 10], ['0.75', '1', '1.5', '2', '3', '5', '10'])
        axis.set_xlabel('time of an iteration, plain search = 1')
    save(figure, 'methods')


def save(figure: plt.Figure, name: str) -> None:
    """Write a picture, the same for the same figures."""
    figure.savefig(DOCS / f'{name}.svg', metadata={'Date': None})


if __name__ == '__main__':
    mpl.rcParams.update({'svg.hashsalt': 'fmcts', 'svg.fonttype': 'none'})
    strength()
    methods()
