"""What the French series' second part does to states, to calls of the rules and to strength.

    python benchmarks/studies/second_part.py [SEEDS] [JOBS]

searches tic-tac-toe and Connect Four by the text's program and by each of its improvements, counts
what they know and how often they called the rules, plays them against the text's program for equal
iterations and for equal calls, runs the programs as printed (second_part_circles.py), asks how much
of tic-tac-toe they find and whether rollout-expand is biased; writes docs/studies/second_part.md,
the files second_part*.csv and the pictures. `second_part.py draw` writes page and pictures anew
from the files. It needs `pip install '.[bench,fast,graph,matches,plot]'`.

A call of the rules is a call of `play`, which computes a state: the text's `do_move`.
"""

from __future__ import annotations

import csv
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

import estimates_printed
import second_part_circles as circles
import tables
from attrs import define, evolve, field, frozen

from fmcts import Player, Search, SplitMix, analyse, mcts, trees, walk
from fmcts._engines.final import choose
from fmcts.games import GAMES
from fmcts.matches import match
from fmcts.matches.plots import saved

HERE: Final = Path(__file__).parents[2] / 'docs/studies'
TREES, PLAYED = HERE / 'second_part.csv', HERE / 'second_part_games.csv'

PROGRAM: Final = Search(expansion='in-order', final='ucb')
SEARCHES: Final[Mapping[str, Search]] = {
    'plain': PROGRAM,
    'closing': evolve(PROGRAM, closing=True),
    'rollout-expand': evolve(PROGRAM, closing=True, rollout_expand=True),
    'jump': evolve(PROGRAM, closing=True, expansion='jump'),
    'graph': evolve(PROGRAM, transpositions='naive'),
    'sound graph': evolve(PROGRAM, transpositions='sound'),
}
"""The text's program, the presets of its four improvements, and the graph by a sound rule."""

TTT, FOUR, MID = 'tictactoe', 'connect4', 'X in the middle'
GAME_NAMES: Final = {TTT: 'tic-tac-toe', FOUR: 'Connect Four'}
GRAPHLESS: Final = ('plain', 'closing', 'rollout-expand', 'jump')
PICTURED: Final = (*GRAPHLESS, 'sound graph')
SIZES: Final = (  # the game, and after how many iterations its trees are looked at
    (TTT, (100, 300, 1_000, 3_000, 10_000, 30_000)),
    (FOUR, (100, 1_000, 5_000)),
)
SHOWN: Final = {TTT: 10_000, FOUR: 5_000}  # iterations of the tables
MIDDLE: Final = 4  # after X there, tic-tac-toe has 55,505 nodes
WHOLE: Final = 60_000  # iterations, more than it has nodes
STRENGTH: Final = (  # the game, random moves of an opening, what is equal, how many, games
    (TTT, 1, 'iterations', 200, 300),
    (TTT, 1, 'calls', 1_000, 300),
    (FOUR, 4, 'calls', 1_000, 100),
)


@define
class Calls:
    """What the rules computed in one search: written to as it goes, read when it is done.

    `count` is how often they computed a state, `computed` which states.
    """

    count: int = 0
    computed: set[Any] = field(factory=set)


@frozen
class Counted:
    """A state like `state`, `plies` moves from where the search began; calls are counted."""

    state: Any
    calls: Calls = field(eq=False, repr=False)
    plies: int = field(default=0, eq=False)

    @property
    def player(self) -> Player:
        """The side to move."""
        return self.state.player  # type: ignore[no-any-return] # it is a game's

    @property
    def moves(self) -> tuple[Any, ...]:
        """The legal moves."""
        return self.state.moves  # type: ignore[no-any-return] # it is a game's

    @property
    def over(self) -> bool:
        """Whether the game is finished."""
        return self.state.over  # type: ignore[no-any-return] # it is a game's

    @property
    def winner(self) -> Player | None:
        """The winner, if there is one."""
        return self.state.winner  # type: ignore[no-any-return] # it is a game's

    def play(self, move: Any, /) -> Counted:
        """The state after a move: one call more."""
        after = self.state.play(move)
        self.calls.count += 1
        self.calls.computed.add(after)
        return Counted(after, self.calls, self.plies + 1)


class Row(NamedTuple):
    """A search: a line of second_part.csv.

    `nodes` are those of the tree (of a graph its states), `states` the distinct ones of these;
    `calls` is how often the rules were called, `computed` how many distinct states they gave,
    playouts' too. `depth` is how many plies visited nodes are from the root in the mean, `value`
    what the root is worth to the side to move, `credited` how many visits it has.
    """

    game: str
    search: str
    asked: int
    seed: int
    iterations: int
    nodes: int
    states: int
    calls: int
    computed: int
    depth: float
    value: float
    credited: int


def searched(game: str, state: Any, name: str, iterations: int, seed: int) -> Row:
    """Search a state of the game by the search of that name, counting."""
    calls = Calls()
    search = evolve(SEARCHES[name], iterations=iterations)
    found, _ = analyse(Counted(state, calls), SplitMix.from_seed(seed), search, engine='inplace')
    nodes = [*walk(found)]
    return Row(
        *(game, name, iterations, seed, found.iterations),
        *(
            len(nodes),
            len({node.state for node in nodes}),
            calls.count,
            len(calls.computed),
        ),
        statistics.fmean(node.state.plies for node in nodes if node.visits),
        *(found.value, found.tree.visits),
    )


def counted(seeds: int, sizes: Any = SIZES, whole: int = WHOLE) -> Iterator[Row]:
    """All rows: of each game by seeds, and of tic-tac-toe after X in the middle to its end."""
    for game, budgets in sizes:
        for name in SEARCHES:
            for budget in budgets:
                for seed in range(1, seeds + 1):
                    yield searched(game, GAMES[game].start, name, budget, seed)
    for name in GRAPHLESS:
        yield searched(MID, GAMES['tictactoe'].start.play(MIDDLE), name, whole, 1)


@frozen
class ForCalls:
    """The bot that searches until the rules were called so often, or nothing is left to search.

    An iteration that calls none counts as a call; so a search ends that knows all it visits.
    """

    search: Search
    calls: int

    def __call__(self, state: Any, rng: Any) -> tuple[Any, Any]:
        """The move, and the generator to use next."""
        calls, spent = Calls(), 0
        latest: Any = None
        stream = trees(Counted(state, calls), rng, self.search)
        calls.count = 0  # of the first look
        for latest in stream:  # noqa: B007 - the last one
            spent += max(1, calls.count)
            calls.count = 0
            if spent >= self.calls:
                break
        tree, after = latest
        return choose(tree, self.search), after


def bot_of(name: str, equal: str, budget: int) -> Any:
    """The bot of that search, for so many iterations or calls of the rules a move."""
    if equal == 'calls':
        return ForCalls(SEARCHES[name], budget)
    return mcts(evolve(SEARCHES[name], iterations=budget), engine='inplace')


def played(jobs: int, strength: Any = STRENGTH) -> Iterator[dict[str, Any]]:
    """A match of each search against the text's program, by each measure."""
    for game, plies, equal, budget, games in strength:
        for name in SEARCHES:
            if name == 'plain':
                continue
            bots = (bot_of(each, equal, budget) for each in (name, 'plain'))
            found = match(
                *bots,
                GAMES[game].start,
                games=games,
                rng=SplitMix.from_seed(1),
                opening_plies=plies,
                jobs=jobs,
            )
            low, high = found.interval
            yield {
                'game': game,
                'equal': equal,
                'budget': budget,
                'search': name,
                'games': games,
                'won': found.wins,
                'drawn': found.draws,
                'lost': found.losses,
                'points': found.score,
                'low': low,
                'high': high,
            }


def whole() -> Iterator[tuple[str, int, int]]:
    """How many of the nodes of tic-tac-toe are found, with and without closing."""
    for name, iterations in (('plain', 10**6), ('plain', 10**7), ('closing', 10**6)):
        search = evolve(SEARCHES[name], iterations=iterations)
        found, _ = analyse(GAMES['tictactoe'].start, SplitMix.from_seed(1), search)
        yield name, found.iterations, found.nodes


BIASED: Final = 1_000  # iterations


def biased(seeds: int = 30, iterations: int = BIASED) -> Iterator[tuple[str, int, int, float]]:
    """The values of the start of tic-tac-toe, with and without states of playouts in the tree."""
    for name in ('closing', 'rollout-expand'):
        search = evolve(SEARCHES[name], iterations=iterations)
        for seed in range(1, seeds + 1):
            found, _ = analyse(
                GAMES['tictactoe'].start, SplitMix.from_seed(seed), search, engine='inplace'
            )
            yield name, iterations, seed, found.value


def main() -> None:
    """Count, play, write, draw."""
    if sys.argv[1:] != ['draw']:
        seeds, jobs = (*map(int, sys.argv[1:]), *(3, 1)[len(sys.argv) - 1 :])
        written(TREES, (row._asdict() for row in counted(seeds)))
        written(PLAYED, played(jobs))
        tables.written('second_part_whole', ('search', 'iterations', 'nodes'), whole())
        tables.written('second_part_bias', ('search', 'iterations', 'seed', 'value'), biased())
        tables.written('second_part_circles', circles.COLUMNS, circles.circled())
    rows = tables.read('second_part')
    for field_name, up, path in (
        ('states', 'distinct states in the tree', 'second_part_states.svg'),
        ('calls', 'calls of the rules an iteration', 'second_part_calls.svg'),
    ):
        saved(drawn(rows, field_name, up), HERE / path)
    saved(circles.drawn(tables.read('second_part_circles')), HERE / 'second_part_circles.svg')
    tables.page('second_part', figures(rows))


def figures(rows: Sequence[dict[str, str]]) -> dict[str, Any]:
    """Return what the page says, from the files."""

    def found(game: str, name: str, asked: int, column: str) -> list[float]:
        wanted = game, name, str(asked)
        mine = [it for it in rows if (it['game'], it['search'], it['asked']) == wanted]
        return [float(it[column]) for it in mine]

    def mean(game: str, name: str, asked: int, column: str) -> float:
        return statistics.fmean(found(game, name, asked, column))

    def spread(game: str, asked: int, *but: str) -> float:
        return max(
            abs(it / mean(game, name, asked, column) - 1)
            for name in SEARCHES
            for column in ('nodes', 'states', 'calls', 'credited')
            if column not in but
            for it in found(game, name, asked, column)
        )

    def fewer(game: str, name: str, asked: int) -> float:
        """The share of calls that the search saves against closing alone."""
        return 1 - mean(game, name, asked, 'calls') / mean(game, 'closing', asked, 'calls')

    games = {(it['game'], it['equal'], it['search']): it for it in tables.read('second_part_games')}

    def points(game: str, equal: str, name: str) -> tuple[float, float, float]:
        row = games[game, equal, name]
        share, low, high = (float(row[column]) for column in ('points', 'low', 'high'))
        return share, low, high

    def undecided(matches: Iterable[tuple[str, str]], names: Iterable[str]) -> bool:
        """Whether every interval holds the half of the points."""
        found = [points(*it, name) for it, name in product(matches, names)]
        return all(low <= 0.5 <= high for _, low, high in found)

    biases: dict[str, list[float]] = {}
    for it in tables.read('second_part_bias'):
        biases.setdefault(it['search'], []).append(float(it['value']))
    found_whole = tables.read('second_part_whole')
    (explored,) = (it for it in found_whole if it['search'] == 'closing')
    closing = ('closing', 'rollout-expand', 'jump')
    return {
        'TTT': TTT,
        'FOUR': FOUR,
        'MID': MID,
        'names': GAME_NAMES,
        'shown': SHOWN,
        'most': {game: max(budgets) for game, budgets in SIZES},
        'whole_budget': WHOLE,
        'all_nodes': int(explored['nodes']),
        'all_iterations': int(explored['iterations']),
        'state_count': len(estimates_printed.positions()) + _ends(),
        'mean': mean,
        'spread': spread,
        'fewer': fewer,
        'seeds_of_trees': len(found(TTT, 'plain', SHOWN[TTT], 'calls')),
        'searches': [*SEARCHES],
        'points': points,
        'matches': [(game, equal, budget, games) for game, _, equal, budget, games in STRENGTH],
        'equal_calls': {
            game: (budget, games) for game, _, equal, budget, games in STRENGTH if equal == 'calls'
        },
        'games_and_measures': [(game, equal) for game, _, equal, *_ in STRENGTH],
        'closing': closing,
        'closing_points': [points(TTT, 'calls', name)[0] for name in closing],
        'weaker': all(points(TTT, 'calls', name)[2] < 0.5 for name in closing),
        'graphs': ('graph', 'sound graph'),
        'undecided': undecided,
        'found_whole': [
            (int(it['iterations']), int(it['nodes']))
            for it in found_whole
            if it['search'] == 'plain'
        ],
        'bias': {
            name: (statistics.fmean(values), statistics.stdev(values) / len(values) ** 0.5)
            for name, values in biases.items()
        },
        'bias_seeds': len(biases['closing']),
        'bias_iterations': BIASED,
        **circles.figures(tables.read('second_part_circles')),
    }


def _ends() -> int:
    """How many positions of tic-tac-toe end it."""
    running = estimates_printed.positions()
    after = {state.play(move) for state in running for move in state.moves}
    return sum(state.over for state in after)


def written(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    """Write a file of rows as they come, and print them."""
    with path.open('w', newline='', encoding='utf-8') as file:
        for number, row in enumerate(rows):
            if number == 0:
                writer = csv.DictWriter(file, row, lineterminator='\n')
                writer.writeheader()
                print(*row)
            writer.writerow(row)
            print(*(f'{it:.4f}' if isinstance(it, float) else it for it in row.values()))


def drawn(rows: Sequence[dict[str, str]], what: str, up: str) -> Any:
    """Of tic-tac-toe: the mean of a column, by iterations asked for; least and most as a band."""
    lines: dict[str, list[tuple[float, float, float, float]]] = {}
    for name in PICTURED:
        mine = [row for row in rows if (row['game'], row['search']) == ('tictactoe', name)]
        lines[name] = []
        for asked in sorted({int(row['asked']) for row in mine}):
            share = 1 if what == 'states' else asked
            found = [int(row[what]) / share for row in mine if int(row['asked']) == asked]
            lines[name].append((asked, statistics.fmean(found), min(found), max(found)))
    figure = tables.curves(lines, across='iterations', up=up, title='tic-tac-toe, from the start')
    axes = figure.axes[0]
    axes.set_xscale('log')
    axes.set_ylim(0)
    axes.lines[4].set(color='#CC79A7', marker='v', linestyle=(0, (6, 1, 1, 1, 1, 1)))
    axes.collections[4].set_facecolor('#CC79A7')
    axes.legend(frameon=False)
    return figure


if __name__ == '__main__':
    main()
