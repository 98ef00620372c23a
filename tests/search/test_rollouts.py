"""Playouts whose states join the tree: "Rollout - Expand" of the French series' second part."""

from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts._running.registry import ENGINES
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import walk
from fmcts.testing import generators
from french_text import matches
from lines import play_line
from small_positions import running
from tiers import usually

RNG = SplitMix.from_seed(1)


def descend(root, rng):
    """The text's loop with its `rollout_expand`, a node without visits having its own turn."""
    path = [root]
    while path[-1].state.moves and (len(path) == 1 or path[-1].visits):
        node = path[-1]
        untried = [it for it in range(len(node.state.moves)) if it not in node.children]
        if untried:
            path.append(node.child(untried[0]))
            break
        path.append(node.best_open())
    below = path[-1]  # rollout_expand
    while below.state.moves:
        index, rng = rng.uniform(0, len(below.state.moves) - 1)
        below = below.child(index)
    return path, below.state, rng


@pytest.mark.parametrize('start', [tictactoe.start, connect4.start])
@given(st.data(), generators(), st.integers(1, 100))
@settings(max_examples=25)
def test_matches_the_french_text_s_program(start, data, rng, iterations):
    matches(start, data, rng, iterations, descend, rollout_expand=True)


@given(running, generators(), st.integers(1, 60))
@settings(max_examples=30)
def test_each_iteration_adds_one_visit_along_one_path(state, rng, iterations):
    """So a node's visits are those of its children, and one for each playout that began there."""
    analysis, _ = analyse(state, rng, Search(iterations, rollout_expand=True), engine='inplace')
    root = analysis.tree
    assert root.visits == sum(child.visits for child in root.children) == iterations
    for node in walk(root):
        below = sum(child.visits for child in node.children)
        if node is not root and node.moves:
            assert node.visits == below + (node.visits > 0)
        assert 0 <= node.reward <= node.visits


@pytest.mark.parametrize(
    ('engine', 'expansion'),
    usually(
        # Machine code that jumps from such trees is no other test's.
        lambda case: case != ('compiled', 'jump'),
        product(ENGINES, ('in-order', 'full', 'jump')),
    ),
)
def test_its_trees_can_be_continued_without_it(engine, expansion):
    """There, inner nodes may have no visits."""
    state = play_line(tictactoe.start, (4, 0))
    grown, rng = analyse(state, RNG, Search(40, rollout_expand=True))
    search = Search(200, expansion=expansion)
    found = analyse(state, rng, search, engine=engine, tree=grown)
    assert found == analyse(state, rng, search, engine='persistent', tree=grown)
