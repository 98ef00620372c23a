"""What it costs to use a tree of the compiled engine: to look at it, go on from it, and keep it.

All is measured in one run: single looks as the median of trees of as many seeds as there are
rounds, and searches in turn, as ratios. Run it with `pip install '.[fast]'`:

    python benchmarks/compiled_trees.py [GAME] [ROUNDS]
"""

from __future__ import annotations

import functools
import pickle
import statistics
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable

from timing import in_turn, rate_of

from fmcts import Analysis, Search, SplitMix, analyse, reroot
from fmcts.games import GAMES
from fmcts.search._tree import walk

ITERATIONS = 300_000
GAME_ITERATIONS = 30_000  # for each move of a game


def main() -> None:
    """Print what a look costs, then the ratios."""
    name = sys.argv[1] if len(sys.argv) > 1 else 'connect4'
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    start = GAMES[name].start
    in_parts(start, [1000, 1000])(0)  # compile, or load
    whole_game(start, keep=True)(0)

    print(f'{name}, after {ITERATIONS:,} iterations:')
    for what, milliseconds in looks(start, rounds).items():
        print(f'  {what:44}{milliseconds:10.2f} ms')
    analysis = searched(start, 0)[0]
    size = len(pickle.dumps(analysis))
    print(f'  {"size of the pickle":44}{size / 1e6:10.2f} MB, {size / analysis.nodes:.1f} a node')

    print('time of going on against as many iterations at once:')
    for parts in ([ITERATIONS] * 2, [ITERATIONS // 2] * 2, [ITERATIONS // 10] * 10):
        total = sum(parts)
        at_once, going_on = (rate_of(total, in_parts(start, split)) for split in ([total], parts))
        ratio = in_turn(at_once, going_on, rounds)[2]
        print(f'  {f"{len(parts)} x {parts[0]:,}":44}{ratio:10.2f}')

    print(f'the positions of a game, {GAME_ITERATIONS:,} iterations a move:')
    anew = rate_of(1, whole_game(start, keep=False))
    for what, kept in (
        ('keeping the tree, as many more for each move', whole_game(start, keep=True)),
        ('keeping the tree, up to as many in all', whole_game(start, keep=True, up_to=True)),
    ):
        for seed in range(rounds):
            line_of(start, seed)
        ratio = in_turn(anew, rate_of(1, kept), rounds)[2]
        print(f'  {what:44}{ratio:10.2f} of the time of searching anew')


def searched(start, seed: int):  # noqa: ANN001, ANN201 - of any game
    """An analysis of the start and the next generator."""
    return analyse(start, SplitMix.from_seed(seed), Search(ITERATIONS), engine='compiled')


def looks(start, rounds: int) -> dict[str, float]:  # noqa: ANN001
    """Milliseconds that each thing one may do with an analysis takes, the median of the rounds.

    Whatever makes nodes gets a tree of which nothing has been looked at yet.
    """
    found: dict[str, list[float]] = {}
    for seed in range(rounds):
        analysis, rng = searched(start, seed)
        packed = pickle.dumps(analysis)
        move, reply = analysis.principal_variation[:2]

        def fresh(analysis: Analysis = analysis, packed: bytes = packed) -> Analysis:
            again = pickle.loads(packed)  # noqa: S301 - our own bytes
            return Analysis(analysis.move, analysis.iterations, again.tree)

        def one_more(it: Analysis, rng: SplitMix = rng) -> object:
            return analyse(start, rng, Search(1), engine='compiled', tree=it)

        uses: dict[str, Callable[[Analysis], object]] = {
            'principal_variation': lambda it: it.principal_variation,
            'stats': lambda it: it.stats,
            'tree.child(move).child(reply).visits': lambda it, move=move, reply=reply: (
                it.tree.child(move).child(reply).visits
            ),
            'reroot, own move and reply': lambda it, move=move, reply=reply: reroot(
                reroot(it, move), reply
            ),
            'walk two levels deep': lambda it: consume(walk(it.tree, depth=2)),
            'digest': lambda it: it.digest,
            'one more iteration': one_more,
            'pickle.dumps': pickle.dumps,
            'pickle.loads': lambda _it, packed=packed: pickle.loads(packed),  # noqa: S301
            'walk through all nodes': lambda it: consume(walk(it.tree)),
        }
        for what, use in uses.items():
            subject = fresh()
            begin = time.perf_counter()
            use(subject)
            found.setdefault(what, []).append(1000 * (time.perf_counter() - begin))
    return {what: statistics.median(times) for what, times in found.items()}


def consume(values: Iterable[object]) -> None:
    """Take all the values, and keep none."""
    deque(values, maxlen=0)


def in_parts(start, parts: list[int]) -> Callable[[int], object]:  # noqa: ANN001
    """A search from the start that goes on from itself, so many iterations at a time."""

    def search(seed: int) -> object:
        analysis, rng = None, SplitMix.from_seed(seed)
        for iterations in parts:
            analysis, rng = analyse(
                start, rng, Search(iterations), engine='compiled', tree=analysis
            )
        return analysis

    return search


@functools.cache
def line_of(start, seed: int) -> tuple:  # noqa: ANN001
    """The moves of a game of the bot against itself."""
    state, rng, line = start, SplitMix.from_seed(seed), []
    while not state.over:
        analysis, rng = analyse(state, rng, Search(GAME_ITERATIONS), engine='compiled')
        state = state.play(analysis.move)
        line.append(analysis.move)
    return tuple(line)


def whole_game(start, *, keep: bool, up_to: bool = False) -> Callable[[int], object]:  # noqa: ANN001
    """The searches of a game, each anew or going on from what the last one has below the move.

    With `up_to`, a tree that is kept gets only the iterations that it lacks.
    """

    def play(seed: int) -> object:
        state, tree, rng = start, None, SplitMix.from_seed(seed)
        for move in line_of(start, seed):
            had = tree.visits if tree and up_to else 0
            search = Search(max(1, GAME_ITERATIONS - had))
            analysis, rng = analyse(state, rng, search, engine='compiled', tree=tree)
            state = state.play(move)
            tree = reroot(analysis, move) if keep and not state.over else None
        return state

    return play


if __name__ == '__main__':
    main()
