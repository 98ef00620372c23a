"""Recording a search, and recomputing its versions: trees at intervals, choices, answers.

Versions in between are recomputed from the last stored tree before them. Every engine continues the
tree of any other to the bit, so results do not depend on which trees are stored.

Of a search with a network the answers are stored, and its batches are repeated with them. A version
in the middle of a batch is the tree after some of its descents were backed up, as a search with
that number of iterations leaves it. The path of a descent was chosen in another tree: the one
before its batch, with the virtual losses of the earlier descents.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, Self, TypeAlias

from attrs import define, evolve, field, frozen

from fmcts import _linked as linked
from fmcts._arguments import amount
from fmcts._engines import (
    Credited,
    Found,
    Plan,
    Session,
    credit,
    graph,
    inplace,
    monadic,
    persistent,
    windows,
)
from fmcts._running import ENGINES, Automatic, find_engine, warn_of_rules
from fmcts.errors import EngineError, MethodError, RulesError
from fmcts.game import has_rewards
from fmcts.history._log import GraphWriter, Log, LogWriter, log_of_trail
from fmcts.search import MoveStats, Node, Search
from fmcts.search.networks import Answer, Answering, Network, answers_of
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


def session_of(engine: str, root: Node, rng: Any, search: Search) -> Any:
    """Return the search of a root by an engine, before its first iteration."""
    if search.network is not None:
        return windows.flying(root, rng, search)
    if search.transpositions is not None:
        return graph.begin(engine, root, rng, search)
    return BEGIN[engine](root, rng, search)


def engine_of(engine: str, root: Node, rng: Any, search: Search) -> str:
    """Return the engine that records the search.

    `auto` is `compiled` if such searches are linked by now, or the search is long; otherwise
    `persistent`, whose versions share nodes. It is `persistent` for a search with a network or
    transpositions.

    :raises EngineError: the engine does not support the search, or does not record it.
    """
    if search.network is not None:
        engine = 'persistent' if engine == 'auto' else engine
        if engine not in PYTHON:
            raise EngineError(
                f'the engine {engine} does not record the answers of a network in a history; '
                f'use one of: {", ".join(PYTHON)}'
            )
        return engine
    if engine == 'auto' and search.transpositions is not None:
        engine = 'persistent'
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
                return 'compiled'
        return 'persistent'
    # Of a graph versions are made by `persistent`, whichever engine searches.
    missing = ENGINES[engine].unsupported(root, rng, search) or graph.unsupported(root, rng, search)
    if missing is not None:
        raise EngineError(f'the engine {engine} does not support {missing}')
    return engine


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


def written(
    root: Node, rng: Any, search: Search, writer: LogWriter | None = None
) -> tuple[Any, LogWriter]:
    """Return a session of `persistent` that reports outcomes to a writer, by default a new one."""
    session = session_of('persistent', root, rng, search)
    if writer is None:
        kind = LogWriter if search.transpositions is None else GraphWriter
        writer = kind(session.tree, search)
    return evolve(session, plan=noting(session.plan, writer.outcomes.append)), writer


def advanced(session: Any, iterations: int, forced: Forced, writer: LogWriter | None) -> Any:
    """Return a session after `iterations` more, each of which the writer gets, if there is one."""
    if writer is None:
        return session.advance(iterations, forced)
    for _ in range(iterations):
        session = session.advance(1, forced)
        if session.ended:
            break
        writer.add(session.tree)
    return session


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

    engine: str
    search: Search
    spacing: int
    session: Session
    stored: list[Checkpoint]
    answers: list[Answer]
    writer: LogWriter | None = None
    forced: list[tuple[int, Forced]] = field(factory=list)
    goal: int = 0  # visits of the root where the last advance was to end

    @classmethod
    def of(cls, engine: str, root: Node, rng: Any, search: Search, spacing: int) -> Self:
        """Start to record the search of a root. A network is a `Keeper`."""
        answers = search.network.answers if isinstance(search.network, Keeper) else []
        part = evolve(search, iterations=min(spacing, search.iterations))
        first = Checkpoint(root.iterations, root, rng, len(answers))
        if engine != 'persistent' or search.network is not None:
            session = session_of(engine, root, rng, part)
            return cls(engine, part, spacing, session, [first], answers)
        session, writer = written(root, rng, part)
        return cls(engine, part, spacing, session, [first], answers, writer)

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
        # A cut batch is another one when it is repeated, so that its end is kept too.
        if not self.forced or self.forced[-1][1] != forced or within:
            self.forced.append((self.visits, forced))
        self.goal = goal = self.visits + iterations
        while self.visits < goal and not self.ended:
            following = self.stored[-1].iterations + self.spacing
            following -= following % self.search.batch
            count = min(goal, following) - self.visits
            self.session = advanced(self.session, count, forced, self.writer)
            # A finished session is used up; the next begins at its tree, as any search may be
            # continued.
            if self.visits == following and not self.ended:
                tree, rng = self.session.finish()
                self.stored.append(Checkpoint(following, tree, rng, len(self.answers)))
                if self.writer is None:
                    self.session = session_of(self.engine, tree, rng, self.search)
                else:
                    self.session, _ = written(tree, rng, self.search, self.writer)
            if self.search.network is not None:
                break
        return self

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

    engine: str
    search: Search
    stored: tuple[Checkpoint, ...]
    forced: tuple[tuple[int, Forced], ...]
    logged: Log | None = None
    answers: tuple[Answer, ...] = ()

    def version(self, iterations: int) -> Checkpoint:
        """Return the tree and the generator after this number of iterations."""
        last = self._before(iterations)
        if iterations == last.iterations:
            return last
        part = evolve(self._repeated(last), iterations=iterations - last.iterations)
        session = session_of(self.engine, last.tree, last.rng, part)
        for count, forced in self.steps(last.iterations, iterations):
            goal = session.visits + count
            while session.visits < goal and not session.ended:
                session = session.advance(goal - session.visits, forced)
        return Checkpoint(iterations, *session.finish())

    def versions(self, first: int, last: int) -> Iterator[Node]:
        """Yield the trees of `first` to `last` iterations, each sharing nodes with the next."""
        found = self.version(first)
        yield found.tree
        if self.search.network is not None:
            yield from (each.credited.tree for each in self.iterations(first, last))
            return
        session = session_of('persistent', found.tree, found.rng, self.search)
        for count, forced in self.steps(first, last):
            for _ in range(count):
                session = session.advance(1, forced)
                yield session.tree

    def log(self) -> Log:
        """Return the log of the search.

        `persistent` writes it as it searches. The compiled engine writes it in a second run, unless
        nodes are made before they are visited or the game has rewards; then, and for the other
        engines, `persistent` repeats the search.
        """
        if self.logged is not None:
            return self.logged
        first, last = self.stored[0], self.stored[-1]
        part = evolve(self.search, iterations=max(1, last.iterations - first.iterations))
        steps: Any = self.steps(first.iterations, last.iterations)
        leaves_trail = linked.leaves_trail(self.search) and not has_rewards(first.tree.state)
        if self.engine == 'compiled' and leaves_trail:
            trail = linked.trail_of(first.tree, first.rng, part, steps)
            if trail is not None:
                return log_of_trail(first.tree, last.tree, trail, part)
        if self.search.network is not None:
            writer = LogWriter(first.tree, self.search)
            for each in self.iterations(first.iterations, last.iterations):
                writer.outcomes.append(each.credited.for_x)
                writer.add(each.credited.tree)
            return writer.log()
        session, writer = written(first.tree, first.rng, part)
        for count, forced in self.steps(first.iterations, last.iterations):
            session = advanced(session, count, forced, writer)
        return writer.log()

    def iterations(self, first: int, last: int) -> Iterator[Iteration]:
        """Yield the iterations of a search with a network from version `first` to `last`."""
        start = self._before(first)
        search, tree, rng = self._repeated(start), start.tree, start.rng
        flying = windows.flying(tree, rng, search, explained=True)
        for count, forced in self.steps(start.iterations, last):
            goal = tree.visits + count
            while tree.visits < goal:
                for descent, answer in flying.fly(goal, forced):
                    # The versions are copied apart, so that they share what an iteration leaves.
                    each = credit(tree, descent, answer, flying.batches)
                    tree = each.tree
                    if tree.visits > first:
                        yield Iteration(each)

    def forced_at(self, iteration: int) -> Forced:
        """Return the schedule's choice for the iteration after this number of iterations."""
        place = bisect_right(self.forced, iteration, key=lambda step: step[0]) - 1
        return self.forced[place][1] if place >= 0 else None

    def steps(self, first: int, last: int) -> Iterator[tuple[int, Forced]]:
        """Yield the lengths of runs of iterations with the same choice, from `first` to `last`."""
        within = [start for start, _ in self.forced if first < start < last]
        for start, end in pairwise((first, *within, last)):
            yield end - start, self.forced_at(start)

    def _before(self, iterations: int) -> Checkpoint:
        place = bisect_right(self.stored, iterations, key=lambda each: each.iterations)
        return self.stored[place - 1]

    def _repeated(self, start: Checkpoint) -> Search:
        """Return the search, with the network's answers after a checkpoint in its place."""
        if self.search.network is None:
            return self.search
        return evolve(self.search, network=Repeater(self.answers, start.asked))


@frozen
class Iteration:
    """An iteration of a search with a network."""

    credited: Credited

    @property
    def first(self) -> int:
        """The visits of the root that were backed up when its descent was made."""
        met = self.credited.descent.tree
        return met.visits - met.losses  # type: ignore[no-any-return]

    @property
    def visited(self) -> Iterator[tuple[Node | None, Node]]:
        """The nodes of the path, from the root down: as the descent met them, and afterwards.

        A node that the iteration made was `None`.
        """
        was: Node | None = self.credited.descent.tree
        now: Any = self.credited.tree
        yield was, now
        for place in self.credited.descent.line:
            was = was.places[place] if was and place < len(was.places) else None
            now = now.places[place]
            yield was, now


# ---- a network's answers ----


@frozen(eq=False)
class Keeper(Answering):
    """A network that appends its answers to a list."""

    network: Network
    answers: list[Answer]

    def __call__(self, states: Sequence[Any]) -> list[Answer]:
        """Return the network's answers."""
        found = answers_of(self.network, states)
        self.answers.extend(found)
        return found


@define(eq=False)
class Repeater(Answering):
    """The answers of an earlier search, one after another, from index `following` on."""

    answers: Sequence[Answer]
    following: int = 0

    def __call__(self, states: Sequence[Any]) -> list[Answer]:
        """Return as many of the answers as there are states.

        :raises MethodError: there are fewer, or one has another number of moves.
        """
        begin = self.following
        self.following += len(states)
        found = [*self.answers[begin : self.following]]
        pairs = zip(found, states, strict=True) if len(found) == len(states) else [(None, None)]
        if not all(it and len(it.priors) == len(it.moves_of(state)) for it, state in pairs):
            raise MethodError(
                f'the {len(self.answers)} stored answers do not fit the states of the search'
            )
        return found


@frozen
class Absent(Answering):
    """The network of a search of which only the answers are known: told, or from a file."""

    def __call__(self, states: Sequence[Any]) -> list[Answer]:
        """Raise `MethodError`."""
        raise MethodError(
            f'{amount(len(states), "more state")} must be evaluated, and only the answers so far '
            'are known: give a search with a network (to load_history, if this is from a file)'
        )


ABSENT: Final = Absent()
