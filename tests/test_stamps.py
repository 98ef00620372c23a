"""Stamps: whether anything that functions reach has changed, and unchanging copies."""

import math
import sys
import types
from typing import NamedTuple

import pytest

from fmcts import Search, SplitMix, _compiled as compiled
from fmcts._content.stamps import Stamp
from fmcts.bits import popcount
from fmcts.games import tictactoe
from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules, OnPositions

np = pytest.importorskip('numpy')

SOURCE = """
def helper(x, y=1, *, z=2):
    return x + y + z + K


def unused():
    return OTHER


def f(x):
    def inner():
        return x + module.inside.number + len(TABLE)
    return helper(x) + inner() + CONTAINER[0] + OBJECT.number
"""


class Thing:
    """An object with attributes."""

    kind = 1
    pair = (1, 2)

    def __init__(self):
        self.number = 1

    def method(self):
        return self.number


class Slotted:
    __slots__ = ('number',)

    def __init__(self):
        self.number = 1


def closure():
    number = 1

    def f(_x):
        return number

    def change():
        nonlocal number
        number = 2

    return f, change


def world():
    """The globals of a function `f`, and all that it reaches."""
    module = types.ModuleType('somewhere')
    module.inside = types.ModuleType('inside')
    module.inside.number = 1
    module.inside.unused = 1
    names = {
        'K': 1,
        'OTHER': 1,
        'module': module,
        'TABLE': np.arange(3),
        'CONTAINER': [1, [2]],
        'OBJECT': Thing(),
    }
    exec(SOURCE, names)  # noqa: S102 - our own source
    return names


def put(name, value):
    def change(names):
        names[name] = value

    return change


def set_in(path, name, value):
    def change(names):
        setattr(eval(path, names), name, value)  # noqa: S307 - our own source

    return change


def run(source):
    return lambda names: exec(source, names)  # noqa: S102 - our own source


COMPILED = {
    'a global': put('K', 2),
    'a global of another type': put('K', 1.0),
    'a global that is gone': lambda names: names.pop('K'),
    'a helper': run('def helper(x): return x'),
    'code': set_in('helper', '__code__', (lambda x, y, *, z: x + y + z).__code__),
    'own code': set_in('f', '__code__', (lambda x: x).__code__),
    'defaults': set_in('helper', '__defaults__', (2,)),
    'keyword defaults': set_in('helper', '__kwdefaults__', {'z': 3}),
    'keyword defaults in place': run('helper.__kwdefaults__["z"] = 3'),
    'a member of a module in a module': set_in('module.inside', 'number', 2),
    'a module in a module': set_in('module', 'inside', math),
    'an array in place': run('TABLE[1] = 7'),
    'the type of an array': lambda names: names.update(TABLE=names['TABLE'].astype(float)),
    'what is built in': put('len', abs),
}
MORE = {
    'a list in place': run('CONTAINER[0] = 2'),
    'a list in a list': run('CONTAINER[1].append(3)'),
    'an attribute': set_in('OBJECT', 'number', 2),
    'another attribute': set_in('OBJECT', 'method', None),
    'a tuple of a class': set_in('type(OBJECT)', 'pair', (2, 1)),
    'the class of an object': run('type(OBJECT).method = lambda self: 2'),
    'a dict': run('CONTAINER[1] = {}'),
}
NOTHING = {
    'what is not named': put('unnamed', 2),
    'what another function names': put('OTHER', 2),
    'a member that is not named': set_in('module.inside', 'unused', 2),
    'the same again': lambda names: names.update(K=names['K']),
    'a name and a document': run('f.__name__ = "g"; f.__doc__ = "another"'),
}


@pytest.fixture(autouse=True)
def _restore(monkeypatch):
    for name in ('method', 'pair'):
        monkeypatch.setattr(Thing, name, getattr(Thing, name))


@pytest.mark.parametrize('change', {**COMPILED, **MORE})
def test_changes_are_detected(change):
    names = world()
    stamp = Stamp(names['f'])
    assert stamp.holds()
    {**COMPILED, **MORE}[change](names)
    assert not stamp.holds()


@pytest.mark.parametrize('change', NOTHING)
def test_changes_elsewhere_are_ignored(change):
    names = world()
    stamp = Stamp(names['f'])
    NOTHING[change](names)
    assert stamp.holds()


@pytest.mark.parametrize('module', ['fmcts.bits', 'json', 'attr', 'math'])
def test_functions_may_borrow_a_module_s_name(module):
    """Only one with the globals of that module never changes."""
    names = {'__name__': module, 'K': 1}
    exec('def f(): return K', names)  # noqa: S102 - our own source
    assert names['f'].__module__ == module
    stamp = Stamp(names['f'])
    assert stamp.holds()
    names['K'] = 2
    assert not stamp.holds()


def test_closures_slots_and_containers_are_followed():
    f, change = closure()
    slotted, kept = Slotted(), {'a': {1}}
    stamps = [Stamp(value) for value in (f, slotted, kept, kept['a'])]
    assert all(stamp.holds() for stamp in stamps)
    change()
    slotted.number = 2
    kept['a'].add(2)
    assert [stamp.holds() for stamp in stamps] == [False] * 4


def test_constants_need_no_stamp():
    assert Stamp(popcount, math.sqrt, 1, 'a').fixed
    assert not Stamp(closure()[0]).fixed


@pytest.mark.needs_numba
@pytest.mark.parametrize('change', COMPILED)
def test_each_content_gets_a_copy(change):
    current = pytest.importorskip('fmcts._numba.cache.current').current
    names = world()
    for container in ('CONTAINER', 'OBJECT'):  # which numba takes not at all
        names[container] = (1,)
    run('def f(x):\n    def inner():\n        return x + module.inside.number + len(TABLE)\n'
        '    return helper(x) + inner()')(names)  # fmt: skip
    copy = current(names['f'])
    assert current(names['f']) is copy is not names['f']
    assert copy(1) == names['f'](1) == 10
    before = {name: names[name] for name in ('K', 'helper')}
    COMPILED[change](names)
    assert current(names['f']) is not copy
    if change != 'an array in place':
        assert copy(1) == 10
    if change in ('a global', 'a helper'):
        names.update(before)
        assert current(names['f']) is copy


FIRST = 1


def test_moves_are_remembered_per_menu(monkeypatch):
    """What a state of rules has for moves is remembered by its menu."""
    rules = IntegerRules(
        menu=lambda position: position.left,
        count=int,
        pick=lambda _menu, index: index + FIRST,
        play=lambda position, _move: position,
        side=lambda _position: 0,
        winner=lambda _position: 0,
    )
    game = make_game('counted', Left(2), rules)
    assert (rules.listed(2), game.start.moves) == ([1, 2], (1, 2))
    monkeypatch.setitem(globals(), 'FIRST', 5)
    assert (rules.listed(2), game.kind(Left(2)).moves) == ([5, 6], (5, 6))


class Left(NamedTuple):
    left: int


def test_kinds_of_searches_are_distinguished_by_content(monkeypatch):
    def rule_with(factor):
        return lambda edge, _parent: edge.value + factor * FIRST

    def kind(factor):
        search = Search(selection=rule_with(factor), evaluate=OnPositions(rule_with(factor)))
        return compiled.kind_of(tictactoe.start, SplitMix(1, 3), search)

    before = kind(1)
    assert before == kind(1)
    assert len({kind(factor) for factor in range(5)}) == 5
    monkeypatch.setitem(globals(), 'FIRST', 5)
    assert kind(1) != before


def test_values_are_looked_at_while_another_thread_loads_numpy(monkeypatch):
    monkeypatch.setitem(sys.modules, 'numpy', types.ModuleType('numpy'))  # its names come later
    holder = types.SimpleNamespace(number=[1.5])
    stamp = Stamp(holder)
    assert stamp.holds()
    holder.number[0] = 2.5
    assert not stamp.holds()
