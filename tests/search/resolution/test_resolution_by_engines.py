"""Resolving nodes works alike in every engine, and changes nothing before an ending."""

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse, trees
from fmcts.games import connect4, othello, tictactoe
from fmcts.search._tree import walk
from fmcts.search.methods import METHODS
from fmcts.testing import generators, positions, searches
from small_positions import running
from tiers import exhaustive, usually

RNG = SplitMix.from_seed(1)
small = st.one_of(*(positions(it, running=True) for it in (tictactoe.start, connect4.start)))


# What resolves nodes is written once for all methods: one of each form says as much.
@pytest.mark.parametrize('resolves', ['solver', 'closing'])
@pytest.mark.parametrize('name', usually(['ucb1', 'ucb1-tuned', 'puct', 'grave'], METHODS))
@given(running, generators())
@settings(max_examples=15)
def test_equals_plain_search_until_something_is_resolved(name, resolves, state, rng):
    """The same visits and rewards, iteration for iteration, up to the first end."""
    resolving = trees(state, rng, Search(selection=name, **{resolves: True}))
    plain = trees(state, rng, Search(selection=name))
    for _, (one, after), (two, other_after) in zip(range(60), resolving, plain, strict=False):
        if any(node.columns.own[-1] for node in walk(one)):
            break
        assert after == other_after
        kept = [(node.move, node.visits, node.reward) for node in walk(one)]
        assert kept == [(node.move, node.visits, node.reward) for node in walk(two)]


RESOLVING = {
    'solver': {'solver': True},
    'bounds': {'solver': True, 'bounds': True},
    'closing': {'closing': True},
}


def equal(engine, state, rng, steps):
    """Trees, generators and choices, and so they are when they are gone on from."""
    found = []
    for name in ('persistent', engine):
        tree, after, kept = None, rng, []
        for search in steps:
            tree, after = analyse(state, after, search, engine=name, tree=tree)
            kept.append((tree.move, tree.stats, tree.digest, tree.proof, after))
        found.append(kept)
    assert found[0] == found[1]


@pytest.mark.parametrize('resolves', RESOLVING)
@pytest.mark.parametrize('engine', ['monadic', 'inplace'])
@given(small, generators(), st.data(), st.integers(1, 3))
@settings(max_examples=20)
def test_every_engine_resolves_the_same_nodes(resolves, engine, state, rng, data, count):
    drawn = searches(max_iterations=80, solver=resolves != 'closing', closing=resolves == 'closing')
    steps = [data.draw(drawn) for _ in range(count)]
    equal(engine, state, rng, [evolve(it, bounds=resolves == 'bounds') for it in steps])


@pytest.mark.needs_numba
@pytest.mark.parametrize(
    ('resolves', 'expansion', 'selection', 'game'),  # few, as each is compiled
    [
        ('solver', None, 'ucb1', connect4),
        exhaustive(('solver', 'full', 'ucb1-tuned', tictactoe)),
        exhaustive(('bounds', 'random', 'ucb1', connect4)),
        exhaustive(('closing', None, 'puct', tictactoe)),
    ],
)
@given(st.data(), st.integers(0, 99), st.lists(st.integers(1, 400), min_size=1, max_size=3))
@settings(max_examples=30)
def test_compiled_searches_resolve_the_same_nodes(
    resolves, expansion, selection, game, data, seed, iterations
):
    state = data.draw(positions(game.start, running=True))
    steps = [
        Search(count, expansion=expansion, selection=selection, **RESOLVING[resolves])
        for count in iterations
    ]
    equal('compiled', state, SplitMix.from_seed(seed), steps)


def test_equals_plain_search_on_othello_without_endings():
    """No end within reach: the same as plain search."""
    one, _ = analyse(othello.start, RNG, Search(300, solver=True))
    two, _ = analyse(othello.start, RNG, Search(300))
    assert [row.visits for row in one.stats] == [row.visits for row in two.stats]
