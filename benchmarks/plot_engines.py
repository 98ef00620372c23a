"""Iterations per second of every engine by the number of iterations, as a picture.

Measures in one run and writes docs/performance.svg. Run it with `pip install '.[bench]'`:

    python benchmarks/plot_engines.py
"""

from __future__ import annotations

import pathlib
from functools import partial

import matplotlib as mpl
from timing import rate_of

from fmcts import Search, SplitMix, analyse
from fmcts._running.registry import ENGINES
from fmcts.games import GAMES

mpl.use('Agg')
from matplotlib import pyplot as plt

PICTURE = pathlib.Path(__file__).parent.parent / 'docs' / 'performance.svg'
SIZES = {
    'compiled': [1_000, 10_000, 100_000, 1_000_000, 4_000_000],
    'interpreted': [1_000, 3_000, 10_000, 30_000],
}
LINES = ('#0072b2', 'o'), ('#d55e00', 's'), ('#009e73', '^'), ('#000000', 'D')  # Okabe and Ito's
SCALE = {'tictactoe': 1.0, 'connect4': 1.0, 'othello': 0.1}


def searched(state: object, search: Search, engine: str, seed: int) -> object:
    """Make a search."""
    return analyse(state, SplitMix.from_seed(seed), search, engine=engine)


def best_rates(game: str) -> dict[tuple[str, int], float]:
    """Return the best of four rates, by engine and iterations.

    All are measured in turn, as the speed of a machine changes from minute to minute.
    """
    state, rates = GAMES[game].start, dict[tuple[str, int], float]()
    for seed in range(5):
        for engine in ENGINES:
            for size in SIZES['compiled' if engine == 'compiled' else 'interpreted']:
                count = int(size * SCALE[game])
                rate = rate_of(count, partial(searched, state, Search(count), engine))(seed)
                if seed:  # in the first round code is linked
                    rates[engine, count] = max(rate, rates.get((engine, count), 0.0))
    return rates


def main() -> None:
    """Measure, draw, write."""
    figure, axes = plt.subplots(1, len(GAMES), figsize=(12, 4), sharey=True, layout='constrained')
    for axis, game in zip(axes, GAMES, strict=True):
        rates = best_rates(game)
        for engine, (colour, marker) in zip(ENGINES, LINES, strict=True):
            line = [(count, rate) for (of, count), rate in rates.items() if of == engine]
            axis.loglog(*zip(*line, strict=True), marker=marker, color=colour, label=engine)
        axis.set_title(game)
        axis.set_xlabel('iterations of one search')
        axis.grid(visible=True, which='major', alpha=0.3)
    axes[0].set_ylabel('iterations per second')
    axes[0].legend()
    figure.savefig(PICTURE, metadata={'Date': None})


if __name__ == '__main__':
    main()
