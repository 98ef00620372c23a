"""How strong variants of the search are against plain UCT, at equal iterations and at equal time.

Each variant plays 400 games: 200 openings of random moves, each from both sides. A draw is half a
point; the interval is Wilson's, of 95 %. For equal time the variant gets as many iterations as it
makes in the time of plain search: `cost` is the time of one iteration against one of plain search
on the same engine, both timed in turn from the openings' positions. What the compiled engine does
not have is played by `inplace`. Run it with `pip install '.[fast,graph]'`:

    python benchmarks/strength.py GAME [ITERATIONS] [GAMES] [VARIANT ...]

Games are the same in every run, but for the number of iterations that is given for equal time.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import evolve

from fmcts import Player, Search, SplitMix, analyse
from fmcts._running.registry import ENGINES
from fmcts.bits import popcount
from fmcts.bots._presets import RECIPES
from fmcts.games import GAMES
from fmcts.matches._statistics import wilson
from fmcts.rules import OnPositions
from fmcts.search._tree import plant
from fmcts.search.methods import PUCT, ImplicitMinimax, ProgressiveBias, Widening
from fmcts.search.policies import AntiDecisive, epsilon

PLIES: Final = {'tictactoe': 1, 'connect4': 4, 'othello': 6}  # of an opening
ROUNDS: Final = 9


def _in_the_middle(_position: Any, cell: int) -> float:
    """Of 4 by 4 parts for Connect Four: the columns from the side to the middle."""
    return (4.0 - abs(3 - cell // 7)) / 16.0


def _at_the_corner(_position: Any, cell: int) -> float:
    """For Othello: much for a corner, little for the cells beside it."""
    row, column = cell // 8, cell % 8
    away = max(min(row, 7 - row), min(column, 7 - column))  # a king's steps to the nearest corner
    return 0.5 if away == 0 else 0.02 if away == 1 else 0.1


side_in_connect4 = GAMES['connect4'].start.compiled.side
side_in_othello = GAMES['othello'].start.compiled.side


def _in_columns(position: Any) -> float:
    """For Connect Four: whose discs stand nearer the middle, from 0 (O's) to 1 (X's)."""
    ahead = 0
    for columns in range(1, 4):  # so many columns on either side are left out
        inner = (1 << 49 - 7 * columns) - (1 << 7 * columns)
        ahead += popcount(position.mine & inner) - popcount(position.theirs & inner)
    for_x = ahead if side_in_connect4(position) == 0 else -ahead
    return 0.5 + for_x / (2.0 * (abs(for_x) + 6.0))


CORNERS: Final = 1 | 1 << 7 | 1 << 56 | 1 << 63


def _corners_held(position: Any) -> float:
    """For Othello: whose corners are more, from 0 (O's) to 1 (X's)."""
    ahead = popcount(position.mine & CORNERS) - popcount(position.theirs & CORNERS)
    for_x = ahead if side_in_othello(position) == 0 else -ahead
    return 0.5 + for_x / 8.0


HEURISTICS: Final[Mapping[str, Callable[..., float]]] = {
    'connect4': _in_columns,
    'othello': _corners_held,
}
PRIORS: Final[Mapping[str, Callable[..., float]]] = {
    'connect4': _in_the_middle,
    'othello': _at_the_corner,
}


def variants(game: str) -> dict[str, Search]:
    """What is compared, by name."""
    names = (
        *('ucb1-tuned', 'ucb-v', 'ucb1-fpu', 'puct', 'puct-reduced', 'widening'),
        *('amaf', 'rave', 'rave-silver', 'grave'),
    )
    policies = ('decisive', 'anti-decisive', 'patient', 'mast', 'last-good-reply')
    found = {'plain': Search(), 'plain, c = 0.5': Search(c=0.5)}
    found |= {name: Search(selection=name) for name in names}
    if game in PRIORS:
        prior = OnPositions(PRIORS[game])
        found |= {
            'puct, with priors': Search(selection=PUCT(prior=prior)),
            'progressive-bias': Search(selection=ProgressiveBias(heuristic=prior)),
            'widening, with priors': Search(selection=Widening(prior=prior)),
            'implicit-minimax': Search(
                selection=ImplicitMinimax(heuristic=OnPositions(HEURISTICS[game]))
            ),
        }
    found |= {name: Search(playout=name) for name in policies}
    return found | {
        'anti-decisive, 1 in 10 uniform': Search(playout=epsilon(AntiDecisive(), 0.1)),
        'solver': Search(solver=True),
        'solver, bounds': Search(solver=True, bounds=True),
        'closing': Search(closing=True, final='max'),
        'closing, final=ucb': Search(closing=True, final='ucb'),
        'halving': Search(schedule='halving'),
        'full expansion': Search(expansion='full'),
        'jump': Search(expansion='jump'),
        'shot': Search(schedule='shot'),
        'rollout-expand': Search(rollout_expand=True),
        'graph, sound': Search(transpositions='sound'),
        'graph, naive': Search(transpositions='naive'),
        **{name: RECIPES[name].pattern for name in ('dehos', 'mehat-uct', 'mehat-rave')},
        **{name: RECIPES[name].pattern for name in ('baeldung', 'strong')},
    }


def engine_of(name: str, search: Search) -> str:
    """The fastest that has it."""
    lacks = ENGINES['compiled'].unsupported(plant(GAMES[name].start), SplitMix.from_seed(0), search)
    return 'compiled' if lacks is None else 'inplace'


def main() -> None:
    """Print a line for each variant."""
    name = sys.argv[1]
    iterations = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    games = int(sys.argv[3]) if len(sys.argv) > 3 else 400
    every = variants(name)
    print(f'{name}: against plain UCT of {iterations:,} iterations, {games} games each')
    for variant in sys.argv[4:] or [*every]:
        search = evolve(every[variant], iterations=iterations)
        cost = cost_of(name, search)
        as_long = evolve(search, iterations=max(1, round(iterations / cost)))
        results = [points(name, it, Search(iterations), games) for it in (search, as_long)]
        shown = '   '.join(
            f'{score:6.1%} ({low:.1%} to {high:.1%})' for score, low, high in map(shares, results)
        )
        print(f'{variant:32} cost {cost:5.2f}   {shown}', flush=True)


def shares(points_of: tuple[float, int]) -> tuple[float, float, float]:
    """The share of points and its interval."""
    points, games = points_of
    return points / games, *wilson(points, games)


def openings(name: str, count: int) -> list[tuple[Any, SplitMix]]:
    """So many positions after random moves, each with a generator for its games."""
    found = []
    for number in range(count):
        state, rng = GAMES[name].start, SplitMix.from_seed(1).child(number)
        for _ in range(PLIES[name]):
            index, rng = rng.uniform(0, len(state.moves) - 1)
            state = state.play(state.moves[index])
        found.append((state, rng))
    return found


def cost_of(name: str, search: Search) -> float:
    """The time of an iteration in that of plain search: the least of some rounds over openings."""
    plain, engine = Search(search.iterations), engine_of(name, search)
    starts = openings(name, 20 if engine == 'compiled' else 2)
    least = {search: math.inf, plain: math.inf}
    for _ in range(ROUNDS):
        for it, before in least.items():
            begin, made = time.process_time(), 0
            for state, rng in starts:
                made += analyse(state, rng, it, engine=engine)[0].iterations
            least[it] = min(before, (time.process_time() - begin) / made)
    return least[search] / least[plain]


def points(name: str, search: Search, base: Search, games: int) -> tuple[float, int]:
    """The points of `search` against `base`, and the number of games."""
    total = 0.0
    engines = {search: engine_of(name, search), base: 'compiled'}
    for start, seed in openings(name, games // 2):
        for side in Player:
            state, rng = start, seed
            while not state.over:
                mine = search if state.player is side else base
                analysis, rng = analyse(state, rng, mine, engine=engines[mine])
                state = state.play(analysis.move)
            total += 0.5 if state.winner is None else state.winner is side
    return total, games // 2 * 2


if __name__ == '__main__':
    main()
