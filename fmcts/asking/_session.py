"""The descents behind an `Asking`: made, and backed up with the answers, in place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Generic, TypeAlias

from attrs import define, evolve, field, frozen

from fmcts._engines import batched, fitted, windows
from fmcts.asking._evaluation import NAMES, Budget, Spent
from fmcts.game import GameState, M
from fmcts.rng import Rng
from fmcts.search import Node, Search
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


Row: TypeAlias = tuple[Any, ...]
"""The path, known moves and attempt of a request, then the evaluation, and the answer, as values.

It is one plain tuple, and no `Reply`: the collector of garbage does not visit plain tuples of
numbers and texts again, and there may be a hundred thousand.
"""

ASKED: Final = 3  # values of a row before those of the evaluation
SAID: Final = ASKED + len(NAMES)
COST, SECONDS = ASKED + NAMES.index('cost'), ASKED + NAMES.index('seconds')


def said_in(row: Row) -> Row:
    """Return the values of a row's evaluation."""
    return row[ASKED:SAID]


def answer_in(row: Row) -> Answer:
    """Return a row's answer."""
    return Answer(*row[SAID:])


@frozen
class Once(Answering):
    """A network that gives one answer, for the root."""

    answer: Answer

    def __call__(self, states: Sequence[Any]) -> list[Answer]:
        """Return the answer for each state."""
        return [self.answer for _ in states]


@define
class Session:
    """The descents of a search, what their answers cost, and how many requests were made.

    Nothing is flying before the root has its moves and their priors.
    """

    search: Search
    budget: Budget
    rng: Rng
    batches: batched.Batches
    root: Node
    flying: Any = None
    spent: Spent = field(factory=Spent)
    made: int = 0

    def fly(self, search: Search) -> None:
        """Give the root the columns of a search, which has the answer about it if there is one."""
        self.root = fitted(self.root, search)
        flight = windows.flight_of(self.root, self.rng, search)
        self.flying = windows.Flying(flight, self.batches, self.search)

    def resume(self, rows: Iterable[Row]) -> tuple[Request[Any], ...]:
        """Make each backup for which there is an answer in these rows; return the new requests."""
        following, made = iter(rows), []

        def told() -> Answer | None:
            row = next(following, None)
            if row is None:
                return None
            self.spent = self.spent.plus(row[COST], row[SECONDS])
            return answer_in(row)

        if self.flying is None and (answer := told()):
            self.fly(evolve(self.search, network=Once(answer)))
        if self.flying is not None:
            made += self._launched()
            while (first := self.flying.first) is not None:
                answer = None
                if batched.waits(first.node) and (answer := told()) is None:
                    break
                self.flying.land(answer)
                made += self._launched()
        return tuple(made)

    def _launched(self) -> list[Request[Any]]:
        """Make as many descents as there may be, and return their requests."""
        flying, requests = self.flying, []
        most = flying.most(self.search.iterations)
        while most > 0 and not flying.over:
            left = self.budget.calls_left(self.made, self.spent)
            if left < 1:
                flying.over = True
                break
            count = int(min(most, left))
            new = flying.launch(count)
            for descent in new:
                if batched.waits(node := descent.node):
                    above = flying.drafts.root
                    path = tuple([(above := above.places[place]).move for place in descent.line])
                    known = () if node.columns.proposed is None else descent.asked
                    requests.append(Request(self.made, node.state, path, node.mover, 1, known))
                    self.made += 1
            # Fewer than asked for: there is no room, or another descent has to end first.
            most = most - count if len(new) == count else 0
        return requests
