"""Known faults of GRAVE are detected by the formula or by a tree."""

import functools
import math
from itertools import chain

import pytest

from fmcts._engines import plan, updates
from fmcts.formulas import where
from fmcts.games import connect4, tictactoe
from fmcts.search import memory
from fmcts.search.methods import GRAVE
from fmcts.search.methods.grave import AtAnAncestor
from formula_of_grave import Takes, holds
from tiers import exhaustive


class AtLeast(GRAVE):
    """As many visits as `ref`, and not more."""

    class Kept(AtAnAncestor):
        def refers(self, visits):
            return visits >= self.ref

    @property
    def table(self):
        return self.Kept(self.ref)


class OtherSide(AtLeast):
    """AMAF for the other side."""

    class Kept(AtAnAncestor):
        def update(self, row, reward):
            return row.amaf_visits + 1.0, row.amaf_reward + (1.0 - reward)


class Untried(GRAVE):
    """A move without visits comes first, though the weight of AMAF is 1 there."""

    def score(self, edge, parent):
        return where(edge.visits > 0.0, GRAVE.score(self, edge, parent), math.inf)


class Lost(GRAVE):
    """A move without visits as a lost one."""

    def score(self, edge, parent):
        return where(edge.visits > 0.0, GRAVE.score(self, edge, parent), 0.0)


class TenTimes(GRAVE):
    """The constant of another program, which differs by a factor of ten."""

    def score(self, edge, parent):
        other = GRAVE(ref=self.ref, b=10.0 * self.b, c=self.c)
        return other.score(edge, parent)


@functools.cache
def holds_of_grave(state, seed, **numbers):
    return holds(GRAVE(**numbers), state, seed)


@pytest.mark.parametrize(
    'state', [tictactoe.start, exhaustive(connect4.start)], ids=['tictactoe', 'connect4']
)
@pytest.mark.parametrize('mutant', [AtLeast, OtherSide, Untried, Lost, TenTimes])
def test_faulty_formulas_are_detected(mutant, state):
    numbers = {'ref': 9, 'b': 0.01}
    assert all(holds_of_grave(state, seed, **numbers) for seed in range(3))
    assert not any(holds(mutant(**numbers), state, seed) for seed in range(3))


def the_furthest(method, choose, above):
    """The reference is the furthest node above, which is the root."""

    def told(node, children, log_visits, path):
        refers = method.table.refers
        line = [each for each in chain((node,), above(path)) if refers(each.visits)]
        return choose(node, children, log_visits, line[-1] if line else None)

    return told


def the_child(method, choose, above):
    """The reference is looked for from the child on."""

    def told(node, children, log_visits, path):
        line = chain(children[:1], (node,), above(path))
        reference = next((each for each in line if method.table.refers(each.visits)), None)
        return choose(node, children, log_visits, reference)

    return told


@pytest.mark.parametrize('wrong', [the_furthest, the_child], ids=lambda wrong: wrong.__name__)
def test_wrong_references_are_detected(wrong, monkeypatch):
    assert holds(GRAVE(ref=9), connect4.start)
    monkeypatch.setattr(plan, 'referring', wrong)
    assert not holds(GRAVE(ref=9), connect4.start)


def test_counting_repeated_moves_is_detected(monkeypatch):
    """A player takes one counter several times in a game: only the first time counts."""

    class Every(list):
        """The moves of an iteration, each as often as it was played."""

        add = list.append

    class Repeated(dict):
        fromkeys = list

    assert all(holds(GRAVE(ref=5), Takes(9), seed) for seed in range(3))
    monkeypatch.setattr(updates, 'set', Every, raising=False)
    monkeypatch.setattr(memory, 'dict', Repeated, raising=False)
    assert not any(holds(GRAVE(ref=5), Takes(9), seed) for seed in range(3))


def test_ignoring_the_side_is_detected(monkeypatch):
    """The side is part of the code: a cell is another move for the opponent."""
    assert holds(GRAVE(ref=5), tictactoe.start)

    def wrong(kept, node, for_x, played):
        return told_by_key(kept, node, for_x, played | {(who.other, key) for who, key in played})

    told_by_key = updates._told_by_key
    monkeypatch.setattr(updates, '_told_by_key', wrong)
    assert not holds(GRAVE(ref=5), tictactoe.start)
