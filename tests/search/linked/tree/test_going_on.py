"""Chains of engines: each continues the tree of another as the reference would."""

import pickle

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from chained import mazes
from fmcts import Search, SplitMix, analyse, reroot
from fmcts._running.registry import ENGINES
from fmcts.games import tictactoe
from fmcts.search._tree import plant
from fmcts.testing import searches
from fmcts.testing._strategies import splitmixes
from shapes import in_order_if_wide

RNG = SplitMix.from_seed(11)


@settings(max_examples=80)
@given(
    rng=splitmixes(),
    steps=st.lists(
        st.tuples(
            searches(max_iterations=60),
            st.sampled_from(['compiled', *ENGINES]),  # every other search compiled, or so
            st.sampled_from(['analysis', 'tree', 'pickled']),
            st.integers(0, 2),
        ),
        min_size=2,
        max_size=6,
    ),
    data=st.data(),
)
def test_any_engine_continues_any_other_s_tree(rng, steps, data):
    """Chains of engines, with any expansion and bound, re-rooted at drawn points."""
    wide = data.draw(st.sampled_from([False, False, False, True]))
    tree = expected = plant(data.draw(mazes()) if wide else tictactoe.start)
    for plain, engine, form, reroots in steps:
        drawn = in_order_if_wide(plain, expected.state)
        # A tree that is too large already is grown no more; but a new one needs room to begin.
        roomy = drawn.max_nodes and not expected.visits
        search = evolve(drawn, max_nodes=drawn.max_nodes + 60) if roomy else drawn
        state = expected.state
        reference, after = analyse(state, rng, search, engine='persistent', tree=expected)
        analysis, rng = analyse(state, rng, search, engine=engine, tree=tree)
        assert (analysis, rng) == (reference, after)
        assert (analysis.stats, analysis.nodes) == (reference.stats, reference.nodes)
        assert analysis.principal_variation == reference.principal_variation
        tree, expected = analysis, reference.tree
        if form == 'tree':
            tree = analysis.tree
        elif form == 'pickled':
            tree = pickle.loads(pickle.dumps(analysis))  # noqa: S301 - our own bytes
        for _ in range(reroots):
            going_on = [move for move in expected.moves if not expected.state.play(move).over]
            if going_on:
                move = data.draw(st.sampled_from(going_on))
                tree, expected = reroot(tree, move), reroot(expected, move)
                assert tree == expected


EXPANSIONS = ['in-order', 'random', 'full']


@pytest.mark.parametrize('second', EXPANSIONS)
@pytest.mark.parametrize('first', EXPANSIONS)
def test_any_expansion_continues_any_other_s_tree(first, second):
    """At the root and below it: gaps among the children, and children without visits.

    Expansions other than the full one of trees that have such children are other machine code,
    which is of one game.
    """
    continue_in_turn(tictactoe.start, 700, first, second)


def continue_in_turn(start, iterations, first, second):
    """Both engines grow a tree by one expansion, by another, below the root, and by the first."""
    ends = {}
    for engine in ('compiled', 'persistent'):
        search = Search(iterations, expansion=first)
        analysis, rng = analyse(start, RNG, search, engine=engine)
        again = Search(iterations, expansion=second)
        more = analyse(start, rng, again, engine=engine, tree=analysis)
        view = reroot(analysis, start.moves[2])
        below = analyse(view.state, rng, again, engine=engine, tree=view)
        back = analyse(start, more[1], search, engine=engine, tree=more[0])
        ends[engine] = more, below, back
    assert ends['compiled'] == ends['persistent']
