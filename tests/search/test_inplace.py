"""The in-place engine: its verbs are those of the reference, and nothing of it stays mutable.

That it finds what the others find is shown for all engines in `test_engines.py`.
"""

import pytest
from hypothesis import given, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts._engines import inplace
from fmcts._running.registry import ENGINES
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import MutableNode, Node, plant, walk
from fmcts.testing import generators, positions, searches
from small_positions import mazes

# Short enough that no game is over.
running = st.one_of(
    positions(tictactoe.start, max_plies=4), positions(connect4.start, max_plies=6), mazes
)


def ignore(_done):
    pass


def grown(state, rng, search):
    """A tree of the reference engine, and the generator after it."""
    return ENGINES['persistent'](plant(state), rng, search, ignore)


def assert_frozen(tree):
    """Nodes and tuples only, and every value follows from reward and visits."""
    for node in walk(tree):
        assert type(node) is Node
        assert type(node.places) is tuple
        assert node.value == (node.reward / node.visits if node.visits else 0.0)


@given(running, generators(), searches(max_iterations=40))
def test_thaw_copies_and_freeze_restores_the_tree(state, rng, search):
    tree, _ = grown(state, rng, search)
    copy = inplace.thaw(tree)
    drafts = [copy]
    for draft in drafts:
        assert type(draft) is MutableNode
        assert type(draft.places) is list
        drafts.extend(draft.children)
    assert len(drafts) == len(list(walk(tree)))
    assert_frozen(tree)
    frozen = inplace.freeze(copy)
    assert frozen is copy
    assert frozen == tree
    assert_frozen(frozen)


@pytest.mark.parametrize('iterations', [1021, 1022, 1023, 1024, 1025, 2050])
def test_logarithm_tables_suffice_for_any_number_of_visits(iterations):
    """Tables of logarithms end at powers of two."""
    rng = SplitMix.from_seed(1)
    one, _ = analyse(tictactoe.start, rng, Search(iterations), engine='inplace')
    two, _ = analyse(tictactoe.start, rng, Search(iterations), engine='persistent')
    assert one == two
