"""Names of machine code: registrations with numba, settings, and each entry point."""

import itertools
import platform
import sys
from collections import namedtuple

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
import pytest
from attrs import evolve
from numba.core import config
from numba.extending import intrinsic, overload

from fmcts._compiled import checking, loop
from fmcts._compiled.structure import Structure
from fmcts._numba.cache import registrations
from fmcts._numba.cache.fingerprint import fingerprint
from fmcts._numba.generators import SplitMixWords, StdGenWords
from fmcts.rules import OnPositions
from fmcts.search.methods import AMAF, PUCT, UCB1, Rule, UCB1Tuned
from fmcts.search.policies import Narrowing


def function(source, **names):
    """The function that `source` defines, where `names` stand for globals."""
    exec(source, names)  # noqa: S102 - our own source
    return names['f']


def using(value):
    """The name of a function that uses the value."""
    return fingerprint(function('def f(x): return x + A', A=value))


@pytest.fixture(scope='module')
def same():
    return using(1)


# ---- what numba was told, and how it compiles ----


def test_the_body_of_an_intrinsic_changes_the_name():
    def instruction(name):
        @intrinsic
        def operation(_context, number):
            return number(number), lambda _cg, build, _sig, args: getattr(build, name)(*args)

        return operation

    assert using(instruction('neg')) == using(instruction('neg'))
    assert using(instruction('neg')) != using(instruction('not_'))


def test_an_overload_changes_the_name():
    """A program may tell numba to compile something else for a function."""
    names = []
    for source in ('x + 1', 'x + 2'):
        f = function('def f(x): return x')
        names.append(using(f))
        overload(f)(function(f'def f(x): return lambda x: {source}'))
        names.append(using(f))
    assert names[0] == names[2]
    assert len(set(names)) == 3


def test_every_registration_of_the_library_changes_the_name(monkeypatch, same):
    """Nothing in the library states what is not looked at, and each statement changes the name."""
    own = registrations.Registrations.now().own
    named = {statement.__qualname__ for _, (statement, *_) in own}
    assert named >= {
        'draw',
        '_normalised',
        '_sqrt',
        '_nth_bit',
        '_item_of_table',
        '_union_of_four',
    }
    modules = {module.__name__ for module in registrations.MODULES}
    assert {statement.__module__ for _, (statement, *_) in own} <= modules
    names = {same}
    for left_out in range(len(own)):
        fewer = registrations.Registrations((*own[:left_out], *own[left_out + 1 :]), {})
        monkeypatch.setattr(
            registrations.Registrations, 'now', classmethod(lambda _cls, it=fewer: it)
        )
        names.add(using(1))
    assert len(names) == 1 + len(own)


class Features(dict):
    def flatten(self):
        return ','.join(self)


@pytest.mark.parametrize(
    ('owner', 'name', 'other'),
    [
        (sys, 'version', '3.99'),
        (platform, 'machine', lambda: 'other'),
        (numba, '__version__', '0.0'),
        (llvmlite, '__version__', '0.0'),
        (np, '__version__', '0.0'),
        (llvm, 'get_process_triple', lambda: 'other'),
        (llvm, 'get_host_cpu_name', lambda: 'other'),
        (llvm, 'get_host_cpu_features', lambda: Features(other=True)),
        (config, 'OPT', 1),
        (config, 'CPU_FEATURES', '-bmi2'),
        (config, 'BOUNDSCHECK', 1),
    ],
)
def test_versions_and_machine_change_the_name(monkeypatch, same, owner, name, other):
    monkeypatch.setattr(owner, name, other)
    assert using(1) != same


def test_numba_s_current_settings_change_the_name(monkeypatch, same):
    """It reads its part of the environment again whenever it compiles."""
    monkeypatch.setenv('NUMBA_LOOP_VECTORIZE', '0')
    assert using(1) != same
    monkeypatch.delenv('NUMBA_LOOP_VECTORIZE')
    assert using(1) == same


# ---- the names of the library's own entry points ----


def names_of(monkeypatch, module, make, variants):
    """The names under which a module's entry points would be kept."""
    monkeypatch.setattr(
        module, 'jit', lambda function, _about, *_parts, **_structure: fingerprint(function)
    )
    return [make(*variant) for variant in variants]


@pytest.fixture
def games(heap, position):
    """Rules that differ from the first in one thing each, with a class of positions."""
    rules = heap.compiled
    other = namedtuple('HeapPosition', ['turn', 'left'])  # noqa: PYI024 - only its fields matter
    changed = {
        'menu': lambda p: min(p.left, 2),
        'count': lambda menu: menu,
        'pick': lambda _menu, index: index + 2,
        'play': lambda p, taken: position(p.left - taken - 1, 1 - p.turn),
        'side': lambda p: 1 - p.turn,
        'winner': lambda p: p.turn,
    }
    one_by_one = [(evolve(rules, **{name: rule}), position) for name, rule in changed.items()]
    return [(rules, position), (rules, other), *one_by_one]


def test_every_loop_has_a_name_of_its_own(monkeypatch, games):
    variants = [Structure(UCB1(), kind) for kind in ('in-order', 'random', 'full')]
    variants += [Structure(UCB1(), 'in-order', unvisited=True)]
    kinds = [SplitMixWords, StdGenWords]
    made = [(*game, kinds[0], variants[0], '') for game in games]
    made += [(*games[0], *pair, '') for pair in itertools.product(kinds, variants)][1:]
    assert len(set(names_of(monkeypatch, loop, loop.make_loop, made))) == len(made) == 15


def test_searches_with_different_code_have_different_names(monkeypatch, games):
    """What a method or the search states differently is another code; its numbers are not."""
    methods = [UCB1(), UCB1Tuned(), PUCT(), AMAF(), Rule(lambda edge, _parent: edge.value)]
    methods += [Rule(lambda edge, _parent: -edge.value)]
    structures = [Structure(method, 'in-order') for method in methods]
    functions = [lambda position: position.left / 100, lambda position: position.left / 50]
    structures += [Structure(UCB1(), 'in-order', evaluate=function) for function in functions]
    structures += [Structure(UCB1(), 'in-order', reward=function) for function in functions]
    structures += [
        Structure(UCB1(), 'in-order', policy=Narrowing(OnPositions(lambda _position, menu: menu)))
    ]
    made = [(*games[0], SplitMixWords, structure, '') for structure in structures]
    assert len(set(names_of(monkeypatch, loop, loop.make_loop, made))) == len(made) == 11
    same = [Structure(UCB1(c), 'in-order') for c in (0.5, 2.0)]
    made = [(*games[0], SplitMixWords, structure, '') for structure in same]
    assert len(set(names_of(monkeypatch, loop, loop.make_loop, made))) == 1


def test_checks_of_different_rules_have_different_names(monkeypatch, games):
    wide = [namedtuple('Menu', fields) for fields in (['low'], ['low', 'high'])]  # noqa: PYI024
    asked = [(*game, int, '') for game in games] + [(*games[0], menus, '') for menus in wide]
    check = names_of(monkeypatch, checking, checking._asking.__wrapped__, asked)
    assert len(set(check)) == len(asked)


def test_the_source_of_a_score_changes_the_name(monkeypatch, games):
    """What the loop and the table of logarithms are made of, though it lies in other modules."""

    def names():
        made = [(*games[0], SplitMixWords, Structure(UCB1(), 'in-order'), '')]
        return names_of(monkeypatch, loop, loop.make_loop, made)

    before = names()
    assert names() == before
    changed = function('def f(self, edge, parent): return edge.value + self.c * parent.log_visits')
    monkeypatch.setattr(UCB1, 'score', changed)
    assert names() != before
