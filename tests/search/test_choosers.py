"""Selection by a score: what a score is told, what is chosen, and that generated choosers agree."""

import math
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from fmcts import Player
from fmcts._engines import choosers, selection
from fmcts._engines.selection import chooser_of, parent_of
from fmcts.errors import MethodError
from fmcts.formulas import sqrt, where
from fmcts.search._columns import NO_COLUMNS, ColumnNames, Columns
from fmcts.search._tree import children_by_move
from fmcts.search.memory import Remembered
from fmcts.search.methods import METHODS, UCB1, Rule
from fmcts.search.resolution import CLOSING, SOLVER


def divides(edge, parent):
    return edge.reward / (edge.visits - 2.0) + sqrt(parent.visits - 9.0)


def excludes_some(edge, _parent):
    return where(edge.visits == 3.0, -math.inf, edge.value)


def is_not_a_number(edge, parent):
    return (edge.value - edge.value) * parent.value / 0.0


def integers(edge, parent):
    return 2 * edge.visits * edge.visits - 3 * parent.visits


def adds_the_total(edge, parent):
    return edge.value + parent.total  # 0, as a rule has no `summed`


RULES = [divides, excludes_some, integers, is_not_a_number, adds_the_total]
METHODS_OF_ALL_KINDS = [*(kind() for kind in METHODS.values()), *map(Rule, RULES)]

NUMBERS = (0.0, 0.25, 0.5, 1.0, 3.0)
MANY = 2**60 + 1  # more visits than a float can count
BYTES = st.binary(min_size=200, max_size=200)  # more than any node takes


def node_of(drawn, names, resolves, complete):
    """Return a node as choosers see it: some children have no visits, some moves may lack a child.

    Each choice takes one of the bytes `drawn`, as draws of hypothesis take far longer.
    """
    drawn = iter(drawn)

    def choose(among):
        return among[next(drawn) % len(among)]

    moves = range(choose(range(1, 10)))
    count = len(names.own) + resolves

    def child(move):
        visits = choose((*range(6), *(MANY,) * 6))
        reward = choose(range(1 + 2 * min(visits, 10))) / 2.0
        own = tuple(choose((*NUMBERS, *(-1.0,) * 5)) for _ in range(count))
        value = reward / visits if visits else 0.0
        columns = Columns(names, own, ())
        return SimpleNamespace(
            move=move, visits=visits, reward=reward, value=value, columns=columns
        )

    places = [child(move) if complete or choose(range(4)) else None for move in moves]
    rows = tuple(tuple(choose(NUMBERS) for _ in moves) for _ in names.moves)
    entries = {
        (player, move): tuple(choose(NUMBERS) for _ in names.table)
        for player in Player
        for move in moves
        if names.table and choose((False, True))
    }
    table = Remembered('table', entries) if names.table else None
    visits = choose(range(51))
    return SimpleNamespace(
        moves=moves,
        places=places,
        visits=visits,
        reward=visits / 4.0,
        mover=choose([*Player]),
        state=SimpleNamespace(player=choose([*Player])),
        columns=Columns(names, (), rows, (), table),
    )


def outcome_of(choose, node, reference):
    try:
        return choose(node, node.places, 1.5, reference)
    except MethodError as error:
        return str(error)


def choosers_of(method):
    """Return the two choosers of each variant: the loop over the scores, and the generated one."""
    for resolution in (None, SOLVER, CLOSING):
        assert choosers.scoring_of(method, resolution) is not None
        for kind in ('skipped', 'scored' if method.scores_unvisited else 'absent'):
            generated = selection.chooser_of(method, resolution, untried=kind != 'skipped')
            yield resolution, kind, selection._by_score(method, resolution, kind), generated


@pytest.mark.parametrize(
    'method', METHODS_OF_ALL_KINDS, ids=lambda method: selection.name_of(method).split()[-1]
)
def test_a_generated_chooser_equals_scoring_each_move(method):
    variants = [*choosers_of(method)]

    @given(BYTES, st.booleans())
    def each_variant_agrees(drawn, refers):
        for resolution, kind, expected, generated in variants:
            resolves, complete = resolution is not None, kind == 'absent'
            node = node_of(drawn, method.names, resolves, complete)
            reference = node if method.names.table and refers else None
            assert outcome_of(generated, node, reference) == outcome_of(expected, node, reference)

    each_variant_agrees()


def test_a_score_with_branches_is_not_generated():
    rule = Rule(lambda edge, _parent: edge.value if edge.visits > 2.0 else 0.5)
    assert choosers.scoring_of(rule, None) is None


def test_constants_share_the_generated_source():
    before = choosers._maker.cache_info().misses
    for constant in (0.25, 0.5, 0.75):
        rule = Rule(lambda edge, parent, c=constant: edge.value * c + parent.log_visits - c)
        selection.chooser_of(rule)
    assert choosers._maker.cache_info().misses - before <= 1


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
    assert choose(Rule(lambda edge, _parent: told[edge.visits]), parent) == chosen


def test_a_score_receives_the_parent_and_its_logarithm():
    parent = node(child(0, 3, 1.0), child(1, 5, 1.0), reward=2.0)
    told = []
    choose(
        Rule(lambda edge, parent: told.append((edge, parent)) or float(edge.visits)), parent, 2.5
    )
    told = [pair for pair in told if isinstance(pair[0].visits, float)]  # not those of the trace
    assert told == [
        ((3.0, 1.0, 1 / 3), (8.0, 2.5, 0.75, 0.0, 0.0, 0.0)),
        ((5.0, 1.0, 0.2), (8.0, 2.5, 0.75, 0.0, 0.0, 0.0)),
    ]


def test_unvisited_moves_come_first_without_scoring():
    def rule(edge, _parent):
        assert edge.visits
        return math.inf if edge.visits == 2 else 1.0

    assert choose(Rule(rule), node(child(0, 1, 1.0), child(1, 0, 0.0), child(2, 0, 0.0))) == 1
    assert choose(Rule(rule), node(child(0, 2, 1.0), child(1, 0, 0.0))) == 0  # of equals the first
