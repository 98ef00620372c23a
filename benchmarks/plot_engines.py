"""Iterations per second of every engine by the number of iterations, as a picture.

Measures in one run and writes docs/performance.svg. Run it with `pip install '.[bench]'`:

    python benchmarks/plot_engines.py
"""

from __future__ import annotations

import pathlib

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


def best_rate(game: str, engine: str, iterations: int) -> float:
    """The best of three."""
    state, search = GAMES[game].start, Search(iterations)
    rate = rate_of(
        iterations, lambda seed: analyse(state, SplitMix.from_seed(seed), search, engine=engine)
    )
    rate(0)
    return max(rate(seed) for seed in range(1, 4))


def main() -> None:
    """Measure, draw, write."""
    figure, axes = plt.subplots(1, len(GAMES), figsize=(12, 4), sharey=True, layout='constrained')
    for axis, game in zip(axes, GAMES, strict=True):
        for engine, (colour, marker) in zip(ENGINES, LINES, strict=True):
            sizes = SIZES['compiled' if engine == 'compiled' else 'interpreted']
            counts = [int(size * SCALE[game]) for size in sizes]
            rates = [best_rate(game, engine, count) for count in counts]
            axis.loglog(counts, rates, marker=marker, color=colour, label=engine)
        axis.set_title(game)
        axis.set_xlabel('iterations of one search')
        axis.grid(visible=True, which='major', alpha=0.3)
    axes[0].set_ylabel('iterations per second')
    axes[0].legend()
    figure.savefig(PICTURE, metadata={'Date': None})


if __name__ == '__main__':
    main()
