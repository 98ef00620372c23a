"""The language of formulas in Python: IEEE 754 also where Python would raise an error."""

import math
import struct
from collections import namedtuple

import pytest
from attrs import frozen
from hypothesis import given, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.errors import MethodError
from fmcts.formulas import evaluate, maximum, minimum, sqrt, where
from fmcts.games import tictactoe
from fmcts.search.methods import Method
from tiers import exhaustive

Edge = namedtuple('Edge', 'visits value')  # noqa: PYI024 - as the library makes them
EDGE = Edge(3.0, 0.5)
ZERO, NOTHING, PAIR = 0.0, 0, (0.0, -0.0)


def bits(number):
    return struct.pack('>d', number) if number == number else 'not a number'  # noqa: PLR0124 - NaN


def inverse(number=0.0):
    return 1.0 / number


def both(one, /, *, two=0.0):
    return inverse() + one / two


def in_a_closure(number):
    return lambda edge: edge.value + 2.0 / number


def with_a_function_in_it(edge):
    def inner():
        def innermost():
            return 1.0 / ZERO

        return innermost()

    return edge.value + inner()


def counted_down(number):
    return inverse() if number < 1.0 else counted_down(number - 1.0)


@pytest.mark.parametrize(
    ('formula', 'expected'),
    [
        (lambda edge: edge.visits / 0.0, math.inf),
        (lambda edge: 1.0 / (edge.visits - 3.0), math.inf),
        (lambda edge: edge.value + 1.0 / 0.0, math.inf),
        (lambda edge: edge.value - 1.0 / ZERO, -math.inf),
        (lambda edge: edge.value - 1.0 / NOTHING, -math.inf),
        (lambda edge: edge.value - 1.0 / PAIR[1], math.inf),
        (lambda edge: edge.value - 1.0 / (ZERO * 2), -math.inf),
        (lambda edge: edge.value / (1.0 / 0.0), 0.0),
        (lambda edge: edge.value * (0.0 / 0.0), math.nan),
        (lambda edge: edge.value + 1.0 / sqrt(0.0), math.inf),
        (lambda edge: edge.value + 1.0 / minimum(0.0, 1.0), math.inf),
        (lambda edge: edge.value + 1.0 / maximum(0.0, -1.0), math.inf),
        (lambda edge: where(edge.value > 0.0, -1.0 / 0.0, 1.0), -math.inf),
        (lambda edge: edge.value + inverse(), math.inf),
        (lambda edge: edge.value + both(-1.0), math.nan),
        (lambda edge: edge.value + counted_down(3.0), math.inf),
        (lambda edge: sum(1.0 / 0.0 for _ in range(2)) + edge.value, math.inf),
        (lambda edge: edge.value + PAIR[NOTHING] / ZERO, math.nan),
        (lambda edge: where(1.0 / 0.0 > 0.0, edge.value / edge.visits, 0.0), 0.5 / 3.0),
        (lambda edge: (edge.value / ZERO - edge.value / ZERO) / ZERO, math.nan),
        (lambda edge: 1.0 / ZERO + 1.0 / (sqrt(edge.visits) - sqrt(edge.visits)), math.inf),
        (lambda edge: (edge.value + 1.0) / (edge.visits - 3.0), math.inf),
        (lambda edge: 1.0 / (2.0 * edge.visits - 6.0), math.inf),
        (lambda edge: (-edge.value) / (edge.visits - edge.visits), -math.inf),
        (lambda edge: 1.0 / (-edge.visits + 3.0), math.inf),
        (with_a_function_in_it, math.inf),
        (in_a_closure(0.0), math.inf),
        (in_a_closure(-0.0), -math.inf),
        (in_a_closure(0), math.inf),
    ],
)
def test_division_by_zero_follows_ieee_754(formula, expected):
    assert bits(evaluate(formula, EDGE)) == bits(expected)


@frozen
class Tempered(Method):
    """A method whose numbers may be 0, and divide each other."""

    warmth: float = 0.0
    c: float = 1.0

    def score(self, edge, parent):
        return edge.value + self.c / self.warmth * self.bonus(parent)

    def bonus(self, parent):
        return parent.log_visits / self.warmth


def test_parameters_of_a_method_divide_too():
    told = Edge(1.0, 0.5), namedtuple('Parent', 'log_visits')(2.0)  # noqa: PYI024 - the same
    assert evaluate(Tempered().score, *told) == math.inf
    assert evaluate(Tempered(c=-1.0).score, *told) == -math.inf
    assert bits(evaluate(Tempered(c=0.0).score, *told)) == bits(math.nan)
    assert evaluate(Tempered(warmth=0.5).score, *told) == 0.5 + 1.0 / 0.5 * (2.0 / 0.5)


def test_evaluation_does_not_modify_the_method():
    method = Tempered()
    evaluate(method.score, EDGE, namedtuple('Parent', 'log_visits')(2.0))  # noqa: PYI024 - the same
    evaluate(lambda edge: edge.value + 1.0 / PAIR[0], EDGE)
    assert {type(number) for number in (*PAIR, ZERO, method.warmth, *EDGE)} == {float}
    assert type(NOTHING) is int
    with pytest.raises(ZeroDivisionError):
        inverse()


def test_derived_numbers_divide_alike():
    made = evaluate(lambda edge: edge.value + 1.0 / ZERO, EDGE)
    kind = type(made)
    assert kind is not float
    for number in (sqrt(made), -made, +made, abs(made), made * 2.0, 1.0 - made, 1.0 / made):
        assert type(number) is kind
    assert type(sqrt(4.0)) is float


def test_reflected_operators_are_tried():
    """As Python's floats do, so that numbers of other kinds have their say."""

    class Other:
        def __radd__(self, _one):
            return 'asked'

    number = evaluate(lambda edge: edge.value + 1.0 / ZERO, EDGE)
    assert number + Other() == 'asked'
    with pytest.raises(TypeError, match='unsupported operand'):
        number - Other()


def test_other_errors_are_not_hidden():
    for wrong in (lambda edge: edge.depth, lambda edge: 1.0 / 0.0 + edge.depth):
        with pytest.raises(AttributeError, match='depth'):
            evaluate(wrong, EDGE)
    with pytest.raises(TypeError, match='is not a whole number'):
        evaluate(lambda edge: 1.0 / 0.0 + (edge.value,)[edge.value], EDGE)


@given(st.floats(), st.floats(), st.floats(), st.floats())
def test_functions_without_division_compute_as_python(one, two, three, four):
    def formula(it):
        return minimum(it[0] * two, three) - maximum(it[0], four) + where(one < two, it[0], three)

    told = (one,)
    assert bits(evaluate(formula, told)) == bits(formula(told))


@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace', exhaustive('compiled')])
def test_engines_agree_on_constants_that_divide_by_zero(engine):
    def endless(edge, _parent):
        return edge.value - edge.visits / (1.0 / 0.0)

    def excluding(edge, _parent):
        return edge.value - 1.0 / ZERO

    rng = SplitMix.from_seed(1)
    found, _ = analyse(tictactoe.start, rng, Search(60, selection=endless), engine=engine)
    plain, _ = analyse(tictactoe.start, rng, Search(60, selection=lambda edge, _: edge.value))
    assert found.digest == plain.digest
    with pytest.raises(MethodError, match='excludes every move: all scores are minus infinity'):
        analyse(tictactoe.start, rng, Search(60, selection=excluding), engine=engine)
