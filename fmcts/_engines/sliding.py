"""Searches whose descents wait in a sliding window: a new one is made after every backup.

Descent k is made when the one `Search.batch` before it was backed up, in the tree with a virtual
loss for each descent in between (as in `batched`), and they are backed up in the order in which
they were made. So the tree depends neither on when an answer arrives nor on how many are known: the
answers may come from one call or, in `fmcts.asking`, one by one. A descent that would meet a node
that waits is put off until the next backup. Once the search ends (no room, a resolved root, the
condition `stop`), no descent is made any more, and those in flight are still backed up.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import is_, itemgetter
from typing import Any, NamedTuple, Self

from attrs import define, evolve, field, frozen

from fmcts._arithmetic import logarithms
from fmcts._engines import batched, inplace
from fmcts._engines.batched import (
    Batches,
    ByBatches,
    ByBatchesInPlace,
    Credited,
    Descent,
    answers,
    asked_of,
    batches_of,
    credit,
    gather,
    gather_in_place,
    keeping,
    lose,
    take_back,
    waits,
    with_losses,
)
from fmcts._engines.driver import Session, is_decided
from fmcts._engines.expansion import room_left
from fmcts._engines.plan import Plan
from fmcts.rng import R, thaw as thaw_rng
from fmcts.search import MutableNode, Node, Search, stats_of
from fmcts.search.networks import Answer
from fmcts.search.schedules import Forced


def is_over(root: Any, visits: int, plan: Plan, search: Search) -> bool:
    """Return whether a search makes no more descents from this tree."""
    if plan.finished and plan.finished(root):
        return True
    return search.stop is not None and is_decided(search, visits, lambda: stats_of(root))


# ---- by path copying ----


class Flight(NamedTuple):
    """A tree, and the descents that were made and are not backed up yet.

    `met` is the tree with their losses, which the next descent meets. `room` is how many nodes may
    still be added; `ended`: no descent is made any more. `rng` is the generator for the next one.
    """

    tree: Node
    met: Node
    room: float
    rng: Any
    waiting: tuple[Descent, ...] = ()
    ended: bool = False


def flight_of(root: Node, rng: Any, search: Search) -> Flight:
    """Return the flight of a tree before the first descent."""
    return Flight(root, root, room_left(root, search.max_nodes), rng)


def launched(
    flight: Flight, batches: Batches, search: Search, most: int, *, explained: bool = True
) -> Flight:
    """Return the flight after up to `most` more descents, as far as there is room for them.

    Unless they are to be `explained`, they do not keep the trees that they met.
    """
    tree, waiting = flight.tree, flight.waiting
    most = min(most, search.batch - len(waiting))
    if flight.ended or most < 1:
        return flight
    if is_over(tree, tree.visits, batches.plan, search):
        return flight._replace(ended=True)
    log = logarithms(tree.visits + len(waiting) + most + 1)
    made, met, room, ended = gather(
        flight.met, batches.plan, log, most, flight.room, 0, flight.rng, explained=explained
    )
    rng = made[-1].rng if made else flight.rng
    return Flight(tree, met, room, rng, waiting + tuple(made), ended)


def landed(flight: Flight, answer: Answer | None, batches: Batches) -> tuple[Flight, Credited]:
    """Return the flight after the first descent was backed up, and that descent.

    `answer` is what the network says of its end; `None` if the game is over there.
    """
    tree, met, room, rng, waiting, ended = flight
    descent = waiting[0]
    found = credit(tree, descent, answer, batches)
    met = _returned(met, found.tree, descent.moves)
    return Flight(found.tree, met, room, rng, waiting[1:], ended), found


def _returned(met: Node, tree: Node, moves: tuple[Any, ...]) -> Node:
    """Return what the next descent meets, after the descent of these moves was backed up.

    On its path `met` gets the numbers of `tree`, and keeps the losses of the other descents.
    """
    path = []
    for move in moves:
        place = tree.moves.index(move)
        path.append((met, tree, place))
        met, tree = met.places[place], tree.places[place]
    places = met.places + (None,) * (len(tree.places) - len(met.places))  # if moves were proposed
    while True:
        losses = met.losses - 1
        if losses or len(places) != len(tree.places) or not all(map(is_, places, tree.places)):
            below = with_losses(tree, places, losses)
        else:  # nothing is in flight below: both trees share it
            below = tree
        if not path:
            return below
        met, tree, place = path.pop()
        siblings = [*met.places]
        siblings[place] = below
        places = tuple(siblings)


def flown(
    flight: Flight, batches: Batches, search: Search, goal: int, known: tuple[Answer, ...] = ()
) -> Iterator[tuple[Flight, tuple[Answer, ...], Credited]]:
    """Yield the flights after each backup, until the root has `goal` visits or the search ends.

    Each comes with the answers known by then about the descents in flight, in their order, and with
    the descent that was backed up. The network is called when the first descent has no answer, for
    all of those up to the goal.
    """
    while flight.tree.visits < goal:
        flight = launched(flight, batches, search, search.batch)
        if not flight.waiting:
            return
        answer = None
        if waits(flight.waiting[0].node):
            if not known:
                within = flight.waiting[: goal - flight.tree.visits]
                known = tuple(answers(batches.network, asked_of(each.node for each in within)))
            answer, *others = known
            known = tuple(others)
        flight, found = landed(flight, answer, batches)
        yield flight, known, found


@frozen
class Sliding(ByBatches[R]):
    """A running search as a value."""

    search: Search = field(kw_only=True)
    flight: Flight = field(kw_only=True)
    known: tuple[Answer, ...] = field(default=(), kw_only=True)

    def advance(self, iterations: int, forced: Forced = None) -> Sliding[R]:
        """Return the session after `iterations` more iterations."""
        del forced  # such a search has no schedule
        goal, found = self.visits + iterations, self
        stream = flown(self.flight, self.batches, self.search, goal, self.known)
        while found.visits < goal:
            with keeping(found):
                following = next(stream, None)
            if following is None:
                return evolve(found, ended=True)
            flight, known, credited = following
            rng = credited.descent.rng  # what is in flight is not counted
            found = evolve(found, tree=flight.tree, rng=rng, flight=flight, known=known)
        return found


# ---- in place ----


@define
class SlidingInPlace(ByBatchesInPlace[R]):
    """A running search. Losses are in the tree only while it is descended."""

    search: Search = field(kw_only=True)
    known: list[Answer] = field(factory=list, kw_only=True)
    over: bool = False

    def advance(self, iterations: int, forced: Forced = None) -> Self:
        """Return the session itself after `iterations` more iterations."""
        del forced  # such a search has no schedule
        goal, batches = self.visits + iterations, self.batches
        while self.visits < goal:
            self._launch()
            if not self.gathered:
                self.ended = True
                break
            if waits(self.gathered[0][1]) and not self.known:
                within = self.gathered[: goal - self.visits]
                with keeping(self):
                    asked = asked_of(node for _, node, _ in within)
                    self.known = [*answers(batches.network, asked)]
            others, self.gathered = self.gathered[1:], self.gathered[:1]
            first = self.known[: waits(self.gathered[0][1])]
            del self.known[: len(first)]
            self.credit(first)
            self.gathered = others
        return self

    def _launch(self) -> None:
        """Descend until the window is full."""
        tree, plan = self.tree, self.batches.plan
        self.over = self.over or is_over(tree, tree.visits, plan, self.search)
        most = self.search.batch - len(self.gathered)
        if self.over or most < 1:
            return
        log = logarithms(tree.visits + self.search.batch + 1)
        for node in self._met():
            lose(node)
        rng = self.gathered[-1][2] if self.gathered else self.draws.freeze()
        made, self.room, self.over = gather_in_place(tree, plan, log, most, self.room, 0, rng)
        self.gathered += made
        for node in self._met():
            take_back(node)

    def _met(self) -> Iterator[MutableNode]:
        """Yield the nodes of the descents in flight, as often as each is met."""
        for path, end, _ in self.gathered:
            yield from map(itemgetter(0), path)
            yield end


def begin(engine: str, root: Node, rng: Any, search: Search) -> Session:
    """Return the search of that root with a network by the engine of that name."""
    if not search.sliding:
        return batched.begin(engine, root, rng, search)
    if engine != 'inplace':
        batches, flight = batches_of(search, root.state), flight_of(root, rng, search)
        return Sliding(
            root, rng, batches.plan, flight.room, batches=batches, search=search, flight=flight
        )
    batches = batches_of(search, root.state, in_place=True)
    room = room_left(root, search.max_nodes)
    tree, draws = inplace.thaw(root), thaw_rng(rng)
    return SlidingInPlace(tree, draws, batches.plan, room, batches=batches, search=search)
