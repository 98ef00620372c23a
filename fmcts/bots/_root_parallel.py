"""Root parallelisation: several searches of one position, and their merged tree.

Chaslot, Winands and van den Herik, "Parallel Monte-Carlo Tree Search" (2008). Each search has a
generator derived by its index, and the results are added up in the order of indices, so the result
does not depend on how many searches run at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Any

from attrs import evolve, field, frozen

from fmcts._arguments import whole_number
from fmcts._engines import PREFERENCES, choose
from fmcts._promises import check_plain
from fmcts._running import (
    Each,
    analyse,
    check_engine,
    grow_in_rounds,
    lacks_rounds,
    merged,
    root_to_search,
)
from fmcts.bots._bot import AnalysingBot
from fmcts.game import GameState, M
from fmcts.rng import R, Rng
from fmcts.search import Analysis, Node, Search, Watch, check_search, ignore


@frozen
class ParallelBot(AnalysingBot):
    """A bot that divides a search among several trees; see `parallel`."""

    search: Search
    trees: int
    workers: int
    engine: str
    executor: Executor | None = field(eq=False, repr=False)

    def analyse(
        self,
        state: GameState[M],
        rng: R,
        *,
        watch: Watch = ignore,
        root_moves: Iterable[M] | None = None,
    ) -> tuple[Analysis[M], R]:
        """Return the analysis of the merged tree, and the generator to use next.

        `watch` receives the number of iterations done so far: first 0, then after each merge.
        """
        check_plain(state, 'root parallel search')
        # So that the generator returned does not depend on the number of trees.
        own, after = rng.split()
        root = root_to_search(state, self.search, None, root_moves)
        grow = self._merged_once if lacks_rounds(self.search) else self._in_rounds
        # An executor of the caller's is left open; threads of our own end here.
        with ThreadPoolExecutor(self.workers) as threads:

            def each(function: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
                if self.executor is not None:
                    return [*self.executor.map(function, items)]
                jobs = [*enumerate(items)]
                left = iter(jobs)

                def work() -> list[tuple[int, Any]]:
                    try:
                        return [(place, function(item)) for place, item in left]
                    finally:
                        list(left)  # after an error or Ctrl-C no other search begins

                others = [threads.submit(work) for _ in jobs[1 : self.workers]]
                found = dict(work())  # in this thread too: it would take time to wake another
                for other in others:
                    found.update(other.result())
                return [found[place] for place in sorted(found)]

            tree = grow(root, own, each, watch)
        return Analysis(choose(tree, self.search), tree.visits, tree), after

    def _in_rounds(self, root: Node, rng: Rng, each: Each, watch: Watch) -> Node:
        generators = [rng.child(number) for number in range(self.trees)]
        # An executor may be of other processes, with which the numbers of a tree cannot be shared.
        elsewhere = self.executor is not None
        return grow_in_rounds(
            root, generators, self.search, each, watch, engine=self.engine, elsewhere=elsewhere
        )

    def _merged_once(self, root: Node, rng: Rng, each: Each, watch: Watch) -> Node:
        share, rest = divmod(self.search.iterations, self.trees)
        search = evolve(self.search, final='robust')  # only the merged tree chooses a move
        jobs = [
            (evolve(search, iterations=share + (number < rest)), rng.child(number))
            for number in range(self.trees)
            # With fewer iterations than trees, some trees have nothing to do.
            if share + (number < rest)
        ]
        watch(0)
        trees = each(partial(_searched, root, self.engine), jobs)
        watch(sum(tree.visits for tree in trees))
        return merged(trees, self.search.resolution)


def _searched(root: Node, engine: str, job: tuple[Search, Any]) -> Node:
    search, rng = job
    return analyse(root.state, rng, search, engine=engine, tree=root)[0].tree


def parallel(
    search: Search | None = None,
    *,
    workers: int = 1,
    trees: int = 2,
    engine: str = 'auto',
    executor: Executor | None = None,
) -> ParallelBot:
    """Return a bot that divides its search among several trees and merges them.

    The trees are searched in rounds: after each they are merged, and all of them continue the
    merged tree. Only visits and rewards can be merged so. A search with anything else is merged
    once, at the end, when each tree has made its share of the iterations; this is much weaker. That
    is the case with a method that has columns, a solver or `closing`, playouts that remember,
    `evaluate`, `reward`, `schedule`, `stop`, `max_nodes` or `rollout_expand`. Its merged tree has
    visits, rewards and proofs, but no columns and nothing that playouts remember.
    Which of the two is done depends on the search alone.

    :param search: the whole search; each tree makes its share of the iterations. `max_nodes` holds
        for each tree, so that the merged one may be larger.
    :param workers: how many trees are searched at the same time, by threads; this helps with the
        compiled engine, which runs without Python's lock. The result does not depend on it.
    :param trees: among how many trees the iterations are shared; use as many as there are workers,
        as more make the search weaker.
    :param executor: searches the trees instead, by the interface of `concurrent.futures.Executor`.
        Trees are merged node by node then, which is slow, so it is for games with slow playouts.
    :raises EngineError: no engine has that name.
    :raises TypeError: `search` is not a `Search`.
    :raises ValueError: a number is not a whole number of at least 1; or the search has a network,
        proposals or transpositions, or chooses its move by scores that depend on columns.

    >>> from fmcts.games import connect4
    >>> from fmcts.rng import SplitMix
    >>> bots = [parallel(Search(400), workers=workers) for workers in (1, 4)]
    >>> one, two = (bot.analyse(connect4.start, SplitMix.from_seed(1))[0] for bot in bots)
    >>> one.digest == two.digest, one.iterations
    (True, 400)
    """
    search = Search() if search is None else search
    check_search(search)
    check_engine(engine)
    if search.network is not None:
        raise ValueError(
            'parallel cannot divide a search with a network: it draws nothing, so all trees would '
            'be equal; use mcts'
        )
    if search.proposals is not None:
        raise ValueError('parallel cannot merge trees whose moves were proposed apart; use mcts')
    if search.transpositions is not None:
        raise ValueError('parallel cannot merge graphs: use a search without transpositions')
    if search.method.names and search.final not in PREFERENCES:
        raise ValueError(
            f'final={search.final!r} may read columns of {type(search.method).__name__}, but the '
            f'merged tree of parallel has none: use one of {", ".join(PREFERENCES)}'
        )
    return ParallelBot(
        search, whole_number('trees', trees), whole_number('workers', workers), engine, executor
    )
