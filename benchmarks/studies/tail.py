"""The C course's open question: what makes its UCT lose once in a while even at 960 descents.

    python benchmarks/studies/tail.py

builds tail.c (the course's rule, with what it leaves open or may have got wrong as options) with
the system's C compiler, checks that it makes the library's searches to the visit, and

- plays each hypothesis against perfect play and compares the games lost with those that the course
  prints: docs/studies/tail.csv, and of some the curves in tail.svg;
- counts in the position where the tail is made how often a losing move is chosen, by descents, and
  what helps: tail_position.csv and .svg, tail_cures.csv; and of the searches that fail after 10,000
  descents, how many still do after a hundred times as many: tail_lasting.csv;
- plays 10,000 games with c = 0.2 and 960 descents: tail_960.csv;
- follows one search that goes wrong, and draws its tree: tail_search.csv and .svg, tail_tree.svg.

It writes the page from them. `tail.py draw` writes page and pictures anew from the files. It needs
`pip install '.[bench,fast,matches,plot]'`.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import tail_page
import tail_search
from attrs import frozen
from tables import curves, page
from tail_hypotheses import BANDS, CONSTANTS, CURVES, HYPOTHESES, SINGLE, SMALL
from tail_likelihood import Cell, chance, deviance
from texts import COURSE

from fmcts import Search, SplitMix, analyse
from fmcts.cli import main as fmcts
from fmcts.games import tictactoe
from fmcts.matches._statistics import wilson
from fmcts.matches.plots import saved

HERE = Path(__file__).parents[2] / 'docs/studies'
SOURCE = Path(__file__).with_suffix('.c')
FLAGS = ('-O3', '-march=native', '-ffp-contract=off', '-fno-math-errno')
LOST, TOGETHER = COURSE.lost, COURSE.games
AT = max(LOST)  # descents of the last game that the course's UCT loses

BOARD = 'OX.......'  # X began at 1, O answered at 0; 2, 5 and 7 lose
COUNTS = (100, 300, 1000, 3000, 10_000)
SEARCHES = 1000


@frozen
class Program:
    """The C program, built."""

    path: str

    def lines(self, *words: object) -> list[list[str]]:
        """What it prints."""
        command = [self.path, *map(str, words)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        return [line.split() for line in done.stdout.splitlines()]

    def played(
        self, budgets: tuple[int, int, int], games: int, options: Sequence[str]
    ) -> tuple[dict[int, int], dict[str, int]]:
        """Games lost by budget, and how often it erred in which position."""
        lines = self.lines('play', *budgets, games, 1, *options)
        lost = {int(line[0]): int(line[1]) for line in lines if len(line) == 4}
        return lost, {line[0]: int(line[1]) for line in lines if len(line) == 2}

    def losing(self, board: str, descents: int, times: int, options: Iterable[str]) -> int:
        """How many of so many searches choose a move that gives a draw away."""
        cells = self.lines('choose', board, descents, times, 1, *options)[0]
        lost = tail_search.losing(tictactoe.parse(board).unwrap())
        return sum(int(cells[move]) for move in lost)


def build(folder: str) -> Program:
    """The program, compiled into the folder."""
    compiler = shutil.which('cc') or shutil.which('gcc') or shutil.which('clang')
    if compiler is None:
        sys.exit('a C compiler is needed: none of cc, gcc, clang is on the path')
    path = f'{folder}/tail'
    subprocess.run([compiler, *FLAGS, str(SOURCE), '-lm', '-o', path], check=True)
    return Program(path)


def check_equal(program: Program, seeds: Iterable[int] = range(10)) -> None:
    """Exit when the C program and the library do not make the same search."""
    state = tail_search.position()
    for seed in seeds:
        for c in tail_search.CONSTANTS:
            search = Search(3000, c=c, selection='uct', expansion='in-order')
            found, _ = analyse(state, SplitMix.from_seed(seed), search, engine='inplace')
            ours = {stats.move: stats.visits for stats in found.stats}
            words = 'root', BOARD, 3000, seed, f'c={c!r}', 'total=library'
            if [ours.get(cell, 0) for cell in range(9)] != [*map(int, program.lines(*words)[0])]:
                sys.exit(f'the C program searches otherwise with seed {seed}, c = {c}')


def cells_of(program: Program, options: Sequence[str], games: int) -> tuple[list[Cell], str]:
    """Games lost here and in the course, and the position of most errors from 410 descents on."""
    lost, errors = program.played(SINGLE, games, options)
    cells = [Cell(str(at), lost[at], games, LOST[at], TOGETHER) for at in lost]
    for first, last, step in BANDS:
        lost, errors = program.played((first, last, step), games, options)
        theirs = [LOST.get(at, 0) for at in range(first, last + 1, 10)]
        here = sum(lost.values()), games * len(lost)
        cells.append(Cell(f'{first}-{last}', *here, sum(theirs), TOGETHER * len(theirs)))
    return cells, max(errors, key=lambda board: errors[board], default=BOARD)


def compared(program: Program, games: int, times: int) -> Iterator[list[object]]:
    """A row for each hypothesis."""
    for label, options, more in (*HYPOTHESES, *CONSTANTS):
        cells, board = cells_of(program, options, games * more)
        missed = program.losing(board, 10_000, times, options)
        lost = [cell.lost for cell in cells]
        scores = f'{deviance(cells):.1f}', f'{chance(cells):.4f}'
        yield [label, ' '.join(options), games * more, *lost, *scores, board, missed, times]


def by_descents(program: Program, searches: int = SEARCHES) -> Iterator[list[object]]:
    """How often a losing move is chosen in the position, by constant and descents."""
    for c in (0.1, 0.2, 0.3, 0.5, 2**0.5):
        for descents in COUNTS:
            lost = program.losing(BOARD, descents, searches, [f'c={c!r}'])
            yield [f'{c:.3g}', descents, searches, lost]


def at_960(program: Program, games: int = 10_000) -> Iterator[list[object]]:
    """The games lost with c = 0.2 (no board), and how often it erred in which position."""
    lost, errors = program.played((AT, AT, 10), games, [SMALL])
    yield ['', games, lost[AT]]
    for board, count in errors.items():
        yield [board, games, count]


def write(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table, and print it as it comes."""
    with (HERE / name).open('w', newline='', encoding='utf-8') as file:
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(header)
        for row in rows:
            writer.writerow(row)
            print(*row, sep='  ', flush=True)


def read(name: str) -> list[dict[str, str]]:
    """The rows of a table."""
    with (HERE / name).open(encoding='utf-8') as file:
        return list(csv.DictReader(file))


def point(across: float, lost: int, games: int) -> tuple[float, float, float, float]:
    """A share in per cent, and Wilson's interval."""
    return across, 100 * lost / games, *(100 * end for end in wilson(lost, games))


MIDDLES = (*range(10, 101, 10), 150, 300, 700)  # where the cells stand in the picture
NAMES = (*map(str, MIDDLES[:10]), *(f'{first}-{last}' for first, last, _ in BANDS))


def draw_curves() -> None:
    """The games lost of some hypotheses beside the course's, and the errors in the position."""
    sizes = [TOGETHER] * 10 + [TOGETHER * (1 + (last - first) // 10) for first, last, _ in BANDS]
    theirs = [LOST[at] for at in MIDDLES[:10]]
    theirs += [sum(n for at, n in LOST.items() if one <= at <= end) for one, end, _ in BANDS]
    lines: dict[str, Any] = {'the course': [*map(point, MIDDLES, theirs, sizes)]}
    rows = {row['options']: row for row in read('tail.csv')}
    for options, label in CURVES.items():
        row = rows[options]
        played = [int(row['games']) * n for n in [1] * 10 + [4, 4, 5]]
        lines[label] = [*map(point, MIDDLES, (int(row[name]) for name in NAMES), played)]
    figure = curves(lines, across='descents a move', up='% of games lost to the perfect player')
    figure.axes[0].set_xscale('log')
    figure.axes[0].set_yscale('symlog', linthresh=0.1)
    figure.axes[0].set_ylim(0, 100)
    saved(figure, HERE / 'tail.svg')

    lines = {}
    for row in read('tail_position.csv'):
        numbers = int(row['descents']), int(row['losing']), int(row['searches'])
        if row['c'] != '0.3':
            lines.setdefault(f'c = {row["c"]}', []).append(point(*numbers))
    figure = curves(lines, across='descents', up='% of searches that choose a losing move')
    figure.axes[0].set_xscale('log')
    figure.axes[0].set_yscale('symlog', linthresh=1)
    figure.axes[0].set_ylim(0, 40)
    saved(figure, HERE / 'tail_position.svg')


def draw_search(rows: Sequence[Mapping[str, str]]) -> None:
    """The one search as it goes on."""
    saved(tail_search.drawn(rows), HERE / 'tail_search.svg')


def draw_trees() -> None:
    """The tree of that search, by the command line: its top, and the part with the fault."""
    for name, words in tail_search.TREES.items():
        fmcts(['tree', *tail_search.WORDS, *words, '--out', str(HERE / name)])


def main() -> None:
    """Play, write, print, draw."""
    if sys.argv[1:] != ['draw']:
        with tempfile.TemporaryDirectory() as folder:
            program = build(folder)
            check_equal(program)
            header = ['hypothesis', 'options', 'games', *NAMES, 'deviance', 'chance', 'position']
            rows = compared(program, 1000, 200)
            write('tail.csv', [*header, 'missed at 10,000', 'of'], rows)
            header = ['c', 'descents', 'searches', 'losing']
            write('tail_position.csv', header, by_descents(program))
            write('tail_960.csv', ('board', 'games', 'count'), at_960(program))
        write('tail_cures.csv', tail_search.CURE_COLUMNS, tail_search.cured())
        write('tail_lasting.csv', tail_search.LASTING_COLUMNS, tail_search.lasting())
        write('tail_search.csv', tail_search.COLUMNS, tail_search.followed())
    draw_curves()
    draw_search(read('tail_search.csv'))
    draw_trees()
    page('tail', tail_page.figures())


if __name__ == '__main__':
    main()
