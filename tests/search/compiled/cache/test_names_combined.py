"""Names of machine code for drawn values and functions: equal exactly for equal content.

What is named is built twice from a description; descriptions are compared by their text.
"""

import enum
import struct
import types
from collections import namedtuple

import numba
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numba import extending

from fmcts import bits
from fmcts._content.naming import content
from fmcts._numba.cache import fingerprint as fingerprints
from fmcts._numba.cache.fingerprint import CodeNaming
from fmcts._numba.cache.registrations import Registrations

PLAIN = [
    *(None, 'None', True, 'True', False, 1, 1.0, '1', '0x1', b'1', '31', b'', '', 0, 0.0, -0.0),
    *(1j, -1, '-0x1', 'int 0x1', 10**30, ..., 'Ellipsis', float('inf'), 'x', 'y', (), 'tuple of 0'),
    struct.unpack('>d', (0x7FF8 << 48 | 1).to_bytes(8, 'big'))[0],
]  # fmt: skip
DTYPES = ['i8', 'u8', 'i4', 'f8', 'f4', 'b1', 'c16']

BODIES = [
    'return {terms}',
    'return [{terms}]',
    'return -({terms})',
    # These two have one byte code; what differs is where errors are caught.
    'try: a = {first}; b = {terms}\n    except ValueError: return 0\n    return a + b',
    'try: a = {first}\n    except ValueError: return 0\n    else: b = {terms}\n    return a + b',
    'def inner(y={first}):\n        return {terms} + y\n    return inner',
    'return module.member + {terms}',
    'return module.other + {terms}',
]
HEADS = ['x', 'x, y=1', 'x, y=2', 'x, *, y=1', 'x, /', 'x, *y', 'z']

LEAVES = st.one_of(
    st.tuples(st.just('plain'), st.integers(0, len(PLAIN) - 1)),
    st.tuples(
        st.sampled_from(['array', 'scalar', 'column']),
        st.sampled_from(DTYPES),
        st.lists(st.integers(0, 1), min_size=1, max_size=2).map(tuple),
    ),
    st.tuples(st.just('table'), st.lists(st.integers(0, 2), max_size=3).map(tuple)),
    st.tuples(st.just('known'), st.sampled_from(['len', 'abs', 'int', 'float'])),
    st.tuples(
        st.just('enum'),
        st.sampled_from(['Enum', 'IntEnum', 'IntFlag', 'Flag']),
        st.sampled_from([('A', 'B'), ('B', 'A'), ('A', 'C')]),
        st.booleans(),  # the class, or its second member
    ),
)


def inner(parts):
    few = st.lists(parts, max_size=3).map(tuple)
    return st.one_of(
        st.tuples(st.just('tuple'), few),
        st.tuples(st.just('set'), st.tuples(LEAVES)),
        st.tuples(st.just('slice'), st.tuples(parts, parts)),
        st.tuples(
            st.just('point'), st.sampled_from(['Point', 'Other']), st.sampled_from(['xy', 'yx']),
            st.booleans(), st.tuples(parts, parts),
        ),
        st.tuples(
            st.just('function'),
            st.sampled_from(HEADS),
            st.integers(0, len(BODIES) - 1),
            st.lists(st.integers(0, 2), min_size=1, max_size=4).map(tuple),  # mentions, in order
            st.booleans(),  # whether they are called
            st.tuples(parts, parts, parts),
        ),
    )  # fmt: skip


SPECS = st.recursive(LEAVES, inner, max_leaves=8)


def build(spec):  # noqa: C901, PLR0911 - one for each kind
    kind, *told = spec
    if kind == 'plain':
        return PLAIN[told[0]]
    if kind == 'array':
        return np.array(told[1], told[0])
    if kind == 'column':
        return np.array([told[1]] * 2, told[0], order='F')
    if kind == 'scalar':
        return np.dtype(told[0]).type(told[1][0])
    if kind == 'table':
        return bits.Table(told[0])
    if kind == 'known':
        return __builtins__[told[0]]
    if kind == 'enum':
        base, names, of_class = told
        made = getattr(enum, base)('Kind', {name: 1 << at for at, name in enumerate(names)})
        return made if of_class else [*made][1]
    parts = [build(part) for part in told[-1]]
    if kind == 'tuple':
        return tuple(parts)
    if kind == 'set':
        return frozenset(hashable(parts))
    if kind == 'slice':
        return slice(*parts)
    if kind == 'point':
        made = namedtuple(told[0], told[1], defaults=[1] if told[2] else None)  # noqa: PYI024
        return made(*parts)
    head, body, mentions, called, _ = told
    module = types.ModuleType('somewhere')
    module.member, module.other = parts[0], parts[1]
    names = {f'v{number}': part for number, part in enumerate(parts)} | {'module': module}
    terms = [f'v{number}' + ('(1)' if called else '') for number in mentions]
    source = BODIES[body].format(first=terms[0], terms=' + '.join(terms))
    exec(f'def f({head}):\n    {source}', names)  # noqa: S102 - our own source
    return names['f']


def hashable(parts):
    return [repr(part) if isinstance(part, np.ndarray) else part for part in parts]


def meant(spec):  # noqa: PLR0911 - the same
    """What of a description reaches the value, as text."""
    kind, *told = spec
    if kind == 'plain':
        return f'{type(PLAIN[told[0]])} {PLAIN[told[0]]!r}'
    if kind == 'enum':
        return repr(spec)
    if kind == 'scalar':
        return repr((kind, told[0], told[1][0]))
    if kind == 'column' and len(told[1]) == 1:  # either order is the same
        return repr(('column', told))
    if kind == 'tuple' and not told[0]:
        return meant(('plain', PLAIN.index(())))
    if kind in ('array', 'column', 'table', 'known'):
        return repr(spec)
    parts = [meant(part) for part in told[-1]]
    if kind != 'function':
        return repr((kind, told[:-1], parts))
    head, body, mentions, called, _ = told
    reached = [parts[number] if number in mentions else None for number in range(3)]
    of_module = {6: parts[0], 7: parts[1]}.get(body)
    return repr((kind, head, body, mentions, called, reached, of_module))


@st.composite
def pairs(draw):
    """A description, and another that differs at one place, anywhere, or nowhere."""
    one = draw(SPECS)
    return one, draw(st.one_of(st.just(one), st.just(one).flatmap(changed), SPECS))


def changed(spec):
    """The description with one of its parts, or itself, drawn anew."""
    if spec[0] not in ('tuple', 'set', 'slice', 'point', 'function'):
        return LEAVES
    *told, parts = spec
    ways = [inner(LEAVES)]
    ways += [
        changed(part).map(
            lambda other, at=at: (*told, (*parts[:at], other, *parts[at + 1 :]))
        )
        for at, part in enumerate(parts)
    ]  # fmt: skip
    if spec[0] == 'function':
        _, head, body, mentions, called, _ = spec
        ways.append(st.sampled_from(HEADS).map(lambda it: (spec[0], it, *spec[2:])))
        ways.append(
            st.integers(0, len(BODIES) - 1).map(
                lambda it: (spec[0], head, it, mentions, called, parts)
            )
        )
        again = st.integers(0, 2).map(lambda it: (*mentions, it))
        ways.append(again.map(lambda it: (spec[0], head, body, it, called, parts)))
    return st.one_of(ways)


def name_of(value):
    naming = CodeNaming(NO_STATEMENTS)
    naming.visit(value)
    return naming.sum.hexdigest()


NO_STATEMENTS = Registrations((), {})


@pytest.mark.parametrize('named', [name_of, content])
@given(pair=pairs())
def test_names_are_equal_exactly_for_equal_content(named, pair):
    one, two = pair
    if _is_unhashable(one) or _is_unhashable(two):
        return
    same = meant(one) == meant(two)
    assert (named(build(one)) == named(build(two))) == same


def _is_unhashable(spec):
    try:
        build(spec)
    except TypeError:  # a set of what has no hash
        return True
    return False


# ---- what numba is told ----


def statement(number):
    return lambda _x: number


def options(**given):
    """What an overload is made of, as `Registrations` has it."""
    told = {'options': {}, 'inline': 'never', 'strict': True, 'literal': False, 'to': statement(1)}
    told |= given
    made = tuple(sorted(told['options'].items())), told['inline'], told['strict']
    return (told['to'], *made, told['literal'])


OVERLOADS = [
    [],
    [options()],
    [options(), options()],
    [options(options={'forceinline': True})],
    [options(options={'forceinline': False})],
    [options(options={'nogil': True})],
    [options(inline='always')],
    [options(strict=False)],
    [options(literal=True)],
    [options(to=statement(2))],
]


def test_an_overload_changes_the_name():
    def f(x):
        return x

    made = []
    for parts in OVERLOADS:
        naming = CodeNaming(Registrations((), {id(f): parts}))
        naming.visit((f, f))
        made.append(naming.sum.hexdigest())
    assert len({*made}) == len(OVERLOADS)


def intrinsic(result=numba.types.int64, **given):
    @extending.intrinsic(**({'prefer_literal': False} | given))
    def made(_context, _x):
        return result(numba.types.int64), None

    return made


def test_the_options_of_an_intrinsic_change_the_name():
    made = [
        intrinsic(), intrinsic(numba.types.int32), intrinsic(prefer_literal=True),
        intrinsic(target='cpu'),
    ]  # fmt: skip
    assert len({*map(name_of, made)}) == len(made)


def own_class(base=object, **members):
    return type('Own', (base,), {'__module__': 'fmcts.somewhere', **members})


def test_the_members_of_a_library_class_change_the_name():
    other = own_class(method=lambda _self: 3)
    made = [
        own_class(), own_class(method=lambda _self: 1), own_class(method=lambda _self: 2),
        own_class(other=lambda _self: 1), own_class(other), own_class(own_class()),
    ]  # fmt: skip
    assert len({*map(name_of, made)}) == len(made)


def test_the_library_s_version_changes_the_name(monkeypatch):
    def f(x):
        return x

    before = fingerprints.fingerprint(f)
    assert fingerprints.fingerprint(f) == before
    monkeypatch.setattr(fingerprints, '__version__', 'another')
    assert fingerprints.fingerprint(f) != before
