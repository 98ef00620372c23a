"""Trees limited by `max_nodes`: iterations that add no node continue.

The expected tree is grown one iteration at a time by the reference, without a bound, until the next
one would add a node too many.
"""

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts._linked import compiles
from fmcts._running.registry import ENGINES
from fmcts.errors import NoRoomError
from fmcts.games import tictactoe
from fmcts.search._tree import walk
from fmcts.testing import positions
from fmcts.testing._strategies import splitmixes

EXPANSIONS = ['in-order', 'random', 'full']
ENGINE = [name for name in ENGINES if name != 'compiled' or compiles()]
LATE = tictactoe.parse('XOXXO.O..').unwrap()


def size(tree):
    return sum(1 for _ in walk(tree))


def one_by_one(tree, rng, search):
    """The tree and the generator after so many iterations, of those that the bound allows."""
    for _ in range(search.iterations):
        step = evolve(search, iterations=1, max_nodes=None)
        found, after = analyse(tree.state, rng, step, tree=tree, engine='persistent')
        if size(found.tree) > size(tree) and size(found.tree) > search.max_nodes:
            break
        tree, rng = found.tree, after
    return tree, rng


@settings(max_examples=25)
@given(
    state=positions(LATE, running=True) | positions(tictactoe.start, running=True),
    rng=splitmixes(),
    grown=st.integers(1, 60),
    first=st.sampled_from(EXPANSIONS),
    second=st.sampled_from(EXPANSIONS),
    bound=st.integers(-30, 12),
    iterations=st.integers(1, 130),
    maker=st.sampled_from(ENGINE),
)
@pytest.mark.parametrize('engine', ENGINE)
def test_every_max_nodes_around_the_tree_s_size(  # noqa: PLR0913, PLR0917 - all that is drawn
    engine, state, rng, grown, first, second, bound, iterations, maker
):
    """Trees made by one engine and expansion, and grown further by others."""
    before, middle = analyse(state, rng, Search(grown, expansion=first), engine=maker)
    tree = before.tree
    search = Search(iterations, expansion=second, max_nodes=max(1, size(tree) + bound))
    found, after = analyse(state, middle, search, tree=tree, engine=engine)
    assert (found.tree, after) == one_by_one(tree, middle, search)
    assert found.iterations == found.tree.visits
    assert size(found.tree) <= max(size(tree), search.max_nodes)


@pytest.mark.parametrize('engine', ENGINE)
def test_max_nodes_without_room_for_an_iteration_is_refused(engine):
    for expansion, bound in (('in-order', 1), ('random', 1), ('full', 9)):
        search = Search(5, expansion=expansion, max_nodes=bound)
        with pytest.raises(NoRoomError, match=f'max_nodes {bound} leaves no room'):
            analyse(tictactoe.start, SplitMix.from_seed(1), search, engine=engine)
        wider = evolve(search, max_nodes=bound + 1)
        found, _ = analyse(tictactoe.start, SplitMix.from_seed(1), wider, engine=engine)
        assert found.iterations == 1


@pytest.mark.parametrize('engine', ENGINE)
def test_all_iterations_without_a_new_node_are_made(engine):
    """More iterations without a node than an engine makes between two tellings."""
    rng = SplitMix.from_seed(3)
    tree = analyse(LATE, rng, Search(200), engine='persistent')[0].tree
    seen = []
    search = Search(1050, max_nodes=1)
    found, _ = analyse(LATE, rng, search, tree=tree, engine=engine, watch=seen.append)
    assert seen[-1] == 1050
    assert found.iterations == 200 + 1050
