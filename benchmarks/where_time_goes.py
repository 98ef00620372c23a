"""Where the time of the compiled engine goes: the share of the playouts, and the length of paths.

A playout is timed on its own from leaves of a finished search, and set beside an iteration; the
rest is the tree: choosing children, memory, the backup. Run it with `pip install '.[fast]'`:

    python benchmarks/where_time_goes.py
"""

from __future__ import annotations

import statistics

from timing import rate_of

from fmcts import Search, SplitMix, analyse
from fmcts._running import playouts
from fmcts.games import GAMES
from fmcts.search._tree import walk

ITERATIONS = {'tictactoe': 200_000, 'connect4': 200_000, 'othello': 30_000}
LEAVES = 200
PLAYOUTS = 4_000  # from each


def main() -> None:
    """Print a line a game."""
    print('game        ns/iteration  nodes on a path  finished leaves  ns/playout  playouts  tree')
    for name, game in GAMES.items():
        iterations = ITERATIONS[name]
        search = Search(iterations)

        def searched(seed: int, start=game.start, search=search) -> object:  # noqa: ANN001
            return analyse(start, SplitMix.from_seed(seed), search, engine='compiled')[0]

        rate = rate_of(iterations, searched)
        per_iteration = 1e9 / max(rate(seed) for seed in range(7))
        nodes = list(walk(searched(1).tree))
        path = sum(node.visits for node in nodes) / iterations
        finished = sum(node.visits for node in nodes if not node.moves) / iterations
        running = [node for node in nodes if node.moves]
        per_playout = statistics.mean(
            1e9 / rate_of(PLAYOUTS, lambda seed, at=node.state: play(at, seed))(1)
            for node in running[:: max(1, len(running) // LEAVES)]
        )
        share = per_playout * (1 - finished) / per_iteration
        print(
            f'{name:12}{per_iteration:12.0f}{path:17.1f}{finished:17.0%}{per_playout:12.0f}'
            f'{share:10.0%}{1 - share:6.0%}'
        )


def play(state: object, seed: int) -> object:
    """Compiled playouts from a state."""
    return playouts(state, SplitMix.from_seed(seed), PLAYOUTS, engine='compiled')


if __name__ == '__main__':
    main()
