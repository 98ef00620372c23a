"""The result of a search and its properties."""

from unittest import mock

import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import assume, given, strategies as st

from fmcts import EngineError, FinishedGameError, Search, SplitMix, analyse, reroot
from fmcts._running.registry import check_engine
from fmcts.games import tictactoe
from fmcts.search._analysis import MoveStats
from fmcts.testing import generators
from toy_games import small_positions


def found(iterations, expansion='in-order', engine='auto'):
    search = Search(iterations, expansion=expansion)
    return analyse(tictactoe.start, SplitMix.from_seed(1), search, engine=engine)[0]


@pytest.mark.parametrize(('expansion', 'children'), [('in-order', 2), ('full', 9)])
def test_untried_moves_have_no_value(expansion, children):
    """A move without a child, and one whose child was not visited yet."""
    analysis = found(2, expansion)
    assert len(analysis.tree.children) == children
    tried = {child.move: child for child in analysis.tree.children if child.visits}
    assert len(tried) == 2
    assert analysis.stats == tuple(
        MoveStats(move, tried[move].visits, tried[move].reward / tried[move].visits)
        if move in tried
        else MoveStats(move, 0, None)
        for move in range(9)
    )
    with pytest.raises(FrozenInstanceError):
        analysis.stats[0].visits = 1


@given(small_positions, generators(), st.sampled_from(['persistent', 'monadic', 'inplace']))
def test_the_value_is_for_the_side_to_move_even_if_it_has_just_moved(state, rng, engine):
    """The root of a tree re-rooted at a move after which the same side goes on is its own."""
    first, rng = analyse(state, rng, Search(60), engine=engine)
    assume(not state.play(first.move).over)
    tree = reroot(first, first.move)
    analysis, _ = analyse(tree.state, rng, Search(40), tree=tree, engine=engine)
    children = analysis.tree.children
    assert {child.mover for child in children} == {tree.state.player}
    # Those of the children, and what the playout was worth that was made when the root was a leaf.
    assert analysis.iterations - sum(child.visits for child in children) == 1
    won = round(2 * analysis.value * analysis.iterations) / 2  # in halves, as there are draws
    assert 0 <= won - sum(child.reward for child in children) <= 1


def test_equality_compares_everything():
    one, same, longer = found(30), found(30, engine='persistent'), found(31)
    assert one == same
    assert hash(one) == hash(same)
    assert one != longer
    assert longer != one
    assert one != 'an analysis'
    assert one == mock.ANY  # what is no analysis is asked in its turn
    assert len({one, same, longer}) == 2


def test_repr_leaves_out_the_tree():
    assert repr(found(30)) == f'Analysis(move={found(30).move}, iterations=30)'


def test_an_analysis_is_frozen():
    with pytest.raises(FrozenInstanceError):
        found(30).tree = None


@pytest.mark.parametrize('name', ['alone', 'persistant', 'zzz', ''])
def test_engines_are_checked_by_name(name):
    assert check_engine('persistent') == 'persistent'
    with pytest.raises(EngineError, match=f'unknown engine {name!r}.*: accepted are auto, '):
        check_engine(name)
    with pytest.raises(EngineError):
        analyse(tictactoe.start, SplitMix.from_seed(1), Search(1), engine=name)


def test_a_tree_is_continued(engine):
    """The iterations are those that the tree is made of; watch is told of those made now."""
    seen = []
    first, rng = analyse(tictactoe.start, SplitMix.from_seed(1), Search(30))
    for tree in (first, first.tree):
        more, after = analyse(
            tictactoe.start, rng, Search(12), engine=engine, tree=tree, watch=seen.append
        )
        assert (more.iterations, more.tree.visits, seen[-1]) == (42, 42, 12)
        assert (more, after) == (found(42), after_one_search(42))
    with pytest.raises(ValueError, match='the tree to continue belongs to another state'):
        analyse(tictactoe.start, rng, Search(12), tree=reroot(first, 4), engine=engine)


def after_one_search(iterations):
    return analyse(tictactoe.start, SplitMix.from_seed(1), Search(iterations))[1]


def test_invalid_or_finished_trees_are_refused(engine):
    rng = SplitMix.from_seed(1)
    for wrong in ('a tree', 7, mock.sentinel.tree):
        with pytest.raises(TypeError, match='tree must be a Node or an Analysis, not '):
            analyse(tictactoe.start, rng, Search(5), tree=wrong, engine=engine)
        with pytest.raises(TypeError, match='tree must be a Node or an Analysis, not '):
            reroot(wrong, 4)
    state = tictactoe.parse('XX.OO....').unwrap()
    analysis, _ = analyse(state, rng, Search(100), engine=engine)
    end = analysis.tree.child(2)
    assert end.state.over
    with pytest.raises(FinishedGameError, match='the game is over: there is no move to search'):
        analyse(end.state, rng, Search(5), tree=end, engine=engine)
