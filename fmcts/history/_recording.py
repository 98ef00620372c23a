"""Recording a running search: trees at intervals, and the choices of a schedule.

Versions in between are recomputed from the last stored tree before them. Every engine continues the
tree of any other to the bit, so results do not depend on which trees are stored.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, pairwise
from typing import Any, Final, Self, TypeAlias

from attrs import define, evolve, field, frozen

from fmcts import _linked as linked
from fmcts._engines import batched, inplace, monadic, persistent
from fmcts._engines.driver import Session
from fmcts._engines.plan import Found, Plan
from fmcts._running.automatic import Automatic, warn_of_rules
from fmcts._running.registry import ENGINES, find_engine
from fmcts.errors import EngineError, MethodError, RulesError
from fmcts.game import has_rewards
from fmcts.history._log import Log, Logging, log_of_trail
from fmcts.history._networks import Iteration, Keeper, Repeater, iterations_of
from fmcts.search._analysis import MoveStats
from fmcts.search._description import Search
from fmcts.search._digest import digest
from fmcts.search._tree import Node
from fmcts.search.networks import Answer
from fmcts.search.schedules import Forced, Line

Begin: TypeAlias = Callable[[Node, Any, Search], Session]
"""A function that starts the search of a root, as the engines do."""

BEGIN: Final[dict[str, Begin]] = {
    'compiled': linked.begin,
    'inplace': inplace.begin,
    'persistent': persistent.begin,
    'monadic': monadic.begin,
}
PYTHON: Final = 'inplace', 'persistent', 'monadic'
STORED: Final = 16  # trees of a long search
LEAST: Final = {'compiled': 5_000}  # iterations between two stored trees, by engine
USUAL: Final = 250
LONG: Final = 200_000  # iterations for which `auto` links


def begin_of(engine: str, root: Node, rng: Any, search: Search) -> tuple[str, Begin]:
    """Return the engine that records the search, and its function that starts a session.

    `auto` is `compiled` if such searches are linked by now, or the search is long; otherwise
    `persistent`, whose versions share nodes. It is `persistent` for a search with a network.

    :raises EngineError: the engine does not support the search, or does not record it.
    """
    if search.network is not None:
        return _begin_batches('persistent' if engine == 'auto' else engine)
    if engine == 'auto':
        found = find_engine('auto', root, rng, search)
        if isinstance(found, Automatic) and (
            search.iterations >= LONG or found.is_linked(root, rng, search)
        ):
            try:
                linked.begin(root, rng, search)
            except RulesError as error:
                warn_of_rules(root.state, error, 'persistent')
            else:
                return 'compiled', linked.begin
        return 'persistent', persistent.begin
    missing = ENGINES[engine].unsupported(root, rng, search)
    if missing is not None:
        raise EngineError(f'the engine {engine} does not support {missing}')
    return engine, BEGIN[engine]


def _begin_batches(engine: str) -> tuple[str, Begin]:
    if engine not in PYTHON:
        raise EngineError(
            f'the engine {engine} does not record the answers of a network in a history; '
            f'use one of: {", ".join(PYTHON)}'
        )
    return engine, partial(batched.begin, engine)


def spacing_of(engine: str, iterations: int, batch: int = 1) -> int:
    """Return the number of iterations between two stored trees, a multiple of `batch`."""
    least = max(LEAST.get(engine, USUAL), -(-iterations // STORED))
    return least + -least % batch


def noting(plan: Plan, note: Callable[[Any], object]) -> Plan:
    """Return a plan that also calls `note` with the outcome of each iteration."""

    def noted(find: Callable[..., Found]) -> Callable[..., Found]:
        def found(*given: Any) -> Found:
            result = find(*given)
            note(result[0])
            return result

        return found

    return evolve(plan, playout=noted(plan.playout), ended=noted(plan.ended))


def _telling(note: Callable[[Any], object]) -> Begin:
    """Return `persistent.begin`, of sessions that tell the outcome of each iteration."""

    def begin(root: Node, rng: Any, search: Search) -> Session:
        session = persistent.begin(root, rng, search)
        return evolve(session, plan=noting(session.plan, note))

    return begin


@frozen
class Checkpoint:
    """A stored tree, its number of iterations, and the generator to use next.

    `asked` is how many answers the network had given.
    """

    iterations: int
    tree: Node
    rng: Any
    asked: int = 0


@define
class Recording:
    """A session that advances another one and stores some of its trees.

    `forced` are the choices of the schedule, each with its first iteration, and `answers` the
    network's answers.
    """

    begin: Begin
    search: Search
    spacing: int
    session: Session
    stored: list[Checkpoint]
    answers: list[Answer]
    logging: Logging | None = None
    forced: list[tuple[int, Forced]] = field(factory=list)
    goal: int = 0  # visits of the root where the last advance was to end

    @classmethod
    def of(
        cls, begin: Begin, root: Node, rng: Any, search: Search, spacing: int, *, logged: bool
    ) -> Self:
        """Start to record the search of a root; `logged`: with its log, by `persistent` alone.

        A network is a `Keeper`.
        """
        network = search.network
        answers = network.answers if isinstance(network, Keeper) else []
        part = evolve(search, iterations=min(spacing, search.iterations))
        first = Checkpoint(root.iterations, root, rng, len(answers))
        logging = None
        if logged and begin is persistent.begin:
            logging = Logging(root)
            begin = _telling(logging.outcomes.append)
        return cls(begin, part, spacing, begin(root, rng, part), [first], answers, logging)

    @property
    def visits(self) -> int:
        """The visits of the root."""
        return self.session.visits

    @property
    def ended(self) -> bool:
        """True if the search has ended."""
        return self.session.ended

    def advance(self, iterations: int, forced: Forced = None) -> Self:
        """Return the recording itself, after `iterations` more iterations; see `Session`."""
        within = self.visits == self.goal and self.visits % self.search.batch  # a batch was cut
        if not self.forced or self.forced[-1][1] != forced or within:
            self.forced.append((self.visits, forced))
        self.goal = goal = self.visits + iterations
        while self.visits < goal and not self.ended:
            following = self.stored[-1].iterations + self.spacing
            following -= following % self.search.batch
            self._advance(min(goal, following) - self.visits, forced)
            if self.visits == following and not self.ended:
                tree, rng = self.session.finish()
                self.stored.append(Checkpoint(following, tree, rng, len(self.answers)))
                self.session = self.begin(tree, rng, self.search)
            if self.search.network is not None:
                break
        return self

    def _advance(self, iterations: int, forced: Forced) -> None:
        if self.logging is None:
            self.session = self.session.advance(iterations, forced)
            return
        session: Any = self.session
        for _ in range(iterations):
            session = session.advance(1, forced)
            if session.ended:
                break
            self.logging.add(session.tree)
        self.session = session

    def stats(self, line: Line = ()) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves, or of the node at the end of a line."""
        return self.session.stats(line) if line else self.session.stats()

    def finish(self) -> tuple[Node, Any]:
        """Return the tree, and the generator to use next; both are stored."""
        tree, rng = self.session.finish()
        if self.stored[-1].iterations < tree.iterations:
            self.stored.append(Checkpoint(tree.iterations, tree, rng, len(self.answers)))
        return tree, rng


@frozen
class Record:
    """The result of a recording, as a value: every version is recomputed from it.

    `search` has the schedule that `with_draws` gave it.
    `logged` is the log of the search, if it was written meanwhile. `answers` are the
    network's, in the order of the iterations that asked for one.
    """

    begin: Begin
    search: Search
    stored: tuple[Checkpoint, ...]
    forced: tuple[tuple[int, Forced], ...]
    logged: Log | None = None
    answers: tuple[Answer, ...] = ()

    def check_network(self, first: int, last: int) -> None:
        """Check that the network still answers what it answered in these iterations.

        :raises MethodError: it does not.
        """
        if self.search.network is None:
            return
        for start, end in pairwise(self.stored):
            if start.iterations < last and first < end.iterations:
                found = self._after(start, end.iterations, self.search)
                if found.rng != end.rng or digest(found.tree) != digest(end.tree):
                    raise MethodError(
                        'the network of the search has changed since this history was recorded, '
                        f'and iterations {start.iterations + 1} to {end.iterations} would differ: '
                        'record it again'
                    )

    def version(self, iterations: int) -> Checkpoint:
        """Return the tree and the generator after this number of iterations."""
        last = self._before(iterations)
        if iterations == last.iterations:
            return last
        return self._after(last, iterations)

    def _after(
        self, start: Checkpoint, iterations: int, search: Search | None = None
    ) -> Checkpoint:
        search = search or self._repeated(start)
        part = evolve(search, iterations=iterations - start.iterations)
        session = self.begin(start.tree, start.rng, part)
        for count, forced in self._steps(start.iterations, iterations):
            goal = session.visits + count
            while session.visits < goal and not session.ended:
                session = session.advance(goal - session.visits, forced)
        return Checkpoint(iterations, *session.finish())

    def versions(
        self, first: int, last: int, note: Callable[[Any], object] | None = None
    ) -> Iterator[Checkpoint]:
        """Yield the versions of `first` to `last` iterations, each sharing nodes with the next.

        Before each but the first, `note` receives the outcome of its iteration.
        """
        if self.search.network is not None:
            yield from self._versions_of_batches(first, last, note)
            return
        found = self.version(first)
        yield found
        session = persistent.begin(found.tree, found.rng, self.search)
        if note is not None:
            session = evolve(session, plan=noting(session.plan, note))
        for count, forced in self._steps(first, last):
            for _ in range(count):
                session = session.advance(1, forced)
                yield Checkpoint(session.visits, session.tree, session.rng)

    def log(self) -> Log:
        """Return the log of the search.

        The compiled engine writes it as it searches, unless the search has full expansion or the
        game has rewards. For other engines `persistent` repeats the search.
        """
        first, last = self.stored[0], self.stored[-1]
        if self.logged is not None:
            return self.logged
        leaves_trail = linked.leaves_trail(self.search) and not has_rewards(first.tree.state)
        if self.begin is linked.begin and leaves_trail:
            part = evolve(self.search, iterations=max(1, last.iterations - first.iterations))
            steps: Any = self._steps(first.iterations, last.iterations)
            trail = linked.trail_of(first.tree, first.rng, part, steps)
            if trail is not None:
                return log_of_trail(first.tree, last.tree, trail)
        logging = Logging(first.tree)
        note = logging.outcomes.append
        versions = self.versions(first.iterations, last.iterations, note)
        for each in islice(versions, 1, None):
            logging.add(each.tree)
        return logging.log()

    def iterations(self, first: int, last: int) -> Iterator[Iteration]:
        """Yield the iterations that lead from the version `first` of batches to `last`."""
        start = self._before(first)
        steps = self._steps(start.iterations, last)
        found = iterations_of(start.tree, self._repeated(start), steps)
        return (each for each in found if each.credited.tree.visits > first)

    def _versions_of_batches(
        self, first: int, last: int, note: Callable[[float], object] | None
    ) -> Iterator[Checkpoint]:
        start = self._before(first)
        if start.iterations == first:
            yield start
        for each in self.iterations(first - (start.iterations < first), last):
            tree, for_x = each.credited.tree, each.credited.for_x
            if note is not None and tree.visits > first:
                note(for_x)
            yield Checkpoint(tree.visits, tree, start.rng)

    def _repeated(self, start: Checkpoint) -> Search:
        """Return the search, with the network's answers after a checkpoint in its place."""
        if self.search.network is None:
            return self.search
        return evolve(self.search, network=Repeater(self.answers, start.asked))

    def forced_at(self, iteration: int) -> Forced:
        """Return the schedule's choice for the iteration after this number of iterations."""
        place = bisect_right(self.forced, iteration, key=lambda step: step[0]) - 1
        return self.forced[place][1] if place >= 0 else None

    def _before(self, iterations: int) -> Checkpoint:
        place = bisect_right(self.stored, iterations, key=lambda each: each.iterations)
        return self.stored[place - 1]

    def _steps(self, first: int, last: int) -> Iterator[tuple[int, Forced]]:
        """Yield the lengths of runs of iterations with the same choice, from `first` to `last`."""
        within = [start for start, _ in self.forced if first < start < last]
        for start, end in pairwise((first, *within, last)):
            yield end - start, self.forced_at(start)
