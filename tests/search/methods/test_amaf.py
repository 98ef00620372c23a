"""Alpha-AMAF against its formula, and against UCB1 at the ends of alpha's range."""

import math

import pytest
from hypothesis import strategies as st

import naive
from fmcts.search._columns import ColumnNames
from fmcts.search.methods import AMAF, ParentNumbers
from fmcts.search.methods.method import edge_type, rows_at

EDGE = edge_type(AMAF().names)
ROW = AMAF().table.row


def amaf(node, index, *, alpha=0.5, c=naive.ROOT_OF_2):
    visits, reward = node.amaf[index]
    return alpha * (reward / visits) + (1.0 - alpha) * naive.ucb1(node, index, c=c)


test_matches_the_transcription = naive.law(amaf, alpha=st.floats(0, 1))


@pytest.mark.parametrize(
    ('method', 'edge', 'score'),
    [
        # AMAF 6/8; mean 1/2 and bonus c * sqrt(9/4)
        (AMAF(0.25, 2.0), EDGE(4.0, 2.0, 0.5, 8.0, 6.0), 0.25 * 0.75 + 0.75 * (0.5 + 3.0)),
        (AMAF(1.0, 2.0), EDGE(4.0, 2.0, 0.5, 8.0, 6.0), 0.75),
        (AMAF(0.0, 2.0), EDGE(4.0, 2.0, 0.5, 8.0, 6.0), 3.5),
        # never played later: its sum, which is 0, and no division by 0
        (AMAF(0.5, 1.0), EDGE(4.0, 2.0, 0.5, 0.0, 0.0), 0.5 * 2.0),
        (AMAF(1.0, 1.0), EDGE(4.0, 2.0, 0.5, 1.0, 0.5), 0.5),
        (AMAF(1.0, 1.0), EDGE(4.0, 2.0, 0.5, 2.0, 0.5), 0.25),
    ],
)
def test_exact_scores(method, edge, score):
    assert method.score(edge, ParentNumbers(20.0, 9.0, 0.5)) == score


def test_update_of_the_table():
    assert AMAF().table.update(ROW(3.0, 1.5), 1.0) == (4.0, 2.5)
    assert AMAF().table.update(ROW(0.0, 0.0), 0.0) == (1.0, 0.0)


def test_columns_and_parameters():
    assert AMAF().names == ColumnNames((), ('amaf_visits', 'amaf_reward'))
    assert AMAF().parameters == {'alpha': 0.5, 'c': math.sqrt(2)}
    zeros = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert rows_at(AMAF(), AMAF().names, None, (7, 8, 9)) == zeros
    assert AMAF().table.scope == 'node'
    assert not AMAF().scores_unvisited


@pytest.mark.parametrize('alpha', [-0.1, 1.1, math.nan, 'x'])
def test_alpha_must_be_from_0_to_1(alpha):
    with pytest.raises(ValueError, match='alpha must be a number from 0 to 1, not '):
        AMAF(alpha)
