"""Names by content distinguish values that differ in one thing."""

import enum
import types
from collections import namedtuple

import pytest

from fmcts._content.naming import UnknownValueError, content


def function(source, **names):
    """The function that `source` defines, where `names` stand for globals."""
    exec(source, names)  # noqa: S102 - our own source
    return names['f']


def one(x):
    return x + 1


def two(x):
    return x + 2


def adding(number):
    return lambda x: x + number


def module(member):
    made = types.ModuleType('numpy.somewhere')  # which is what it says only where it is imported
    made.member = member
    return made


def kind(base):
    return base('Kind', {'A': 1, 'B': 2})


def fields(**defaults):
    return namedtuple('Point', 'x y', defaults=[*defaults.values()])  # noqa: PYI024


CAUGHT = """
def f(x):
    try: a = g(x)
    except ValueError: return 0
    else: b = g(x)
    return a + b
"""
CAUGHT_LATER = """
def f(x):
    try: a = g(x); b = g(x)
    except ValueError: return 0
    return a + b
"""

APART = {
    'where a text ends': (('a', 'bstr c'), ('astr b', 'c')),
    'a number and its text': (1, '0x1'),
    'nothing and its text': (None, 'None'),
    'what is true and its text': (True, 'True'),
    'a number and what is true': (1, True),
    'bytes and text': (b'ab', '6162'),
    'a constant and its text': (lambda: None, lambda: 'None'),
    'where a tuple ends': (((1, 2), 3), ((1,), 2, 3)),
    'where errors are caught': (function(CAUGHT, g=one), function(CAUGHT_LATER, g=one)),
    'arguments by name': (function('def f(*x): return x'), function('def f(**x): return x')),
    'a generator': (lambda: (yield), lambda: None),
    'which is called again': ((one, two, one), (one, two, two)),
    'which function is called again': (
        function('def f(x): return a(x) + b(x) + c(x)', a=one, b=two, c=one),
        function('def f(x): return a(x) + b(x) + c(x)', a=one, b=two, c=two),
    ),
    'what members of an enumeration are': (kind(enum.Enum).B, kind(enum.IntEnum).B),
    'what an enumeration is': (kind(enum.IntEnum), kind(enum.IntFlag)),
    'defaults of fields': (fields(), fields(y=1)),
    'values of defaults of fields': (fields(y=1), fields(y=2)),
    'the class of a named tuple': (fields(y=1)(1, 2), fields(y=2)(1, 2)),
    'a default': (lambda x=1: x, lambda x=2: x),
    'a default by name': (lambda *, x=1: x, lambda *, x=2: x),
    'constants within': (lambda: lambda: 1, lambda: lambda: 2),
    'a closure': (adding(1), adding(2)),
    'a global': (function('def f(): return a', a=1), function('def f(): return a', a=2)),
    'a global within': (
        function('def f(): return lambda: a', a=1),
        function('def f(): return lambda: a', a=2),
    ),
    'a member of a module': (
        function('def f(x): return a.member(x)', a=module(one)),
        function('def f(x): return a.member(x)', a=module(two)),
    ),
    'a member of a module by its name': (
        function("def f(x): return getattr(a, 'member')(x)", a=module(one)),
        function("def f(x): return getattr(a, 'member')(x)", a=module(two)),
    ),
}  # fmt: skip


@pytest.mark.parametrize('pair', APART)
def test_different_content_has_different_names(pair):
    first, second = APART[pair]
    assert content(first) != content(second)
    assert content(first) == content(first)


def test_a_relative_import_is_not_a_known_module():
    """`from .math import pi` may mean anything."""
    relative = function('def f():\n    from .math import pi\n    return pi', __name__='here')
    with pytest.raises(UnknownValueError, match=r'^\.math, imported within f$'):
        content(relative)
    assert content(function('def f():\n    from math import pi\n    return pi'))
