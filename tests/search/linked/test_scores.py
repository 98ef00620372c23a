"""Scores as machine code: vectorised where possible, else one by one."""

import math

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts._linked.functions import formula_of_method
from fmcts.errors import MethodError
from fmcts.formulas import sqrt
from fmcts.games import tictactoe
from fmcts.search.methods import METHODS, Method, Rule
from shapes import equal, rule_with
from tiers import usually

# Each rule is machine code of its own. At the start of this game there are more moves than lanes.
START, RNG = tictactoe.start, SplitMix.from_seed(1)


def has_lanes(rule):
    method = rule if isinstance(rule, Method) else Rule(rule)
    return formula_of_method(method, 'score') is not None


@pytest.mark.parametrize('name', METHODS)
def test_every_method_is_vectorised(name):
    assert has_lanes(METHODS[name]())


def distance(edge, _parent):
    return edge.value - abs(edge.value - 0.5) + 1.0 / edge.visits


def rounded(edge, _parent):
    return edge.reward // 2.0 + 1.0 / edge.visits


def remainder(edge, _parent):
    return edge.visits % 3.0 + edge.value


def greater(edge, parent):
    return max(edge.value, 0.25) + sqrt(parent.log_visits / edge.visits)


def negated(edge, _parent):
    return edge.value + (not edge.visits > 3.0)


ONE_BY_ONE = (distance, rounded, remainder, greater, negated)


def every(edge, parent):
    """All of them together, in one piece of machine code."""
    if edge.visits > 10 and edge.value < 0.5:
        return edge.value - 1.0
    more = 3.0 * greater(edge, parent) + 9.0 * negated(edge, parent)
    return distance(edge, parent) + 0.5 * rounded(edge, parent) + remainder(edge, parent) + more


def test_unvectorised_operations_are_computed_one_by_one():
    assert has_lanes(rule_with(lambda: 0.7))
    assert not any(has_lanes(rule) for rule in (*ONE_BY_ONE, every))
    equal(START, RNG, Search(500, selection=every))


def of_the_parent(_edge, parent):
    return parent.value * 0.5


@pytest.mark.parametrize('expansion', usually(['full'], ['in-order', 'full']))
def test_a_score_shared_by_all_moves(expansion):
    search = Search(100, selection=of_the_parent, expansion=expansion)
    equal(START, SplitMix.from_seed(2), search)


@pytest.mark.parametrize('engine', ['persistent', 'compiled'])
@pytest.mark.parametrize(
    ('factor', 'message'),
    [(math.nan, 'gives a score that is not'), (-math.inf, 'excludes every move')],
)
def test_invalid_scores_are_reported(factor, message, engine):
    search = Search(50, selection=rule_with(lambda: factor))
    with pytest.raises(MethodError, match=f'the selection rule rule {message}'):
        analyse(START, RNG, search, engine=engine)
