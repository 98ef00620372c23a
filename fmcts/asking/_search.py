"""`Asking`: a search that asks for evaluations and is told the answers, as one frozen value.

Descents are made in a fixed order, each in a tree with a virtual loss for every one before it that
is not backed up yet (`fmcts._engines.windows`), and they are backed up in that order. An answer
that comes early waits. So the value depends on what was told, and not on when or in which order.

Behind the versions of a search there is one session, which mutates its tree; the latest has it. An
earlier one that is continued makes another, which repeats its backups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from itertools import chain, islice, takewhile
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar, cast

from attrs import evolve, field, frozen

from fmcts._arguments import amount, shown, whole_number
from fmcts._engines import batches_of, choose, windows
from fmcts._running import check_call
from fmcts.asking._evaluation import (
    Budget,
    Evaluation,
    Spent,
    checked,
    evaluation_again,
    evaluation_of,
    unlisted,
    values_of,
)
from fmcts.asking._session import ASKED, Request, Row, Session, answer_in, said_in
from fmcts.game import GameState, M
from fmcts.history import ABSENT, History, recorded
from fmcts.rng import Rng
from fmcts.search import Analysis, Node, Search, digest, ignore, plant
from fmcts.search.networks import Answer


class Reply(NamedTuple):
    """A request, the evaluation that it received, and the network's answer that this means."""

    request: Request[Any]
    evaluation: Evaluation
    answer: Answer


Chain: TypeAlias = tuple[Any, Any] | None
"""What was backed up, the last first: rows that were so together, and the chain before them."""

T = TypeVar('T')

BLOCK: Final = 32
"""Items that are copied when one is added to a queue: near the square root of a large window."""


class Queue(Generic[T]):
    """A queue as a value: what comes after it shares almost all of its items."""

    __slots__ = '_blocks', '_length', '_skipped'

    def __init__(
        self, blocks: tuple[tuple[T, ...], ...] = (), skipped: int = 0, length: int = 0
    ) -> None:
        self._blocks, self._skipped, self._length = blocks, skipped, length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: int) -> T:
        place += self._skipped
        return self._blocks[place // BLOCK][place % BLOCK]

    def since(self, place: int) -> Iterator[T]:
        """Yield the items from this place on."""
        block, within = divmod(place + self._skipped, BLOCK)
        return islice(chain.from_iterable(self._blocks[block:]), within, None)

    def replaced(self, place: int, item: T) -> Queue[T]:
        """Return the queue with another item at this place."""
        block, within = divmod(place + self._skipped, BLOCK)
        blocks, items = [*self._blocks], [*self._blocks[block]]
        items[within] = item
        blocks[block] = tuple(items)
        return Queue(tuple(blocks), self._skipped, self._length)

    def after(self, gone: int, new: tuple[T, ...]) -> Queue[T]:
        """Return the queue with new items at its end, and then without the first ones."""
        *full, last = self._blocks or ((),)
        last += new
        blocks = (*full, *(last[at : at + BLOCK] for at in range(0, len(last), BLOCK)))
        block, skipped = divmod(gone + self._skipped, BLOCK)
        return Queue(blocks[block:], skipped, self._length + len(new) - gone)


@frozen(eq=False, repr=False, slots=False)  # made sooner, for each answer
class Asking(Generic[M]):
    """A search with open requests, as a frozen value; `asking` makes it.

    `tell` and `fail` return another value and leave this one as it is, so every version can be kept
    and continued; one that is not the latest first repeats its backups. Two are equal if their
    searches and answers are. They are pickled as their answers. `spent` is what the replies that
    were backed up have cost.
    """

    state: GameState[M]
    rng: Rng
    search: Search
    budget: Budget
    spent: Spent
    _root: Node = field(alias='root')
    _batches: Any = field(alias='batches')
    _open: Queue[Request[M] | Row] = field(alias='open')  # a row for what came early
    _chain: Chain = field(default=None, alias='chain')
    _sessions: list[Session] = field(factory=list, alias='sessions')

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
        said = self._checked(asked, answer)
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
        answers = [answer_in(row) for row in told if row[0] or row[1]]
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
        return Reply(request, evaluation_again(said_in(row)), answer_in(row))

    def _checked(self, request: Request[M], answer: Any) -> tuple[Evaluation, Answer]:
        """Return what `checked` does of what an evaluator said."""
        method, expected = self.search.method, self._batches.expected
        return checked(evaluation_of(answer), request, method, expected)

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
        if request is found or not isinstance(request, Request):
            return found, reply
        if (request.path, request.state) != (found.path, found.state):
            raise ValueError(f'request {number} is of another search: its state is another')
        return found, reply

    def _backed_up(self, requests: Queue[Request[M] | Row]) -> Asking[M]:
        """Return the search after every backup for which these have rows."""
        spent, root, chain, sessions = self.spent, self._root, self._chain, self._sessions
        if not requests or isinstance(requests[0], tuple):
            rows: Any = tuple(takewhile(lambda it: isinstance(it, tuple), requests.since(0)))
            session = self._session()
            requests = requests.after(len(rows), session.resume(rows))
            spent, root = session.spent, session.root
            chain = (rows, chain) if rows else chain
            sessions = [session]
        return Asking(
            self.state,
            self.rng,
            self.search,
            self.budget,
            spent,
            root,
            self._batches,
            requests,
            chain,
            sessions,
        )

    def _session(self) -> Session:
        """Take the session of this version; if a later one has taken it, make one like it."""
        with suppress(IndexError):
            return self._sessions.pop()
        session, told = self._afresh()._session(), cast('Any', self._rows)  # noqa: SLF001 - its own
        session.resume(told[: self.spent.calls])
        return session

    @cached_property
    def _flight(self) -> windows.Flight | None:
        """The flight by now, if the root has its moves and their priors."""
        session = self._session()
        flight: windows.Flight | None = session.flying and session.flying.frozen()
        self._sessions.append(session)
        return flight

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
        told = [row and said_in(row) for row in self._rows]
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
    :raises TypeError: `search` is not a `Search`, `rng` not a generator, `budget` not a `Budget`.
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
    if not isinstance(budget, Budget | None):
        raise TypeError(f'budget must be a Budget such as Budget(calls=100), not {shown(budget)}')
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
    session = Session(search, budget, rng, batches_of(search, state), root)
    requests: Queue[Any] = Queue()
    if root.moves and not search.method.move_columns:  # then nothing is asked of the root
        session.fly(search)
    elif budget.calls_left(0, Spent()) >= 1:
        requests = requests.after(0, (Request(0, state, (), root.mover),))
        session.made = 1
    facts = Spent(), session.root, session.batches, requests
    started = Asking(state, rng, search, budget, *facts, sessions=[session])
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
