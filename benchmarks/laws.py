"""The laws of games, bots, generators and searches in many cases.

    python benchmarks/laws.py [CASES] [--of games bots generators searches] [--seed N] [--seconds S]

Goes on until so many cases were looked at (1,000,000 by default), or so many seconds are over, and
prints in how many each law was. A case is one law in one position, or of one generator. Of games
are looked at those of this library and games drawn as data; of bots those that can be named on the
command line, in tic-tac-toe and in drawn games; of searches all methods, in all engines that are
able. Without `--of` it is games alone. Every round looks at other random games, drawn games and
generators. Other processes are asked in the first round alone. The first breach ends it with exit
code 1: it is a fault of what is looked at, or of a law.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, TypeAlias

from attrs import evolve
from returns.pipeline import is_successful
from returns.result import Result

from fmcts import SplitMix, StdGen
from fmcts.bots._spec import parse_bot
from fmcts.games import GAMES, tictactoe
from fmcts.games.connect4 import Connect4
from fmcts.rng import thaw
from fmcts.search.methods import METHODS
from fmcts.testing import (
    Breach,
    Passed,
    check_bot,
    check_game,
    check_rng,
    check_search,
    same_game,
)
from fmcts.testing._drawn import game_by
from fmcts.testing._laws.elsewhere import ALREADY

Checked: TypeAlias = Iterator[tuple[str, Result[Passed, Breach]]]

DRAWN = 40
"""So many drawn games a round."""

BOTS = ('random', 'mc:20', 'mcts:40', 'mcts:40,solver=on', 'article-mc-state:10', 'mehat-rave:40')
"""Bots whose engines, where they have any, are compared with each other as well."""

LATE = tictactoe.parse('XO.OX....').unwrap()
"""A position from which a search is quick to judge."""


def mirrored(state: Connect4) -> Connect4:
    """Connect Four with its columns in the other order."""

    def flipped(discs: int) -> int:
        return sum((discs >> 7 * column & 0b1111111) << 7 * (6 - column) for column in range(7))

    return evolve(state, x=flipped(state.x), o=flipped(state.o))


SYMMETRIES = {'connect4': (mirrored, lambda move: 6 - move)}


def games(rng: SplitMix, number: int) -> Checked:
    """The library's games and drawn ones, each also in step with itself."""
    elsewhere = 'the same in another process'
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
                without=[elsewhere] if number else [],
            ),
        )
    for index in range(DRAWN):
        drawn = game_by(thaw(rng.child(index)).draw, 40)
        yield 'drawn', check_game(drawn, rng=rng, games=30, without=[elsewhere])
        yield 'drawn, in step', same_game(drawn, drawn, rng=rng)


def bots(rng: SplitMix, _number: int) -> Checked:
    """Each of the bots, in tic-tac-toe and in a drawn game."""
    for index, name in enumerate(BOTS):
        bot: Any = parse_bot(name).unwrap()
        drawn = game_by(thaw(rng.child(index)).draw, 40)
        for start in (tictactoe.start, drawn):
            if not start.over:
                yield name, check_bot(bot, start, rng=rng.child(index), positions=30)


def generators(rng: SplitMix, _number: int) -> Checked:
    """Generators of both kinds, drawn by their seeds."""
    for index in range(4):
        seed, _ = rng.child(index).uniform(0, 2**31 - 2)
        yield 'SplitMix', check_rng(SplitMix.from_seed(seed))
        yield 'StdGen', check_rng(StdGen.from_seed(seed))


def searches(rng: SplitMix, number: int) -> Checked:
    """All methods; judged by perfect play in the first round."""
    for index, name in enumerate(METHODS):
        given = rng.child(index)
        judged = 0 if number else 30
        yield name, check_search(name, LATE, rng=given, iterations=60, judged=judged)


KINDS: dict[str, Callable[[SplitMix, int], Checked]] = {
    'games': games,
    'bots': bots,
    'generators': generators,
    'searches': searches,
}


def checks(seed: int, kinds: list[str]) -> Checked:
    """What is looked at, one after another, without end: its name and what came of it."""
    for number in count():
        if number:
            os.environ[ALREADY] = '1'  # no other process is asked any more
        for kind in kinds:
            yield from KINDS[kind](SplitMix.from_seed(seed).child(number), number)


def main() -> int:
    """Run the campaign that the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(description='Laws in many cases.')
    parser.add_argument('cases', type=int, nargs='?', default=1_000_000)
    parser.add_argument('--of', nargs='+', choices=KINDS, default=['games'], help='default: games')
    parser.add_argument('--seed', type=int, default=0, help='decides all that is drawn; default 0')
    parser.add_argument('--seconds', type=float, default=float('inf'), help='no longer than this')
    given = parser.parse_args()
    by_law: Counter[str] = Counter()
    by_name: Counter[str] = Counter()
    begin = time.monotonic()
    for name, result in checks(given.seed, given.of):
        if not is_successful(result):
            print(f'{name}: {result.failure()}')
            return 1
        by_law.update(dict(result.unwrap().cases))
        by_name[name] += result.unwrap().total
        if by_law.total() >= given.cases or time.monotonic() - begin > given.seconds:
            break
    seconds = time.monotonic() - begin
    for counts in (by_law, by_name):
        for what, number in counts.items():
            print(f'{what:40} {number:>10,}')
        print()
    total = by_law.total()
    print(f'{total:,} cases, no breach, in {seconds:.0f} s: {total / seconds:,.0f} a second')
    return 0


if __name__ == '__main__':
    sys.exit(main())
