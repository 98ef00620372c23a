"""Methods, playout policies, evaluators and rewards as machine code: the same bits."""

import math
import re

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from fmcts import EngineError, Search, SplitMix, StdGen, analyse
from fmcts.formulas import maximum, minimum, sqrt, where
from fmcts.games import connect4, othello, tictactoe
from fmcts.rules import OnPositions
from fmcts.search.compiled.selection import takes_lanes
from fmcts.search.errors import MethodError
from fmcts.search.methods import (
    AMAF,
    METHODS,
    PUCT,
    UCB1,
    Method,
    ProgressiveBias,
    ReducedPUCT,
    Widening,
)
from fmcts.search.methods.baeldung import LEAST
from fmcts.testing import Formula, formulas, positions


def equal(state, rng, search, *, tree=None):
    one, after = analyse(state, rng, search, engine='persistent', tree=tree)
    two, other_after = analyse(state, rng, search, engine='compiled', tree=tree)
    assert after == other_after
    assert one.digest == two.digest
    assert (one.move, one.stats) == (two.move, two.stats)
    assert one.tree == two.tree
    return one, after


# One of each form of method with another expansion too, as each is machine code of its own.
FORMS = ('ucb1-tuned', 'puct', 'amaf')
EXPANDED = [*((name, None) for name in METHODS), *((name, 'full') for name in FORMS)]


@pytest.mark.parametrize(('name', 'expansion'), EXPANDED)
@given(positions(connect4.start, running=True), st.integers(0, 99), st.data())
@settings(max_examples=8)
def test_every_method_is_that_of_the_reference(name, expansion, state, seed, data):
    c = data.draw(st.none() | st.floats(0, 3))
    search = Search(data.draw(st.integers(1, 200)), c=c, expansion=expansion, selection=name)
    one, rng = equal(state, SplitMix.from_seed(seed), search)
    equal(state, rng, search, tree=one.tree)


def test_an_end_right_below_the_root_that_the_mover_loses(heap):
    """Above it stands the root: what a method keeps of an end is kept there."""

    @frozen
    class Misere(heap):
        """Whoever takes the last counter loses."""

        compiled = evolve(heap.compiled, winner=lambda position: position.turn)
        winner = property(lambda self: self.player if self.over else None)

    for left in (2, 3):
        one, _ = equal(Misere(left), SplitMix.from_seed(left), Search(50, selection='baeldung'))
        assert one.tree.columns.own[0] == LEAST


@pytest.mark.parametrize('name', [*FORMS, 'puct-reduced'])
def test_methods_on_wide_boards_and_with_passes(name):
    """More moves than a register has lanes, sides that pass, and the other generator."""
    state = othello.start
    while len(state.moves) != 1 or state.moves[0] != othello.PASS:
        state = state.play(state.moves[len(state.moves) // 3])
    for start in (othello.start, state):
        equal(start, StdGen(7, 11), Search(400, selection=name))


@pytest.mark.parametrize('name', METHODS)
def test_every_method_takes_lanes(name):
    assert takes_lanes(METHODS[name].score)


def heavy(_position, menu):
    near = menu & 0x0F0F_0F0F_0F0F_0F0F
    return near or menu


def shape(position):
    return 0.25 + 0.5 * ((position.mine * 7 + position.theirs) % 17) / 17


def steps(position):
    return 0.125 + (position.mine % 3) * 0.25


def centre(position, move):
    return 1.0 / (1 + move % 7 + (position.mine & 1))


ON_POSITIONS = {
    'policy': Search(300, playout=OnPositions(heavy)),
    'evaluator': Search(300, evaluate=OnPositions(shape)),
    'reward': Search(300, reward=OnPositions(steps)),
    'prior': Search(300, selection=PUCT(prior=OnPositions(centre))),
    'prior and first play from the parent': Search(
        300, selection=ReducedPUCT(prior=OnPositions(centre))
    ),
    'heuristic': Search(300, selection=ProgressiveBias(heuristic=OnPositions(centre))),
    'widening by a prior': Search(
        300, selection=Widening(k=0.5, prior=OnPositions(centre)), reward=OnPositions(steps)
    ),
    'RAVE and all that may be given': Search(
        300,
        selection='rave',
        expansion='random',
        playout=OnPositions(heavy),
        reward=OnPositions(steps),
    ),
    'prior and evaluator': Search(
        300, selection=PUCT(prior=OnPositions(centre)), evaluate=OnPositions(shape)
    ),
    'all at once': Search(
        300,
        selection='amaf',
        expansion='full',
        playout=OnPositions(heavy),
        reward=OnPositions(steps),
    ),
    'own columns and real rewards': Search(
        300, selection='ucb1-tuned', expansion='random', evaluate=OnPositions(shape)
    ),
}


@pytest.mark.parametrize('name', ON_POSITIONS)
def test_functions_of_positions_run_in_all_engines(name):
    search = ON_POSITIONS[name]
    one, rng = equal(connect4.start, SplitMix.from_seed(42), search)
    equal(connect4.start, rng, search, tree=one.tree)
    inplace, _ = analyse(connect4.start, SplitMix.from_seed(42), search, engine='inplace')
    assert inplace.digest == one.digest


def by_lanes(edge, parent):
    bonus = where((edge.visits > 3.0) & (edge.value < 0.25), -0.25, parent.value)
    spread = sqrt(parent.log_visits / edge.visits)
    return minimum(edge.value, 0.75) - -bonus + maximum(spread, 0.01) * 0.7


def one_by_one(edge, parent):
    if edge.visits > 10 and edge.value < 0.5:
        return edge.value - 1.0
    return max(edge.value, 0.1) + 0.7 * sqrt(parent.log_visits / edge.visits)


@pytest.mark.parametrize('rule', [by_lanes, one_by_one])
@pytest.mark.parametrize('start', [connect4.start, othello.start], ids=['connect4', 'othello'])
def test_a_rule_of_one_s_own_in_three_lines(rule, start):
    equal(start, SplitMix.from_seed(8), Search(500, selection=rule))
    equal(start, SplitMix.from_seed(8), Search(300, selection=rule, expansion='full'))


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


def test_a_sum_over_the_moves_is_added_in_their_order():
    one, _ = equal(tictactoe.start, SplitMix.from_seed(3), Search(1, selection=Summing()))
    assert [child.move for child in one.tree.children] == [0]
    equal(tictactoe.start, SplitMix.from_seed(3), Search(200, selection=Summing()))


class Tried(Method):
    """A method of a user's own, with columns of both kinds."""

    columns = ('wins', 'streak')
    move_columns = ('played',)

    def score(self, edge, parent):
        rare = 1.0 / (1.0 + edge.played)
        return edge.wins / edge.visits + 0.1 * edge.streak + rare + parent.log_visits / edge.visits

    def update(self, edge, reward):
        won = where(reward > 0.75, 1.0, 0.0)
        return edge.wins + won, where(reward > 0.75, edge.streak + 1.0, 0.0)

    def update_move(self, row, reward):
        return (row.played + reward,)


def test_a_method_of_one_s_own():
    for expansion in ('in-order', 'full'):
        search = Search(400, selection=Tried(), expansion=expansion)
        one, rng = equal(tictactoe.start, SplitMix.from_seed(3), search)
        equal(tictactoe.start, rng, search, tree=one.tree)


@given(formulas(), st.integers(0, 9), st.booleans())
@settings(max_examples=6)
def test_drawn_formulas_give_the_same_searches(rule, seed, full):
    """Or the same refusal, where a score is no number or all are excluded."""
    search = Search(80, selection=rule, expansion='full' if full else 'in-order')
    found = []
    for engine in ('persistent', 'compiled'):
        try:
            analysis, rng = analyse(
                tictactoe.start, SplitMix.from_seed(seed), search, engine=engine
            )
            found.append((analysis.digest, rng))
        except MethodError as error:
            found.append(str(error))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    'text',
    [
        'where(parent.visits > 30.0, edge.value, 1.0)',
        'where(parent.visits > 30.0, 0.5, edge.value)',
        'where((parent.visits > 3.0) & (edge.value > 0.5), edge.value, 1.0)',
        'where((edge.value > 0.5) | (parent.visits > 30.0), -edge.value, edge.visits)',
        'where((0.0 < 1.0) & (parent.visits < 30.0), edge.value, edge.visits)',
    ],
)
def test_a_condition_that_is_the_same_for_all_moves(text):
    """One truth beside lanes of them, and one truth that chooses among lanes of numbers."""
    rule = Formula(text)
    assert takes_lanes(rule.function)
    equal(tictactoe.start, SplitMix.from_seed(1), Search(100, selection=rule))


def distance(edge, _parent):
    return edge.value - abs(edge.value - 0.5) + 1.0 / edge.visits


def rounded(edge, _parent):
    return edge.reward // 2.0 + 1.0 / edge.visits


def remainder(edge, _parent):
    return edge.visits % 3.0 + edge.value


def greater(edge, parent):
    return max(edge.value, 0.25) + sqrt(parent.log_visits / edge.visits)


def negated(edge, _parent):
    return edge.value + (not edge.visits > 3.0)


@pytest.mark.parametrize('rule', [distance, rounded, remainder, greater, negated])
def test_what_lanes_have_not_is_computed_one_by_one(rule):
    assert not takes_lanes(rule)
    equal(tictactoe.start, SplitMix.from_seed(1), Search(100, selection=rule))


@pytest.mark.parametrize(
    'rule',
    [
        lambda edge, _parent: edge.value**2,
        lambda edge, _parent: (edge.value, edge.visits)[0],
        lambda edge, _parent: edge.value if edge.visits else 0.0,
        lambda edge, _parent: where(~(edge.visits > 3.0), edge.value, 0.0),
        lambda edge, _parent: math.exp(edge.value),
        max,
    ],
)
def test_nor_do_these_take_lanes(rule):
    assert not takes_lanes(rule)


@pytest.mark.parametrize(
    'rule',
    [
        lambda edge, parent: -edge.value + 2 * parent.value / math.sqrt(edge.visits),
        lambda edge, _parent: where((edge.value > 0.5) & (edge.visits >= 3.0), 1.0, edge.value),
    ],
)
def test_these_do(rule):
    assert takes_lanes(rule)


def of_the_parent(_edge, parent):
    return parent.value * 0.5


def test_a_score_that_is_the_same_for_all_moves():
    for expansion in ('in-order', 'full'):
        search = Search(100, selection=of_the_parent, expansion=expansion)
        equal(othello.start, SplitMix.from_seed(2), search)


class Halved(UCB1):
    """A subclass with another score: what its parent states for speed is not its own."""

    def score(self, edge, parent):
        return 0.5 * edge.value + self.c * sqrt(parent.log_visits / edge.visits)


def test_a_subclass_is_searched_by_its_own_score():
    one, _ = equal(connect4.start, SplitMix.from_seed(2), Search(300, selection=Halved(0.7)))
    other, _ = analyse(connect4.start, SplitMix.from_seed(2), Search(300, c=0.7))
    assert one.digest != other.digest


class Weighed(PUCT):
    """A subclass whose rows begin otherwise, on states only."""

    def first_rows(self, _state, moves):
        return ([1.0 / (1 + move) for move in moves],)


def on_states(state):
    return state.moves


@pytest.mark.parametrize(
    ('search', 'why'),
    [
        (Search(playout=on_states), 'playout=on_states, a function of states: it has those of'),
        (Search(evaluate=on_states), 'evaluate=on_states, a function of states: it has those of'),
        (Search(reward=on_states), 'reward=on_states, a function of states: it has those of'),
        (Search(selection=PUCT(prior=on_states)), 'the prior on_states, which is a function of st'),
        (Search(selection=Weighed()), 'the first rows of Weighed, which are of states: it has fi'),
    ],
)
def test_what_cannot_be_compiled_is_refused_by_name(search, why):
    with pytest.raises(EngineError, match=re.escape(f'the engine compiled lacks {why}')):
        analyse(tictactoe.start, SplitMix.from_seed(1), search, engine='compiled')


WRONG = {
    'an illegal policy': (
        Search(50, playout=OnPositions(lambda _position, _menu: 1 << 20)),
        'must give at least one of the legal moves',
    ),
    'an empty policy': (
        Search(50, playout=OnPositions(lambda _position, _menu: 0)),
        'must give at least one of the legal moves',
    ),
    'an evaluation': (
        Search(50, evaluate=OnPositions(lambda _position: 1.5)),
        'must give a number from 0, X loses, to 1, X wins',
    ),
    'a reward': (
        Search(50, reward=OnPositions(lambda _position: -0.5)),
        'must give a number from 0, X loses, to 1, X wins',
    ),
}


@pytest.mark.parametrize('engine', ['persistent', 'compiled'])
@pytest.mark.parametrize('name', WRONG)
def test_wrong_functions_are_named(name, engine):
    search, message = WRONG[name]
    with pytest.raises(MethodError, match=message):
        analyse(tictactoe.start, SplitMix.from_seed(1), search, engine=engine)


def no_number(edge, _parent):
    return edge.value * (edge.visits / 0.0 - edge.visits / 0.0)


def none_left(edge, _parent):
    return -edge.visits / 0.0


@pytest.mark.parametrize('engine', ['persistent', 'compiled'])
@pytest.mark.parametrize(
    ('rule', 'message'),
    [(no_number, 'no_number gives a score that is not'), (none_left, 'none_left excludes every')],
)
def test_wrong_scores_are_named(rule, message, engine):
    with pytest.raises(MethodError, match=f'the selection rule {message}'):
        analyse(tictactoe.start, SplitMix.from_seed(1), Search(50, selection=rule), engine=engine)


def test_a_prior_is_compiled_once(monkeypatch):
    from fmcts.search.compiled import engine  # noqa: PLC0415 - it loads numba

    search = Search(20, selection=PUCT(prior=OnPositions(centre)))
    analyse(connect4.start, SplitMix.from_seed(1), search, engine='compiled')
    monkeypatch.setattr(engine.loop, 'make_loop', None)
    again = Search(20, selection=PUCT(c=0.5, prior=OnPositions(centre)))
    equal(connect4.start, SplitMix.from_seed(1), again)


def test_numbers_are_parameters_and_not_compiled_in(monkeypatch):
    """One loop serves all values of a method's numbers."""
    from fmcts.search.compiled import engine  # noqa: PLC0415 - it loads numba

    analyse(connect4.start, SplitMix.from_seed(1), Search(20, selection=AMAF()), engine='compiled')
    monkeypatch.setattr(engine.loop, 'make_loop', None)
    search = Search(20, selection=AMAF(alpha=0.25, c=0.5))
    equal(connect4.start, SplitMix.from_seed(1), search)


def test_the_oldest_of_many_loops_is_forgotten(monkeypatch):
    from fmcts.search.compiled import engine  # noqa: PLC0415 - it loads numba

    monkeypatch.setattr(engine, '_loops', {})
    monkeypatch.setattr(engine, 'LOOPS', 1)
    rng = SplitMix.from_seed(1)
    for search in (Search(20), Search(20, expansion='full'), Search(20)):
        equal(tictactoe.start, rng, search)
        assert [key[3][0] for key in engine._loops] == [search.expands]
