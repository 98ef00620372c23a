"""A picture of a value shows every change of its content, and nothing else."""

import functools
import os
from array import array
from collections import deque
from itertools import count
from types import MappingProxyType

import pytest
from attrs import define, field

from fmcts.testing._laws.pictures import changes, fields_of, picture, unlike
from processes import run_python

NONE = frozenset()


@define
class Thing:
    value: object
    later: object = field(init=False)


class Plain:
    def __init__(self):
        self.board = {'a': [1]}

    @functools.cached_property
    def known(self):
        return 3


def changed(thing, act, memos=NONE, **options):
    before = picture(thing, 'thing', memos)
    assert [*changes(before, memos, strict=True)] == []
    act(thing)
    return [*changes(before, memos, **options)]


def assign(**values):
    def act(thing):
        for name, value in values.items():
            setattr(thing, name, value)

    return act


class Below:
    __slots__ = ('__hidden', 'name')

    def __init__(self):
        Below.name.__set__(self, 1)
        self.__hidden = 1

    def hide(self):
        self.__hidden = 2


class Above(Below):
    """A slot of the same name as one below, whose value stays where it was."""

    __slots__ = 'name'  # noqa: PLC0205 - one alone may be a text

    def __init__(self):
        super().__init__()
        self.name = 1

    def rename(self):
        Below.name.__set__(self, 2)


class Late(Below):
    """What the slot holds is made when it is looked at."""

    __slots__ = ()

    @property
    def name(self):
        value = Below.name.__get__(self)
        if value == 1:
            Below.name.__set__(self, [value])
        return Below.name.__get__(self)


class Mixed(Below):
    """A dictionary beside the slots, one of which raises when it is looked at."""

    name = property(lambda _self: 1 // 0)


def keeping(*, fill=False):
    """A function with a closure, part of which is empty yet, and defaults."""
    held, other = [1], [2]

    def kept(first=other, *, second=other):
        return held, first, second, empty

    if fill:
        empty = 1
    return kept


def inside(function, name):
    """What is in the closure of a function, by name."""
    return function.__closure__[function.__code__.co_freevars.index(name)].cell_contents


ONE = Plain()


@pytest.mark.parametrize(
    ('thing', 'act', 'found'),
    [
        (Thing([1, 2]), lambda it: it.value.append(3), ['thing.value[2] is new']),
        (Thing([1, [2]]), lambda it: it.value[1].pop(), ['thing.value[1][0] is gone']),
        (Thing({'a': 1}), lambda it: it.value.update(a=2), ["thing.value['a'] was 1 and is 2"]),
        (
            Thing({'a': 1}),
            lambda it: it.value.update(b=2),
            ["thing.value['b'] is new", 'thing.value key 1 is new'],
        ),
        (
            Thing(MappingProxyType(inner := {'a': 1})),
            lambda _: inner.update(a=2),
            ["thing.value['a'] was 1 and is 2"],
        ),
        (Thing({1}), lambda it: it.value.add(2), ['thing.value has other elements']),
        (Thing({1, 2}), lambda it: it.value.remove(2), ['thing.value has other elements']),
        (
            Thing((1, Thing(2))),
            lambda it: assign(value=3)(it.value[1]),
            ['thing.value[1].value was 2 and is 3'],
        ),
        (Thing(1), assign(value=True), ['thing.value was 1 and is True']),
        (Thing(1), assign(value=None), ['thing.value was 1 and is None']),
        (Thing(1), assign(value=2), ['thing.value was 1 and is 2']),
        (Thing(0.0), assign(value=-0.0), ['thing.value was 0.0 and is -0.0']),
        (Thing(deque([1])), lambda it: it.value.append(2), ['thing.value[1] is new']),
        (
            Thing(bytearray(b'a')),
            lambda it: it.value.extend(b'b'),
            ["thing.value as bytes was b'a' and is b'ab'"],
        ),
        (
            Thing(array('B', [1, 2])),
            lambda it: it.value.reverse(),
            ["thing.value.tobytes() was b'\\x01\\x02' and is b'\\x02\\x01'"],
        ),
        (Thing([1]), assign(value=[1]), []),
        (Thing([1]), assign(value=[2]), ['thing.value was [1] and is [2]']),
        (Thing([1]), assign(value=(1,)), ['thing.value was [1] and is (1,)']),
        (Thing(1), assign(later=2), []),
        (Thing(1), lambda it: delattr(it, 'value'), ['thing.value is gone']),
        (Below(), Below.hide, ['thing._Below__hidden was 1 and is 2']),
        (Above(), Above.rename, ['thing.Below.name was 1 and is 2']),
        (Late(), lambda it: it.name.append(2), ['thing.name[1] is new']),
        (Late(), lambda it: it.name, []),
        (Mixed(), assign(other=1), ['thing.other is new']),
        (Plain(), lambda it: it.known, []),
        (Plain(), lambda it: it.board['a'].append(2), ["thing.board['a'][1] is new"]),
        (Plain(), assign(other=1), ['thing.other is new']),
        (Plain(), lambda it: it.__dict__.clear(), ['thing.board is gone']),
        (keeping(), lambda it: inside(it, 'held').append(2), ['thing.held[1] is new']),
        (
            keeping(),
            lambda it: it.__defaults__[0].append(2),
            ["thing.__kwdefaults__['second'][1] is new"],
        ),
        (keeping(), lambda it: setattr(it, 'own', 1), ['thing.own is new']),
        (
            keeping(),
            lambda it: it.__kwdefaults__.update(second=1),
            ["thing.__kwdefaults__['second'] was [2] and is 1"],
        ),
        (
            functools.partial(max, [1], key=[2]),
            lambda it: it.args[0].append(3),
            ['thing.args[0][1] is new'],
        ),
        (
            functools.partial(max, [1], key=[2]),
            lambda it: it.keywords['key'].append(3),
            ["thing.keywords['key'][1] is new"],
        ),
        (
            functools.partial(functools.partial(max, [1])),
            lambda it: it.args[0].append(3),
            ['thing.args[0][1] is new'],
        ),
        (Below().hide, lambda it: it(), ['thing.__self__._Below__hidden was 1 and is 2']),
    ],
    ids=count(),
)
def test_every_change_is_shown(thing, act, found):
    assert changed(thing, act) == found


class WithDictionary:
    __slots__ = ('__dict__', '__weakref__', 'slot')


def test_a_dictionary_in_a_slot_is_not_a_field():
    thing = WithDictionary()
    thing.slot, thing.other = 1, 2
    assert fields_of(thing) == {'slot': 1, 'other': 2}


def test_plain_values_have_no_parts():
    assert picture(3, 'thing', NONE) == picture('text', 'thing', NONE) == []


def test_several_changes_are_reported():
    def both(thing):
        thing[0].append(3)
        thing[1].add(4)

    assert changed([[2], {1}], both) == ['thing[1] has other elements', 'thing[0][1] is new']


def test_changes_inside_elements_of_a_set_are_reported():
    (told,) = changed({ONE}, lambda it: next(iter(it)).board['a'].append(2))
    assert told.startswith('thing element ')
    assert told.endswith(".board['a'][1] is new")


def test_empty_closure_cells_are_supported():
    assert changed(keeping(), lambda _: None) == []
    function, parts, _ = picture(keeping(fill=True), 'thing', NONE)[0]
    assert parts['.empty'] == 1
    assert '.empty' not in picture(keeping(), 'thing', NONE)[0][1]
    assert fields_of(function) == {}


@pytest.mark.parametrize(
    ('thing', 'act', 'found'),
    [
        (Thing([1]), assign(value=[1]), ['thing.value was [1] and is [1]']),
        (Thing(1000), assign(value=int('1000')), []),
        (Thing(1), assign(later=2), []),
        (Plain(), lambda it: it.known, ['thing.known is new']),
    ],
    ids=count(),
)
def test_strict_comparison_distinguishes_equal_values(thing, act, found):
    assert changed(thing, act, strict=True) == found


def test_mangled_slots_have_their_names():
    assert fields_of(Below()) == {'_Below__hidden': 1, 'name': 1}
    above = Above()
    above.name = 5
    assert fields_of(above) == {'name': 5, '_Below__hidden': 1, 'Below.name': 1}
    assert fields_of(Late()) == {'name': [1], '_Below__hidden': 1}


def test_memos_are_not_compared():
    board = frozenset({'board'})
    assert changed(Plain(), lambda it: it.board.clear(), board) == []
    assert changed(Plain(), assign(board=3), board) == []


def test_recursive_values_terminate():
    loop = []
    loop.append(loop)
    assert len(picture(loop, 'loop', frozenset())) == 1


def test_new_parts_are_reported_in_the_order_of_the_value():
    """Whatever the hashes of the names are."""
    program = (
        'from fmcts.testing._laws.pictures import changes, picture\n'
        'thing = {}\n'
        "before = picture(thing, 'thing', frozenset())\n"
        'thing.update(zip("abcdef", range(6)))\n'
        'print(*changes(before, frozenset()), sep=", ")'
    )
    told = {
        run_python('-c', program, env={**os.environ, 'PYTHONHASHSEED': seed}, check=True).stdout
        for seed in '12'
    }
    assert len(told) == 1
    assert told.pop().startswith("thing['a'] is new, thing key 0 is new, thing['b'] is new, ")


# Two values.


def circle(number):
    """A list that holds itself."""
    made = [number]
    made.append(made)
    return made


@pytest.mark.parametrize(
    ('one', 'two', 'words'),
    [
        (Thing(1), Thing(1), None),
        (Thing(1), Thing(2), 'it.value is 1, and 2'),
        (Thing(1), Thing(1.0), 'it.value is of type int, and of type float'),
        (Thing([1, {'a': (2,)}]), Thing([1, {'a': (2,)}]), None),
        (Thing([1, {'a': (2,)}]), Thing([1, {'a': (3,)}]), "it.value[1]['a'][0] is 2, and 3"),
        (Thing([1]), Thing([1, 2]), 'it.value is [1], and [1, 2]'),
        (Thing({'a': 1}), Thing({'b': 1}), "it.value is {'a': 1}, and {'b': 1}"),
        (Thing({1, 2}), Thing({2, 1}), None),
        (Thing({1, 2}), Thing({1, 3}), 'it.value is {1, 2}, and {1, 3}'),
        (Thing(float('nan')), Thing(float('nan')), None),
        (
            Thing(array('b', [1])),
            Thing(array('b', [2])),
            "it.value.tobytes() is b'\\x01', and b'\\x02'",
        ),
        (circle(1), circle(1), None),
        (circle(1), circle(2), 'it[0] is 1, and 2'),
        (object(), object(), None),
    ],
    ids=count(),
)
def test_the_first_plain_difference_is_named(one, two, words):
    assert unlike(one, two, 'it', NONE) == words
    assert unlike(one, one, 'it', NONE) is None


def test_attributes_set_in_only_one_value_are_ignored():
    one, two = Plain(), Plain()
    assert one.known == 3
    assert unlike(one, two, 'it', NONE) is None
    one, two = Thing(1), Thing(1)
    one.later = 2
    assert unlike(one, two, 'it', NONE) is None
    two.later = 3
    assert unlike(one, two, 'it', NONE) == 'it.later is 2, and 3'
    assert unlike(one, two, 'it', frozenset(['later'])) is None
