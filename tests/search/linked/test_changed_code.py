"""Functions and globals that change in the process are followed by every engine."""

from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
from attrs import frozen

from fmcts import Player, Search, SplitMix, analyse
from fmcts._linked import codes
from fmcts._linked.flat import playouts
from fmcts.formulas import sqrt
from fmcts.games import tictactoe
from fmcts.rules import IntegerRules, OnPositions
from fmcts.search.methods import Method
from fmcts.solve import AlphaBeta, solve
from fmcts.testing import check_rules
from shapes import rule_with

pytestmark = pytest.mark.needs_numba

RNG = SplitMix.from_seed(1)

SCORE = UPDATE = COUNTS = SUM = PRIOR = WORTH = REWARD = 0.25
NARROW = 0b111_111_111
TABLE = np.array([0.25, 0.5])


@frozen
class Everything(Method):
    """A method that has every function of users that fits with the others."""

    columns = ('kept',)
    move_columns = ('prior',)
    scores_unvisited = True

    prior: Any = None

    def by_visits(self, visits):
        return COUNTS / (1.0 + visits)

    def summed(self, edge):
        return SUM * edge.visits

    def update(self, edge, reward):
        return (edge.kept + UPDATE * reward,)

    def score(self, edge, parent):
        more = edge.kept + edge.prior + edge.by_visits + TABLE[1]
        return edge.value + SCORE * sqrt(parent.total / (1.0 + edge.visits)) * more

    def first_rows(self, state, _moves):
        return (self.prior.of_moves(state),)

    def first_numbers(self):
        prior = self.prior.function
        return (lambda position, move, _count: prior(position, move),)


def prior(_position, move):
    return PRIOR * (move % 4)


def worth(position):
    return WORTH if position.mine % 3 else 0.5


def reward(position):
    return REWARD if position.mine % 2 else 1.0 - REWARD


def narrow(_position, menu):
    return menu & NARROW or menu


SEARCH = Search(
    120,
    selection=Everything(OnPositions(prior)),
    evaluate=OnPositions(worth),
    evaluate_after=2,
    reward=OnPositions(reward),
    playout=OnPositions(narrow),
)


def digest(engine, search=SEARCH, state=tictactoe.start):
    return analyse(state, RNG, search, engine=engine)[0].digest


NUMBERS = 'SCORE', 'COUNTS', 'SUM', 'PRIOR', 'WORTH', 'REWARD', 'UPDATE', 'NARROW'


@pytest.mark.exhaustive  # test_traced_rules changes what a rule names
@pytest.mark.parametrize('name', NUMBERS)
def test_changed_globals_are_followed(monkeypatch, name):
    before = digest('compiled')
    monkeypatch.setitem(globals(), name, 0b101_010_101 if name == 'NARROW' else 0.75)
    assert before != digest('compiled') == digest('inplace')


@pytest.mark.exhaustive
def test_an_array_that_they_name_may_change():
    before = digest('compiled')
    TABLE[1] = 0.125
    assert before != digest('compiled') == digest('inplace')
    TABLE[1] = 0.5
    assert digest('compiled') == before


@pytest.mark.exhaustive
def test_a_replaced_method_function_is_followed(monkeypatch):
    monkeypatch.setattr(Everything, 'score', lambda _self, edge, _parent: edge.prior - edge.visits)
    assert digest('compiled') == digest('inplace')


def traced_rule(factor):
    return rule_with(lambda: factor)


def branching_rule(factor):
    return lambda edge, parent: edge.value if edge.visits > 9.0 else factor * parent.log_visits


@pytest.mark.parametrize('rule', [traced_rule, branching_rule])
def test_equal_searches_made_anew_are_linked_once(monkeypatch, rule):
    """A number in a rule is part of its code."""
    monkeypatch.setattr(codes, '_codes', {})  # other tests have the rule too
    for factor in (0.375, 0.375, 0.625, 0.375):
        digest('compiled', Search(50, selection=rule(factor)))
    assert len(codes._codes) == 2


class Kept:
    """A number in the places from which a rule may take it without naming it."""

    numbers: ClassVar = {'dict': 0.375}
    items: ClassVar = [0.375]
    pair = (0.375, 1.0)

    def __init__(self):
        self._number = 0.375

    @property
    def number(self):
        return self._number


KEPT = Kept()


@frozen
class Looking(Method):
    """A method that takes its number from a dict."""

    def score(self, edge, parent):
        return edge.value + Kept.numbers['dict'] * parent.log_visits / edge.visits


@pytest.mark.parametrize(
    ('selection', 'change'),
    [
        (rule_with(lambda: Kept.numbers['dict']), lambda: Kept.numbers.update(dict=0.625)),
        (rule_with(lambda: Kept.items[0]), lambda: Kept.items.__setitem__(0, 0.625)),
        (rule_with(lambda: Kept.pair[0]), lambda: setattr(Kept, 'pair', (0.625, 1.0))),
        (rule_with(lambda: KEPT.number), lambda: setattr(KEPT, '_number', 0.625)),
        (Looking(), lambda: Kept.numbers.update(dict=0.625)),
    ],
    ids=['dict', 'list', 'class', 'property', 'method'],
)
def test_formulas_follow_changed_constants(selection, change):
    Kept.numbers['dict'] = Kept.items[0] = KEPT._number = 0.375
    Kept.pair = (0.375, 1.0)
    search = Search(50, selection=selection)
    before = digest('compiled', search)
    assert before == digest('inplace', search)
    change()
    assert before != digest('compiled', search) == digest('inplace', search)


# ---- the rules of a game ----

MOST = 3


class Position(NamedTuple):
    left: int
    turn: int


def taken(position):
    return min(position.left, MOST)


def number(_menu, index):
    return index + FEWEST


FEWEST = 1


@frozen
class Heap:
    """Take one to `MOST` counters; whoever takes the last one wins."""

    left: int
    player: Player = Player.X

    compiled: ClassVar[IntegerRules] = IntegerRules(
        pack=lambda heap: Position(heap.left, 0 if heap.player is Player.X else 1),
        menu=lambda position: taken(position),  # noqa: PLW0108 - by its name
        count=int,
        pick=number,
        play=lambda position, many: Position(position.left - many, 1 - position.turn),
        side=lambda position: position.turn,
        winner=lambda position: 1 - position.turn,
    )

    @property
    def moves(self):
        return tuple(range(1, 1 + min(self.left, MOST)))

    @property
    def over(self):
        return self.left == 0

    @property
    def winner(self):
        return self.player.other if self.over else None

    def play(self, move):
        return type(self)(self.left - move, self.player.other)


@pytest.mark.exhaustive  # the next tests need no new machine code
def test_changed_rules_are_followed(monkeypatch):
    start, search = Heap(9), Search(200)
    before = digest('compiled', search, start)
    lost = solve(start, AlphaBeta(), engine='compiled').value
    monkeypatch.setitem(globals(), 'MOST', 2)
    for engine in ('compiled', 'inplace'):
        assert digest(engine, search, start) == digest('persistent', search, start) != before
    assert solve(start, AlphaBeta(), engine='compiled').value != lost
    ends, _ = playouts(start, RNG, 100, None)(RNG, 300)
    assert sum(ends.values()) == 300
    assert check_rules(start, plies=50).unwrap() == 50
