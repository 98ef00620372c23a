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
from fmcts.search.automatic import expect
from fmcts.search.description import Search, check_search
from fmcts.search.engines import check_engine
from fmcts.search.entry_points import analyse
from fmcts.search.final import PREFERENCES, choose
from fmcts.search.merging import merged
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
        """Return the analysis of all the trees together, and the generator to use next.

        `watch` receives the number of iterations done so far whenever a tree is finished.
        """
        own, after = rng.split()
        moves = None if root_moves is None else tuple(root_moves)
        share, rest = divmod(self.search.iterations, self.trees)
        jobs = [
            (evolve(self.search, iterations=share + (number < rest)), own.child(number))
            for number in range(self.trees)
            if share + (number < rest)
        ]
        if self.engine == 'auto' and state.moves:
            expect(state, own, jobs[0][0], self.search.iterations)
        search = partial(_searched, state, self.engine, moves)
        found: list[Node] = []
        done = 0
        watch(0)
        for tree in self._map(search, jobs):
            found.append(tree)
            done += tree.visits
            watch(done)
        tree = merged(found, self.search.settling)
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
    """Return a bot that shares its search out among several trees and adds them up.

    The merged tree has visits, rewards and proofs; columns of the method and what playouts remember
    stay in the trees that it is made of.

    :param search: the whole search; each tree makes its share of the iterations.
    :param workers: how many trees are searched at a time, by threads; this helps with the compiled
        engine, which runs outside Python's lock. The answer does not depend on it.
    :param trees: among how many trees the iterations are shared.
    :param executor: runs the trees instead, by the interface of `concurrent.futures.Executor`.
    :raises EngineError: no engine has that name.
    :raises TypeError: `search` is not a `Search`.
    :raises ValueError: a number is not a whole number of at least 1; or the search has
        transpositions, or chooses its move by scores that depend on columns.

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
    if search.transpositions is not None:
        raise ValueError('parallel cannot merge graphs: use a search without transpositions')
    if search.method.names and search.final not in PREFERENCES:
        raise ValueError(
            f'the merged tree of parallel has no columns, and final={search.final!r} may read '
            f'those of {type(search.method).__name__}: use one of {", ".join(PREFERENCES)}'
        )
    return ParallelBot(
        search, whole_number('trees', trees), whole_number('workers', workers), engine, executor
    )
