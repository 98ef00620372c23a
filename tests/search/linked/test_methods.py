"""Methods as machine code, the library's and users', equal Python to the bit."""

import pytest
from attrs import frozen
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix
from fmcts.formulas import where
from fmcts.games import tictactoe
from fmcts.search.memory import Table
from fmcts.search.methods import METHODS, Method
from fmcts.testing import positions
from shapes import equal
from tiers import usually

# Each is machine code of its own: of this game, as other tests take it too, with all methods by the
# expansion that is usual for them, and with another one of each form.
FORMS = ('ucb1-tuned', 'puct', 'amaf')
EXPANDED = [
    *((name, None) for name in METHODS),
    *((name, 'full') for name in (*FORMS, 'baeldung')),  # the latter as its bot does
]
IN_SHAPES = (  # they are compiled for test_shapes, for test_functions, or for test_preparing
    *('ucb1-tuned', 'puct-reduced', 'rave', 'implicit-minimax', 'widening', 'bayes-uct1', 'uct'),
    *('rave-silver', 'ucb-v'),
)
# They have the form of others, and their scores are traced as those are: scores of moves without
# visits as `puct-reduced`, priors as `widening`, numbers of an edge as `bayes-uct1`.
ALIKE = 'ucb1-fpu', 'puct', 'progressive-bias', 'bayes-uct2'


def is_kept(case):
    name, expansion = case
    usual = 'full' if name == 'baeldung' else None
    return expansion == usual and name not in (*IN_SHAPES, *ALIKE)


@pytest.mark.parametrize(('name', 'expansion'), usually(is_kept, EXPANDED))
@given(state=positions(tictactoe.start, running=True), seed=st.integers(0, 99), data=st.data())
@settings(max_examples=8)
def test_every_method_equals_the_reference(name, expansion, state, seed, data):
    c = data.draw(st.none() | st.floats(0, 3))
    search = Search(data.draw(st.integers(1, 200)), c=c, expansion=expansion, selection=name)
    one, rng = equal(state, SplitMix.from_seed(seed), search)
    equal(state, rng, search, tree=one.tree)


class Summing(Method):
    """Terms of which the sum depends on the order in which they are added."""

    move_columns = ('term',)
    scores_unvisited = True

    def first_rows(self, _state, moves):
        return ([term(None, move, None) for move in moves],)

    def first_numbers(self):
        return (term,)

    def summed(self, edge):
        return edge.term * (1.0 + edge.visits)

    def score(self, edge, parent):
        return where(parent.total == 0.0, edge.term, parent.total - edge.visits)


def term(_position, move, _count):
    return 1e16 if move == 0 else 1.0 if move == 1 else -1e16 if move == 2 else 0.0


def test_sums_over_moves_are_added_in_order():
    one, _ = equal(tictactoe.start, SplitMix.from_seed(3), Search(1, selection=Summing()))
    assert [child.move for child in one.tree.children] == [0]
    equal(tictactoe.start, SplitMix.from_seed(3), Search(200, selection=Summing()))


@frozen
class Played(Table):
    """What moves earned, each iteration the less the longer ago it was."""

    name, columns, absent, scope = 'played', ('played',), (0.0,), 'node'
    rate: float = 0.9

    def update(self, row, reward):
        return (self.rate * row.played + reward,)


@frozen
class Above(Played):
    """The same of the nearest node with enough visits."""

    scope = 'ancestor'
    least: int = 5

    def refers(self, visits):
        return visits >= self.least


@frozen
class Tried(Method):
    """A method of a user's own, with columns of all kinds."""

    columns = ('wins', 'streak')
    move_columns = ('first',)
    table: Played = Played(0.75)
    bonus: float = 1.0

    def score(self, edge, parent):
        rare = self.bonus / (1.0 + edge.played + edge.first)
        return edge.wins / edge.visits + 0.1 * edge.streak + rare + parent.log_visits / edge.visits

    def update(self, edge, reward):
        won = where(reward > 0.75, 1.0, 0.0)
        return edge.wins + won, where(reward > 0.75, edge.streak + 1.0, 0.0)

    def first_rows(self, _state, moves):
        return ([len(moves) / 8] * len(moves),)

    def first_numbers(self):
        return (lambda _position, _move, count: count / 8,)


@pytest.mark.parametrize(
    'table', usually([Above(0.75)], [Played(0.75), Above(0.75)]), ids=['node', 'ancestor']
)
def test_a_user_s_method_with_a_table(table):
    """Also of moves without visits, whose numbers are those that they begin with."""
    search = Search(400, selection=Tried(table), expansion='full')
    one, rng = equal(tictactoe.start, SplitMix.from_seed(3), search)
    equal(tictactoe.start, rng, search, tree=one.tree)
