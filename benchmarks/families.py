"""Families of games, compiled and in Python: whether rules and searches agree.

python benchmarks/families.py [PLIES] [GAME ...]

For each game (without any, some of every family) so many plies of random games are compared, 1,000
unless another number is given, and then a search by every engine. Compiling takes about half a
minute for each game.
"""

import sys

from fmcts import Search, SplitMix, analyse
from fmcts._running.registry import ENGINES
from fmcts.games import FAMILIES, find_game
from fmcts.testing import check_rules

OTHERS = ('mnk:15,15,5', 'connect:8,7,4', 'othello:8', 'othello:10', 'hex:11', 'breakthrough:8,8')


def main() -> None:
    """Compare, and print a line for each game."""
    plies, *names = sys.argv[1:] or ['1000']
    for name in names or (*(family.example for family in FAMILIES.values()), *OTHERS):
        start = find_game(name).unwrap().start
        found = check_rules(start, plies=int(plies))
        digests = {
            analyse(start, SplitMix.from_seed(1), Search(150), engine=engine)[0].digest
            for engine in ENGINES
        }
        print(f'{name:<18}{found}, {len(digests)} tree of {len(ENGINES)} engines', flush=True)


main()
