"""Names of functions and values include everything that can change machine code."""

import enum
import functools
import math
import os
import struct
import subprocess
import sys
import types
from collections import namedtuple

import numba
import numpy as np
import pytest
from attrs import frozen

from fmcts import bits
from fmcts._content import naming
from fmcts._content.naming import UnknownValueError
from fmcts._numba.cache.fingerprint import fingerprint


def function(source, **names):
    """The function that `source` defines, where `names` stand for globals."""
    exec(source, names)  # noqa: S102 - our own source
    return names['f']


def using(value):
    """The name of a function that uses the value."""
    return fingerprint(function('def f(x): return x + A', A=value))


SAME = using(1)


def test_comments_and_unused_globals_do_not_change_the_name():
    assert fingerprint(function('# a comment\n\ndef f(x): return x + A', A=1, unused=2)) == SAME


SOURCES = [
    'def f(x): return x - A',
    'def f(x): return x + A + 1',
    'def f(x): return x + A + 2',
    'def f(x): return x.left',
    'def f(x): return x.turn',
    'def f(x, y=1): return x + A',
    'def f(x, y=2): return x + A',
    'def f(x, *, y=1): return x + A',
    'def f(x, *, y=2): return x + A',
    'def f(x): return x + 0.0',
    'def f(x): return x + -0.0',
]


def point(*fields):
    """A class of named tuples; all have the same name."""
    return namedtuple('Point', fields)  # noqa: PYI024 - with fields as wanted


def number(name, value, **members):
    """A member of an enumeration of integers, all of which print as the same."""
    kind = enum.IntEnum('Number', {name: value, **members})
    kind.__repr__ = lambda _self: 'a number'
    return kind(value)


def nan(payload):
    return struct.unpack('>d', (0x7FF8 << 48 | payload).to_bytes(8, 'big'))[0]


VALUES = [
    *(2, 1.0, True, None, ..., '1', b'1', 1j, (1,), (1, (1,)), ((1,), 1), 10**5000),
    *(0.0, -0.0, nan(0), nan(1), math.inf, complex(0.0, -0.0), complex(0.0, 0.0)),
    *(np.int64(1), np.int64(2), np.int32(1), np.uint64(1), np.float64(1), np.bool_(True)),  # noqa: FBT003
    *(np.array([1]), np.array([2]), np.array([1], np.uint8), np.array([1.0]), np.array([[1]])),
    *(np.array([[1], [1]]), np.array([[1, 1]]), np.asfortranarray(np.arange(4).reshape(2, 2))),
    *(np.arange(4).reshape(2, 2), np.arange(4).reshape(2, 2, order='F'), np.arange(4)[::2]),
    *(math, math.sqrt, math.exp, len, int, float, np.int64, np.add),
    *(lambda: 1, lambda: 2, lambda: (lambda: 1), lambda: (lambda: 2)),
    *(frozenset({1}), frozenset({1.0}), frozenset({1, 2}), frozenset()),
    *(bits.Table([1, 2]), bits.Table([2, 1]), (1, 2), bits.Table, bits.popcount),
    *(point('x', 'y'), point('y', 'x'), point('x', 'y')(1, 2), point('y', 'x')(1, 2)),
    *(number('ONE', 1), number('ONE', 2), number('TWO', 1), number('ONE', 1, TWO=2)),
    *(type(number('ONE', 1)), type(number('ONE', 3))),
]  # fmt: skip


@pytest.mark.parametrize('value', VALUES, ids=lambda value: type(value).__name__)
def test_naming_a_value_is_deterministic(value):
    assert using(value) == using(value)


def test_different_sources_and_values_have_different_names():
    made = [SAME]
    made += [fingerprint(function(source, A=1)) for source in SOURCES]
    made += [using(value) for value in VALUES]
    assert [name for name in made if made.count(name) > 1] == []


@pytest.mark.parametrize(
    'source',
    [
        'def f(x):\n    def g():\n        return A\n    return x + g()',
        'def f(x): return sum([A for _ in range(x)])',
        'def f(x): return sum(A for _ in range(x))',
        'def f(x): return (lambda: (lambda: A)())()',
    ],
)
def test_globals_of_inner_functions_change_the_name(source):
    assert len({fingerprint(function(source, A=value)) for value in (1, 2, 3)}) == 3


def test_closures_and_module_members_change_the_name():
    def adding(number):
        return lambda x: x + number

    assert fingerprint(adding(1)) != fingerprint(adding(2))
    module = types.ModuleType('somewhere')
    f = function('def f(x): return module.g(x)', module=module)
    module.g = lambda x: x
    before = fingerprint(f)
    module.g = lambda x: -x
    assert fingerprint(f) != before
    by_its_name = function("def f(x): return getattr(module, 'g')(x)", module=module)
    before = fingerprint(by_its_name)
    module.g = lambda x: x
    assert fingerprint(by_its_name) != before


def test_a_module_that_imitates_a_known_name_changes_the_name():
    names = []
    for sign in (1, -1):
        module = types.ModuleType('numpy.signs')
        module.sign = sign
        names.append(fingerprint(function('def f(x): return module.sign', module=module)))
    assert names[0] != names[1]


def test_the_order_of_a_set_does_not_matter():
    """Functions have no order but that of their addresses."""
    pairs = [(lambda: 1, lambda: 2), (lambda: 2, lambda: 1)] * 20
    assert len({using(frozenset(pair)) for pair in pairs}) == 1
    source = "A = frozenset({'a', 'b', 'c', 1, 2.5, (1, 'd')})\ndef f(x): return x in A"
    script = (
        f'from fmcts._numba.cache.fingerprint import fingerprint\n{source}\nprint(fingerprint(f))'
    )
    seed = '1' if os.environ.get('PYTHONHASHSEED') != '1' else '2'
    found = subprocess.check_output(
        [sys.executable, '-c', script], env={'PYTHONHASHSEED': seed}, text=True
    )
    assert found == f'{fingerprint(function(source))}\n'


class Text(str):
    __slots__ = ()

    def __repr__(self):
        return "'text'"


class Whole(int):
    pass


class Real(float):
    pass


class Pair(tuple):
    __slots__ = ()


class Kept(frozenset):
    pass


@frozen
class Options:
    most: int


class Swapped(point('x', 'y')):
    """Its fields say one thing, its constructor another."""

    __slots__ = ()

    def __new__(cls, y, x):
        return super().__new__(cls, x, y)


Pretender = type('int64', (), {'__module__': 'numpy'})


@pytest.mark.parametrize(
    'value',
    [
        *(object(), [1], {1: 2}, {1}, bytearray(b'1'), functools.partial(int), type('Own', (), {})),
        *(Text('1'), Whole(1), Real(1.0), Pair((1,)), Kept({1}), Options(1), Pretender),
        *({1: 2}.get, [1].count, 'abc'.index, Swapped, Swapped(1, 2)),
        *(np.zeros(1, [('x', 'i8')]), np.zeros(1, object), np.array(['a']), np.zeros(1, 'M8[s]')),
        *(np.zeros(1, [('x', 'i8')])[0], np.rec.array([1]), np.ma.array([1])),
        ([1],),
        (subprocess,),
        numba.njit(lambda x: x),
        frozenset({Whole(1)}),
        lambda: Whole,
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_unnameable_values_are_refused(value):
    with pytest.raises(UnknownValueError, match=r'^\w+ of .+ is '):
        using(value)


def test_an_unbound_variable_is_unnameable():
    def unfinished():
        return later

    if False:
        later = 1
    with pytest.raises(UnknownValueError, match='unfinished'):
        fingerprint(unfinished)


def test_subclasses_of_plain_values_are_not_plain():
    """Whatever is not one of the plain kinds must be met by a rule of its own."""
    assert naming._plain(Whole(1)) is None
    assert naming._plain(True) != naming._plain(1)  # noqa: FBT003 - the value itself


def test_imports_inside_functions_must_be_of_known_modules():
    assert fingerprint(function('def f(x):\n    import math\n    return math.sqrt(x)'))
    for source in ('import helper', 'from . import math', 'from helper import near'):
        with pytest.raises(UnknownValueError, match=r', imported within f$'):
            fingerprint(function(f'def f(x):\n    {source}'))
