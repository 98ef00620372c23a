"""Tic-tac-toe after the Java text: its self-play draws, and level 3 does not lose to level 1.

The first is the text's test, the second the published program's, which has the levels.

    python benchmarks/studies/levels.py [GAMES] [JOBS]

plays the bot `baeldung` against itself, and at five times as many iterations (level 3) against
level 1, from both sides; writes docs/studies/levels.csv, levels.md, levels.svg and, for the dry
run, levels_tree.svg. `levels.py draw` writes page and pictures anew from the file. It needs
`pip install '.[bench,fast,matches,plot]'`. What the published Java program does was measured once
and is kept in levels_java.csv and levels_java_speed.csv.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import islice
from typing import Any, Final

from tables import HERE, curves, page, read, written
from texts import JAVA

from fmcts import Player, SplitMix, probabilities, trees
from fmcts.bots._spec import parse_bot
from fmcts.game import reward
from fmcts.games import tictactoe
from fmcts.games.tictactoe import TicTacToe
from fmcts.matches import Match
from fmcts.matches._game import PlayedGame
from fmcts.matches._running import games_of, players
from fmcts.matches._statistics import wilson
from fmcts.matches.plots import saved
from fmcts.search._tree import Node
from fmcts.search.methods.baeldung import LEAST, Baeldung
from fmcts.view import Svg, descents, draw

LOW, HIGH = JAVA.levels
# Iterations of the higher level.
BUDGETS: Final = (100, 300, 1_000, 3_000, 10_000, 30_000)
LEVEL_1: Final = JAVA.milliseconds(HIGH) // JAVA.milliseconds(LOW)  # times fewer
COLUMNS: Final = (
    'who',
    'iterations of X',
    'iterations of O',
    'games',
    'X won',
    'drawn',
    'O won',
    'as the text has it',
    'low',
    'high',
)
SELF, BEGINS, ANSWERS = WHO = (
    f'level {HIGH} against itself: drawn',
    f'level {HIGH} begins: not lost',
    f'level {LOW} begins: level {HIGH} not lost',
)
DRY: Final = (4, 0, 2, 6, 3)  # X threatens to win at 5
DRY_ITERATIONS, DRY_DEPTH = 20, 2  # of its picture
LEAST_AS_TEXT: Final = f'-2^{int(-LEAST).bit_length() - 1}'
SHOWN: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 100)  # of its iterations


def played(games: int, budgets: Sequence[int], rng: SplitMix, jobs: int) -> Iterator[list[Any]]:
    """A row for each budget and each of the three; so many games in each."""
    with players(None, jobs) as there:
        for number, three in enumerate(budgets):
            own, other = (rng.child(number).child(which) for which in range(2))
            # Against itself both games of a pair are the same one: only the first is played.
            alone = described(three, three, 2 * games, own)
            yield row(SELF, three, three, games_of(alone, range(0, 2 * games, 2), there))
            both = described(three, three // LEVEL_1, 2 * games, other)
            found = list(games_of(both, range(2 * games), there))
            yield row(BEGINS, three, three // LEVEL_1, found[::2])
            yield row(ANSWERS, three // LEVEL_1, three, found[1::2])


def described(first: int, second: int, games: int, rng: SplitMix) -> Match:
    """A match between two numbers of iterations."""
    one, two = (parse_bot(f'baeldung:{number}').unwrap() for number in (first, second))
    return Match(first=one, second=two, start=tictactoe.start, games=games, rng=rng)


def row(who: str, x: int, o: int, found: Iterator[PlayedGame] | list[PlayedGame]) -> list[Any]:
    """How the games ended, and how many as the text has it."""
    winners = ['-' if game.winner is None else game.winner.name for game in found]
    x_won, drawn, o_won = (winners.count(name) for name in ('X', '-', 'O'))
    as_told = drawn + {SELF: 0, BEGINS: x_won, ANSWERS: o_won}[who]
    ends = wilson(as_told, len(winners))
    return [who, x, o, len(winners), x_won, drawn, o_won, as_told, *ends]


def dry_trees(iterations: int) -> Iterator[Node]:
    """The tree after each iteration; with the generator that `fmcts tree` begins with."""
    state = reduce(TicTacToe.play, DRY, tictactoe.start)
    search = parse_bot('baeldung').unwrap().search
    stream = trees(state, SplitMix.from_seed(0), search)
    return (tree for tree, _ in islice(stream, iterations))


def dry_picture() -> Svg:
    """Return the tree of the dry run, cut at its depth, as `fmcts tree` draws it."""
    numbers, tree = descents.creations(dry_trees(DRY_ITERATIONS))
    assert tree is not None  # noqa: S101 - there are iterations
    return Svg(
        draw(tree, depth=DRY_DEPTH, visits=0, columns=('score',), numbers=numbers, game=tictactoe)
    )


def dry_run(shown: Sequence[int] = SHOWN) -> Iterator[str]:
    """The root's moves after some iterations: visits and score, as in the text's drawing."""
    return descents.dry_run(dry_trees(max(shown)), 'score', shown, write_number=written_score)


def written_score(score: float) -> str:
    """A score, the least integer as a power."""
    return LEAST_AS_TEXT if score == LEAST else f'{score:.0f}'


def dry_events() -> dict[str, Any]:
    """When wrong moves of the dry run are poisoned, by which answer, and how it ends."""
    poisoned: dict[int, int] = {}
    visits: dict[int, list[int]] = {}
    root: Any = None
    for number, root in enumerate(dry_trees(max(SHOWN)), 1):
        for child in root.children:
            visits.setdefault(child.move, []).append(child.visits)
            if child.columns.own.score == LEAST:
                poisoned.setdefault(child.move, number)
    (move, first), *_ = sorted(poisoned.items(), key=lambda it: it[1])
    after = root.child(move).state
    (answer,) = (it for it in after.moves if after.play(it).winner)
    (best,) = (child for child in root.children if child.move not in poisoned)
    return {
        'best': best.move,
        'best_score': best.columns.own.score,
        'move': move,
        'first': first,
        'answer': answer,
        'again': visits[move][-1] - visits[move][first - 1],
        'wrong': len(poisoned),
        'all_out': max(poisoned.values()),
        'can_win': probabilities(best.state)[Player.O] > 0,
    }


def drawn(rows: Sequence[dict[str, str]]) -> Any:
    """The share of games that ended as the text has it."""
    lines = {
        who: [
            (
                max(int(it['iterations of X']), int(it['iterations of O'])),
                100 * int(it['as the text has it']) / int(it['games']),
                100 * float(it['low']),
                100 * float(it['high']),
            )
            for it in rows
            if it['who'] == who
        ]
        for who in WHO
    }
    figure = curves(lines, across='iterations of level 3', up='% of games')
    figure.axes[0].set_xscale('log')
    return figure


def figures() -> dict[str, Any]:
    """Return what the page says, from the files and the dry run."""
    rows = {
        (it['who'], max(int(it['iterations of X']), int(it['iterations of O']))): it
        for it in read('levels')
    }

    def share(who: str, budget: int) -> str:
        row = rows[who, budget]
        count, games = int(row['as the text has it']), int(row['games'])
        ends = [100 * float(row[end]) for end in ('low', 'high')]
        return f'{100 * count / games:.1f} % ({ends[0]:.1f} to {ends[1]:.1f})'

    def row(which: int, budget: int) -> dict[str, int]:
        found = rows[WHO[which], budget]
        return {name: int(found[name]) for name in ('games', 'X won', 'drawn', 'O won')}

    def holds(budget: int) -> bool:
        """Whether both tests, the text's and its program's, hold in all games."""
        both = (rows[who, budget] for who in (SELF, BEGINS))
        return all(it['as the text has it'] == it['games'] for it in both)

    speed = read('levels_java_speed')[0]
    return {
        'budgets': BUDGETS,
        'low': LOW,
        'high': HIGH,
        'level_1': LEVEL_1,
        'default': parse_bot('baeldung').unwrap().search.iterations,
        'win_score': Baeldung().win_score,
        'who': WHO,
        'share': share,
        'row': row,
        'all_from': next(n for n in BUDGETS if all(holds(more) for more in BUDGETS if more >= n)),
        'some_lost': max(n for n in BUDGETS if row(0, n)['drawn'] < row(0, n)['games']),
        'beaten': max(n for n in BUDGETS if row(2, n)['X won']),
        'dry': dry_events(),
        'line': ','.join(map(str, DRY)),
        'iterations': DRY_ITERATIONS,
        'depth': DRY_DEPTH,
        'least': LEAST_AS_TEXT,
        'draw': reward(None, Player.O),
        'java_games': [
            (int(it['iterations']), int(it['games']), float(it['drawn']))
            for it in read('levels_java')
        ],
        'run_by': speed.pop('run by'),
        'speed': {name: int(value) for name, value in speed.items()},
        'off': max(
            abs(drawn - ours)
            / (drawn * (1 - drawn) / int(it['games']) + ours * (1 - ours) / games) ** 0.5
            for it in read('levels_java')
            for drawn in (float(it['drawn']),)
            for row in (rows[SELF, int(it['iterations'])],)
            for games in (int(row['games']),)
            for ours in (int(row['drawn']) / games,)
            if 0 < drawn < 1
        ),
    }


def main() -> None:
    """Play, write, print, draw."""
    if sys.argv[1:] != ['draw']:
        games = int(sys.argv[1]) if len(sys.argv) > 1 else 500
        jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 1
        written('levels', COLUMNS, played(games, BUDGETS, SplitMix.from_seed(1), jobs))
    saved(drawn(read('levels')), HERE / 'levels.svg')
    (HERE / 'levels_tree.svg').write_text(dry_picture().as_file, encoding='utf-8')
    page('levels', figures())


if __name__ == '__main__':
    main()
