"""Which untried moves get a child, against a naive implementation."""

import math
from types import SimpleNamespace

from attrs import frozen
from hypothesis import given, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts._engines.expansion import EXPANSIONS, filled, first_untried, room_left, step_to, untried
from fmcts.games import tictactoe
from fmcts.search._tree import plant


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
def test_untried_moves_are_those_without_a_child(family):
    moves, places = family
    children = [Child(moves[place]) for place in places]
    left = [place for place in range(len(moves)) if place not in places]
    assert untried(moves, children) == left
    if left:
        assert first_untried(moves, children) == left[0]
    after = filled(moves, children, lambda move: Child(move, made=True))
    assert after == [Child(move, made=place in left) for place, move in enumerate(moves)]


def with_child(moves, children, index, place):
    """The moves that have a child after one is put in its place for the move of that index."""
    return [child.move for child in (*children[:place], Child(moves[index]), *children[place:])]


@given(families(), st.data())
def test_a_step_leads_to_the_child_or_its_place(family, data):
    moves, places = family
    children = [Child(moves[place]) for place in places]
    asked = data.draw(st.integers(0, len(moves) - 1))
    index, place, made = step_to(asked, moves, children)
    assert index == asked
    assert made == (asked not in places)
    after = with_child(moves, children, index, place) if made else [it.move for it in children]
    assert after == [moves[at] for at in sorted({*places, asked})]
    assert after[place] == moves[asked]


@given(families(), st.data())
def test_expansion_chooses_an_untried_move(family, data):
    moves, places = family
    node, children = SimpleNamespace(moves=moves), [Child(moves[place]) for place in places]
    left = [at for at in range(len(moves)) if at not in places]
    if not left:
        return
    for name, (chances, step) in EXPANSIONS.items():
        count = chances(node, children, []) if chances else 0
        assert count == (0 if name == 'in-order' else len(left))
        drawn = data.draw(st.integers(0, count - 1)) if count else 0
        index, place, made = step(node, children, 1.0, [], drawn)
        assert index == left[drawn]
        if name == 'full':
            assert (place, made) == (index, len(left))
        else:
            assert made == 1
            after = with_child(moves, children, index, place)
            assert after == [moves[at] for at in sorted((*places, index))]


def test_room_left_below_max_nodes():
    tree = analyse(tictactoe.start, SplitMix.from_seed(1), Search(29))[0].tree
    assert room_left(tree, None) == math.inf
    assert room_left(tree, 100) == 70
    assert room_left(plant(tictactoe.start), 1) == 0
    assert room_left(tree, 29) == 0  # too large already
