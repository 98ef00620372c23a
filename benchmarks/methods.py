"""What each variant costs: the compiled engine's time for an iteration, against plain search.

All are timed in turn, again and again, from the start of a game at equal iterations; the shortest
time of each counts. (One game comes after the other, as a process keeps the machine code of 64
searches.) The last column is the mean number of nodes from the root to the leaf of an iteration in
Connect Four: a variant that searches deeper takes longer for that alone. Run it with
`pip install '.[fast]'`:

    python benchmarks/methods.py [ROUNDS]

(`anti-decisive` and `patient` are left out for Othello, which has no fast statement of them: some
65 times plain.)
"""

from __future__ import annotations

import sys
import time

from attrs import evolve

from fmcts import Search, SplitMix, analyse, walk
from fmcts.games import GAMES
from fmcts.search.methods import METHODS
from fmcts.search.policies import POLICIES

VARIANTS = {
    **{name: Search(selection=name) for name in METHODS},
    'solver': Search(solver=True),
    'solver, bounds': Search(solver=True, bounds=True),
    'closing': Search(closing=True),
    'halving': Search(schedule='halving'),
    **{name: Search(expansion=name) for name in ('random', 'full', 'jump')},
    **{name: Search(playout=name) for name in POLICIES if name != 'uniform'},
}
LEFT_OUT = {('othello', name) for name in ('anti-decisive', 'patient')}
ITERATIONS = {'tictactoe': 50_000, 'connect4': 50_000, 'othello': 20_000}


def main() -> None:
    """Print a line a variant."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    least = {}
    for game in GAMES:
        names = [name for name in VARIANTS if (game, name) not in LEFT_OUT]
        for _ in range(rounds + 1):  # the first time it is linked
            for name in names:
                spent = timed(game, name)
                least[game, name] = min(spent, least.get((game, name), spent))
    print(f'{"variant":18}' + ''.join(f'{game:>20}' for game in GAMES) + f'{"nodes":>8}')
    for name in VARIANTS:
        print(f'{name:18}', end='')
        for game in GAMES:
            each = least.get((game, name))
            shown = '-' if each is None else f'{each:.0f} ns {each / least[game, "ucb1"]:5.2f}'
            print(f'{shown:>20}', end='')
        print(f'{nodes_on_a_path("connect4", name):8.1f}')


def timed(game: str, name: str) -> float:
    """The nanoseconds of the processor that an iteration takes."""
    search = evolve(VARIANTS[name], iterations=ITERATIONS[game])
    begin = time.process_time()
    found, _ = analyse(GAMES[game].start, SplitMix.from_seed(1), search, engine='compiled')
    return 1e9 * (time.process_time() - begin) / found.iterations


def nodes_on_a_path(game: str, name: str) -> float:
    """The mean number of nodes that an iteration visits, the root and the leaf included."""
    search = evolve(VARIANTS[name], iterations=ITERATIONS[game])
    found, _ = analyse(GAMES[game].start, SplitMix.from_seed(1), search, engine='compiled')
    return sum(node.visits for node in walk(found)) / found.iterations


if __name__ == '__main__':
    main()
