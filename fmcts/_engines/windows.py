"""Searches with a network, whose descents wait in a window until their ends are judged.

By batches a window is filled, judged by one call of the network and backed up, and then the next is
made. A batch ends when it has `Search.batch` descents, when the visits of the root become a
multiple of that number, or when a descent meets a node that is waiting for the network already;
that descent is dropped. Up to `Search.collisions` such descents do not end the batch: their losses
stay until it is backed up, so that the next goes elsewhere. With a batch of 1 it is the search with
`prior` and `evaluate`.

A sliding window is filled after every backup: descent k is made when the one `Search.batch` before
it was backed up, in the tree with a virtual loss for each descent in between, and they are backed
up in the order in which they were made. So the tree depends neither on when an answer arrives nor
on how many are known: the answers may come from one call or, in `fmcts.asking`, one by one. A
descent that would meet a node that waits is put off until the next backup. Once the search ends (no
room, a resolved root, the condition `stop`), no descent is made any more, and those in flight are
still backed up.

Such a search draws nothing but outcomes where chance moves, on the way down. At a horizon nobody is
asked: nothing follows but the outcomes that are still to be drawn. It is the same in all engines in
Python: nodes are written to in place, and copied once they were part of a value.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, Self

from fmcts._arithmetic import logarithms
from fmcts._engines import inplace, persistent
from fmcts._engines.batched import (
    Batches,
    Descent,
    Drafts,
    Waiting,
    answers,
    asked_of,
    batches_of,
    leave,
    reopen,
    settled,
    waits,
)
from fmcts._engines.driver import is_decided
from fmcts._engines.expansion import room_left
from fmcts._engines.plan import Plan
from fmcts.rng import thaw
from fmcts.search import MoveStats, Node, Search, freeze_in_place, stats_along, stats_of
from fmcts.search.networks import Answer
from fmcts.search.schedules import Forced, Line


class Flight(NamedTuple):
    """A tree, and the descents that were made and are not backed up yet.

    The tree has their losses and the nodes that they made, as the next descent meets it. `room` is
    how many nodes may still be added; `over`: no descent is made any more. `rng` is the generator
    for the next one, `after` the one after the last that was backed up.
    """

    met: Node
    room: float
    rng: Any
    after: Any
    waiting: tuple[Descent, ...] = ()
    over: bool = False

    @property
    def visits(self) -> int:
        """The visits of the root that were backed up."""
        return self.met.visits - self.met.losses

    @property
    def tree(self) -> Node:
        """The tree without what is in flight."""
        drafts = Drafts(self.met)
        for descent in self.waiting:
            path, node = drafts.path(descent.line, -1)
            reopen(node)
            if path and not node.visits:  # it was made by this descent, or by one of the same line
                above, places, place = path[-1]
                places[place] = None
                above.places = places if any(places) else ()
        return drafts.frozen()


class Flying:
    """A search with a network that goes on: a session (see `driver`), which mutates its tree.

    `explained`: descents keep the trees that they meet, of which no two share what is written to.
    """

    def __init__(
        self, flight: Flight, batches: Batches, search: Search, *, explained: bool = False
    ) -> None:
        met, self.room, self.rng, self.after, waiting, self.over = flight
        self.drafts = Drafts(met)
        self.batches, self.search, self.explained = batches, search, explained
        self.waiting = deque(waiting)  # the descents that are not backed up yet
        self._known: list[Answer] = []
        self._log: Sequence[float] = ()

    def frozen(self) -> Flight:
        """Return the flight as it is by now; the session may go on."""
        waiting, tree = tuple(self.waiting), self.drafts.frozen()
        return Flight(tree, self.room, self.rng, self.after, waiting, self.over)

    @property
    def visits(self) -> int:
        """The visits of the root that were backed up."""
        return self.drafts.root.visits - self.drafts.root.losses  # type: ignore[no-any-return]

    @property
    def first(self) -> Descent | None:
        """The descent to be backed up next."""
        return self.waiting[0] if self.waiting else None

    def most(self, goal: float) -> int:
        """Return how many descents are due, if the root is to have `goal` visits in the end."""
        size, visits, waiting = self.search.batch, self.visits, len(self.waiting)
        if self.search.sliding:
            return int(min(size, goal - visits)) - waiting
        return 0 if waiting else int(min(size - visits % size, goal - visits))

    def launch(self, most: int, forced: Forced = None) -> list[Descent]:
        """Make up to `most` descents, as far as there is room for them, and return them.

        With `forced`, the first moves are not chosen but given (see `driver`).
        """
        root, plan, search = self.drafts.root, self.batches.plan, self.search
        made: list[Descent] = []
        if not self.waiting:
            self.rng = self.after  # what was drawn by the last that collided does not count
        if most < 1 or self.over:
            return []
        self.over = bool(plan.finished and plan.finished(root)) or (
            search.stop is not None
            and is_decided(search, self.visits, lambda: stats_of(settled(root)))
        )
        plan, collisions = plan if forced is None else plan.forcing(forced), search.collisions
        # Each descent in flight counts as a visit, collided ones too.
        if len(self._log) < (needed := root.visits + most + collisions + 2):
            self._log = logarithms(needed)
        while len(made) < most and not self.over:
            descent = self._descend(plan, collisions)
            if descent is None:
                break
            self.waiting.append(descent)
            if descent.node is None:
                collisions -= 1
            else:
                made.append(descent)
        return made

    def _descend(self, plan: Plan, collisions: int) -> Descent | None:
        """Make a descent and leave its losses; `None` if there is no room, or another waits."""
        drafts = self.drafts
        met = drafts.frozen() if self.explained else None
        way, found, step, rng = persistent.select(drafts.root, plan, self._log, self.rng)
        place, made = step
        node: Any = found
        self.over = made > self.room
        collides = not made and waits(node)
        if self.over or (collides and collisions == 0):
            return None
        line, asked, worth = [place for _, _, place in way], (), None
        _, end = drafts.path(line, 1)
        if made:
            line.append(place)
            node = drafts.added(inplace.expand(end, step, plan)[place])
            way.append((end, (), place))
            leave(node, 1)
        if collides:
            node = None
        elif self.batches.is_cut(way, node):
            if made:
                self.batches.cut(node)
            draws = thaw(rng)  # outcomes may follow
            worth = plan.playout(way, node, draws.draw)[0]
            rng = draws.freeze()
        elif made:
            asked, node.moves = node.moves, ()
        elif not node.state.over:  # it is due to be asked of again, or was at an earlier horizon
            names, own, *_ = end.columns
            asked, end.moves = end.moves, ()
            end.columns = Waiting(names, own, asked, proposed=end.columns)
            # The descent keeps the node as it was asked about; the tree's has no moves while it
            # waits.
            node = freeze_in_place(end.mutable_copy(node.places))
        self.room, self.rng = self.room - made, rng
        return Descent(tuple(line), node, asked, met, rng, worth)

    def land(self, answer: Answer | None) -> None:
        """Back up the first descent, and take back the losses of those that follow and collided.

        `answer` is what the network says of its end; `None` if the game is over there.
        """
        descent: Any = self.first
        plan, self.after = self.batches.plan, descent.rng
        path, node = self._taken_back()
        if answer is None:
            for_x = plan.ended(path, node)[0] if descent.worth is None else descent.worth
        else:
            if waits(node):
                node.moves = descent.asked
            self.batches.open(node, answer)
            for_x, node.places = answer.for_x, node.places and [*node.places]
        inplace.backup(path, node, for_x, None, plan)
        if self.search.collisions:
            while (following := self.first) and following.node is None:
                self._taken_back()

    def _taken_back(self) -> Any:
        """Remove the first descent and its losses; return its path and the node where it ends."""
        path, node = self.drafts.path(self.waiting.popleft().line, -1)
        if self.batches.width:  # an answer below may come before that about more moves
            for each, _, _ in path:
                reopen(each)
            reopen(node)
        return path, node

    def fly(self, goal: int, forced: Forced = None) -> Iterator[tuple[Descent, Answer | None]]:
        """Back up descents until the root has `goal` visits, or the batch or the search ends.

        Yield each of them, with the answer about its end. The network is called when the answer
        about the first is missing, for all of those up to the goal.
        """
        sliding = self.search.sliding
        while self.visits < goal:
            self.launch(self.most(math.inf if sliding else goal), forced)
            first, answer = self.first, None
            if first is None:
                return
            if waits(first.node):
                if not self._known:
                    within = asked_of(islice(self._flown(), goal - self.visits))
                    self._known += answers(self.batches.network, within)
                answer = self._known.pop(0)
            self.land(answer)
            yield first, answer
            if not (sliding or self.waiting):
                return

    # ---- as a session ----

    @property
    def ended(self) -> bool:
        """True if nothing is in flight, and no descent is made any more."""
        return self.over and not self.waiting

    def advance(self, iterations: int, forced: Forced = None) -> Self:
        """Return the session itself after `iterations` more iterations, by batches after one."""
        try:
            for _ in self.fly(self.visits + iterations, forced):
                pass
        except Exception as error:
            vars(error)['searched'] = self  # for who runs it to finish
            raise
        return self

    def stats(self, line: Line = ()) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves, or of those at the end of a line."""
        return stats_along(settled(self.drafts.root), line)

    def finish(self) -> tuple[Node, Any]:
        """Return the tree without what is in flight, and the generator to use next."""
        return self.frozen().tree, self.after

    # ---- of several searches, with one call of the network ----

    def collect(self, goal: int, forced: Forced = None) -> list[tuple[Any, Any]]:
        """Descend for one batch; return the states to judge, each with its legal moves."""
        self.launch(self.most(goal), forced)
        return asked_of(self._flown())

    def _flown(self) -> Iterator[Descent]:
        """Yield the descents in flight, but for those that collided."""
        return (it for it in self.waiting if it.node is not None)

    def credit(self, given: Sequence[Answer]) -> None:
        """Back up the batch, with what the network says of each of the states."""
        following = iter(given)
        while (first := self.first) is not None:
            self.land(next(following) if waits(first.node) else None)


def flying(root: Node, rng: Any, search: Search, *, explained: bool = False) -> Flying:
    """Return the search of that root with a network, before its first descent."""
    flight = flight_of(root, rng, search)
    return Flying(flight, batches_of(search, root.state), search, explained=explained)


def flight_of(root: Node, rng: Any, search: Search) -> Flight:
    """Return the flight of a tree before the first descent."""
    return Flight(root, room_left(root, search.max_nodes), rng, rng)
