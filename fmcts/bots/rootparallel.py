"""Root parallelisation: several searches of one position, and the tree that they make together.

Chaslot, Winands and van den Herik, "Parallel Monte-Carlo Tree Search" (2008). Each search has a
generator that is derived by its number, and what they found is added up in that order, so nothing
depends on how many of them run at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from attrs import evolve, field, frozen

from fmcts.arguments import whole_number
from fmcts.bots.bot import AnalysingBot
from fmcts.game import GameState
from fmcts.rng import Rng
from fmcts.search.analysis import Analysis
from fmcts.search.description import Search, check_search
from fmcts.search.engines import check_engine
from fmcts.search.entry_points import analyse
from fmcts.search.final import choose
from fmcts.search.merging import merged, unmergeable
from fmcts.search.tree import Node
from fmcts.search.watch import Watch, ignore

__all__ = ['ParallelBot', 'parallel']

M = TypeVar('M')
R = TypeVar('R', bound=Rng)


@frozen
class ParallelBot(AnalysingBot):
    """A bot that searches by several trees at once; `parallel` makes it, and says the rest."""

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
        """The analysis of all the trees together; its iterations are those of all of them.

        `watch` is told how many iterations are done when a tree is.
        """
        own, after = rng.split()
        moves = None if root_moves is None else tuple(root_moves)
        share, rest = divmod(self.search.iterations, self.trees)
        jobs = [
            (evolve(self.search, iterations=share + (number < rest)), own.child(number))
            for number in range(self.trees)
            if share + (number < rest)
        ]
        search = partial(_searched, state, self.engine, moves)
        found: list[Node] = []
        done = 0
        watch(0)
        for tree in self._map(search, jobs):
            found.append(tree)
            done += tree.visits
            watch(done)
        tree = merged(found)
        return Analysis(choose(tree, self.search), tree.visits, tree), after

    def _map(self, search: Any, jobs: list[tuple[Search, Any]]) -> Iterable[Node]:
        if self.executor is not None:
            return self.executor.map(search, *zip(*jobs, strict=True))
        if self.workers == 1:
            return (search(*job) for job in jobs)
        with ThreadPoolExecutor(self.workers) as threads:
            return list(threads.map(search, *zip(*jobs, strict=True)))


def _searched(
    state: Any, engine: str, root_moves: tuple[Any, ...] | None, search: Search, rng: Any
) -> Node:
    return analyse(state, rng, search, engine=engine, root_moves=root_moves)[0].tree


def parallel(
    search: Search | None = None,
    *,
    workers: int = 1,
    trees: int = 8,
    engine: str = 'auto',
    executor: Executor | None = None,
) -> ParallelBot:
    """A bot whose search is shared out among several trees, which are added up.

    :param search: the whole search; each tree makes its share of the iterations. What it keeps of
        nodes beside visits and rewards must be sums over iterations, as those of AMAF, or the same
        in each tree, as priors and proofs.
    :param workers: how many run at a time, as threads: of use with the compiled engine, which lets
        others run. The answer does not depend on it.
    :param trees: among how many the iterations are shared.
    :param executor: runs them instead, by the interface of `concurrent.futures.Executor`.
    :raises EngineError: no engine has that name.
    :raises TypeError: `search` is something else.
    :raises ValueError: a number is no whole number of at least 1, or the search keeps what cannot
        be added up, or has a schedule.

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
    if search.schedule is not None:
        raise ValueError('parallel shares out the iterations, and so does a schedule: leave it out')
    missing = unmergeable(search)
    if missing is not None:
        raise ValueError(f'parallel cannot add up what several searches find: {missing}')
    return ParallelBot(
        search, whole_number('trees', trees), whole_number('workers', workers), engine, executor
    )
