import math
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

import naive
from fmcts._engines.selection import chooser_of
from fmcts.search.methods import UCB1, ParentNumbers
from fmcts.search.methods.method import edge_type


class Arm(NamedTuple):
    visits: int
    value: float


EDGE = edge_type(UCB1().names)

test_matches_the_transcription = naive.law(naive.ucb1)


def score(method, arm, log_visits):
    edge = EDGE(float(arm.visits), arm.visits * arm.value, arm.value)
    return method.score(edge, ParentNumbers(10.0, log_visits, 0.5))


def choose(children, log_visits, c):
    node = SimpleNamespace(moves=range(len(children)))
    return chooser_of(UCB1(c))(node, children, log_visits)


def test_score_is_mean_plus_bound():
    assert score(UCB1(2.0), Arm(4, 0.5), 9.0) == 0.5 + 2.0 * 1.5
    assert score(UCB1(1.5), Arm(9, 0.25), 1.0) == 0.25 + 1.5 / 3


arms = st.lists(st.builds(Arm, st.integers(1, 10**6), st.floats(0, 1)), min_size=1, max_size=12)


@given(arms, st.floats(0, 20), st.floats(0, 10))
def test_the_highest_score_is_chosen(children, log_visits, c):
    """The generated chooser chooses by the article's formula."""
    values = [arm.value + c * math.sqrt(log_visits / arm.visits) for arm in children]
    assert values == [score(UCB1(c), arm, log_visits) for arm in children]
    assert choose(children, log_visits, c) == values.index(max(values))


@pytest.mark.parametrize('c', [0.0, 1.4])
def test_ties_go_to_the_first(c):
    low, high = Arm(4, 0.25), Arm(4, 0.75)
    assert choose([high, high, low], 1.0, c) == 0
    assert choose([low, high, low, high], 1.0, c) == 1
    assert choose([Arm(3, 0.0), Arm(3, 0.0)], 1.0, 0.0) == 0


@given(arms, arms)
def test_unvisited_children_come_first(before, after):
    children = [*before, Arm(0, 0.0), *after, Arm(0, 0.0)]
    assert choose(children, 1.0, 1.4) == len(before)


def test_the_default_c_is_the_article_s():
    assert UCB1() == UCB1(math.sqrt(2)) != UCB1(1.0)
    assert UCB1().parameters == {'c': math.sqrt(2)}
