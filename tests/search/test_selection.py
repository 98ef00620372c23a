"""Selection by a score: its arguments, and the use of its result."""

import math
from types import SimpleNamespace

import pytest

from fmcts import Player
from fmcts._engines.selection import (
    chooser_of,
    parent_of,
)
from fmcts.search._columns import NO_COLUMNS, ColumnNames, Columns
from fmcts.search._tree import children_by_move
from fmcts.search.methods import UCB1, Rule


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
    assert parent_of(UCB1(), one, 2.5, ()) == (8.0, 2.5, 0.75, 0.0, 0.0, 0.0)
    assert parent_of(UCB1(), other, 2.5, ()) == (8.0, 2.5, 0.25, 0.0, 0.0, 0.0)
    assert isinstance(parent_of(UCB1(), one, 2.5, ()).visits, float)


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
        ((3.0, 1.0, 1 / 3), (8.0, 2.5, 0.75, 0.0, 0.0, 0.0)),
        ((5.0, 1.0, 0.2), (8.0, 2.5, 0.75, 0.0, 0.0, 0.0)),
    ]


def test_unvisited_moves_come_first_without_scoring():
    def rule(edge, _parent):
        assert edge.visits
        return math.inf if edge.visits == 2 else 1.0

    assert choose(by(rule), node(child(0, 1, 1.0), child(1, 0, 0.0), child(2, 0, 0.0))) == 1
    assert choose(by(rule), node(child(0, 2, 1.0), child(1, 0, 0.0))) == 0  # of equals the first


# ---- the scores of a final choice ----
