"""Which untried moves get a child, against the plainest statement of the same."""

import math

import pytest
from attrs import frozen
from hypothesis import given, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.games import tictactoe
from fmcts.search.expansion import added, filled, first_untried, room_left, untried
from fmcts.search.tree import plant


@frozen
class Child:
    move: str
    made: bool = False


@st.composite
def families(draw):
    """Moves in any order, and the places of those that have a child."""
    moves = draw(st.permutations('abcdef').map(tuple))[: draw(st.integers(1, 6))]
    return moves, sorted(draw(st.sets(st.integers(0, len(moves) - 1))))


@given(families())
def test_the_untried_are_those_without_a_child(family):
    moves, places = family
    children = [Child(moves[place]) for place in places]
    left = [place for place in range(len(moves)) if place not in places]
    assert untried(moves, children) == left
    if left:
        assert first_untried(moves, children) == left[0]
    after = filled(moves, children, lambda move: Child(move, made=True))
    assert after == [Child(move, made=place in left) for place, move in enumerate(moves)]


@pytest.mark.parametrize(('expansion', 'nodes'), [('in-order', 1), ('random', 1), ('full', 3)])
def test_an_expansion_makes_so_many_nodes(expansion, nodes):
    assert added(expansion, 'abcde', [Child('b'), Child('d')]) == nodes


def test_the_room_is_what_the_bound_leaves():
    tree = analyse(tictactoe.start, SplitMix.from_seed(1), Search(29))[0].tree
    assert room_left(tree, None) == math.inf
    assert room_left(tree, 100) == 70
    assert room_left(plant(tictactoe.start), 1) == 0
