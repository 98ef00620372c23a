"""A user's policy with tables: the same in every engine, compiled, and refusals."""

import math

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings, strategies as st

from chained import PYTHON, agree
from fmcts import Player, Search, SplitMix, analyse
from fmcts._running.registry import ENGINES
from fmcts.errors import MethodError
from fmcts.formulas import minimum, where
from fmcts.games import connect4, tictactoe
from fmcts.search.memory import Table, learning
from fmcts.search.policies import MAST, Mixture, Recalling, Uniform, epsilon
from tiers import is_interpreted, usually
from toy_games import Stairs, drawn_trees

RNG = SplitMix.from_seed(1)
X, O = Player  # noqa: E741 - the player's name


@frozen
class Lately(Table):
    """A mean in which the last rewards count the most."""

    name = 'lately'
    columns = ('average',)
    absent = (0.5,)
    rate: float = 0.25

    def update(self, row, reward):
        return (row.average + self.rate * (reward - row.average),)


@frozen
class Answers(Table):
    """Of each move the last answer's key and reward, and how often it was answered, up to five."""

    name = 'answers'
    columns = ('answer', 'worth', 'times')
    absent = (-1.0, 0.0, 0.0)
    index = 'replies'
    most: int = 5

    def update(self, row, reward):
        return row.key, reward, minimum(row.times + 1, self.most)


@frozen
class Signs(Table):
    """Signs of zero: a pair that lost twice is forgotten, and must not come back as minus zero."""

    name = 'signs'
    columns = ('sign',)
    absent = (0.0,)
    index = 'pairs'

    def update(self, row, reward):
        return (where(reward > 0.5, row.sign + 1.0, -0.0 * row.sign),)


@frozen
class Own(Recalling):
    """All three tables, an integer and a number of its own; some moves are left out."""

    memories = (Signs(), Lately(0.5), Answers())
    shift: int = 2
    weight: float = 0.5

    def weigh(self, move):
        answered = where(move.key == move.answer, move.worth - 0.5, 0.0) * move.times
        value = move.average + self.weight * answered + 1.0 / (move.sign + self.shift)
        return where(move.average < 0.25, -math.inf, value + 1e-6 * move.key)


@frozen
class Branching(Own):
    """The same, by functions that cannot be traced."""

    def weigh(self, move):
        if move.average < 0.25:
            return -math.inf
        answered = (move.worth - 0.5 if move.key == move.answer else 0.0) * move.times
        value = move.average + self.weight * answered + 1.0 / (move.sign + self.shift)
        return value + 1e-6 * move.key


@frozen
class Infinite(Recalling):
    """Divides by zero: by +0 where nothing is known, never by minus zero."""

    memories = (Signs(),)

    def weigh(self, move):
        return where(1.0 / move.sign > 0.0, move.key, -math.inf)


SEARCHES = {
    'own': Search(playout=epsilon(Own(), 0.25)),
    'other numbers': Search(playout=epsilon(evolve(Own(), shift=3, weight=-0.25), 0.25)),
    'branching': Search(playout=epsilon(Branching(), 0.25)),
    'infinite': Search(playout=Infinite()),
    'mixed': Search(
        playout=Mixture((MAST(0.5), Own(), Uniform(), Infinite()), (0.25, 0.25, 0.25, 0.25)),
        selection='amaf',
        solver=True,
    ),
}


@pytest.mark.parametrize('kind', SEARCHES)
@given(drawn_trees(), st.integers(0, 99), st.integers(1, 60))
@settings(max_examples=25)
def test_python_engines_agree(kind, state, seed, iterations):
    search, rng = evolve(SEARCHES[kind], iterations=iterations), SplitMix.from_seed(seed)
    agree(state, rng, search)


@pytest.mark.needs_numba
@pytest.mark.parametrize(
    ('kind', 'start'),
    usually(
        lambda case: case[0] == 'own',
        [*((kind, Stairs(30)) for kind in SEARCHES), ('mixed', connect4.start)],
    ),
)
def test_compiled_code_agrees(kind, start):
    for seed, iterations in enumerate((1, 3, 120)):
        search, rng = evolve(SEARCHES[kind], iterations=iterations), SplitMix.from_seed(seed)
        one, after = analyse(start, rng, search, engine='inplace')
        two, other_after = analyse(start, rng, search, engine='compiled')
        assert (one.digest, one.tree, after) == (two.digest, two.tree, other_after)
        three, _ = analyse(start, after, search, engine='compiled', tree=one)
        four, _ = analyse(start, after, search, engine='persistent', tree=two)
        assert three.digest == four.digest


def test_functions_with_branches_agree():
    one, two = (
        analyse(connect4.start, RNG, evolve(SEARCHES[kind], iterations=80), engine='inplace')[0]
        for kind in ('own', 'branching')
    )
    assert one.tree == two.tree


@pytest.mark.needs_numba
def test_parameters_are_not_compiled_in():
    """Other numbers need no other machine code, and are heeded."""
    searches = [evolve(SEARCHES[kind], iterations=80) for kind in ('own', 'other numbers')]
    one, two = (analyse(Stairs(30), RNG, it, engine='compiled')[0] for it in searches)
    assert one.tree != two.tree
    from fmcts._linked.pages import pieces_of  # noqa: PLC0415 - where it is needed

    keys = [pieces_of(Stairs(30), search, stdgen=False)[1].key for search in searches]
    assert keys[0] == keys[1]


def test_table_updates_computed_by_hand():
    """Who played, what was answered, and what becomes absent again."""
    line = [(X, 1), (O, 2), (O, 3), (X, 1)]
    assert learning(Lately()).after({}, line, {X: 1.0, O: 0.0}) == {
        (X, 1): (0.625,),
        (O, 2): (0.375,),
        (O, 3): (0.375,),
    }
    assert learning(Answers()).after({}, line, {X: 0.75, O: 0.25}) == {
        (X, 1): (2.0, 0.25, 1.0),
        (O, 3): (1.0, 0.75, 1.0),
    }
    won = learning(Signs()).after({}, line, {X: 1.0, O: 0.0})
    assert won == {(O, 3, 1): (1.0,)}
    assert learning(Signs()).after(won, line, {X: 0.0, O: 1.0}) == {(X, 1, 2): (1.0,)}


# ---- what is refused ----


@frozen
class Nan(Own):
    def weigh(self, move):
        return move.average - math.inf + math.inf


@pytest.mark.parametrize('engine', usually(is_interpreted, ENGINES))
def test_a_nan_weight_is_refused(engine):
    with pytest.raises(MethodError, match=r'weigh of Nan returned NaN'):
        analyse(tictactoe.start, RNG, Search(9, playout=epsilon(Nan(), 0.5)), engine=engine)


@frozen
class Text(Own):
    def weigh(self, _move):
        return 'much'


@pytest.mark.parametrize('engine', PYTHON)
def test_results_other_than_numbers_are_refused(engine):
    with pytest.raises(MethodError, match="weigh of Text must return a number, not 'much'"):
        analyse(tictactoe.start, RNG, Search(9, playout=Text()), engine=engine)
