"""How much of a tree depends on when answers arrive: TreeQuest's algorithms, and `fmcts.asking`.

python benchmarks/asking_orders.py [TRIALS] [SEEDS]      (needs: pip install treequest)

Four evaluations are in flight. The answers are the same function of a position in both runs; only
their latencies are drawn anew, while what an algorithm draws itself begins with the same seed. The
control has the same latencies twice. A node is the path of actions and attempts that leads to it.
"""

import heapq
import random
import sys
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from attrs import frozen

from fmcts import Player, Search, SplitMix
from fmcts.asking import asking

Path = tuple[tuple[str, int], ...]
ACTIONS = ('first', 'second')
FLYING = 4


def worth(path: Path) -> float:
    """Return the score of a node, the same in every run."""
    return Random(repr(path)).random()  # noqa: S311


def finishing(
    draws: Random, trials: int, ask: Callable[[], Any | None], tell: Callable[[Any], None]
) -> None:
    """Ask and tell until that many trials are made, with latencies drawn."""
    flying: list[tuple[float, int, Any]] = []
    now, made = 0.0, 0
    while True:
        while made < trials and len(flying) < FLYING and (trial := ask()) is not None:
            heapq.heappush(flying, (now + draws.expovariate(1.0), made, trial))
            made += 1
        if not flying:
            return
        now, _, trial = heapq.heappop(flying)
        tell(trial)


def by_treequest(kind: Any, draws: Random, trials: int) -> tuple[set[Path], float]:
    """Return the nodes that an algorithm of TreeQuest makes, and the best score."""
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002 - the one that TreeQuest draws from
    algorithm = kind()
    state = algorithm.init_tree()
    attempts: Counter[Any] = Counter()
    found: set[Path] = set()

    def ask() -> Any:
        nonlocal state
        state, (trial,) = algorithm.ask_batch(state, 1, list(ACTIONS))
        above = trial.parent_state or ()
        attempts[above, trial.action] += 1
        return trial, (*above, (trial.action, attempts[above, trial.action]))

    def tell(asked: Any) -> None:
        nonlocal state
        trial, path = asked
        before = len(state.tree.get_nodes())
        state = algorithm.tell(state, trial.trial_id, (path, worth(path)))
        if len(state.tree.get_nodes()) > before:
            found.add(path)

    finishing(draws, trials, ask, tell)
    return found, max(map(worth, found))


@frozen
class Refining:
    """The same as a game of one player: an action, or its next attempt, up to a depth of 12."""

    path: Path = ()
    player = Player.X

    @property
    def moves(self) -> tuple[tuple[str, int], ...]:
        """Two attempts at each action."""
        return () if self.over else tuple((action, it) for it in (1, 2) for action in ACTIONS)

    @property
    def over(self) -> bool:
        """True at depth 12."""
        return len(self.path) == 12

    @property
    def winner(self) -> Player | None:
        """X wins at the end if the score is high."""
        return None if not self.over else Player.X if worth(self.path) > 0.5 else Player.O

    def play(self, move: tuple[str, int]) -> 'Refining':
        """Return the next node."""
        return Refining((*self.path, move))


def by_asking(draws: Random, trials: int) -> tuple[set[Path], float]:
    """Return the nodes that a search of this library evaluates, and the best score."""
    search = asking(Refining(), SplitMix.from_seed(1), Search(trials), window=FLYING)
    last = -1

    def ask() -> Any:
        nonlocal last
        new = search.ask(last)
        if not new:
            return None
        last = new[0].id
        return new[0]

    def tell(request: Any) -> None:
        nonlocal search
        search = search.tell(request, worth(request.state.path))

    finishing(draws, trials, ask, tell)
    found = {reply.request.path for reply in search.replies}
    return found, max(map(worth, found))


def main(trials: int = 60, seeds: int = 10) -> None:
    """Print the shares of equal nodes under two sets of latencies."""
    from treequest import ABMCTSA, StandardMCTS  # noqa: PLC0415 - see above

    runs: dict[str, Callable[[Random], tuple[set[Path], float]]] = {
        'TreeQuest StandardMCTS': lambda draws: by_treequest(StandardMCTS, draws, trials),
        'TreeQuest ABMCTSA': lambda draws: by_treequest(ABMCTSA, draws, trials),
        'fmcts.asking': lambda draws: by_asking(draws, trials),
    }
    print(f'{trials} trials, {FLYING} in flight, {seeds} pairs of latencies')
    print(f'{"":24} {"equal nodes":>12} {"of":>6} {"share":>6} {"control":>8}  other best answer')
    for name, run in runs.items():
        same, every, other, again = 0, 0, 0, 0
        for seed in range(seeds):
            (one, best), (two, best_two) = (run(Random(2 * seed + it)) for it in (0, 1))  # noqa: S311
            same, every, other = (
                same + len(one & two),
                every + len(one | two),
                other + (best != best_two),
            )
            again += one == run(Random(2 * seed))[0]  # noqa: S311
        print(
            f'{name:24} {same:>12} {every:>6} {same / every:>6.2f} {again:>2} of {seeds}'
            f'  {other} of {seeds}'
        )


if __name__ == '__main__':
    main(*map(int, sys.argv[1:]))
