"""Trees as values."""

import copy
import pickle

import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import given, settings

import fmcts
from fmcts import (
    FinishedGameError,
    IllegalMoveError,
    Node,
    Search,
    SplitMix,
    analyse,
    reroot,
)
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import freeze_in_place, plant, principal_variation, walk
from fmcts.testing import generators, positions, searches


def grown(state=connect4.start, iterations=60):
    return analyse(state, SplitMix.from_seed(3), Search(iterations))[0].tree


def test_a_node_is_frozen():
    for node in walk(grown()):
        assert isinstance(node, Node)
        assert type(node.children) is tuple
        with pytest.raises(FrozenInstanceError):
            node.visits = 7
        with pytest.raises(FrozenInstanceError):
            del node.children


def test_a_node_has_no_constructor():
    with pytest.raises(TypeError, match=r'a Node comes from plant\(\)'):
        Node()


@settings(max_examples=30)
@given(positions(tictactoe.start, running=True), generators(), searches())
def test_pickles_and_copies_are_equal(state, rng, search):
    tree = analyse(state, rng, search)[0].tree
    again = pickle.loads(pickle.dumps(tree))  # noqa: S301 - our own bytes
    assert again == tree
    assert hash(again) == hash(tree)
    assert [node.value for node in walk(again)] == [node.value for node in walk(tree)]
    assert copy.copy(tree) is tree
    assert copy.deepcopy(tree) is tree


def test_shared_nodes_do_not_hide_differences():
    tree, other = grown(), grown(iterations=61)
    for place in range(7):
        changed = list(tree.places)
        changed[place] = other if place == 6 else reroot(plant(connect4.start), place)
        assert freeze_in_place(tree.mutable_copy(tuple(changed))) != tree
        assert tree != freeze_in_place(tree.mutable_copy(tuple(changed)))
    assert freeze_in_place(tree.mutable_copy(tree.places)) == tree
    fewer = freeze_in_place(tree.mutable_copy((*tree.places[:-1], None)))
    assert (fewer == tree) is (tree == fewer) is False


def test_plant_refuses_a_finished_game():
    with pytest.raises(FinishedGameError):
        plant(tictactoe.parse('XXXOO....').unwrap())


def test_reroot_keeps_the_subtree():
    tree = grown()
    assert reroot(tree, 3) is tree.child(3)
    fresh = reroot(plant(connect4.start), 3)
    assert (fresh.state, fresh.visits) == (connect4.start.play(3), 0)
    with pytest.raises(IllegalMoveError, match='illegal move 9 at the root of the tree'):
        reroot(tree, 9)


def test_reroot_refuses_a_move_that_ends_the_game():
    tree = grown(tictactoe.parse('XX.OO....').unwrap(), 200)
    with pytest.raises(FinishedGameError, match='the game is over after 2'):
        reroot(tree, 2)
    with pytest.raises(FinishedGameError):
        reroot(plant(tree.state), 2)


def test_the_principal_variation_follows_the_most_visited_child():
    tree = grown(iterations=500)
    node = tree
    for move in principal_variation(tree):
        node = node.child(move)
        assert node.visits >= 1
    assert not any(child.visits for child in node.children)
    assert principal_variation(tree)[0] == max(tree.children, key=lambda c: c.visits).move
    assert principal_variation(plant(connect4.start)) == ()


def test_walk_accepts_trees_analyses_and_nodes():
    assert fmcts.walk is walk
    search = Search(60)
    analysis, _ = analyse(connect4.start, SplitMix.from_seed(1), search)
    every = [*walk(analysis)]
    assert every == [*walk(analysis.tree)]
    assert len(every) == analysis.nodes
    levels = {0: [analysis.tree], 1: [analysis.tree, *analysis.tree.children]}
    for depth, nodes in levels.items():
        assert [*walk(analysis, depth)] == nodes
    first = analysis.tree.children[0]
    assert [*walk(first)] == every[1 : 1 + first.count()]
    assert [*walk(analysis, 42)] == every


@pytest.mark.parametrize('depth', [-1, 1.0, True, '1'])
def test_walk_refuses_invalid_depths_at_once(depth):
    with pytest.raises(ValueError, match='depth must be a whole number of at least 0, not '):
        walk(grown(), depth)


def test_walk_refuses_other_values_at_once():
    with pytest.raises(TypeError, match='tree must be a Node or an Analysis, not 7'):
        walk(7)


def test_repr_shows_the_statistics():
    text = repr(grown())
    assert text == '<Node move=None mover=O visits=60 reward=34.5 for O children=7/7>'
