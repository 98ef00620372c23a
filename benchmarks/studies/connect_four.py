"""Connect Four after the Haskell text: tree search by budget, and flat Monte-Carlo against it.

    python benchmarks/studies/connect_four.py [GAMES] [JOBS]

plays the text's three comparisons: MCTS-X against random, MCTS-X against MCTS-512, Monte-Carlo-X
against MCTS at comparable time; writes docs/studies/connect_four.csv, connect_four.md and a picture
of each comparison. `connect_four.py draw` writes page and pictures anew from the files, and
`connect_four.py time` measures what a move costs each, into connect_four_times.csv. It needs
`pip install '.[bench,fast,matches,plot]'`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from time import process_time
from typing import Any, Final

from attrs import frozen
from tables import HERE, page, read, written
from texts import CONNECT_FOUR

from fmcts import SplitMix, monte_carlo, play_game, random_bot
from fmcts.bots._spec import parse_bot
from fmcts.games import connect4
from fmcts.matches import MatchResult, match, sweep
from fmcts.matches._statistics import elo_of_score
from fmcts.matches.plots import saved, stacked

COLUMNS: Final = (
    'comparison',
    'budget',
    'opponent',
    'games',
    'won',
    'drawn',
    'lost',
    'score',
    'low',
    'high',
    'score as first player',
)
REFERENCE: Final = CONNECT_FOUR.iterations
SAME: Final = len(connect4.start.moves)  # iterations that make as many playouts as Monte-Carlo-1
LESS: Final = REFERENCE // CONNECT_FOUR.logged_playouts  # as in the author's logged games
RANDOM, TREE, FLAT, FLAT_LESS = (
    'MCTS-X against random',
    f'MCTS-X against MCTS-{REFERENCE}',
    f'Monte-Carlo-X against MCTS-{SAME}X',
    f'Monte-Carlo-X against MCTS-{LESS}X',
)
# X: iterations a move, or playouts of each legal move. The tree search needs one for each move.
AGAINST_RANDOM: Final = (8, 16, 32, 64, 128, 256, 512)
AGAINST_512: Final = (16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096)
OF_EACH_MOVE: Final = (8, 16, 32, 64, 128, 256, 512)
TIMED_ON: Final = 'a quiet Intel Xeon, November 2026'  # change it with `connect_four.py time`
PICTURES: Final = {
    'connect_four_random': RANDOM,
    'connect_four_tree': TREE,
    'connect_four_flat': FLAT,
}


@frozen
class OfEachMove:
    """The text's Monte-Carlo: so many playouts of each legal move."""

    playouts: int

    def __call__(self, state: Any, rng: Any) -> tuple[Any, Any]:
        """The move, and the generator to use next."""
        return monte_carlo(self.playouts * len(state.moves))(state, rng)


def tree_search(iterations: int) -> Any:
    """The text's."""
    return parse_bot(f'dehos:{iterations}').unwrap()


def played(
    games: int, rng: SplitMix, jobs: int, few: slice = slice(None)
) -> Iterator[tuple[Any, ...]]:
    """A row for each comparison and budget; `few` of the budgets."""
    options: dict[str, Any] = {'games': games, 'jobs': jobs}
    for number, (comparison, budgets, opponent) in enumerate(
        (
            (RANDOM, AGAINST_RANDOM, random_bot),
            (TREE, AGAINST_512, tree_search(REFERENCE)),
        )
    ):
        draws = rng.child(number)
        some = {'iterations': budgets[few]}
        found = sweep(tree_search, some, opponent, connect4.start, rng=draws, **options)
        for (budget,), result in zip(found.cells, found.results, strict=True):
            yield row(comparison, budget, '' if comparison is RANDOM else REFERENCE, result)
    for number, (comparison, times) in enumerate(((FLAT, SAME), (FLAT_LESS, LESS)), 2):
        for place, budget in enumerate(OF_EACH_MOVE[few]):
            bots = OfEachMove(budget), tree_search(times * budget)
            draws = rng.child(number).child(place)
            result = match(*bots, connect4.start, rng=draws, **options)
            yield row(comparison, budget, times * budget, result)


def row(comparison: str, budget: int, opponent: int | str, result: MatchResult) -> tuple[Any, ...]:
    """What came out, from the side of the bot with the budget X."""
    first = [game.points for game in result.games[::2]]
    return (
        comparison,
        budget,
        opponent,
        len(result.games),
        result.wins,
        result.draws,
        result.losses,
        result.score,
        *result.interval,
        sum(first) / len(first),
    )


TIMES: Final = ('X', 'Monte-Carlo-X', f'MCTS-{SAME}X', f'MCTS-{LESS}X')
ROUNDS: Final = 5


def times(
    budgets: Sequence[int] = (8, 32, 128, 256, 512), games: int = 30
) -> Iterator[tuple[int, ...]]:
    """Microseconds of processor time a move: Monte-Carlo-X, MCTS-7X, MCTS-4X; the least of some.

    In positions of games at random, every fourth one.
    """
    states = []
    for number in range(games):
        record, _ = play_game(
            connect4.start, random_bot, random_bot, SplitMix.from_seed(1).child(number)
        )
        state = connect4.start
        for ply, move in enumerate(record.moves):
            if ply % 4 == 0:
                states.append(state)
            state = state.play(move)
    rng = SplitMix.from_seed(2)
    for bot in (OfEachMove(10_000), tree_search(100_000)):  # machine code is loaded for so many
        bot(connect4.start, rng)
    for budget in budgets:
        took = []
        for bot in (OfEachMove(budget), tree_search(SAME * budget), tree_search(LESS * budget)):
            bot(connect4.start, rng)
            rounds = []
            for _ in range(ROUNDS):
                began = process_time()
                for state in states:
                    bot(state, rng)
                rounds.append(1e6 * (process_time() - began) / len(states))
            took.append(min(rounds))
        yield budget, *map(round, took)


def drawn(rows: Sequence[dict[str, str]], comparison: str) -> Any:
    """The result bars of one of the comparisons."""
    shown = [it for it in rows if it['comparison'] == comparison]
    counts = [(int(it['won']), int(it['drawn']), int(it['lost'])) for it in shown]
    across = 'X, playouts of each move' if 'Monte-Carlo' in comparison else 'X, iterations a move'
    labels = [f'{int(it["budget"]):,}' for it in shown]
    return stacked(counts, labels, title=comparison, across=across)


def figures() -> dict[str, Any]:
    """Return what the page says, from the files."""
    rows = {(it['comparison'], int(it['budget'])): it for it in read('connect_four')}

    def of(comparison: str, column: str = 'score') -> dict[int, float]:
        return {n: float(it[column]) for (name, n), it in rows.items() if name == comparison}

    def lead(budget: int) -> int:
        return round(elo_of_score(of(TREE)[budget]))

    cost = {
        int(it['X']): {name: int(it[name]) for name in TIMES} for it in read('connect_four_times')
    }
    return {
        'RANDOM': RANDOM,
        'TREE': TREE,
        'FLAT': FLAT,
        'FLAT_LESS': FLAT_LESS,
        'reference': REFERENCE,
        'same': SAME,
        'less': LESS,
        'rounds': ROUNDS,
        'columns': TIMES[1:],
        'of_each_move': OF_EACH_MOVE,
        'games': int(next(iter(rows.values()))['games']),
        'moves': len(connect4.start.moves),
        'of': of,
        'ends': lambda comparison, budget: (
            of(comparison, 'low')[budget],
            of(comparison, 'high')[budget],
        ),
        'won': lambda comparison, budget: int(rows[comparison, budget]['won']),
        'lost': lambda comparison, budget: int(rows[comparison, budget]['lost']),
        'last_lost': max(n for n, lost in of(RANDOM, 'lost').items() if lost),
        'all_won': min(n for n, score in of(RANDOM).items() if score == 1),
        'undecided': [
            (comparison, n)
            for comparison in (FLAT, FLAT_LESS)
            for n, high in of(comparison, 'high').items()
            if high >= 0.5
        ],
        'rising': sorted(of(TREE).values()) == [*of(TREE).values()],
        'lead': lead,
        'cost': cost,
        'timed_on': TIMED_ON,
        'more': lambda budget: cost[budget][TIMES[2]] / cost[budget][TIMES[1]] - 1,
    }


def main() -> None:
    """Play, write, print, draw."""
    if sys.argv[1:] == ['time']:
        written('connect_four_times', TIMES, times())
    elif sys.argv[1:] != ['draw']:
        games = int(sys.argv[1]) if len(sys.argv) > 1 else 500
        jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 1
        written('connect_four', COLUMNS, played(games, SplitMix.from_seed(1), jobs))
    for name, comparison in PICTURES.items():
        saved(drawn(read('connect_four'), comparison), HERE / f'{name}.svg')
    page('connect_four', figures())


if __name__ == '__main__':
    main()
