"""`History`: a search with all its versions, as one value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Final, Generic

from attrs import evolve, field, frozen

from fmcts import _linked as linked
from fmcts._arguments import is_number, seeds_of, shown, whole_number
from fmcts._declared import shown_by
from fmcts._engines import batches_of, choose, credit, drive, with_draws
from fmcts._promises import limits_of
from fmcts._running import (
    check_call,
    check_engine,
    check_unscheduled,
    look_at,
    moves_by_seeds,
    root_to_search,
)
from fmcts.errors import IterationsError, NoRoomError
from fmcts.game import GameState, M, has_rewards, players_of
from fmcts.history._changes import (
    Change,
    Decisive,
    Lead,
    Stability,
    Timeline,
    changes_of_choice,
    is_by_counts,
    leads_of,
    sampled,
    timeline_of,
)
from fmcts.history._log import Log, Outcome, checked_iteration
from fmcts.history._reasons import (
    Made,
    Why,
    made_in_batch,
    reasons,
    repeat_iteration,
    worth_in_words,
)
from fmcts.history._recording import (
    Checkpoint,
    Iteration,
    Keeper,
    Record,
    Recording,
    Repeater,
    engine_of,
    spacing_of,
)
from fmcts.rng import Rng
from fmcts.search import Analysis, Node, Search, Watch, ignore
from fmcts.search.networks import Answer

OPPOSITES: Final[Mapping[Any, tuple[float, ...]]] = {0.0: (1.0,), 0.5: (0.0, 1.0), 1.0: (0.0,)}
"""What else a playout might have been worth to X, by what it was."""

MOST_REPEATED: Final = 200_000  # iterations of a search that is made with other seeds unasked


@frozen(repr=False)
class History(Generic[M]):
    """A search with all its versions; `history` makes it.

    Iterations are counted as in `Analysis.iterations`, including those of an initial tree. Version
    `k` is the tree after `k` iterations, and iteration `k` makes it from version `k - 1`. `root`
    and `rng` are the tree and the generator before the first iteration; `tree` is the last version,
    `after` the generator to use next, and `engine` the name of the engine that recorded it. What is
    searched later (a fork, for example) takes the engine that was asked for, `auto` by default.

    Histories are equal if their roots, searches and last versions are equal.

    Versions are recomputed when they are asked for, so the functions of the search and the game
    must stay as they were.
    """

    root: Node
    rng: Any = field(eq=False)
    search: Search = field(hash=False)
    engine: str = field(eq=False)
    tree: Node
    after: Any = field(eq=False)
    _record: Record = field(alias='record', eq=False)
    _asked: str = field(alias='asked', eq=False)

    @property
    def first(self) -> int:
        """The iterations of the initial tree: 0 for a new search."""
        return self.root.iterations

    @property
    def last(self) -> int:
        """The iterations of the last version."""
        return self.tree.iterations

    @property
    def move(self) -> M:
        """The move that the search chooses at the end."""
        return choose(self.tree, self._record.search)  # type: ignore[no-any-return]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The network's answers, one for each node that the search made and that is not over.

        With a schedule that draws, an answer about the root comes first.
        """
        return self._record.answers

    @property
    def digest(self) -> str:
        """The digest of the last version, as in `Analysis.digest`."""
        return self.at(self.last).digest

    @cached_property
    def log(self) -> Log:
        """The log of the search, a few bytes per iteration; see `fmcts.history._log`."""
        return self._record.log()

    # ---- going back ----

    def at(self, iteration: int) -> Analysis[M]:
        """Return the version after `iteration` iterations.

        It equals the result of a search with that number of iterations, unless the search has a
        schedule, which divides up the total.

        :raises IterationsError: `search.final` is `robust-of-all`, and a move has no visit yet.
        :raises ValueError: there is no such version.
        """
        return self._analysis(self._version(iteration, 1)[0])

    def rng_at(self, iteration: int) -> Any:
        """Return the generator after `iteration` iterations.

        :raises ValueError: there is no such version.
        """
        return self._version(iteration, 0)[1]

    def versions(self, first: int | None = None) -> Iterator[Node]:
        """Yield the versions from `first` to the last.

        By default, it starts at the earliest version with a visit. Each version shares all nodes
        with the one before, except those on one path.

        :raises ValueError: there is no such version.
        """
        begin = max(self.first, 1) if first is None else self._check(first, 0)
        return self._record.versions(begin, self.last)

    def when(self, predicate: Callable[[Node], object], *, for_good: bool = False) -> int | None:
        """Return the first version whose tree satisfies the predicate; `None` if none does.

        With `for_good`, return the first from which on all versions satisfy it.
        """
        if not callable(predicate):
            raise TypeError(f'predicate must be a function of a tree, not {shown(predicate)}')
        found = None
        for tree in self.versions():
            if predicate(tree):
                found = tree.iterations if found is None else found
                if not for_good:
                    return found
            else:
                found = None
        return found

    # ---- changes ----

    def between(self, first: int, last: int) -> Change:
        """Return what changed from one version to a later one.

        :raises ValueError: there is no such version, or `first` is the later one.
        """
        if self._check(first, 1) > self._check(last, 1):
            raise ValueError(f'between needs the earlier version first, not {first} and {last}')
        before, after = self.at(first), self.at(last)
        return Change(before.tree, after.tree, (before.move, after.move))

    def leaders(self) -> tuple[Lead, ...]:
        """Return the versions at which the move to be played changed."""
        search = self._record.search
        if is_by_counts(search):
            return tuple(leads_of(changes_of_choice(self.tree, self.log, search)))
        return tuple(leads_of(self._decided(version) for version in self.versions()))

    def timeline(self, points: int = 200) -> Timeline:
        """Return the statistics of the root's moves at evenly spaced versions.

        There are about `points` of them, including the first and the last. A notebook shows them
        as a table.

        :raises ValueError: `points` is not a whole number of at least 1.
        """
        return timeline_of(self.tree, self.log, points, self.versions())

    def why(self, iteration: int) -> Why:
        """Return the reason for each choice of an iteration.

        In a search by batches its descent met the tree before its batch, with a visit more on the
        way of each descent before it, and so do the visits and scores that are compared.

        :raises ValueError: there is no such iteration.
        """
        self._check(iteration, self.first + 1)
        forced = self._record.forced_at(iteration - 1)
        if self.search.network is not None:
            return reasons(
                iteration, made_in_batch(self._iteration(iteration)), self.search, forced
            )
        before, rng = self._before(iteration)
        made = repeat_iteration(before, rng, self.search, forced)
        return reasons(iteration, made, self.search, forced)

    # ---- alternatives ----

    def fork(
        self,
        iteration: int,
        search: Search | None = None,
        rng: Rng | None = None,
        *,
        watch: Watch = ignore,
    ) -> History[M]:
        """Return a history that continues from version `iteration` of this one.

        It continues with `search` and `rng`, by default as this history does, with the same
        results. Its root is the tree of `at(iteration)`; versions share what they do not change.
        `watch` is as in `analyse`.

        :raises ValueError: there is no such version; no iteration is left, and no `search` is
            given, or the version is inside a batch; the search has other columns, or one of the two
            has a schedule.
        """
        tree, after = self._version(iteration, 0)
        if search is None:
            search = self._rest(iteration)
        return recorded(tree, after if rng is None else rng, search, self._asked, watch)

    def what_if(self, iteration: int, outcome: Outcome) -> WhatIf[M]:
        """Return what the search would have found if a playout had been worth `outcome` to X.

        The generators of all other iterations stay the same. In a game with rewards or other
        players `outcome` is a tuple with the reward of each player.

        :raises ValueError: there is no such iteration, or it had no playout, since it ended at a
            finished state; `outcome` is not 0, 1/2 or 1 (with an evaluation, a network or rewards,
            a number from 0 to 1); or the search has a schedule, or a `batch` of more than 1.
        """
        self._check_outcome(outcome)
        check_unscheduled(self.search, 'what_if has no such count')
        worth = tuple(map(float, outcome)) if isinstance(outcome, tuple) else float(outcome)
        made = self._with_outcome(iteration, worth)
        if made.ended:
            raise ValueError(
                f'iteration {iteration} has no playout: it ended at a finished state in the tree'
            )
        rest = evolve(self.search, iterations=max(1, self.last - iteration))
        if iteration < self.last:
            other = recorded(made.tree, made.rng, rest, self._asked, ignore)
        else:
            name = engine_of(self._asked, made.tree, made.rng, rest)
            record = Record(name, rest, (Checkpoint(iteration, made.tree, made.rng),), ())
            other = History(
                *(made.tree, made.rng, rest, name, made.tree, made.rng, record, self._asked)
            )
        return WhatIf(iteration, made.outcome, worth, self.move, other, self)

    def stability(self, seeds: int | Iterable[int] = 20) -> Stability:
        """Return how often searches with other generators choose the same move.

        The generators are `rng.child(seed)` for each of `seeds`; a number means 0, 1, 2...
        below it. Moves that were proposed are seldom equal, so that few count as the same.

        :raises TypeError: `seeds` is neither a number nor a row of them.
        :raises ValueError: there are no seeds, or the search has a network and draws nothing.
        """
        numbers = seeds_of(seeds, 'stability')
        moves = moves_by_seeds(self.root, self.rng, self.search, numbers, self._asked)
        return Stability(self.move, tuple(Counter[M](moves).most_common()))

    def agreement(self) -> tuple[int, int] | None:
        """Return how many searches with 20 other generators choose the same move, and 20.

        As in `stability`, moves that were proposed are seldom equal.
        `None` where this would take long, without machine code or after more than 200,000
        iterations; and for a search with a network, which may draw nothing.
        """
        search, seeds = self.search, 20
        if search.network is not None or search.iterations > MOST_REPEATED:
            return None
        if linked.unsupported(self.root, self.rng, search) is not None:
            return None
        return dict(self.stability(seeds).counts).get(self.move, 0), seeds

    def decisive(self, samples: int = 200) -> tuple[Decisive, ...]:
        """Return which playouts of a sample decided the choice, the earliest first.

        For each iteration of the sample the search is made again, with a win for the other side in
        place of that playout's outcome (in place of a draw, first a loss for X and then a win).
        Early iterations are sampled more closely, as they decide more often.

        :raises ValueError: `samples` is not a whole number of at least 1; or what `what_if` raises,
            for a search with a schedule or a batch.
        """
        whole_number('samples', samples)
        check_unscheduled(self.search, 'what_if has no such count')
        root, rng, outcomes = self.root, self.rng, self.log.outcomes
        search = evolve(self.search, iterations=self.last - self.first)  # it may have ended early
        cases = [
            (self.first + number, other)
            for number in sampled(self.last - self.first, samples)
            for other in OPPOSITES.get(outcomes[number - 1], ())
        ]
        moves: Iterable[M] = (self._choice_if(*case) for case in cases)
        able = search.transpositions is None and search.stop is None and not self.first
        if able and linked.unsupported(root, rng, search) is None:
            with suppress(linked.Fault):  # where Python raises the user's error
                trees = linked.altered(root, rng, search, cases)
                moves = [choose(tree, search) for tree in trees]
        return tuple(
            Decisive(iteration, outcomes[iteration - self.first - 1], other, move)
            for (iteration, other), move in zip(cases, moves, strict=True)
            if move != self.move
        )

    def _choice_if(self, iteration: int, outcome: float) -> M:
        """Return the move chosen if a playout had been worth that; as it is, if there was none."""
        ended = self._with_outcome(iteration, outcome).ended
        return self.move if ended else self.what_if(iteration, outcome).move

    # ---- inside ----

    def _check_outcome(self, outcome: object) -> None:
        """Check what a playout is supposed to be worth.

        :raises ValueError: it is not an outcome of the game.
        """
        if has_rewards(self.root.state):
            count, (least, most) = len(players_of(self.root.state)), limits_of(self.root.state)
            if (
                not isinstance(outcome, tuple)
                or len(outcome) != count
                or not all(is_number(each) and least <= each <= most for each in outcome)
            ):
                raise ValueError(
                    f'outcome must be a tuple of {count} numbers from {least:g} to {most:g}, one '
                    f'for each player, not {shown(outcome)}'
                )
            return
        search = self.search
        real = any(it is not None for it in (search.evaluate, search.reward, search.network))
        known: Any = outcome
        if not is_number(known) or not (0 <= known <= 1 and (real or known in OPPOSITES)):
            wanted = 'a number from 0 to 1' if real else '0, 0.5 or 1'
            raise ValueError(f'outcome must be {wanted}, not {shown(outcome)}')

    def _check(self, iteration: object, least: int) -> int:
        """Return the checked number of a version, which must be at least `least`."""
        return checked_iteration(iteration, max(least, self.first), self.last)

    def _version(self, iteration: int, least: int) -> tuple[Node, Any]:
        found = self._record.version(self._check(iteration, least))
        return found.tree, found.rng

    def _before(self, iteration: int) -> tuple[Node, Any]:
        self._check(iteration, self.first + 1)
        return self._version(iteration - 1, 0)

    def _analysis(self, tree: Node) -> Analysis[M]:
        return Analysis(choose(tree, self._record.search), tree.iterations, tree)

    def _decided(self, tree: Node) -> Analysis[M] | None:
        try:
            return self._analysis(tree)
        except (IterationsError, NoRoomError):
            return None

    def _rest(self, iteration: int) -> Search:
        check_unscheduled(self.search, 'a fork has none: give it a search')
        if iteration == self.last:
            raise ValueError(f'no iteration is left after {iteration}: give the fork a search')
        if self.search.batch > 1 and iteration > self.first:
            first = self._iteration(iteration + 1).first
            if first < iteration:
                if self.search.sliding:
                    raise ValueError(
                        f'descents were in flight after iteration {iteration}: give the fork a '
                        'search'
                    )
                raise ValueError(
                    f'iteration {iteration} is inside the batch that follows {first}: fork at '
                    f'{first}, or give the fork a search'
                )
        return evolve(self.search, iterations=self.last - iteration)

    def _iteration(self, iteration: int) -> Iteration:
        """Return an iteration of a search with a network."""
        return next(self._record.iterations(iteration - 1, iteration))

    def _with_outcome(self, iteration: int, outcome: Any) -> Made:
        """Return an iteration whose playout had another outcome.

        `Made.outcome` is the real one; its tree has the other.
        """
        search = self.search
        before, rng = self._before(iteration)
        if search.network is None:
            return repeat_iteration(before, rng, search, None, outcome)
        if search.batch > 1:
            raise ValueError(
                f'what_if needs batch=1, not {search.batch}: later descents of a batch do not see '
                'the outcome'
            )
        found = self._iteration(iteration).credited
        made = made_in_batch(self._iteration(iteration))
        if found.answer is None:
            return made
        answer, batches = found.answer._replace(for_x=outcome), batches_of(search, before.state)
        other = credit(before, found.descent, answer, batches)
        return evolve(made, tree=other.tree)

    _repr_html_ = shown_by('_histories.history_html')

    def __repr__(self) -> str:
        return (
            f'<History of {type(self.root.state).__name__}, iterations {self.first} to '
            f'{self.last}, move {shown(self.move)}, engine {self.engine}>'
        )


@frozen
class WhatIf(Generic[M]):
    """A search in which one playout ended differently.

    `before` is the real outcome of the playout, `outcome` the assumed one, `chosen` the move that
    the search chose, `history` the search with the assumed outcome, from that iteration on, and
    `real` the search as it was.
    """

    iteration: int
    before: Outcome
    outcome: Outcome
    chosen: M
    history: History[M]
    real: History[M]

    @property
    def move(self) -> M:
        """The move that the search would have chosen."""
        return self.history.move

    @property
    def changes_the_choice(self) -> bool:
        """True if the search would have chosen another move."""
        return self.move != self.chosen

    _repr_html_ = shown_by('_histories.what_if_html')

    def __repr__(self) -> str:
        chosen = f'{self.chosen} becomes {self.move}' if self.changes_the_choice else 'same move'
        worth, before = (
            worth_in_words(each, self.history.root.state) for each in (self.outcome, self.before)
        )
        before = before.removesuffix(' to X')
        return f'<WhatIf iteration {self.iteration} had been worth {worth}, not {before}: {chosen}>'


def history(
    state: GameState[M],
    rng: Rng,
    search: Search,
    engine: str = 'auto',
    *,
    tree: Node | Analysis[M] | None = None,
    root_moves: Iterable[M] | None = None,
    watch: Watch = ignore,
) -> History[M]:
    """Search `state`, and return the search with all its versions.

    The last version equals the result of `analyse`. Every engine records the same history; `auto`
    takes the compiled engine if such searches are linked by now or the search is long, otherwise
    `persistent`. `tree`, `root_moves` and `watch` are as in `analyse`.

    An error of a network has the history before it as `error.searched`.

    At most sixteen trees are stored, and the versions between them are recomputed on demand, in at
    most a tenth of the time of the search.

    >>> from fmcts import Search, SplitMix
    >>> from fmcts.games import tictactoe
    >>> h = history(tictactoe.start, SplitMix.from_seed(1), Search(iterations=300))
    >>> h.at(100).move, h.move
    (5, 8)
    >>> str(h.leaders()[-1])
    'iteration 199: 8 overtakes 5: 31 visits of mean 0.758 against 31 visits of mean 0.742'
    >>> h.when(lambda tree: tree.most_visited().move == 8, for_good=True)
    215

    :raises Exception: as `analyse`.
    """
    check_engine(engine)
    check_call(state, rng, search)
    root = root_to_search(state, search, tree, root_moves)
    look_at(state, engine)
    return recorded(root, rng, search, engine, watch)


def recorded(
    root: Node,
    rng: Any,
    search: Search,
    engine: str,
    watch: Watch,
    *,
    answers: Sequence[Answer] | None = None,
) -> History[Any]:
    """Return the history of a search from that root.

    `answers`: the network's, if it must not be asked again.
    """
    if root.visits and search.schedule is not None:
        check_unscheduled(search, 'a tree that has visits is continued without one')
    root = root_to_search(root.state, search, root, None)
    name = engine_of(engine, root, rng, search)
    spacing = spacing_of(name, search.iterations, search.batch)
    if search.sliding:  # what is in flight is not stored
        spacing = search.iterations + search.batch
    asked = search
    if search.network is not None:
        network = search.network if answers is None else Repeater(answers)
        asked = evolve(search, network=Keeper(network, []))
    drawn, begun, before = with_draws(asked, root, rng)
    recording = Recording.of(name, begun, before, drawn, spacing)

    def found() -> History[Any]:
        tree, after = recording.finish()
        choose(tree, drawn)  # the final choice may fail, as in the search itself
        record = Record(
            name,
            evolve(drawn, network=search.network),
            tuple(recording.stored),
            tuple(recording.forced),
            None if recording.writer is None else recording.writer.log(),
            tuple(recording.answers),
        )
        return History(root, rng, search, name, tree, after, record, engine)

    try:
        drive(recording, drawn, watch)
    except Exception as error:
        session = vars(error).pop('searched', None)
        if session is not None and session.visits > root.visits:
            recording.session = session
            vars(error)['searched'] = found()
        raise
    return found()
