"""Snapshots of values show every change of what can be reached from them."""

import functools
from array import array
from collections import deque
from itertools import count
from types import SimpleNamespace

import pytest
from attrs import define, frozen

from fmcts import SplitMix
from fmcts.games import tictactoe
from fmcts.testing._laws.snapshots import attributes, changed, parts, snapshot, unlike


@define
class Slotted:
    held: object = None


class Hidden(Slotted):
    __slots__ = ('__own',)

    def __init__(self):
        super().__init__([1])
        self.__own = [2]


class Cached:
    @functools.cached_property
    def found(self):
        return 1


def closed(seen):
    return lambda: seen


class Methods:
    def __init__(self):
        self.kept = []

    def method(self):
        self.kept.append(1)


BOUND = Methods().method


@pytest.mark.parametrize(
    ('thing', 'change', 'words'),
    [
        ([1, 2], lambda it: it.append(3), 'it was [1, 2] and is [1, 2, 3]'),
        ([[1], (2,)], lambda it: it[0].clear(), 'it[0] was [1] and is []'),
        ({'a': [1]}, lambda it: it['a'].append(2), "it['a'] was [1] and is [1, 2]"),
        ({'a': 1}, lambda it: it.update(b=1), 'it was a dict of 1 and is a dict of 2'),
        ({1, 2}, lambda it: it.remove(2), "it was the set ['1', '2'] and is the set ['1']"),
        (deque([1]), lambda it: it.append(2), 'it was deque([1]) and is deque([1, 2])'),
        (
            bytearray(b'a'),
            lambda it: it.append(98),
            "it was bytearray(b'a') and is bytearray(b'ab')",
        ),
        (array('i', [1, 2]), lambda it: it.reverse(), 'it was '),
        (Slotted([1]), lambda it: it.held.append(2), 'it.held was [1] and is [1, 2]'),
        (Hidden(), lambda it: it._Hidden__own.append(3), 'it._Hidden__own was [2] and is [2, 3]'),
        (SimpleNamespace(a=1), lambda it: vars(it).clear(), 'it was a SimpleNamespace with a and '),
        (SimpleNamespace(), lambda it: setattr(it, 'a', 1), 'it was a SimpleNamespace and is a S'),
        (lambda held=[1]: held, lambda it: it().append(2), 'it.__defaults__[0][0] was [1] and is'),
        (closed([1]), lambda it: it().append(2), 'it.__closure__ was '),
        (functools.partial(print, [1]), lambda it: it.args[0].append(2), 'it.args[0] was [1] and'),
        (BOUND, lambda it: it(), 'it.__self__.kept was [] and is [1]'),
        # Not a change: what is computed when it is asked for the first time.
        (Cached(), lambda it: it.found, None),
        (Slotted([(1, 2)]), lambda it: it.held.__setitem__(0, (1, 2)), None),
    ],
    ids=count(),
)
def test_changes_are_described(thing, change, words):
    before = snapshot(thing, 'it')
    assert changed(before, snapshot(thing, 'it')) is None
    change(thing)
    found = changed(before, snapshot(thing, 'it'))
    assert found is words is None or found.startswith(words)


def test_an_empty_slot_may_be_filled_and_not_emptied():
    thing = Slotted()
    del thing.held
    before = snapshot(thing, 'it')
    thing.held = 1
    after = snapshot(thing, 'it')
    assert changed(before, after) is None
    assert changed(after, before) == 'it.held was 1 and is gone'


def test_memos_are_left_out():
    thing = SimpleNamespace(kept=1, other=2)
    before = snapshot(thing, 'it', {'kept'})
    thing.kept = 3
    assert changed(before, snapshot(thing, 'it', {'kept'})) is None


def test_circles_end():
    thing = []
    thing.append(thing)
    assert [path for path, _ in parts(thing, 'it')] == ['it', 'it[0]']


@frozen
class Holds:
    one: object
    two: object = 2


@pytest.mark.parametrize(
    ('one', 'two', 'words'),
    [
        (Holds(1), Holds(1), None),
        (Holds([1, {}]), Holds([2, {}]), 'it.one[0] is 1, and 2'),
        (Holds(1), Holds(1.0), 'it.one is 1, and 1.0'),
        (Holds({1}), Holds({2}), "it.one is the set ['1'], and the set ['2']"),
        (Holds((1,)), Holds([1]), 'it.one is (1,), and [1]'),
        (Holds(array('i', [1])), Holds(array('i', [2])), 'it.one is [1], and [2]'),
        (
            Holds('a' * 99 + 'b'),
            Holds('a' * 99 + 'c'),
            f"it.one is ...{'a' * 23}b', and ...{'a' * 23}c'",
        ),
        (tictactoe.start, tictactoe.start.play(4), 'it.'),
    ],
    ids=count(),
)
def test_two_values_are_compared_part_by_part(one, two, words):
    found = unlike(one, two, 'it')
    assert found is words is None or found.startswith(words)


def test_attributes_of_any_class():
    assert attributes(Hidden()) == {'held': [1], '_Hidden__own': [2]}
    assert attributes(SimpleNamespace(a=1)) == {'a': 1}
    assert attributes(SplitMix(0, 1)).keys() >= {'state', 'gamma'}
    assert attributes(3) == attributes(None) == {}
