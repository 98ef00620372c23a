"""States made from rules beside the states written by hand: iterations a second in Python.

python benchmarks/from_rules.py [ITERATIONS]

The games are the same: `mnk:3,3,3` is tic-tac-toe and `connect:7,6,4` Connect Four. Both searches
are checked to be equal. Runs take turns, and the best of each counts.
"""

import sys
from time import perf_counter

from fmcts import Search, SplitMix, analyse
from fmcts.games import connect4, find_game, tictactoe

TURNS = 7


def main() -> None:
    """Take the times and print them."""
    iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    rng, search = SplitMix.from_seed(1), Search(iterations)
    print(f'{"game":<12}{"by hand":>12}{"from rules":>12}{"ratio":>8}')
    for module, member in ((tictactoe, 'mnk:3,3,3'), (connect4, 'connect:7,6,4')):
        starts = {'by hand': module.start, 'from rules': find_game(member).unwrap().start}
        best, digests = dict.fromkeys(starts, float('inf')), set()
        for _ in range(TURNS):
            for name, start in starts.items():
                began = perf_counter()
                analysis, _ = analyse(start, rng, search, engine='persistent')
                best[name] = min(best[name], perf_counter() - began)
                digests.add(analysis.digest)
        if len(digests) > 1:
            raise SystemExit('the searches differ')
        by_hand, from_rules = (iterations / seconds for seconds in best.values())
        figures = f'{by_hand:>10,.0f}/s{from_rules:>10,.0f}/s{from_rules / by_hand:>8.2f}'
        print(f'{module.name:<12}{figures}')


main()
