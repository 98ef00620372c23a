"""One search that goes wrong, as it goes on; its tree; and what would have helped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fmcts import Search, SplitMix, analyse
from fmcts.bots._spec import parse_bot
from fmcts.game import GameState
from fmcts.games import tictactoe
from fmcts.solve import move_values

__all__ = ['cured', 'drawn', 'followed', 'lasting', 'losing', 'position']

LINE = (1, 0)  # X began at 1 and O answered at 0
SEED = 234
CONSTANTS = (0.2, 2**0.5)
# After X 5, O's 6 wins: X must take 3, and O's 4 then threatens 2 and 8.
FOLLOWED = ((4,), (5,), (5, 4), (5, 6), (5, 6, 3, 4))
COUNTS = sorted({round(10 ** (power / 8)) for power in range(8, 49)})
COLUMNS = ('c', 'descents', 'moves', 'visits', 'value')

ITERATIONS = 10_000  # of the search whose tree is drawn
WORDS = (
    *('tictactoe', '--moves', ','.join(map(str, LINE))),
    *('--bot', f'mehat-uct:{ITERATIONS},c={CONSTANTS[0]}', '--seed', str(SEED)),
)
TREES = {
    'tail_tree.svg': ('--depth', '2', '--visits', '45'),
    'tail_tree_below.svg': ('--below', '5,6', '--depth', '2', '--visits', '2'),
}

CURED = ((1000, 1000), (200, 10_000))  # searches, and iterations of each
CURE_COLUMNS = ('search', *(f'lost of {times} at {n:,}' for times, n in CURED))
CURES = (
    'mehat-uct:{},c=0.2',
    'mehat-uct:{},c=0.3',
    'mehat-uct:{},c=0.5',
    'mehat-uct:{}',
    'mcts:{},c=0.2,final=max',
    'mcts:{},c=0.2,expansion=full',
    'mcts:{},c=0.2,closing=on',
    'mcts:{},c=0.2,solver=on',
    'mcts:{},c=0.2,playout=decisive',
    'mcts:{},c=0.2,playout=anti-decisive',
    'mcts:{},c=0.2,solver=on,playout=anti-decisive',
    'mcts:{},selection=ucb1-tuned',
    'mcts:{},selection=puct',
    'mehat-rave:{}',
)


def position() -> GameState[int]:
    """X began at 1 and O answered at 0."""
    state = tictactoe.start
    for move in LINE:
        state = state.play(move)
    return state


def losing(state: GameState[int]) -> frozenset[int]:
    """The moves that are worse than the best."""
    values = {row.move: row.value for row in move_values(state)}
    return frozenset(move for move, value in values.items() if value < max(values.values()))


def cured() -> Iterator[list[object]]:
    """How often each search chooses a losing move in the position."""
    state = position()
    lost = losing(state)
    for spec in CURES:
        row: list[object] = [spec.format('N')]
        for times, iterations in CURED:
            search = parse_bot(spec.format(iterations)).unwrap().search
            found = (analyse(state, SplitMix.from_seed(seed), search) for seed in range(times))
            row.append(sum(analysis.move in lost for analysis, _ in found))
        yield row


SEEDS, LASTING = range(400), (10_000, 100_000, 1_000_000)
LASTING_COLUMNS = ('seed', *(f'after {descents:,}' for descents in LASTING))


def lasting(
    seeds: Iterable[int] = SEEDS,
    budgets: Sequence[int] = LASTING,
    engine: str = 'auto',
) -> Iterator[list[int]]:
    """The moves chosen after more and more descents, where the first of them loses; c = 0.2."""
    lost = losing(position())
    for seed in seeds:
        row = [seed]
        for descents in budgets:
            search = Search(descents, c=CONSTANTS[0], selection='uct', expansion='in-order')
            rng = SplitMix.from_seed(seed)
            row.append(analyse(position(), rng, search, engine=engine)[0].move)
            if row[1] not in lost:
                break
        else:
            yield row


def followed(counts: Sequence[int] = COUNTS, engine: str = 'auto') -> Iterator[list[object]]:
    """Visits and values in the search with the seed, after each count of descents."""
    for c in CONSTANTS:
        for count in counts:
            search = Search(count, c=c, selection='uct', expansion='in-order')
            rng = SplitMix.from_seed(SEED)
            analysis, _ = analyse(position(), rng, search, engine=engine)
            for line in FOLLOWED:
                node: Any = analysis.tree
                for move in line:
                    node = node.child(move) if node else None
                visits, value = (node.visits, f'{node.value:.4f}') if node else (0, '')
                yield [f'{c:.3g}', count, ' '.join(map(str, line)), visits, value]


LOOKS: Mapping[str, Mapping[str, Any]] = {
    '4': {'label': 'X 4, holds the draw', 'color': '#0072B2', 'linestyle': '-'},
    '5': {'label': 'X 5, loses', 'color': '#D55E00', 'linestyle': '--'},
    '5 4': {'label': 'X 5, O 4: a draw', 'color': '#0072B2', 'linestyle': '-'},
    '5 6': {'label': 'X 5, O 6: wins', 'color': '#D55E00', 'linestyle': '--'},
    '5 6 3 4': {'label': 'X 5, O 6, X 3, O 4: the point', 'color': '#000000', 'linestyle': ':'},
}


def drawn(rows: Sequence[Mapping[str, str]]) -> Any:
    """Shares of the visits, values, and visits below the losing move, for both constants."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - it takes a second

    figure = Figure(figsize=(9, 9), layout='constrained')
    grid = figure.subplots(3, 2, sharex=True, sharey='row')
    for column, c in enumerate(CONSTANTS):
        mine = [row for row in rows if row['c'] == f'{c:.3g}']
        top, middle, bottom = (panels[column] for panels in grid)
        for line, look in LOOKS.items():
            points = [row for row in mine if row['moves'] == line and int(row['visits'])]
            across = [int(row['descents']) for row in points]
            visits = [int(row['visits']) for row in points]
            if ' ' in line:
                bottom.plot(across, visits, **look)
                continue
            shares = [100 * some / all_ for some, all_ in zip(visits, across, strict=True)]
            top.plot(across, shares, **look)
            middle.plot(across, [float(row['value']) for row in points], **look)
        top.set_title(f'c = {c:.3g}')
        bottom.set_xscale('log')
        bottom.set_yscale('log')
        bottom.set_xlabel('descents')
        for panel in (top, middle, bottom):
            panel.grid(visible=True, linewidth=0.3)
    for panels, name in zip(
        grid, ('% of the visits', 'value for X', 'visits below X 5'), strict=True
    ):
        panels[0].set_ylabel(name)
        panels[1].legend(frameon=False)
    return figure
