"""`Asking`: a search that asks for evaluations and is told the answers, as one frozen value.

Descents are made in a fixed order, each in a tree with a virtual loss for every one before it that
is not backed up yet (`fmcts._engines.sliding`), and they are backed up in that order. An answer
that comes early waits. So the value depends on what was told, and not on when or in which order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeAlias

from attrs import evolve, field, frozen

from fmcts._arguments import amount, shown, whole_number
from fmcts._engines import batched, batches_of, choose, fitted, sliding as windows
from fmcts._running import check_call
from fmcts.asking._evaluation import Budget, Evaluation, Spent, checked, evaluation_of, unlisted
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


Chain: TypeAlias = tuple[Reply, Any] | None
"""The replies that were backed up, the last one first; all versions of a search share it."""


@frozen
class Once(Answering):
    """A network that gives one answer, for the root."""

    answer: Answer

    def __call__(self, states: Sequence[Any]) -> list[Answer]:
        """Return the answer for each state."""
        return [self.answer for _ in states]


@frozen(eq=False, repr=False)
class Asking(Generic[M]):
    """A search that asks and is told; `asking` makes it.

    `tell` and `fail` return another value and leave this one as it is, so every version can be kept
    and continued. Two are equal if the same search was told the same. They are pickled as what they
    were told. `spent` is what the replies that were backed up have cost, and `after` the generator
    to use next.
    """

    state: GameState[M]
    rng: Rng
    search: Search
    budget: Budget
    spent: Spent
    after: Rng
    _root: Node = field(alias='root')
    _flight: windows.Flight | None = field(alias='flight')
    _open: tuple[Request[M], ...] = field(alias='open')
    _early: dict[int, Reply] = field(factory=dict, alias='early')
    _chain: Chain = field(default=None, alias='chain')
    _batches: Any = field(default=None, alias='batches')

    # ---- asking and telling ----

    def ask(self, after: int = -1) -> tuple[Request[M], ...]:
        """Return the open requests, oldest first; only those with an id above `after`."""
        first = self._open[0].id if self._open else 0
        found = self._open[max(0, after + 1 - first) :]
        return tuple(it for it in found if it.id not in self._early) if self._early else found

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
        asked, reply = self._request(request)
        given = evaluation_of(answer)
        evaluation, said = checked(given, asked.state, asked.mover, self.search.method, asked.id)
        if reply is None:
            early = self._early.copy()
            early[asked.id] = Reply(asked, evaluation, said)
            return self._backed_up(early)
        if reply.evaluation != evaluation:
            raise ValueError(
                f'request {asked.id} was answered by {shown(reply.evaluation)}, '
                f'and now by {shown(evaluation)}: use what_if to change an answer'
            )
        return self

    def fail(self, request: Request[M] | int) -> Asking[M]:
        """Return the search where an attempt at a request has failed: it stays open.

        :raises ValueError: there is no such request.
        """
        asked, reply = self._request(request)
        if reply is not None:  # by another attempt
            return self
        place = asked.id - self._open[0].id
        again = evolve(asked, attempt=asked.attempt + 1)
        return evolve(self, open=(*self._open[:place], again, *self._open[place + 1 :]))

    def what_if(self, request: Request[M] | int, answer: Any) -> Asking[M]:
        """Return the search as it would be with another answer to a request.

        The other answers count wherever the same positions, by their paths, are asked for again.
        What remains open was not asked in this search.

        :raises ValueError: there is no such request, or it is open.
        """
        asked, reply = self._request(request)
        if reply is None:
            raise ValueError(f'request {asked.id} is open: tell its answer')
        known = {(it.request.path, it.request.known): it.evaluation for it in self.replies}
        known[asked.path, asked.known] = evaluation_of(answer)
        search, last = self._afresh(), -1
        while new := search.ask(last):
            last = new[-1].id
            for each in new:
                said = known.get((each.path, each.known))
                if said is not None:
                    search = search.tell(each, said)
        return search

    # ---- what was found ----

    @property
    def tree(self) -> Node:
        """The tree, with every descent that could be backed up."""
        return self._flight.tree if self._flight else self._root

    @property
    def iterations(self) -> int:
        """The number of descents that were backed up."""
        return self.tree.iterations

    @cached_property
    def analysis(self) -> Analysis[M]:
        """The analysis of the tree.

        :raises NoRoomError: nothing was backed up yet.
        """
        return Analysis(choose(self.tree, self.search), self.iterations, self.tree)

    @cached_property
    def digest(self) -> str:
        """The digest of the tree, as in `Analysis.digest`."""
        return digest(self.tree)

    @cached_property
    def replies(self) -> tuple[Reply, ...]:
        """All replies, by the id of their request."""
        found, chain = [], self._chain
        while chain is not None:
            reply, chain = chain
            found.append(reply)
        return (*reversed(found), *(self._early[number] for number in sorted(self._early)))

    def history(self) -> History[M]:
        """Return the history of the search up to here: versions, reasons, pages, receipts.

        :raises ValueError: nothing was backed up yet.
        """
        if not self.iterations:
            raise ValueError('nothing is backed up yet: tell the answers to the first requests')
        answers = [
            it.answer
            for it in self.replies[: self.spent.calls]
            if it.request.path or it.request.known
        ]
        search = evolve(self.search, iterations=self.iterations)
        return recorded(self._root, self.rng, search, 'persistent', ignore, answers=answers)

    # ---- inside ----

    def _request(self, request: Request[M] | int) -> tuple[Request[M], Reply | None]:
        """Return the request of this search, and its reply if there is one.

        :raises ValueError: there is no such request, or the one given is of another search.
        """
        number: Any = request.id if isinstance(request, Request) else request
        first = self._open[0].id if self._open else self.spent.calls
        reply: Reply | None = None
        if not isinstance(number, int) or not 0 <= number < first + len(self._open):
            ids = ', '.join(str(it.id) for it in self.ask()[:8]) or 'none'
            raise ValueError(f'there is no request {shown(number)}; open are: {ids}')
        if number < first:
            chain: Any = self._chain
            for _ in range(first - 1 - number):
                chain = chain[1]
            reply = chain[0]
            found = reply.request
        else:
            reply, found = self._early.get(number), self._open[number - first]
        if isinstance(request, Request) and (request.path, request.state) != (
            found.path,
            found.state,
        ):
            raise ValueError(f'request {number} is of another search: its state is another')
        return found, reply

    def _backed_up(self, early: dict[int, Reply]) -> Asking[M]:
        """Return the search after every backup for which there are replies; `early` is used up."""
        root, flight, batches = self._root, self._flight, self._batches
        requests, spent, chain, after = self._open, self.spent, self._chain, self.after
        if flight is None and early:
            first = early.pop(0)
            root = fitted(root, evolve(self.search, network=Once(first.answer)))
            flight, requests = windows.flight_of(root, self.rng, self.search), ()
            spent, chain = spent.plus(first.evaluation), (first, chain)
        if flight is not None and not flight.waiting:
            flight, requests = self._launched(flight, requests, spent)
        while flight is not None and flight.waiting:
            answer = None
            if batched.waits(flight.waiting[0].node):
                reply = early.pop(requests[0].id, None)
                if reply is None:
                    break
                spent, chain = spent.plus(reply.evaluation), (reply, chain)
                answer, requests = reply.answer, requests[1:]
            flight, landed = windows.landed(flight, answer, batches)
            after = landed.descent.rng
            flight, requests = self._launched(flight, requests, spent)
        return Asking(
            self.state,
            self.rng,
            self.search,
            self.budget,
            spent,
            after,
            root,
            flight,
            requests,
            early,
            chain,
            batches,
        )

    def _launched(
        self, flight: windows.Flight, requests: tuple[Request[M], ...], spent: Spent
    ) -> tuple[windows.Flight, tuple[Request[M], ...]]:
        """Return the flight with as many descents as there may be, and the open requests."""
        search, visits, waiting = self.search, flight.tree.visits, len(flight.waiting)
        if search.sliding:
            most = min(search.batch, search.iterations - visits) - waiting
        else:
            most = 0 if waiting else self._batches.most(visits, search.iterations - visits)
        while most > 0 and not flight.ended:
            made = requests[-1].id + 1 if requests else spent.calls
            left = self.budget.calls_left(made, spent)
            if left < 1:
                return flight._replace(ended=True), requests
            count, before = int(min(most, left)), len(flight.waiting)
            flight = windows.launched(flight, self._batches, search, count, explained=False)
            new = flight.waiting[before:]
            ends: Any = (it for it in new if batched.waits(it.node))
            requests += tuple(
                Request(
                    number,
                    it.node.state,
                    it.moves,
                    it.node.mover,
                    known=it.node.columns.moves if unlisted(it.node.state) else (),
                )
                for number, it in enumerate(ends, made)
            )
            most = most - count if len(new) == count else 0
        return flight, requests

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
        told = [(it.request.id, it.evaluation) for it in self.replies]
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


def _planted(state: Any, root_moves: Iterable[Any] | None) -> Node:
    """Return a new root, perhaps of a state that does not list its moves."""
    return plant(state, root_moves, listed=False)


def _begun(state: Any, rng: Any, search: Search, budget: Budget, root: Node) -> Asking[Any]:
    batches, flight = batches_of(search, state), None
    requests: tuple[Request[Any], ...] = ()
    if budget.calls_left(0, Spent()) >= 1:
        requests = (Request(0, state, (), root.mover),)
    if root.moves and not search.method.move_columns:  # then nothing is asked of the root
        root, requests = fitted(root, search), ()
        flight = windows.flight_of(root, rng, search)
    begun = Asking(
        state, rng, search, budget, Spent(), rng, root, flight, requests, batches=batches
    )
    return begun._backed_up({})  # noqa: SLF001 - of this file


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
