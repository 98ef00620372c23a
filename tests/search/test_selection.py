"""Selection by a score: its arguments, and the use of its result."""

import math
from types import SimpleNamespace

import pytest
from attrs import frozen

from fmcts import Player
from fmcts._engines.selection import (
    chooser_of,
    edges_of,
    parent_of,
    visited_scores,
)
from fmcts.search._columns import NO_COLUMNS, ColumnNames, Columns
from fmcts.search._tree import children_by_move
from fmcts.search.methods import PUCT, UCB1, Method, Rule, UCB1Tuned


def child(move, visits, reward, own=()):
    value = reward / visits if visits else 0.0
    columns = Columns(ColumnNames(), own, ())
    return SimpleNamespace(move=move, visits=visits, reward=reward, value=value, columns=columns)


def node(*children, moves=None, rows=(), mover=Player.O, reward=1.0):
    moves = tuple(one.move for one in children) if moves is None else moves
    return SimpleNamespace(
        moves=moves,
        visits=sum(one.visits for one in children),
        reward=reward,
        mover=mover,
        state=SimpleNamespace(player=Player.X),
        places=children_by_move(moves, children),
        columns=Columns(ColumnNames(), (), rows) if rows else NO_COLUMNS,
    )


def choose(method, parent, log_visits=1.0):
    return chooser_of(method)(parent, parent.places or [None] * len(parent.moves), log_visits)


# ---- what a score is told ----


def test_a_parent_s_value_is_for_the_side_to_move():
    one = node(child(0, 8, 3.0), mover=Player.O, reward=2.0)
    other = node(child(0, 8, 3.0), mover=Player.X, reward=2.0)
    assert parent_of(UCB1(), one, 2.5, ()) == (8.0, 2.5, 0.75, 0.0)
    assert parent_of(UCB1(), other, 2.5, ()) == (8.0, 2.5, 0.25, 0.0)
    assert isinstance(parent_of(UCB1(), one, 2.5, ()).visits, float)


def test_edges_have_the_statistics_of_their_child():
    parent = node(child('a', 4, 3.0, (7.0,)), child('b', 2, 0.5, (8.0,)))
    edges = [*edges_of(UCB1Tuned(), parent, parent.places)]
    assert edges == [(4.0, 3.0, 0.75, 7.0), (2.0, 0.5, 0.25, 8.0)]
    assert edges[1].squares == 8.0
    assert isinstance(edges[0].visits, float)


@frozen
class Both(Method):
    columns = ('own',)
    move_columns = ('one', 'two')

    def score(self, edge, _parent):
        return edge.one


def test_edges_without_a_child_have_only_their_row():
    parent = node(
        child('d', 4, 3.0, (7.0,)), child('b', 2, 1.0, (8.0,)),
        moves=tuple('edcba'), rows=((1.0, 2.0, 3.0, 4.0, 5.0), (6.0, 7.0, 8.0, 9.0, 10.0)),
    )  # fmt: skip
    assert [*edges_of(Both(), parent, parent.places)] == [
        (0.0, 0.0, 0.0, 0.0, 1.0, 6.0),
        (4.0, 3.0, 0.75, 7.0, 2.0, 7.0),
        (0.0, 0.0, 0.0, 0.0, 3.0, 8.0),
        (2.0, 1.0, 0.5, 8.0, 4.0, 9.0),
        (0.0, 0.0, 0.0, 0.0, 5.0, 10.0),
    ]


# ---- what is chosen ----


def by(function):
    return Rule(function)


@pytest.mark.parametrize(
    ('scores', 'chosen'),
    [
        ([1.0, 3.0, 2.0], 1),
        ([3.0, 3.0, 2.0], 0),
        ([2.0, 3.0, 3.0], 1),
        ([-5.0, -3.0, -4.0], 1),
        ([-math.inf, -9e99, -math.inf], 1),
        ([-math.inf, -9e99, math.inf], 2),
        ([math.inf, 1.0, math.inf], 0),
        ([-1.0], 0),
    ],
)
def test_ties_go_to_the_first(scores, chosen):
    told = dict(enumerate(scores, 1))
    parent = node(*(child(index, index, 0.0) for index in told))
    assert choose(by(lambda edge, _parent: told[edge.visits]), parent) == chosen


def test_a_score_receives_the_parent_and_its_logarithm():
    parent = node(child(0, 3, 1.0), child(1, 5, 1.0), reward=2.0)
    told = []
    choose(by(lambda edge, parent: told.append((edge, parent)) or float(edge.visits)), parent, 2.5)
    told = [pair for pair in told if isinstance(pair[0].visits, float)]  # not those of the trace
    assert told == [
        ((3.0, 1.0, 1 / 3), (8.0, 2.5, 0.75, 0.0)),
        ((5.0, 1.0, 0.2), (8.0, 2.5, 0.75, 0.0)),
    ]


def test_unvisited_moves_come_first_without_scoring():
    def rule(edge, _parent):
        assert edge.visits
        return math.inf if edge.visits == 2 else 1.0

    assert choose(by(rule), node(child(0, 1, 1.0), child(1, 0, 0.0), child(2, 0, 0.0))) == 1
    assert choose(by(rule), node(child(0, 2, 1.0), child(1, 0, 0.0))) == 0  # of equals the first


def test_unvisited_moves_are_scored_if_the_method_asks():
    rows = ((0.1, 0.6, 0.3),)
    parent = node(child('a', 1, 1.0), moves=tuple('abc'), rows=rows)
    assert choose(PUCT(0.0), parent) == 0  # 1 against 1/2
    assert choose(PUCT(0.0, first_play=2.0), parent) == 1
    assert choose(PUCT(4.0), parent) == 1


# ---- the scores of a final choice ----


def test_only_visited_children_are_scored():
    parent = node(child(0, 4, 3.0), child(1, 0, 0.0), child(2, 4, 1.0), moves=(0, 1, 2, 3))
    assert visited_scores(UCB1(2.0), parent, 9.0) == [0.75 + 3.0, 0.25 + 3.0]
    assert visited_scores(UCB1(2.0), parent, 9.0, lambda edge, _parent: edge.reward) == [3.0, 1.0]
    assert visited_scores(UCB1(), parent, 9.0, lambda _, parent: parent.log_visits) == [9.0, 9.0]
