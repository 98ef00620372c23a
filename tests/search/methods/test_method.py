"""Methods in general: as values, by name, and what their scores may be, in every engine."""

import math
import pickle
import re
from importlib import import_module
from pathlib import Path

import pytest
from attrs import frozen
from hypothesis import given, settings, strategies as st

from fmcts import Player, Search, SplitMix, analyse
from fmcts._running.registry import ENGINES
from fmcts.errors import MethodError, RulesError
from fmcts.formulas import sqrt
from fmcts.games import connect4, tictactoe
from fmcts.search import _digest as digests
from fmcts.search._columns import ColumnNames
from fmcts.search._tree import walk
from fmcts.search.methods import AMAF, METHODS, UCB1, Method, Parent, Rule
from fmcts.testing import positions
from fmcts.testing._strategies import splitmixes

RNG = SplitMix.from_seed(5)


@frozen
class Mine(Method):
    move_columns = ('seen', 'worth', 'age')

    weight: int = 3


def test_default_first_rows_are_zeros():
    assert Mine().first_rows(None, 'ab') == ((0.0, 0.0),) * 3
    assert [number(None, 1, 2) for number in Mine().first_numbers()] == [0.0, 0.0, 0.0]


def test_numbers_of_a_method_are_floats():
    """As machine code has them."""
    assert [*map(type, Mine().parameters.values())] == [float]


@pytest.mark.parametrize(
    ('name', 'given', 'arguments'),
    [
        ('score', (None, Parent(1.0, 1.0, 0.5)), 'self, edge, parent'),
        ('update', (None, 0.5), 'self, edge, reward'),
        ('by_visits', (3.0,), 'self, visits'),
    ],
)
def test_missing_functions_are_named(name, given, arguments):
    with pytest.raises(TypeError, match=rf'^the method Mine has no {name}\({arguments}\)$'):
        getattr(Mine(), name)(*given)


@pytest.mark.parametrize(
    ('names', 'said'),
    [
        ('squares', "must be a tuple such as ('squares',), not 'squares'"),
        (['squares'], "must be a tuple such as ('squares',), not ['squares']"),
        (('visits',), 'cannot be fields of an edge: Encountered duplicate field name'),
    ],
)
def test_wrong_columns_are_refused_by_the_search(names, said):
    wrong = type('Wrong', (Method,), {'columns': names})
    with pytest.raises((TypeError, ValueError), match=re.escape(f'columns of Wrong {said}')):
        Search(selection=wrong())


def test_methods_are_values():
    assert Mine() == Mine()
    assert Mine() != Mine(weight=4)
    assert hash(Mine()) == hash(Mine())
    assert Method() == Method() != UCB1()
    with pytest.raises(AttributeError):
        Mine().weight = 4
    assert [method().names is not None for method in METHODS.values()] == [True] * len(METHODS)
    assert [vars(kind)['name'] for kind in METHODS.values()] == [*METHODS]
    with pytest.raises(TypeError):
        METHODS['mine'] = Mine


def rule(edge, parent):
    return edge.value + parent.visits


def test_equality_follows_the_function():
    assert Search(selection=rule).method == Rule(rule)
    assert Rule(rule) == Rule(rule) != Rule(max)
    assert hash(Rule(rule)) == hash(Rule(rule))
    with pytest.raises(AttributeError):
        Rule(rule).function = len


# ---- by name ----


@pytest.mark.parametrize('name', METHODS)
def test_every_method_is_compared_with_its_transcription(name):
    """By `naive.law`, in a test file of this folder."""
    tests = '\n'.join(it.read_text('utf-8') for it in Path(__file__).parent.glob('test_*.py'))
    assert re.search(rf'= naive\.law\(\s*(naive\.)?{name.replace("-", "_")}\b', tests)


def test_columns_change_the_digest():
    rng = SplitMix.from_seed(1)
    plain, _ = analyse(tictactoe.start, rng, Search(30))
    kept, _ = analyse(tictactoe.start, rng, Search(30, selection=AMAF(alpha=0)))
    assert plain.digest != kept.digest
    names = ColumnNames((), ('amaf_visits', 'amaf_reward'))
    assert kept.tree.columns.names == names
    text = digests.serialise(kept.tree)
    header = b'fmcts-tree-columns-1 0\namaf_visits\namaf_reward\n'
    assert text.startswith(header)
    numbers = sum(6 + 2 * len(node.moves) for node in walk(kept.tree))
    assert len(text) == len(header) + 8 * numbers


def test_a_nodes_numbers_are_fields(engine):
    search = Search(300, selection='ucb1-tuned', solver=True)
    tree = analyse(tictactoe.start, RNG, search, engine=engine)[0].tree
    copied = pickle.loads(pickle.dumps(tree))  # noqa: S301 - its own bytes
    assert copied == tree
    for node in (*walk(tree), *walk(copied)):
        own = node.columns.own
        assert own == (own.squares, own.proof)
        assert (own.squares, own.proof) == tuple(map(node.columns.of, ('squares', 'proof')))
        assert type(node.columns.__getnewargs__()[1]) is tuple  # so that pickles are no longer
    assert any(node.columns.own.squares for node in walk(copied))


def test_a_method_is_found_in_its_folder(tmp_path, monkeypatch):
    """A new method or policy is one file and its test: no list has to be changed."""
    folder = tmp_path / 'kinds_of_base'
    folder.mkdir()
    (folder / '__init__.py').write_text(
        'from fmcts._declared import named\n'
        'class Base:\n    name = ""\n'
        'class First(Base):\n    name = "first"\n'
        'FOUND = named(globals(), Base)\n'
    )
    (folder / 'second.py').write_text(
        'from kinds_of_base import Base, First\nclass Second(Base):\n    name = "second"\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert [*import_module('kinds_of_base').FOUND] == ['first', 'second']


# ---- numbers by visits ----


@frozen
class WorkedOut(Method):
    """The bonus falls with the visits; division by zero tells of moves that were not tried."""

    scores_unvisited = True
    c: float = 0.5

    def score(self, edge, parent):
        return edge.value + (1.0 + parent.log_visits) * (self.c / sqrt(edge.visits))


@frozen
class Told(WorkedOut):
    def by_visits(self, visits):
        return self.c / sqrt(visits)

    def score(self, edge, parent):
        return edge.value + (1.0 + parent.log_visits) * edge.by_visits


@frozen
class WorkedOutBySum(Method):
    """One move at a time, as it has a branch; and the numbers of all the moves added up."""

    c: float = 3.0

    def summed(self, edge):
        return 1.0 / (self.c + edge.visits)

    def score(self, edge, parent):
        share = 1.0 / (self.c + edge.visits) / parent.total
        return edge.value + share if edge.visits < 9.0 else edge.value + 2.0 * share


@frozen
class ToldBySum(WorkedOutBySum):
    def by_visits(self, visits):
        return 1.0 / (self.c + visits)

    def summed(self, edge):
        return edge.by_visits

    def score(self, edge, parent):
        share = edge.by_visits / parent.total
        return edge.value + share if edge.visits < 9.0 else edge.value + 2.0 * share


@pytest.mark.parametrize('engine', [it for it in ENGINES if it != 'compiled'])
@pytest.mark.parametrize('parameter', [0.5, 2.0])
@pytest.mark.parametrize(('told', 'worked_out'), [(Told, WorkedOut), (ToldBySum, WorkedOutBySum)])
def test_precomputed_numbers_equal_direct_computation(told, worked_out, parameter, engine):
    one, two = (
        analyse(connect4.start, RNG, Search(150, selection=kind(c=parameter)), engine=engine)[0]
        for kind in (told, worked_out)
    )
    assert one.digest == two.digest


# ---- what a score may be ----


OTHERS = ['monadic', 'inplace']


NUMBERS = [(name, number) for name in METHODS for number in METHODS[name]().parameters]


@pytest.mark.parametrize(('name', 'number'), NUMBERS)
def test_parameters_become_floats_and_stay_what_they_are(name, number):
    method = METHODS[name](**{number: 1})
    assert isinstance(getattr(method, number), float)
    with pytest.raises(AttributeError):
        setattr(method, number, 2.0)


@pytest.mark.parametrize(('name', 'number'), NUMBERS)
@pytest.mark.parametrize('wrong', [-1, float('nan'), float('inf'), 1e301, 'much', None, True])
def test_invalid_parameters_are_refused_by_name(name, number, wrong):
    with pytest.raises(ValueError, match=f'^{number} must be'):
        METHODS[name](**{number: wrong})


@pytest.mark.parametrize('engine', ['persistent', *OTHERS])
def test_sums_over_moves_are_added_in_order(engine):
    """In move order: a sum that rounds less, as Python's own does, is another number."""

    class Summing(Method):
        move_columns = ('term',)
        scores_unvisited = True

        def first_rows(self, _state, moves):
            return ((1e16, 1.0, -1e16, *(0.0,) * (len(moves) - 3)),)

        def summed(self, edge):
            return edge.term

        def score(self, edge, parent):
            return edge.term if parent.total == 0.0 else -edge.term

    search = Search(1, selection=Summing())
    analysis, _ = analyse(tictactoe.start, SplitMix.from_seed(1), search, engine=engine)
    assert [child.move for child in analysis.tree.children] == [0]


def test_infinite_scores_exclude_or_come_first():
    def rule(edge, _parent):
        return float('inf') if edge.reward > 2 else -float('inf') if edge.reward < 1 else edge.value

    analysis, _ = analyse(tictactoe.start, SplitMix.from_seed(5), Search(200, selection=rule))
    visits = {row.move: row.visits for row in analysis.stats}
    excluded = [move for move, count in visits.items() if count == 1]
    assert excluded
    assert max(visits.values()) > 100


def test_division_by_zero_follows_ieee_754():
    def rule(edge, _parent):
        return 1.0 / (edge.visits - 1.0)  # +inf after one visit

    analysis, _ = analyse(tictactoe.start, SplitMix.from_seed(5), Search(18, selection=rule))
    assert [row.visits for row in analysis.stats] == [2] * 9
    assert analysis.tree.mover is Player.O


# ---- scores of all moves together ----


@frozen
class Ranked(Method):
    """A score relative to the best and the worst of the node, and to the node's own columns."""

    columns = ('last',)
    scores_unvisited = True

    c: float = 0.5
    mode: int = 0  # which promise it breaks, so that one compiled search serves all tests

    def scores(self, edges, parent, node):
        best = 0.0
        for edge in edges:
            best = max(best, edge.value)
        found = []
        for edge in edges:
            share = self.c * math.sqrt(1 + parent.visits) / (1 + edge.visits)
            found.append(share + edge.value / (0.1 + best) + 0.125 * edge.last)
        if node.edge.last > 0.5 and node.edge.visits > 3 and not node.same:
            found[0] += node.edge.value
        if self.mode == 1:
            found.pop()
        if self.mode == 2:
            found[0] = math.nan
        if self.mode == 3:
            for index in range(len(found)):
                found[index] = -math.inf
        if self.mode == 4:
            found[0] = 1 / (self.mode - 4)
        return found

    def update(self, edge, reward):  # noqa: ARG002 - as the engines call it
        return (reward,)


@given(data=st.data(), rng=splitmixes(), c=st.floats(0, 2), iterations=st.integers(1, 120))
@settings(max_examples=15)
def test_machine_code_finds_the_same_tree(data, rng, c, iterations):
    state = data.draw(positions(tictactoe.start, running=True))
    search = Search(iterations, selection=Ranked(c))
    found, after = analyse(state, rng, search, engine='inplace')
    compiled, after_compiled = analyse(state, rng, search, engine='compiled')
    assert (compiled.digest, compiled.move, after_compiled) == (found.digest, found.move, after)


@pytest.mark.parametrize('engine', ['inplace', 'compiled'])
@pytest.mark.parametrize(
    ('mode', 'error', 'message'),
    [
        (1, MethodError, 'the selection rule Ranked must give a list '),
        (2, MethodError, r'Ranked gives a score that is not a number \(NaN\)'),
        (3, MethodError, 'Ranked excludes every move'),
        (4, (ZeroDivisionError, RulesError), 'division by zero'),
    ],
)
def test_broken_promises_are_named(engine, mode, error, message):
    with pytest.raises(error, match=message):
        analyse(tictactoe.start, RNG, Search(9, selection=Ranked(mode=mode)), engine=engine)


# ---- UCB1 in disguise ----


# Each with the value of a parameter that leaves UCB1.
AS_UCB1 = {
    'ucb1-fpu': {'first_play': 1e9},
    'progressive-bias': {'weight': 0, 'heuristic': lambda state: [0.5] * len(state.moves)},
    'widening': {'k': 1e300},
    'rave': {'k': 0, 'c': 2**0.5},
    'amaf': {'alpha': 0},
    'implicit-minimax': {'alpha': 0},
    'grave': {'ref': 10**9, 'c': 2**0.5},
}


def numbers(tree):
    return [(node.move, node.visits, node.reward) for node in walk(tree)]


def test_which_methods_equal_ucb1_to_the_digest_and_which_in_visits_and_rewards():
    plain, _ = analyse(tictactoe.start, RNG, Search(200))
    found = {
        name: analyse(tictactoe.start, RNG, Search(200, selection=METHODS[name](**given)))[0]
        for name, given in AS_UCB1.items()
    }
    assert all(numbers(it.tree) == numbers(plain.tree) for it in found.values())
    assert {name for name, it in found.items() if it.digest == plain.digest} == {'ucb1-fpu'}
