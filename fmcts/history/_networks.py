"""Histories of searches with a network: its answers are stored, and batches are repeated with them.

A version in the middle of a batch is the tree after some of its descents were backed up, as a
search with that number of iterations leaves it. The path of a descent was chosen in another tree:
the one before its batch, with the virtual losses of the earlier descents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from attrs import define, frozen

from fmcts._engines.batched import Credited, batches_of, credit, credited, gather
from fmcts._engines.expansion import room_left
from fmcts.errors import MethodError
from fmcts.search._arithmetic import logarithms
from fmcts.search._description import Search
from fmcts.search._tree import Node
from fmcts.search.networks import Answer, Answering, Network, answers_of
from fmcts.search.schedules import Forced


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
        if [len(answer.priors) for answer in found] != [len(state.moves) for state in states]:
            raise MethodError(
                f'the {len(self.answers)} stored answers do not fit the states of the search'
            )
        return found


@frozen
class Absent(Answering):
    """A placeholder for a network that a file does not contain."""

    def __call__(self, states: Sequence[Any]) -> list[Answer]:
        """Raise `MethodError`."""
        raise MethodError(
            f'{len(states)} more states need the network, and the file contains only its answers: '
            'pass the search to load_history'
        )


ABSENT: Final = Absent()


@frozen
class Iteration:
    """An iteration of a search by batches.

    `first` are the visits of the root when its batch began.
    """

    first: int
    credited: Credited

    @property
    def visited(self) -> Iterator[tuple[Node | None, Node]]:
        """The nodes of the path, from the root down: as the descent met them, and afterwards.

        A node that the iteration made was `None`.
        """
        was: Node | None = self.credited.descent.tree
        now: Any = self.credited.tree
        yield was, now
        for move in self.credited.descent.moves:
            was, now = (was.child(move) if was else None), now.child(move)
            yield was, now


def iterations_of(
    tree: Node, search: Search, steps: Iterable[tuple[int, Forced]]
) -> Iterator[Iteration]:
    """Yield the iterations that follow a tree at the end of a batch.

    `steps` says how many follow with each choice of the schedule.
    """
    batches, room = batches_of(search, tree.state), room_left(tree, search.max_nodes)
    for count, forced in steps:
        plan, goal = batches.plan.forcing(forced), tree.visits + count
        log = logarithms(goal)
        while tree.visits < goal:
            first = tree.visits
            most = batches.most(first, goal - first)
            gathered, room, _ = gather(tree, plan, log, most, room)
            for each in credited(tree, gathered, batches):
                tree = each.tree
                yield Iteration(first, each)


def with_outcome(
    before: Node, search: Search, found: Credited, answer: Answer, outcome: float
) -> Node:
    """Return the tree after an iteration that follows `before`, if it is worth `outcome` to X."""
    batches = batches_of(search, before.state)
    return credit(before, found.descent, answer._replace(for_x=outcome), batches).tree
