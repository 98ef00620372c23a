"""The second part's programs as printed: "des tours dans le vide", iterations without a playout."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tables import curves

from fmcts import SplitMix, analyse, walk
from fmcts.bots._spec import parse_bot
from fmcts.errors import PrintedProgramError
from fmcts.games import tictactoe

__all__ = ['COLUMNS', 'PRESETS', 'circled', 'drawn', 'figures']

PRESETS: Final = ('first-part', 'closing', 'rollout-expand', 'jump')
BUDGETS: Final = (100, 300, 1_000, 3_000, 10_000, 30_000)
SEEDS: Final = 20
COLUMNS: Final = ('search', 'as printed', 'asked', 'seed', 'iterations', 'no playout', 'crash')


def circled(
    budgets: Sequence[int] = BUDGETS, seeds: int = SEEDS
) -> Iterator[tuple[str, str, int, int, int, int, int]]:
    """Yield a row for each program, budget and seed, from the start of tic-tac-toe.

    `no playout` counts iterations that ended at a finished node, and `crash` is the number of the
    iteration in which the program crashed (0: none); such a row has no other counts.
    """
    for name in PRESETS:
        for budget in budgets:
            for seed in range(1, seeds + 1):
                yield name, 'no', budget, seed, *repaired(name, budget, seed), 0
                yield name, 'yes', budget, seed, *printed(name, budget, seed)


def repaired(name: str, budget: int, seed: int) -> tuple[int, int]:
    """The iterations that the preset makes, and how many of them visit a finished node."""
    search = parse_bot(f'{name}:{budget}').unwrap().search
    found, _ = analyse(tictactoe.start, SplitMix.from_seed(seed), search)
    return found.iterations, sum(node.visits for node in walk(found) if node.state.over)


def printed(name: str, budget: int, seed: int) -> tuple[int, int, int]:
    """The same of the printed program, and the iteration in which it crashes."""
    bot = parse_bot(f'{name}:{budget},as_printed=on').unwrap()
    try:
        found, _ = bot.analyse(tictactoe.start, SplitMix.from_seed(seed))
    except PrintedProgramError as error:
        number = re.search(r'iteration (\d+)', str(error))
        assert number is not None  # noqa: S101 - the message names it
        return 0, 0, int(number[1])
    return found.iterations, found.iterations - found.tree.visits, 0


def some(
    rows: Sequence[Mapping[str, str]], name: str, as_printed: str, budget: int
) -> list[Mapping[str, str]]:
    """The rows of a program and budget."""
    wanted = name, as_printed, str(budget)
    return [it for it in rows if (it['search'], it['as printed'], it['asked']) == wanted]


def shares(rows: Sequence[Mapping[str, str]]) -> list[float]:
    """The shares of iterations without a playout, of those that did not crash."""
    return [int(it['no playout']) / int(it['iterations']) for it in rows if it['crash'] == '0']


def figures(rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Return what the page says of them."""

    def cell(name: str, as_printed: str, budget: int) -> str:
        mine = some(rows, name, as_printed, budget)
        found, crashed = shares(mine), sum(it['crash'] != '0' for it in mine)
        mean = f'{100 * statistics.fmean(found):.1f} %' if found else ''
        ended = f'{crashed} of {len(mine)} crash' if crashed else ''
        return ', '.join(filter(None, (mean, ended)))

    last = max(int(it['asked']) for it in rows)
    begins = [
        int(it['iterations']) - int(it['no playout'])
        for it in some(rows, 'first-part', 'yes', last)
    ]
    crashes = {
        name: sorted(int(it['crash']) for it in some(rows, name, 'yes', last)) for name in PRESETS
    }
    before, last_two = {}, sorted({int(it['asked']) for it in rows})[-2:]
    for budget in last_two:
        before[budget] = [
            int(it['iterations']) - int(it['no playout'])
            for it in some(rows, 'first-part', 'yes', budget)
        ]
    repaired_shares = [
        statistics.fmean(shares(some(rows, 'first-part', 'no', budget)))
        for budget in sorted({int(it['asked']) for it in rows})
    ]
    return {
        'stuck': len({tuple(found) for found in before.values()}) == 1,
        'going_on': repaired_shares == sorted(repaired_shares),
        'budgets': sorted({int(it['asked']) for it in rows}),
        'seeds': len(begins),
        'presets': PRESETS,
        'cell': cell,
        'playouts': (min(begins), round(statistics.fmean(begins)), max(begins)),
        'crashes': {
            name: (found[0], round(statistics.median(found)), found[-1])
            for name, found in crashes.items()
        },
    }


def drawn(rows: Sequence[Mapping[str, str]]) -> Any:
    """The share of iterations without a playout, by iterations; least and most as a band."""
    lines = {}
    for name, as_printed, label in (
        ('first-part', 'yes', 'first-part, as printed'),
        ('first-part', 'no', 'first-part'),
        ('closing', 'yes', 'closing, as printed, until it crashes'),
        ('closing', 'no', 'closing'),
    ):
        points = []
        for budget in sorted({int(it['asked']) for it in rows}):
            found = [100 * it for it in shares(some(rows, name, as_printed, budget))]
            if found:
                points.append((budget, statistics.fmean(found), min(found), max(found)))
        lines[label] = points
    figure = curves(
        lines,
        across='iterations',
        up='% of iterations without a playout',
        title='tic-tac-toe, from the start',
    )
    figure.axes[0].set_xscale('log')
    figure.axes[0].set_ylim(0, 100)
    return figure
