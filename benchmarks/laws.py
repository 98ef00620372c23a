"""The laws of games in many cases: this library's games, and games drawn as data.

    python benchmarks/laws.py [CASES] [--seed N] [--seconds S]

Goes on until so many cases were looked at (1,000,000 by default), or so many seconds are over, and
prints in how many each law was. A case is one law in one position. Every round looks at other
random games, and at other drawn games. Two other processes are asked in the first round alone. The
first breach ends it with exit code 1: it is a fault of a game or of a law.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count

from attrs import evolve
from returns.pipeline import is_successful
from returns.result import Result

from fmcts import SplitMix
from fmcts.games import GAMES
from fmcts.games.connect4 import Connect4
from fmcts.testing import Breach, Passed, check_game, same_game
from fmcts.testing.drawn import drawn_game

DRAWN = 40
"""So many drawn games a round."""


def mirrored(state: Connect4) -> Connect4:
    """Connect Four with its columns in the other order."""

    def flipped(discs: int) -> int:
        return sum((discs >> 7 * column & 0b1111111) << 7 * (6 - column) for column in range(7))

    return evolve(state, x=flipped(state.x), o=flipped(state.o))


SYMMETRIES = {'connect4': (mirrored, lambda move: 6 - move)}


def checks(seed: int) -> Iterator[tuple[str, Result[Passed, Breach]]]:
    """What is looked at, one after another, without end: its name and what came of it."""
    elsewhere = 'the same in another process'
    for number in count():
        rng = SplitMix.from_seed(seed).child(number)
        without = [elsewhere] if number else []
        for name, game in GAMES.items():
            yield (
                name,
                check_game(
                    game.start,
                    rng=rng,
                    positions=30 if number else 300,  # short lines are the same in every round
                    games=100,
                    text=(game.parse, game.format),
                    symmetry=SYMMETRIES.get(name),
                    without=without,
                ),
            )
        for index in range(DRAWN):
            drawn = drawn_game(rng.child(index), 40)
            yield 'drawn', check_game(drawn, rng=rng, games=30, without=[elsewhere])
            yield 'drawn, in step', same_game(drawn, drawn, rng=rng)


def main() -> int:
    """Run the campaign that the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(description='The laws of games in many cases.')
    parser.add_argument('cases', type=int, nargs='?', default=1_000_000)
    parser.add_argument('--seed', type=int, default=0, help='decides all that is drawn; default 0')
    parser.add_argument('--seconds', type=float, default=float('inf'), help='no longer than this')
    given = parser.parse_args()
    by_law: Counter[str] = Counter()
    by_game: Counter[str] = Counter()
    begin = time.monotonic()
    for name, result in checks(given.seed):
        if not is_successful(result):
            print(f'{name}: {result.failure()}')
            return 1
        by_law.update(dict(result.unwrap().cases))
        by_game[name] += result.unwrap().total
        if by_law.total() >= given.cases or time.monotonic() - begin > given.seconds:
            break
    seconds = time.monotonic() - begin
    for counts in (by_law, by_game):
        for what, number in counts.items():
            print(f'{what:32} {number:>10,}')
        print()
    total = by_law.total()
    print(f'{total:,} cases, no breach, in {seconds:.0f} s: {total / seconds:,.0f} a second')
    return 0


if __name__ == '__main__':
    sys.exit(main())
