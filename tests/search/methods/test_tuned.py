"""UCB1-Tuned against the article's formula."""

import math

import pytest

import naive
from fmcts._arithmetic import logarithm_of
from fmcts.search._columns import ColumnNames
from fmcts.search.methods import ParentNumbers, UCB1Tuned
from fmcts.search.methods.method import edge_type

EDGE = edge_type(UCB1Tuned().names)
BEFORE = edge_type(UCB1Tuned().own_names)


def ucb1_tuned(node, index, *, c=1.0):
    child = node.children[index]
    ratio = logarithm_of(1 + node.visits) / child.visits
    mean = child.reward / child.visits
    bound = child.kept['squares'] / child.visits - mean * mean + math.sqrt(2.0 * ratio)
    return mean + c * math.sqrt(ratio * (min(bound, 0.25)))


test_matches_the_transcription = naive.law(ucb1_tuned, update=naive.squares)


def told(visits, reward, squares):
    return EDGE(float(visits), reward, reward / visits, squares)


@pytest.mark.parametrize(
    ('method', 'arm', 'log_visits', 'score'),
    [
        # r = 4, V = 1/2 - 1/4 + sqrt 8: 1/4 is less
        (UCB1Tuned(), told(2, 1.0, 1.0), 8.0, 0.5 + 1.0),
        (UCB1Tuned(3.0), told(2, 1.0, 1.0), 8.0, 0.5 + 3.0),
        # r = 1/128, V = 0 + sqrt(1/64) = 1/8
        (UCB1Tuned(), told(64, 64.0, 64.0), 0.5, 1.0 + math.sqrt(1 / 1024)),
        # r = 1/32, V = 5/16 - 1/4 + 1/4 is more than 1/4, V = 1/4 - 1/4 + 1/4 is as much
        (UCB1Tuned(), told(16, 8.0, 5.0), 0.5, 0.5 + math.sqrt(1 / 128)),
        (UCB1Tuned(2.0), told(16, 8.0, 4.0), 0.5, 0.5 + 2 * math.sqrt(1 / 128)),
    ],
)
def test_exact_scores(method, arm, log_visits, score):
    assert method.score(arm, ParentNumbers(10.0, log_visits, 0.5)) == score


def test_squares_are_summed():
    assert UCB1Tuned().update(BEFORE(3.0, 1.5, 0.5, 1.25), 0.5) == (1.5,)
    assert UCB1Tuned().update(BEFORE(3.0, 1.5, 0.5, 1.25), 1.0) == (2.25,)


def test_columns_and_parameters():
    assert UCB1Tuned().names == ColumnNames(('squares',), ())
    assert UCB1Tuned().parameters == {'c': 1.0}
    assert not UCB1Tuned().scores_unvisited
    assert UCB1Tuned().table is None
