"""States made from rules beside the states written by hand: iterations a second in Python.

python benchmarks/from_rules.py [ITERATIONS]

The rules are the same, those of `fmcts/games/_rules`. Both searches are checked to be equal. Runs
take turns, and the best of each counts.
"""

import sys
from time import perf_counter
from typing import Any

from attrs import evolve

from fmcts import Search, SplitMix, analyse
from fmcts.games import connect4, tictactoe
from fmcts.games.from_rules import Game, make_game
from fmcts.rules import position_of

TURNS = 7


def made(module: Any) -> Game:
    """The game of the same rules, made in one step."""
    kind = type(module.start)
    rules = evolve(kind.compiled, pack=position_of)
    start = kind.compiled.pack(module.start)
    return make_game(module.name, start, rules, longest_game=kind.longest_game)


def main() -> None:
    """Take the times and print them."""
    iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    rng, search = SplitMix.from_seed(1), Search(iterations)
    print(f'{"game":<12}{"by hand":>12}{"from rules":>12}{"ratio":>8}')
    for module in (tictactoe, connect4):
        starts = {'by hand': module.start, 'from rules': made(module).start}
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
