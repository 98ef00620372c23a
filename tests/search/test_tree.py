"""Trees as values."""

import copy
import pickle
from unittest import mock

import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import given, settings

from fmcts import FinishedGameError, IllegalMoveError, Node, Search, SplitMix, analyse, reroot
from fmcts.games import connect4, tictactoe
from fmcts.search.tree import Draft, plant, principal_variation, walk
from fmcts.testing import generators, positions, searches


def grown(state=connect4.start, iterations=60):
    return analyse(state, SplitMix.from_seed(3), Search(iterations))[0].tree


def test_a_node_is_frozen():
    for node in walk(grown()):
        assert type(node) is Node
        assert type(node.children) is tuple
        with pytest.raises(FrozenInstanceError):
            node.visits = 7
        with pytest.raises(FrozenInstanceError):
            del node.children


def test_a_node_is_not_constructed():
    with pytest.raises(TypeError, match=r'a Node comes from plant\(\)'):
        Node()


@settings(deadline=None, max_examples=30)
@given(positions(tictactoe.start, running=True), generators(), searches())
def test_pickles_and_copies_are_equal(state, rng, search):
    tree = analyse(state, rng, search)[0].tree
    again = pickle.loads(pickle.dumps(tree))  # noqa: S301 - our own bytes
    assert again == tree
    assert hash(again) == hash(tree)
    assert [node.value for node in walk(again)] == [node.value for node in walk(tree)]
    assert copy.copy(tree) is tree
    assert copy.deepcopy(tree) is tree


def test_trees_that_differ_anywhere_are_not_equal():
    tree = grown()
    assert tree != grown(iterations=61)
    assert tree != 'a tree'
    assert tree == mock.ANY  # what is no tree is asked in its turn
    leaf = tree
    path = []
    while leaf.children:
        path.append(leaf)
        leaf = leaf.children[-1]
    fields = list(leaf.facts())
    fields[5] += 0.5
    changed = Draft(*fields, 0.0, ())
    changed.__class__ = Node
    for node in reversed(path):
        changed = node.draft((*node.children[:-1], changed))
        changed.__class__ = Node
    assert changed != tree
    assert changed.visits == tree.visits


def test_plant_refuses_a_finished_game():
    with pytest.raises(FinishedGameError):
        plant(tictactoe.parse('XXXOO....').unwrap())


def test_reroot_keeps_what_was_searched():
    tree = grown()
    assert reroot(tree, 3) is tree.child(3)
    fresh = reroot(plant(connect4.start), 3)
    assert (fresh.state, fresh.visits) == (connect4.start.play(3), 0)
    with pytest.raises(IllegalMoveError, match='illegal move 9'):
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


def test_the_printed_form_names_the_facts():
    text = repr(grown())
    assert text == '<Node move=None mover=O visits=60 reward=34.5 children=7/7>'
