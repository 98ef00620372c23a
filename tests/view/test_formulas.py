"""Formulas as text and as JavaScript, which computes the same as Python, to the bit."""

import json
import math
import re
import shutil
import struct
import subprocess

import pytest
from hypothesis import given, settings, strategies as st

from fmcts._expressions import function_of, symbols, trace
from fmcts.formulas import maximum, minimum, sqrt, where
from fmcts.search.methods import Rule
from fmcts.view.formulas import javascript, latex, method_lines, plain_text
from tests.test_expressions import FLOATS, NAMES, compute, drawn_formulas

KNOWN = True
needs_node = pytest.mark.skipif(shutil.which('node') is None, reason='node is not installed')

NODE = """
const cases = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const view = new DataView(new ArrayBuffer(8));
const number = (bits) => { view.setBigUint64(0, BigInt('0x' + bits)); return view.getFloat64(0); };
const bits = (it) => {
  view.setFloat64(0, it);
  return it !== it ? 'NaN' : view.getBigUint64(0).toString(16).padStart(16, '0');
};
const compute = ([source, given]) => eval(source)(...given.map(number)).map(bits);
console.log(JSON.stringify(cases.map(compute)));
"""


def bits(number):
    return struct.pack('>d', number).hex() if number == number else 'NaN'  # noqa: PLR0124 - NaN


def by_node(cases):
    """What node gives for functions and their arguments, all in one process."""
    told = [(source, [struct.pack('>d', it).hex() for it in given]) for source, given in cases]
    found = subprocess.run(
        [shutil.which('node'), '-e', NODE],
        input=json.dumps(told),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return json.loads(found.stdout)


def same_in_both(cases):
    """Compare formulas for numbers, as node and as Python compute them."""
    sources = [(javascript(formula, NAMES), values) for formula, values in cases]
    expected = [[*map(bits, function_of(formula, NAMES)(*values))] for formula, values in cases]
    for case, found, wanted in zip(sources, by_node(sources), expected, strict=True):
        assert (case, found) == (case, wanted)


doubles = st.one_of(FLOATS, st.floats(), st.floats(-1e-307, 1e-307))


@needs_node
@given(st.lists(st.tuples(drawn_formulas, st.tuples(*[doubles] * 3)), min_size=40, max_size=80))
@settings(max_examples=5, deadline=None)
def test_javascript_equals_python(drawn):
    """By IEEE 754: divisions by zero, roots of negative numbers, infinities, NaN and both zeros."""
    traced = ((trace(lambda *x, t=tree: compute(t, x), *symbols(NAMES)), it) for tree, it in drawn)
    same_in_both([(formula, values) for formula, values in traced if formula is not None])


@needs_node
def test_booleans_are_numbers_as_in_python():
    functions = [
        lambda x, y, _: where(x, y, 3.0),
        lambda x, y, z: where((x < y) & (y < z) | (x == z), -(x < y), x > y),
        lambda x, y, z: -(x < y) + (y >= z) * -2.0 - -(x != x),  # noqa: PLR0124 - NaN
        lambda x, y, z: where((x < y) == (y < z), x, (x < y) / z),
        lambda x, y, _: where(where(x < y, x > 0.0, y > 0.0), x, y),
        lambda x, y, _: where(x < y, KNOWN, y),
        lambda x, _y, _z: where(0.0 - -x > 0.0, math.inf, -math.inf) * -x,
    ]
    numbers = [0.0, -0.0, 1.0, -2.5, math.inf, -math.inf, math.nan]
    values = [(x, y, z) for x in numbers for y in numbers for z in (1.0, -0.0)]
    formulas = [trace(function, *symbols(NAMES)) for function in functions]
    same_in_both([(formula, each) for formula in formulas for each in values])


@pytest.mark.parametrize(
    ('function', 'text', 'in_latex'),
    [
        (lambda x, y: x - (y - x), 'x - (y - x)', 'x - (y - x)'),
        (lambda x, y: x * (y + x) * 2.0, 'x * (y + x) * 2', r'x (y + x) \cdot 2'),
        (lambda x, y: x / (y * x), 'x / (y * x)', r'\frac{x}{y x}'),
        (lambda x, y: -(x + y) * -0.5, '-(x + y) * -0.5', r'-(x + y) \cdot (-0.5)'),
        (lambda x, y: minimum(x, y) + maximum(x, 0.25), 'min(x, y) + max(x, 0.25)', None),
        (
            lambda x, y: where((x < y) | (y == 0.0), y, x),
            'y if x < y or y == 0 else x',
            r'\begin{cases} y & \text{if } x < y \lor y = 0 \\ x & \text{else} \end{cases}',
        ),
        (
            lambda x, y: 1.0 + where((x < y) & ((x > 0.0) | (y == 0.0)), math.inf, sqrt(x)),
            '1 + (inf if x < y and (x > 0 or y == 0) else sqrt(x))',
            None,
        ),
    ],
)
def test_a_formula_is_printed_with_necessary_brackets_only(function, text, in_latex):
    formula = trace(function, *symbols(('x', 'y')))
    assert plain_text(formula) == text
    if in_latex is not None:
        assert latex(formula) == in_latex


def test_names_are_multiplied_with_a_dot():
    formula = trace(lambda c, value: c * c * (value * value), *symbols(('c', 'value')))
    assert latex(formula) == r'c c \cdot (\mathrm{value} \cdot \mathrm{value})'


def as_floats(text):
    """The text with `2.0` for `2`."""
    return re.sub(r'(?<![\w.])(?<!e[+-])(\d+)(?![\w.])', r'\1.0', text)


@given(drawn_formulas, st.tuples(FLOATS, FLOATS, FLOATS))
@settings(max_examples=300)
def test_printed_formulas_evaluate_alike_in_python(tree, values):
    """Where nothing is divided by zero: the brackets are where they must be."""
    formula = trace(lambda *x: compute(tree, x), *symbols(NAMES))
    if formula is None:
        return
    names = {**dict(zip(NAMES, values, strict=True)), 'sqrt': math.sqrt, 'inf': math.inf}
    names |= {'nan': math.nan, 'min': minimum, 'max': maximum}
    try:
        found = eval(as_floats(plain_text(formula)), names)  # noqa: S307 - our own source
    except (ZeroDivisionError, ValueError):
        return
    assert bits(float(found)) == bits(function_of(formula, NAMES)(*values)[0])


def test_a_method_with_branches_has_no_formula():
    def branching(edge, _parent):
        return edge.value if edge.visits > 3.0 else 0.5

    assert method_lines(Rule(branching)) == ['score: a function that branches on its numbers']
