"""Floats of users' functions: the results and errors of Python, or a refusal by name."""

import cmath
import itertools
import math
import operator
import random
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from numba import njit, types
from numba.core import ir
from numba.core.compiler import run_frontend
from numba.core.dispatcher import Dispatcher
from numba.core.untyped_passes import MakeFunctionToJitFunction

from fmcts._numba.exact import Rewriting
from fmcts._numba.intrinsics import inlined
from fmcts._numba.register import EXACT, RAISING, entering
from fmcts._numba.whole import LEFT, plain

TABLE, SINGLE = np.array([0.5, 0.25]), np.array([0.5, 0.25], np.float32)
NAMES = {
    'math': math,
    'cmath': cmath,
    'np': np,
    'operator': operator,
    'random': random,
    'TABLE': TABLE,
    'SINGLE': SINGLE,
    'BOTH': (math.sqrt, math.gamma),
}

SPECIAL = (
    *(0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -0.5, math.inf, -math.inf, math.nan, 1e308, -1e308),
    *(5e-324, 1e-200, 710.0, -750.0),
)
DRAWN = random.Random(20261123)  # noqa: S311 - numbers for a test
PAIRS = [
    *itertools.product(SPECIAL, SPECIAL),
    *((DRAWN.uniform(-3, 3), DRAWN.uniform(-3, 3)) for _ in range(200)),
    *((DRAWN.random() * 10 ** DRAWN.randint(-8, 8), DRAWN.random()) for _ in range(200)),
    *((DRAWN.uniform(-9, 9), float(DRAWN.randint(-9, 9))) for _ in range(200)),
]

POWERS = ['x ** y', 'x ** 2', 'x ** 3', 'x ** -1', 'x ** 5', '2.0 ** x', 'math.pow(x, y)']
FUNCTIONS = [
    *(f'math.{name}(x)' for name in ('acosh', 'asin', 'atanh', 'cosh', 'exp', 'log', 'log1p')),
    *(f'math.{name}(x)' for name in ('log2', 'sin', 'sqrt', 'tanh', 'erf')),
    'math.ldexp(x, 1000)',
]
DIVISIONS = ['x / y', 'x // y', 'x % y', '1 / x', '5 % x', '(x > y) / (y > x)', 'divided(x, y)']


def divided(x, y):
    x /= y
    return x


def written(lines):
    """Return a function of `x`, `y` and the number of the expression."""
    names = NAMES | {'divided': divided}
    body = ''.join(f'    if which == {at}:\n        {line}\n' for at, line in enumerate(lines))
    exec(f'def chosen(x, y, which):\n{body}    return 0.0', names)  # noqa: S102 - from this file
    return names['chosen']


def machine(function, *, raising):
    """Return the function as machine code that gives floats."""
    EXACT.update((function, divided))
    if raising:
        RAISING.update((function, divided))
    enter = entering(function)
    as_real = inlined(lambda it: float(plain(it)))

    @njit(error_model='numpy')
    def apply(x, y, which):
        return as_real(enter(x, y, which))

    apply.compile((types.float64, types.float64, types.int64))
    return apply


def outcome(function, *told):
    """Return the bits of a float, or the name of an error."""
    try:
        found = function(*told)
    except (ArithmeticError, ValueError) as error:
        return 'no integer' if str(error) == LEFT else type(error).__name__
    return 'ValueError' if isinstance(found, complex) else float(found).hex()


@pytest.mark.parametrize('lines', [POWERS, FUNCTIONS, DIVISIONS])
def test_numbers_and_errors_equal_python(lines):
    python = written([f'return {line}' for line in lines])
    compiled = machine(python, raising=True)
    for which, line in enumerate(lines):
        for x, y in PAIRS:
            expected, found = outcome(python, x, y, which), outcome(compiled, x, y, which)
            if '**' in line and x < 0 and expected == 'OverflowError':
                expected = found  # of a complex power
            assert (line, x, y, found) == (line, x, y, expected)


def test_formulas_divide_by_ieee_754():
    lines = ['x / y', 'x // y', '0.0 ** x']
    formula = machine(written([f'return {line}' for line in lines]), raising=False)
    assert [formula(x, 0.0, 0) for x in (1.0, -1.0)] == [math.inf, -math.inf]
    for x, y, which in ((1.0, 0.0, 1), (-1.0, 0.0, 2)):
        with pytest.raises(ZeroDivisionError):
            formula(x, y, which)


REFUSED = {
    'math.gamma(x)': 'math.gamma',
    'math.hypot(x, y)': 'math.hypot',
    'max((x, y), key=math.lgamma)': 'math.lgamma',
    'BOTH[1](x)': 'math.gamma',
    'np.exp(x)': 'numpy.exp',
    'np.power(x, y)': 'numpy.power',
    'np.maximum(x, y)': 'numpy.maximum',
    'np.sum(TABLE)': 'numpy.sum',
    'np.linalg.norm(TABLE)': 'numpy.linalg.norm',
    'TABLE.sum()': r'\.sum\(\) of an array',
    '(TABLE * x).mean()': r'\.mean\(\) of an array',
    'TABLE @ TABLE': '@',
    'operator.matmul(TABLE, TABLE)': 'operator.matmul',
    'round(x, 1)': 'round to digits',
    'round(x, ndigits=1)': 'round to digits',
    'np.round(x, 1)': 'numpy.round to digits',
    'divmod(x, y)[0]': 'divmod',
    'sum((x, y))': 'sum',
    'pow(x, 2)': 'pow',
    'abs(complex(x, y))': 'complex',
    'abs(x * 1j)': r'a constant \(complex\)',
    'cmath.phase(x)': 'cmath.phase',
    'SINGLE[0] * x': r'SINGLE \(float32\)',
    'np.float32(x) * x': r'float32 \(type\)',
    'random.random()': 'random.random',
}
ALLOWED = [
    *('math.exp(x)', 'round(x)', 'np.round(x)', 'np.sqrt(x)', 'np.max(TABLE)', 'TABLE.max()'),
    *('abs(x) + min(x, y)', 'np.float64(x)', 'operator.add(x, y)', 'len(TABLE)', 'x * TABLE[0]'),
]


def rewritten(code):
    Rewriting(run_frontend(written([f'return {code}']))).rewrite()


@pytest.mark.parametrize('code', REFUSED)
def test_operations_that_may_differ_are_refused_by_name(code):
    with pytest.raises(Exception, match=f'^{REFUSED[code]}: machine code may compute it'):
        rewritten(code)


@pytest.mark.parametrize('code', ALLOWED)
def test_operations_that_are_exact_are_accepted(code):
    rewritten(code)


def test_inner_functions_are_rewritten_too():
    found = run_frontend(written(['return sorted([x, y], key=lambda it: math.gamma(it))[0]']))
    MakeFunctionToJitFunction().run_pass(SimpleNamespace(func_ir=found))
    Rewriting(found, raising=True).rewrite()
    statements = [each for block in found.blocks.values() for each in block.body]
    assigned = [each.value for each in statements if isinstance(each, ir.Assign)]
    values = [each.value for each in assigned if isinstance(each, ir.Global)]
    (inner,) = (value for value in values if isinstance(value, Dispatcher))
    with pytest.raises(Exception, match='gamma: machine code may compute it otherwise'):
        inner.compile((types.float64,))


def test_powers_of_arrays_are_refused():
    with pytest.raises(
        Exception, match=r'\*\* of .*array.*: machine code may compute it otherwise'
    ):
        machine(written(['return (TABLE ** 2)[0]']), raising=True)


def test_the_table_of_refusals_is_valid_python():
    """The refused expressions are valid Python, so that a misspelt one does not pass."""
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        for code in (*REFUSED, *ALLOWED):
            written([f'return {code}'])(0.5, 0.25, 0)
