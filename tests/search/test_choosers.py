"""Generated choosers choose, and fail, like a loop over the scores."""

import math
from functools import partial
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from fmcts import Player
from fmcts._engines import choosers, selection
from fmcts.errors import MethodError
from fmcts.formulas import sqrt, where
from fmcts.search._columns import Columns
from fmcts.search.memory import Remembered
from fmcts.search.methods import METHODS, Rule
from fmcts.search.settling import CLOSING, SOLVER


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

numbers = st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0])


@st.composite
def nodes(draw, method, settles):
    """Draw a node as choosers see it: some of its moves have a child, some children no visits."""
    moves = range(draw(st.integers(1, 9)))
    names = method.names
    count = len(names.own) + settles

    def child(move):
        visits = draw(st.integers(0, 5) | st.just(2**60 + 1))
        reward = draw(st.integers(0, 2 * min(visits, 10))) / 2.0
        own = tuple(draw(st.lists(numbers | st.just(-1.0), min_size=count, max_size=count)))
        value = reward / visits if visits else 0.0
        columns = Columns(names, own, ())
        return SimpleNamespace(
            move=move, visits=visits, reward=reward, value=value, columns=columns
        )

    children = [child(move) for move in moves if draw(st.integers(0, 3))]
    rows = tuple(tuple(draw(numbers) for _ in moves) for _ in names.moves)
    entries = {
        (player, move): tuple(draw(numbers) for _ in names.table)
        for player in Player
        for move in moves
        if draw(st.booleans())
    }
    table = Remembered('table', entries) if names.table else None
    visits = draw(st.integers(0, 50))
    return SimpleNamespace(
        moves=moves,
        children=children,
        visits=visits,
        reward=visits / 4.0,
        mover=draw(st.sampled_from(Player)),
        state=SimpleNamespace(player=draw(st.sampled_from(Player))),
        columns=Columns(names, (), rows, (), table),
    )


def outcome_of(choose, node, reference):
    try:
        return choose(node, node.children, 1.5, reference)
    except MethodError as error:
        return str(error)


@pytest.mark.parametrize('settling', [None, SOLVER, CLOSING], ids=['plain', 'solver', 'closing'])
@pytest.mark.parametrize(
    'method', METHODS_OF_ALL_KINDS, ids=lambda method: selection.name_of(method).split()[-1]
)
@given(st.data())
def test_a_generated_chooser_equals_scoring_each_move(method, settling, data):
    node = data.draw(nodes(method, settling is not None))
    reference = data.draw(st.sampled_from([node, None])) if method.names.table else None
    for untried in (True, False):
        scoring = choosers.scoring_of(method, settling)
        assert scoring is not None
        kept = partial(selection._open_moves, settling=settling, untried=untried)
        expected = outcome_of(selection._by_score(method, kept), node, reference)
        found = outcome_of(selection._chooser(method, settling, untried=untried), node, reference)
        assert found == expected


def test_a_score_with_branches_is_not_generated():
    rule = Rule(lambda edge, _parent: edge.value if edge.visits > 2.0 else 0.5)
    assert choosers.scoring_of(rule, None) is None


def test_constants_share_the_generated_source():
    before = choosers._maker.cache_info().misses
    for constant in (0.25, 0.5, 0.75):
        rule = Rule(lambda edge, parent, c=constant: edge.value * c + parent.log_visits - c)
        selection.chooser_of(rule)
    assert choosers._maker.cache_info().misses - before <= 1
