"""Formulas compute by IEEE 754, in Python and traced, to the bit."""

import math
import struct
from collections import namedtuple

import pytest
from hypothesis import given, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts._expressions import Expression, divided, function_of, root, symbols, trace
from fmcts.errors import MethodError
from fmcts.formulas import evaluate, maximum, minimum, sqrt, where
from fmcts.games import tictactoe
from tiers import exhaustive

Edge = namedtuple('Edge', 'visits value')  # noqa: PYI024 - as the library makes them
NAMES = ('x0', 'x1', 'x2')
FLOATS = st.sampled_from([0.0, -0.0, 1.0, 2.5, -3.0, 1e308, 5e-324, math.inf, -math.inf, math.nan])


def bits(number):
    return struct.pack('>d', number) if number == number else 'NaN'  # noqa: PLR0124 - NaN


def divide(one, two):
    return one / two


BINARY = {
    '+': lambda one, two: one + two,
    '-': lambda one, two: one - two,
    '*': lambda one, two: one * two,
    '/': divide,
    'min': minimum,
    'max': maximum,
}
UNARY = {'neg': lambda one: -one, 'sqrt': sqrt}
CONDITIONS = {
    '<': lambda one, two: one < two,
    '<=': lambda one, two: one <= two,
    '>': lambda one, two: one > two,
    '>=': lambda one, two: one >= two,
    '==': lambda one, two: one == two,
    '!=': lambda one, two: one != two,
}


def integer(number):
    return 'number', number


leaves = st.one_of(
    st.integers(0, 2).map(lambda place: ('symbol', place)),
    FLOATS.map(lambda number: ('number', number)),
    st.tuples(  # two integers are computed by Python before there is a formula
        st.sampled_from([*BINARY]), st.just(('symbol', 0)), st.integers(-3, 3).map(integer)
    ).flatmap(lambda tree: st.permutations(tree[1:]).map(lambda pair: (tree[0], *pair))),
)


def larger(inner):
    return st.one_of(
        st.tuples(st.sampled_from([*BINARY]), inner, inner),
        st.tuples(st.sampled_from([*UNARY]), inner),
        st.tuples(st.sampled_from([*CONDITIONS]), inner, inner, inner, inner),
        inner.map(lambda one: ('+', one, one)),  # used twice
    )


drawn_formulas = st.recursive(leaves, larger, max_leaves=12)
of_symbols = st.recursive(
    st.integers(0, 2).map(lambda place: ('symbol', place)), larger, max_leaves=12
)


def compute(tree, values):
    """Interpret a drawn formula: on floats, or on symbols."""
    kind, *parts = tree
    if kind == 'symbol':
        return values[parts[0]]
    if kind == 'number':
        return parts[0]
    operands = [compute(part, values) for part in parts]
    if kind in CONDITIONS:
        return where(CONDITIONS[kind](*operands[:2]), *operands[2:])
    return (BINARY.get(kind) or UNARY[kind])(*operands)


def reference(tree, values):  # noqa: PLR0911 - an interpreter
    """Interpret a drawn formula by IEEE 754, in operations of its own."""
    kind, *parts = tree
    if kind == 'symbol':
        return values[parts[0]]
    if kind == 'number':
        return float(parts[0])
    one, *others = (reference(part, values) for part in parts)
    if kind == 'neg':
        return -one
    if kind == 'sqrt':
        return math.sqrt(one) if one >= 0 else math.nan
    if kind == '/' and others[0] == 0.0:
        sign = math.copysign(1.0, one) * math.copysign(1.0, others[0])
        return math.nan if one == 0.0 or math.isnan(one) else sign * math.inf
    if kind in ('min', 'max'):
        kind = {'min': '<', 'max': '>'}[kind]
        others = [*others, one, *others]
    if kind in CONDITIONS:
        return others[1] if CONDITIONS[kind](one, others[0]) else others[2]
    return BINARY[kind](one, others[0])


@given(drawn_formulas, st.tuples(FLOATS, FLOATS, FLOATS))
def test_traced_formulas_compute_by_ieee_754(tree, values):
    formula = trace(lambda *symbols: compute(tree, symbols), *symbols(NAMES))
    if formula is None:  # two numbers of it were divided by zero, or sqrt got one below it
        with pytest.raises(ZeroDivisionError):
            compute(tree, [Expression('x'), Expression('y'), Expression('z')])
        return
    (found,) = function_of(formula, NAMES)(*values)
    assert bits(found) == bits(reference(tree, values))


@given(drawn_formulas, st.tuples(st.integers(0, 2**62), st.integers(0, 2**62), FLOATS))
def test_integers_count_as_floats(tree, values):
    """An engine may pass visits as Python integers, whose products are not rounded."""
    formula = trace(lambda *symbols: compute(tree, symbols), *symbols(NAMES, whole=NAMES[:2]))
    if formula is not None:
        (found,) = function_of(formula, NAMES)(*values)
        assert bits(found) == bits(reference(tree, [float(value) for value in values]))


@given(of_symbols, st.tuples(FLOATS, FLOATS, FLOATS))
def test_python_computes_by_ieee_754(tree, values):
    """Also where it would raise an error by itself."""
    found = evaluate(lambda *numbers: compute(tree, numbers), *values)
    assert bits(found) == bits(reference(tree, values))


@pytest.mark.parametrize(
    ('formula', 'expected'),
    [
        (lambda edge: edge.visits / 0.0, math.inf),
        (lambda edge: 1.0 / minimum(edge.visits - 3.0, 1.0), math.inf),
        (lambda edge: 1.0 / (2.0 * edge.visits - 6.0), math.inf),
        (lambda edge: 1.0 / (-edge.visits + 3.0), math.inf),
        (lambda edge: edge.value + 1.0 / (-0.0 * edge.visits), -math.inf),
        (lambda edge: 1.0 / (abs(edge.value) - 0.5), math.inf),
    ],
)
def test_numbers_of_a_formula_divide_by_zero_too(formula, expected):
    assert evaluate(formula, Edge(3.0, 0.5)) == expected


def test_constants_are_not_part_of_the_source():
    one, two = (
        trace(lambda x, c=constant: c * sqrt(x) + c, *symbols(['x0'])) for constant in (0.5, 0.75)
    )
    assert one != two
    assert (one.steps, one.results) == (two.steps, two.results)
    assert [function_of(it, ('x0',))(4.0) for it in (one, two)] == [(1.5,), (2.25,)]


@pytest.mark.parametrize('known', [True, False])
@pytest.mark.parametrize('x', [-1.0, 1.0])
def test_comparisons_combine_with_constants(known, x):
    for function in (
        lambda x: where((x > 0.0) | known, x, 5.0),
        lambda x: where(known & (x > 0.0), x, 5.0),
        lambda x: where((x > 0.0) & (x < 2.0) | known, x, 5.0),
    ):
        assert function_of(trace(function, *symbols(['x'])), ('x',))(x) == (function(x),)


def test_common_operations_are_computed_once():
    def formula(x):
        shared = sqrt(x)
        return shared * shared + sqrt(x)

    steps = trace(formula, *symbols(['x'])).steps
    assert [operator for operator, *_ in steps] == ['symbol', 'sqrt', '*', '+']


def raising(edge):
    raise LookupError(edge)


@pytest.mark.parametrize(
    'function',
    [
        lambda edge: edge.value if edge.visits > 3.0 else 0.0,
        lambda edge: max(edge.value, 0.5),
        lambda edge: math.sqrt(edge.value),
        lambda edge: edge.value**2,
        lambda edge: abs(edge.value),
        lambda edge: edge.value // 2.0,
        lambda edge: 0.0 < edge.value < 1.0,
        lambda edge: (edge.value > 0.0) and edge.visits,
        lambda edge: len(str(edge.value)),
        lambda edge: len(f'{edge.value}'),
        lambda edge: hash(edge.value),
        lambda edge: float(edge.value),
        lambda edge: {0.5: 1.0}[edge.value],
        lambda edge: print(edge) or edge.value,  # noqa: T201 - as one looks for a mistake
        lambda edge: [edge.value],
        lambda edge: (edge.value,),
        lambda edge: edge.value + None,
        lambda edge: where(edge.value > 0.0, None, 1.0),
        lambda edge: edge.value / (1.0 / 0.0),
        lambda edge: edge.visits['0'],
        lambda edge: ((edge.visits > 3.0) | 2) * edge.value,
        lambda edge: None,  # noqa: ARG005 - as a rule without a return
        raising,
    ],
)
def test_functions_that_are_no_formulas_are_not_traced(function):
    assert trace(function, Edge(*symbols(['visits', 'value']))) is None


def test_tuples_must_have_the_requested_length():
    for wrong in ((1.0, 2.0, 3.0), (1.0,), [1.0, 2.0], 1.0, (1.0, None)):
        assert trace(lambda _x, given=wrong: given, *symbols(['x']), count=2) is None
    formula = trace(lambda x: (x + 1, True), *symbols(['x']), count=2)
    assert function_of(formula, ('x',))(2.0) == (3.0, 1.0)


def test_numpy_numbers_are_accepted():
    numpy = pytest.importorskip('numpy', reason='numpy is not installed')
    (x,) = symbols(['x'])
    for formula in (lambda x: numpy.float64(0.1) * x, lambda x: x * numpy.float64(0.1)):
        assert trace(formula, x).numbers == (0.1,)
        assert function_of(trace(formula, x), ('x',))(3.0) == (evaluate(formula, 3.0),)


@given(FLOATS, FLOATS)
def test_division_and_root_by_ieee_754(one, two):
    tree = ('/', ('symbol', 0), ('symbol', 1))
    assert bits(divided(one, two)) == bits(reference(tree, (one, two)))
    assert bits(root(one)) == bits(reference(('sqrt', ('symbol', 0)), (one,)))


def test_other_errors_are_not_hidden():
    for wrong in (lambda edge: edge.depth, lambda edge: 1.0 / (edge.visits - 3.0) + edge.depth):
        with pytest.raises(AttributeError, match='depth'):
            evaluate(wrong, Edge(3.0, 0.5))
    with pytest.raises(ZeroDivisionError):
        evaluate(lambda edge: edge.visits + 1.0 / 0.0, Edge(3.0, 0.5))
    with pytest.raises(TypeError, match='is not a whole number'):
        evaluate(lambda edge: edge.visits / 0.0 + (edge.value,)[edge.value], Edge(3.0, 0.5))


@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace', exhaustive('compiled')])
def test_engines_agree_on_divisions_by_zero(engine):
    def excluding(edge, _parent):
        return edge.value - edge.visits / (edge.visits - edge.visits)

    with pytest.raises(MethodError, match='excludes every move: all scores are minus infinity'):
        analyse(
            tictactoe.start, SplitMix.from_seed(1), Search(60, selection=excluding), engine=engine
        )
