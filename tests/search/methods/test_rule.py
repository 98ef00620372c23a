"""A user's function as a method."""

import pytest

from fmcts import Search
from fmcts.search._columns import ColumnNames
from fmcts.search.methods import ParentNumbers, Rule
from fmcts.search.methods.method import edge_type


def rule(edge, parent):
    return edge.value + parent.visits


def test_score_calls_the_function():
    edge = edge_type(ColumnNames())(2.0, 1.0, 0.5)
    assert Rule(rule).score(edge, ParentNumbers(20.0, 3.0, 0.25)) == 20.5


def test_equality_follows_the_function():
    assert Search(selection=rule).method == Rule(rule)
    assert Rule(rule) == Rule(rule) != Rule(max)
    assert hash(Rule(rule)) == hash(Rule(rule))
    with pytest.raises(AttributeError):
        Rule(rule).function = len


def test_no_columns_and_no_parameters():
    method = Rule(rule)
    assert not method.names
    assert method.parameters == {}
    assert method.table is None
    assert not method.scores_unvisited
