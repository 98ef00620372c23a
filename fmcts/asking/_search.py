"""`Asking`: a search that asks for evaluations and is told the answers, as one frozen value.

Descents are made in a fixed order, each in a tree with a virtual loss for every one before it that
is not backed up yet (`fmcts._engines.windows`), and they are backed up in that order. An answer
that comes early waits. So the value depends on what was told, and not on when or in which order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Final, Generic, NamedTuple, TypeAlias

from attrs import evolve, field, frozen

from fmcts._arguments import amount, shown, whole_number
from fmcts._engines import batched, batches_of, choose, fitted, windows
from fmcts._running import check_call
from fmcts.asking._evaluation import (
    NAMES,
    Budget,
    Evaluation,
    Spent,
    checked,
    evaluation_again,
    evaluation_of,
    unlisted,
    values_of,
)
from fmcts.game import GameState, M
from fmcts.history import ABSENT, History, recorded
from fmcts.rng import Rng
from fmcts.search import Analysis, Node, Search, digest, ignore, plant
from fmcts.search.networks import Answer, Answering


@frozen
class Request(Generic[M]):
    """A position to evaluate.

    `id` counts the requests of a search, from 0. `path` are the moves from the root to `state`, and
    `mover` is who made the last of them. `attempt` is 1, and one more after each failure. `known`
    are the moves proposed before, if more of them are asked for.
    """

    id: int
    state: GameState[M]
    path: tuple[M, ...]
    mover: Any = field(repr=False)
    attempt: int = 1
    known: tuple[M, ...] = ()


class Reply(NamedTuple):
    """A request, the evaluation that it received, and the network's answer that this means."""

    request: Request[Any]
    evaluation: Evaluation
    answer: Answer


Row: TypeAlias = tuple[Any, ...]
"""The path, known moves and attempt of a request, then the evaluation, and the answer, as values.

It is one plain tuple, and no `Reply`: the collector of garbage does not visit plain tuples of
numbers and texts again, and there may be a hundred thousand.
"""

ASKED: Final = 3  # values of a row before those of the evaluation
SAID: Final = ASKED + len(NAMES)

Chain: TypeAlias = tuple[Any, Any] | None
"""What was backed up, the last first: rows that were so together, and the chain before them."""


@frozen
class Once(Answering):
    """A network that gives one answer, for the root."""

    answer: Answer

    def __call__(self, states: Sequence[Any]) -> list[Answer]:
        """Return the answer for each state."""
        return [self.answer for _ in states]


@frozen(eq=False, repr=False)
class Asking(Generic[M]):
    """A search with open requests, as a frozen value; `asking` makes it.

    `tell` and `fail` return another value and leave this one as it is, so every version can be kept
    and continued. Two are equal if their searches and answers are. They are pickled as their
    answers. `spent` is what the replies that were backed up have cost.
    """

    state: GameState[M]
    rng: Rng
    search: Search
    budget: Budget
    spent: Spent
    _root: Node = field(alias='root')
    _flight: windows.Flight | None = field(alias='flight')
    _open: windows.Queue[Request[M] | Row] = field(alias='open')  # a row for what came early
    _chain: Chain = field(default=None, alias='chain')
    _batches: Any = field(default=None, alias='batches')

    # ---- asking and telling ----

    def ask(self, after: int = -1) -> tuple[Request[M], ...]:
        """Return the open requests, oldest first; only those with an id above `after`."""
        # Ids count all requests ever made, and the queue begins with the first that waits.
        found = self._open.since(max(0, after + 1 - self.spent.calls))
        return tuple([it for it in found if isinstance(it, Request)])

    @property
    def over(self) -> bool:
        """True if nothing is asked any more: the iterations are made, or the search has ended."""
        return not self._open

    def tell(self, request: Request[M] | int, answer: Any) -> Asking[M]:
        """Return the search with a request answered, which may be given by its id.

        `answer` is an `Evaluation` or what stands for one: a value from 0 to 1 for the side to
        move, a pair `(priors, value)`, a finished state as the end of a playout, `None` for "do not
        know". To tell the same again changes nothing.

        :raises MethodError: it is not an answer about that state.
        :raises ValueError: there is no such request, or it was answered otherwise.
        """
        asked, known = self._request(request)
        said = checked(evaluation_of(answer), asked, self.search.method)
        if known is None:
            row = (asked.path, asked.known, asked.attempt, *values_of(said[0]), *said[1])
            return self._backed_up(self._open.replaced(asked.id - self.spent.calls, row))
        if known.evaluation != said[0]:
            raise ValueError(
                f'request {asked.id} was answered by {shown(known.evaluation)}, '
                f'and now by {shown(said[0])}: use what_if to change an answer'
            )
        return self

    def fail(self, request: Request[M] | int) -> Asking[M]:
        """Return the search where an attempt at a request has failed: it stays open.

        :raises ValueError: there is no such request.
        """
        asked, known = self._request(request)
        if known is not None:  # by another attempt
            return self
        again = evolve(asked, attempt=asked.attempt + 1)
        return evolve(self, open=self._open.replaced(asked.id - self.spent.calls, again))

    def what_if(self, request: Request[M] | int, answer: Any) -> Asking[M]:
        """Return the search as it would be with another answer to a request.

        The other answers count wherever the same positions, by their paths, are asked for again.
        What remains open was not asked in this search.

        :raises ValueError: there is no such request, or it is open.
        """
        asked, before = self._request(request)
        if before is None:
            raise ValueError(f'request {asked.id} is open: tell its answer')
        known = {(it.request.path, it.request.known): it.evaluation for it in self.replies}
        known[asked.path, asked.known] = evaluation_of(answer)
        search, last = self._afresh(), -1
        # Other requests than before may follow: those that nobody answered yet stay open.
        while new := search.ask(last):
            last = new[-1].id
            for each in new:
                said = known.get((each.path, each.known))
                if said is not None:
                    search = search.tell(each, said)
        return search

    # ---- what was found ----

    @cached_property
    def tree(self) -> Node:
        """The tree, with every descent that could be backed up."""
        return self._flight.tree if self._flight else self._root

    @property
    def after(self) -> Rng:
        """The generator to use next."""
        return self._flight.after if self._flight else self.rng

    @property
    def iterations(self) -> int:
        """The number of descents that were backed up."""
        return self._flight.visits if self._flight else self._root.visits

    @cached_property
    def analysis(self) -> Analysis[M]:
        """The analysis of the tree.

        :raises ValueError: nothing was backed up yet.
        """
        self._check_begun()
        return Analysis(choose(self.tree, self.search), self.iterations, self.tree)

    @cached_property
    def digest(self) -> str:
        """The digest of the tree, as in `Analysis.digest`."""
        return digest(self.tree)

    @cached_property
    def replies(self) -> tuple[Reply, ...]:
        """All replies, by the id of their request."""
        return tuple(self._reply(it, row) for it, row in enumerate(self._rows) if row)

    def history(self) -> History[M]:
        """Return the history of the search up to here: versions, reasons, pages, receipts.

        :raises ValueError: nothing was backed up yet.
        """
        self._check_begun()
        told: Any = self._rows[: self.spent.calls]
        # What is said of the root is in the tree where the history begins.
        answers = [_answer_in(row) for row in told if row[0] or row[1]]
        search = evolve(self.search, iterations=self.iterations)
        return recorded(self._root, self.rng, search, 'persistent', ignore, answers=answers)

    # ---- inside ----

    def _check_begun(self) -> None:
        if not self.iterations:
            missing = 'tell the answers to the first requests'
            if self.over:
                missing = 'budget or max_nodes leaves no room for the first iteration'
            raise ValueError(f'nothing is backed up yet: {missing}')

    @property
    def _rows(self) -> list[Row | None]:
        """The answer to each request; `None` where there is none yet."""
        early = [None if isinstance(it, Request) else it for it in self._open.since(0)]
        found, chain = early[::-1], self._chain
        while chain is not None:
            rows, chain = chain
            found.extend(reversed(rows))
        return found[::-1]

    def _reply(self, number: int, row: Any) -> Reply:
        """Return a reply that was backed up."""
        path, known, attempt = row[:ASKED]
        state, mover = self.state, self._root.mover
        for move in path:
            state, mover = state.play(move), state.player
        request = Request(number, state, path, mover, attempt, known)
        return Reply(request, evaluation_again(_said_in(row)), _answer_in(row))

    def _request(self, request: Request[M] | int) -> tuple[Request[M], Reply | None]:
        """Return the request of this search, and its reply if there is one.

        :raises ValueError: there is no such request, or the one given is of another search.
        """
        number: Any = request.id if isinstance(request, Request) else request
        first = self.spent.calls
        if not isinstance(number, int) or not 0 <= number < first + len(self._open):
            ids = ', '.join(str(it.id) for it in self.ask()[:8]) or 'none'
            raise ValueError(f'there is no request {shown(number)}; open are: {ids}')
        if number < first:
            chain: Any = self._chain
            # The chain has the newest rows first.
            while (first := first - len(chain[0])) > number:
                chain = chain[1]
            item = chain[0][number - first]
        else:
            item = self._open[number - first]
        reply = None if isinstance(item, Request) else self._reply(number, item)
        found = item if reply is None else reply.request
        if isinstance(request, Request) and (request.path, request.state) != (
            found.path,
            found.state,
        ):
            raise ValueError(f'request {number} is of another search: its state is another')
        return found, reply

    def _backed_up(self, requests: windows.Queue[Request[M] | Row]) -> Asking[M]:
        """Return the search after every backup for which these have rows."""
        root, flight, spent = self._root, self._flight, self.spent
        rows: list[Any] = []
        made: list[Request[M]] = []

        def first() -> Answer | None:
            """Return the answer to the oldest request, if it was told, and count it."""
            nonlocal spent
            row = requests[len(rows)] if len(rows) < len(requests) else None
            if not isinstance(row, tuple):
                return None
            rows.append(row)
            spent = spent.plus(_said_in(row))
            return _answer_in(row)

        if flight is None and (answer := first()):
            root = fitted(root, evolve(self.search, network=Once(answer)))
            flight = windows.flight_of(root, self.rng, self.search)
        if flight is not None and (rows or not requests or isinstance(requests[0], tuple)):
            flying = windows.Flying(flight, self._batches, self.search)
            self._launch(flying, made, spent)
            while (descent := flying.first) is not None:
                answer = None
                if batched.waits(descent.node) and (answer := first()) is None:
                    break
                flying.land(answer)
                self._launch(flying, made, spent)
            flight, requests = flying.frozen(), requests.after(len(rows), tuple(made))
        return Asking(
            self.state,
            self.rng,
            self.search,
            self.budget,
            spent,
            root,
            flight,
            requests,
            (tuple(rows), self._chain) if rows else self._chain,
            self._batches,
        )

    def _launch(self, flying: windows.Flying, made: list[Request[M]], spent: Spent) -> None:
        """Make as many descents as there may be, and append their requests to those `made`."""
        most, first = flying.most(self.search.iterations), self.spent.calls + len(self._open)
        while most > 0 and not flying.over:
            left = self.budget.calls_left(first + len(made), spent)
            if left < 1:
                flying.over = True
                return
            count = int(min(most, left))
            new = flying.launch(count)
            for line, node, asked, *_ in new:
                if batched.waits(node):
                    above, path = flying.drafts.root, []
                    for place in line:
                        above = above.places[place]
                        path.append(above.move)
                    known = () if node.columns.proposed is None else asked
                    number = first + len(made)
                    made.append(Request(number, node.state, tuple(path), node.mover, 1, known))
            # Fewer than asked for: there is no room, or another descent has to end first.
            most = most - count if len(new) == count else 0

    @property
    def _root_moves(self) -> tuple[M, ...] | None:
        """The moves to choose among; `None` if they are proposed."""
        return None if unlisted(self.state) else self._root.moves

    def _afresh(self) -> Asking[M]:
        """Return the search before its first answer."""
        root = _planted(self.state, self._root_moves)
        return _begun(self.state, self.rng, self.search, self.budget, root)

    def __reduce__(self) -> tuple[Any, ...]:
        told = [(it.request.id, it.evaluation) for it in self.replies]
        failed = [(it.id, it.attempt - 1) for it in self.ask() if it.attempt > 1]
        afresh = self.state, self.rng, self.search, self.budget, self._root_moves
        return _told_again, (*afresh, told, failed)

    def _key(self) -> tuple[Any, ...]:
        told = [row and _said_in(row) for row in self._rows]
        return self.state, self.rng, self.search, self.budget, self._root_moves, told, self.ask()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Asking):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        cost = f', cost {self.spent.cost:g}' if self.spent.cost else ''
        return (
            f'<Asking of {type(self.state).__name__}, {self.iterations} of '
            f'{amount(self.search.iterations, "iteration")}, '
            f'{amount(len(self.ask()), "open request")}{cost}>'
        )


def asking(
    state: GameState[M],
    rng: Rng,
    search: Search,
    *,
    window: int = 1,
    sliding: bool = True,
    budget: Budget | None = None,
    root_moves: Iterable[M] | None = None,
) -> Asking[M]:
    """Return a search of `state` that asks for evaluations in place of a network.

    `window`: the most requests in flight. A new one is made as soon as the oldest is backed up;
    with `sliding=False`, as soon as all of them are. The tree is that of `Search(network=...,
    batch=window, sliding=...)` with a network of the same answers. `search` has no network itself:
    give it `selection='puct'` to use priors. It draws only where chance moves in the tree. Where a
    state lists no moves, the answers propose them; with `proposals=Width(...)` they are asked for
    again as the visits grow.

    :raises FinishedGameError: the game is over.
    :raises IllegalMoveError: one of `root_moves` is not legal.
    :raises MethodError: the game cannot be searched like this.
    :raises TypeError: `search` is not a `Search`, or `rng` not a generator.
    :raises ValueError: the search has a network or a schedule, or options that a network excludes;
        or `window` is not a whole number of at least 1.

    >>> from fmcts import SplitMix
    >>> from fmcts.games import tictactoe
    >>> puct = Search(9, selection='puct')
    >>> search = asking(tictactoe.start, SplitMix.from_seed(1), puct, window=3)
    >>> (root,) = search.ask()
    >>> search = search.tell(root, None)
    >>> [request.path for request in search.ask()]
    [(0,), (1,), (2,)]
    >>> for request in reversed(search.ask()):
    ...     search = search.tell(request, 0.5)
    >>> search
    <Asking of TicTacToe, 3 of 9 iterations, 3 open requests>
    """
    check_call(state, rng, search)
    whole_number('window', window)
    if search.network is not None:
        raise ValueError(
            'asking takes the place of a network: leave out network, batch and sliding'
        )
    if search.schedule is not None:
        raise ValueError('asking excludes a schedule, which divides a fixed number of iterations')
    try:
        search = evolve(search, network=ABSENT, batch=window, sliding=sliding)
    except ValueError as error:
        raise ValueError(f'asking takes the place of a network: {error}') from None
    return _begun(state, rng, search, budget or Budget(), _planted(state, root_moves))


def _said_in(row: Row) -> Row:
    return row[ASKED:SAID]


def _answer_in(row: Row) -> Answer:
    return Answer(*row[SAID:])


def _planted(state: Any, root_moves: Iterable[Any] | None) -> Node:
    """Return a new root, perhaps of a state that does not list its moves."""
    return plant(state, root_moves, listed=False)


def _begun(state: Any, rng: Any, search: Search, budget: Budget, root: Node) -> Asking[Any]:
    batches, flight = batches_of(search, state), None
    requests: windows.Queue[Any] = windows.Queue()
    if root.moves and not search.method.move_columns:  # then nothing is asked of the root
        root = fitted(root, search)
        flight = windows.flight_of(root, rng, search)
    elif budget.calls_left(0, Spent()) >= 1:
        requests = requests.after(0, (Request(0, state, (), root.mover),))
    started = Asking(state, rng, search, budget, Spent(), root, flight, requests, batches=batches)
    return started._backed_up(requests)  # noqa: SLF001 - of this file


def _told_again(
    state: Any,
    rng: Any,
    search: Search,
    budget: Budget,
    moves: tuple[Any, ...] | None,
    told: Iterable[tuple[int, Evaluation]],
    failed: Iterable[tuple[int, int]],
) -> Asking[Any]:
    """Return the search that was told this: how a pickled one is loaded."""
    found = _begun(state, rng, search, budget, _planted(state, moves))
    for number, evaluation in told:
        found = found.tell(number, evaluation)
    for number, times in failed:
        for _ in range(times):
            found = found.fail(number)
    return found
