"""How strong variants of the search are against plain UCT, at equal iterations and at equal time.

Each variant plays 400 games: 200 openings of random moves, each from both sides. A draw is half a
point; the interval is Wilson's, of 95 %. For equal time the variant gets as many iterations as it
makes in the time of plain search, measured in this run from the opening's positions. Run it with
`pip install '.[fast]'`:

    python benchmarks/strength.py GAME [ITERATIONS] [GAMES] [VARIANT ...]
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve

from fmcts import Player, Search, SplitMix, analyse
from fmcts.games import GAMES
from fmcts.search.policies import AntiDecisive, epsilon

PLIES: Final = {'tictactoe': 1, 'connect4': 4, 'othello': 6}  # of an opening
NORMAL: Final = statistics.NormalDist().inv_cdf(0.975)

VARIANTS: Final[Mapping[str, Search]] = {
    'plain': Search(),
    'solver': Search(solver=True),
    'closing': Search(closing=True),
    'ucb1-tuned': Search(selection='ucb1-tuned'),
    'puct': Search(selection='puct'),
    'amaf': Search(selection='amaf'),
    'halving': Search(schedule='halving'),
    'decisive': Search(playout='decisive'),
    'anti-decisive': Search(playout='anti-decisive'),
    'anti-decisive, 1 in 10 uniform': Search(playout=epsilon(AntiDecisive(), 0.1)),
    'anti-decisive, solver': Search(playout='anti-decisive', solver=True),
}


def main() -> None:
    """Print a line for each variant."""
    name = sys.argv[1]
    iterations = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    games = int(sys.argv[3]) if len(sys.argv) > 3 else 400
    wanted = sys.argv[4:] or [*VARIANTS]
    base = Search(iterations)
    print(f'{name}: against plain UCT of {iterations:,} iterations, {games} games each')
    for variant in wanted:
        search = evolve(VARIANTS[variant], iterations=iterations)
        cost = cost_of(name, search) / cost_of(name, base)
        as_long = evolve(search, iterations=max(1, round(iterations / cost)))
        results = [points(name, it, base, games) for it in (search, as_long)]
        shown = '   '.join(
            f'{score:6.1%} ({low:.1%} to {high:.1%})' for score, low, high in map(wilson, results)
        )
        print(f'{variant:32} cost {cost:5.2f}   {shown}', flush=True)


def wilson(points_of: tuple[float, int]) -> tuple[float, float, float]:
    """The share of points and its interval (Wilson 1927)."""
    points, games = points_of
    share, square = points / games, NORMAL**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = (
        NORMAL
        / (1 + square / games)
        * (share * (1 - share) / games + square / (4 * games**2)) ** 0.5
    )
    return share, middle - half, middle + half


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
    """The seconds that an iteration takes, the least of five rounds over twenty openings."""
    starts = openings(name, 20)
    analyse(starts[0][0], SplitMix.from_seed(1), search, engine='compiled')  # compile, or load
    rounds = []
    for _ in range(5):
        begin, made = time.perf_counter(), 0
        for state, rng in starts:
            made += analyse(state, rng, search, engine='compiled')[0].iterations
        rounds.append((time.perf_counter() - begin) / made)
    return min(rounds)


def points(name: str, search: Search, base: Search, games: int) -> tuple[float, int]:
    """The points of `search` against `base`, and the number of games."""
    total = 0.0
    for start, seed in openings(name, games // 2):
        for side in Player:
            state, rng = start, seed
            while not state.over:
                mine = search if state.player is side else base
                analysis, rng = analyse(state, rng, mine, engine='compiled')
                state = state.play(analysis.move)
            total += 0.5 if state.winner is None else state.winner is side
    return total, games // 2 * 2


if __name__ == '__main__':
    main()
