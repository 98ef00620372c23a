"""Which functions of a method become formulas for machine code."""

import math

import pytest
from attrs import frozen

from fmcts._compiled.method_formulas import traced
from fmcts._numba.traced import Traced
from fmcts.formulas import sqrt, where
from fmcts.search.methods import METHODS, Method, Rule


@frozen
class Numbers(Method):
    """A method with an integer, a float, and a function to score by."""

    k: int = 3
    c: float = 0.5
    rule: object = None

    def score(self, edge, parent):
        return self.rule(self, edge, parent)


def has_formula(rule):
    return isinstance(traced(Numbers(rule=rule), 'score'), Traced)


@pytest.mark.parametrize('name', METHODS)
def test_all_functions_of_the_library_s_methods_are_traced(name):
    method = METHODS[name]()
    there = {
        'score': True,
        'summed': method.sums,
        'by_visits': method.counts,
        'update': bool(method.columns),
        'update_above_end': method.updates_above_ends,
    }
    asked = [(method, function) for function, is_there in there.items() if is_there]
    asked += [(method.table, 'update')] if method.table is not None else []
    assert [type(traced(*each)) for each in asked] == [Traced] * len(asked)


@pytest.mark.parametrize(
    ('rule', 'expected'),
    [
        (lambda self, edge, _: self.k * edge.visits, True),
        (lambda self, edge, _: edge.value + self.k / (self.c + edge.visits), True),
        (lambda self, edge, _: where(self.k, edge.value, 0.5), True),
        (lambda self, edge, _: edge.value * sqrt(self.c) + 3 * 7, True),
        (lambda self, edge, _: self.k * self.k * edge.value, False),
        (lambda self, edge, _: (self.k + 1) * edge.value, False),
        (lambda self, edge, _: -self.k * edge.value, False),
        (lambda self, edge, _: where(edge.value > 0.5, self.k, 1.0) * edge.value, False),
        (lambda self, edge, _: edge.visits & self.k, False),
        (lambda self, edge, _: edge.value if self.c > 0.0 else 0.0, False),
    ],
)
def test_integers_that_would_be_rounded_are_not_traced(rule, expected):
    assert has_formula(rule) is expected


def test_math_sqrt_is_traced():
    assert isinstance(traced(Rule(lambda edge, _: math.sqrt(edge.value)), 'score'), Traced)
    assert not isinstance(traced(Rule(lambda edge, _: math.exp(edge.value)), 'score'), Traced)


def test_zeros_of_either_sign_give_different_formulas():
    above, below = (
        traced(Numbers(rule=lambda _self, edge, _parent, zero=zero: edge.value + zero), 'score')
        for zero in (0.0, -0.0)
    )
    assert above != below
