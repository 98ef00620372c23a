"""The check that arguments are not modified detects every change."""

import functools
import pickle
from array import array
from itertools import count, product
from types import SimpleNamespace

import pytest
from attrs import evolve

from fmcts import Search, SplitMix, StdGen, analyse
from fmcts._running.registry import ENGINES
from fmcts.games import tictactoe
from fmcts.search._tree import walk
from maze import Maze
from shapes import SHAPES
from tiers import usually
from unmodified import changes, picture, verify_inputs_unmodified


def tree_of(engine='persistent', selection='amaf', iterations=60):
    search = Search(iterations, selection=selection)
    return analyse(tictactoe.start, SplitMix.from_seed(1), search, engine=engine)[0].tree


def put(thing, name, value):
    """As only a fault does: what is frozen is written to."""
    place = next(vars(kind)[name] for kind in type(thing).__mro__ if name in vars(kind))
    place.__set__(thing, value)


def deepest(tree):
    return [*walk(tree)][-1]


def used_rng():
    """A generator that has computed words ahead."""
    return SplitMix.from_seed(1).uniform(0, 5)[1]


OF_A_TREE = {
    'value': lambda tree: put(deepest(tree), 'value', 0.25),
    'value of the root': lambda tree: put(tree, 'value', tree.value + 2**-50),
    'reward': lambda tree: put(tree.children[2], 'reward', 0.0),
    'visits': lambda tree: put(tree.children[2], 'visits', float(tree.children[2].visits)),
    'mover': lambda tree: put(tree.children[2], 'mover', tree.mover),
    'moves': lambda tree: put(tree, 'moves', [*tree.moves]),
    'state': lambda tree: put(deepest(tree).state, 'x', 3),
    'children': lambda tree: put(tree, 'children', tree.children[:-1]),
    'columns': lambda tree: put(deepest(tree), 'columns', tree.columns),
}


@pytest.mark.parametrize('fault', OF_A_TREE)
def test_changes_of_a_tree_are_detected(fault):
    def spoil(tree, _rng):
        OF_A_TREE[fault](tree)

    with pytest.raises(AssertionError, match=r'^argument 0.*\..* was .* and is '):
        verify_inputs_unmodified(spoil)(tree_of(), used_rng())


OF_A_GENERATOR = {'_words': (0,) * 64, '_spent': 63, 'state': 5}


@pytest.mark.parametrize('field', OF_A_GENERATOR)
def test_changes_of_a_generator_are_detected(field):
    def spoil(*, rng):
        put(rng, field, OF_A_GENERATOR[field])

    with pytest.raises(AssertionError, match=rf'^argument 0\.{field} was .* and is '):
        verify_inputs_unmodified(spoil)(rng=used_rng())


def test_pickles_miss_these_changes():
    """What was compared before."""
    tree, rng = tree_of(), used_rng()
    before = pickle.dumps((tree, rng))
    put(tree, 'value', 0.125)
    put(rng, '_spent', 63)
    assert pickle.dumps((tree, rng)) == before
    assert tree == tree_of()


class Kept:
    @functools.cached_property
    def kept(self):
        return 1


@pytest.mark.parametrize(
    ('thing', 'change'),
    [
        ([1, 2], lambda it: it.append(3)),
        ([1, [2]], lambda it: it[1].clear()),
        ({'a': [1]}, lambda it: it['a'].append(2)),
        ({'a': 1}, lambda it: it.update(b=1)),
        ({1, 2}, lambda it: it.remove(2)),
        (array('i', [1, 2]), lambda it: it.reverse()),
        (lambda held=[1]: held, lambda it: it.__defaults__[0].append(2)),
        (Search(selection=lambda *_: 1.0), lambda it: put(it, 'iterations', 7)),
        (Search(c=1), lambda it: put(it.method, 'c', 2.0)),
        # What is equal is not the same.
        ([[1]], lambda it: it.__setitem__(0, [1])),
        (SimpleNamespace(held=(1, 2)), lambda it: setattr(it, 'held', (*[1, 2],))),
        (SimpleNamespace(), lambda it: setattr(it, 'held', 1)),
        (Kept(), lambda it: it.kept),
    ],
    ids=count(),
)
def test_changes_of_other_values_are_detected(thing, change):
    getattr(thing, 'method', None)  # remembered by now
    before = picture(thing)
    assert [*changes(before)] == []
    change(thing)
    assert [*changes(before)] != []


def test_values_computed_on_first_use_are_not_changes():
    search = Search(c=1)
    before = picture(search)
    method = search.method
    assert [*changes(before)] == []
    assert search.method is method


CONTINUED = {
    'plain': (tictactoe.start, Search(30), used_rng()),
    'stdgen': (tictactoe.start, Search(30), StdGen(1, 1)),
    'grave': (Maze(7, 30, 5), evolve(SHAPES['grave'], iterations=30), used_rng()),
}


@pytest.mark.parametrize(
    ('name', 'other', 'engine'),
    usually(
        # By the other searches each engine continues its own tree, and that of the reference.
        lambda case: case[0] == 'plain' or case[1] in ('persistent', case[2]),
        product(CONTINUED, ENGINES, ENGINES),
    ),
)
def test_continuing_a_tree_does_not_change_it(name, other, engine):
    """Nodes that are made when they are looked at are all made before."""
    state, search, rng = CONTINUED[name]
    pure = verify_inputs_unmodified(analyse)
    analysis, after = analyse(state, rng, search, engine=other)
    more, _ = pure(state, after, search, engine=engine, tree=analysis)
    assert more.iterations == 60
