"""The language of formulas in Python: IEEE 754 also where Python would raise an error."""

import math
import struct
from collections import namedtuple

import pytest
from hypothesis import given, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.errors import MethodError
from fmcts.formulas import evaluate, maximum, minimum, sqrt, where
from fmcts.games import tictactoe
from tiers import exhaustive

Edge = namedtuple('Edge', 'visits value')  # noqa: PYI024 - as the library makes them
EDGE = Edge(3.0, 0.5)


def bits(number):
    return struct.pack('>d', number) if number == number else 'not a number'  # noqa: PLR0124 - NaN


@pytest.mark.parametrize(
    ('formula', 'expected'),
    [
        (lambda edge: edge.visits / 0.0, math.inf),
        (lambda edge: 1.0 / (edge.visits - 3.0), math.inf),
        (lambda edge: 1.0 / minimum(edge.visits - 3.0, 1.0), math.inf),
        (lambda edge: 1.0 / maximum(edge.visits - 3.0, -1.0), math.inf),
        (lambda edge: where(edge.value > 0.0, -edge.value / 0.0, 1.0), -math.inf),
        (lambda edge: edge.value / (edge.visits / 0.0), 0.0),
        (lambda edge: edge.value * ((edge.visits - edge.visits) / 0.0), math.nan),
        (lambda edge: 1.0 / (sqrt(edge.visits) - sqrt(edge.visits)), math.inf),
        (lambda edge: (edge.value + 1.0) / (edge.visits - 3.0), math.inf),
        (lambda edge: 1.0 / (2.0 * edge.visits - 6.0), math.inf),
        (lambda edge: (-edge.value) / (edge.visits - edge.visits), -math.inf),
        (lambda edge: 1.0 / (-edge.visits + 3.0), math.inf),
        (lambda edge: edge.value + 1.0 / (-0.0 * edge.visits), -math.inf),
    ],
)
def test_division_by_zero_follows_ieee_754(formula, expected):
    assert bits(evaluate(formula, EDGE)) == bits(expected)


def test_derived_numbers_divide_alike():
    made = evaluate(lambda edge: edge.value / (edge.visits - 3.0), EDGE)
    kind = type(made)
    assert kind is not float
    for number in (sqrt(made), -made, +made, abs(made), made * 2.0, 1.0 - made, 1.0 / made):
        assert type(number) is kind
    assert type(sqrt(4.0)) is float


def test_other_errors_are_not_hidden():
    for wrong in (lambda edge: edge.depth, lambda edge: 1.0 / (edge.visits - 3.0) + edge.depth):
        with pytest.raises(AttributeError, match='depth'):
            evaluate(wrong, EDGE)
    with pytest.raises(ZeroDivisionError):
        evaluate(lambda edge: edge.visits + 1.0 / 0.0, EDGE)
    with pytest.raises(TypeError, match='is not a whole number'):
        evaluate(lambda edge: edge.visits / 0.0 + (edge.value,)[edge.value], EDGE)


@given(st.floats(), st.floats(), st.floats(), st.floats())
def test_functions_without_division_compute_as_python(one, two, three, four):
    def formula(it):
        return minimum(it[0] * two, three) - maximum(it[0], four) + where(one < two, it[0], three)

    told = (one,)
    assert bits(evaluate(formula, told)) == bits(formula(told))


@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace', exhaustive('compiled')])
def test_engines_agree_on_divisions_by_zero(engine):
    def excluding(edge, _parent):
        return edge.value - edge.visits / (edge.visits - edge.visits)

    with pytest.raises(MethodError, match='excludes every move: all scores are minus infinity'):
        analyse(
            tictactoe.start, SplitMix.from_seed(1), Search(60, selection=excluding), engine=engine
        )
