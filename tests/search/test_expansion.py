"""Which untried moves get a child, against a naive implementation."""

import math
from types import SimpleNamespace

from hypothesis import given, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts._engines.expansion import EXPANSIONS, opened, room_left, step_to
from fmcts.games import tictactoe
from fmcts.search._tree import children_by_move, plant


@st.composite
def families(draw):
    """A node with some places taken, and which these are."""
    count = draw(st.integers(1, 6))
    taken = draw(st.sets(st.integers(0, count - 1)))
    places = [f'child {place}' if place in taken else None for place in range(count)]
    return SimpleNamespace(moves=range(count), places=places if taken else ()), taken


@given(families(), st.data())
def test_a_step_leads_to_the_child_or_its_place(family, data):
    node, taken = family
    asked = data.draw(st.integers(0, len(node.moves) - 1))
    assert step_to(asked, node.places) == (asked, int(asked not in taken))


@given(families(), st.data())
def test_expansion_chooses_an_untried_move(family, data):
    node, taken = family
    left = [place for place in node.moves if place not in taken]
    if not left:
        return
    for name, (chances, step) in EXPANSIONS.items():
        count = chances(node, node.places, []) if chances else 0
        assert count == (0 if name == 'in-order' else len(left))
        drawn = data.draw(st.integers(0, count - 1)) if count else 0
        expected = left[drawn], len(left) if name == 'full' else 1
        assert step(node, node.places, 1.0, [], drawn) == expected


@given(families())
def test_children_are_placed_by_their_moves(family):
    node, taken = family
    children = [SimpleNamespace(move=place) for place in sorted(taken)]
    for place, child in enumerate(children_by_move(node.moves, children)):
        assert child in children if place in taken else child is None
        assert child is None or child.move == place
    assert opened(node) == [*node.places] or opened(node) == [None] * len(node.moves)


def test_room_left_below_max_nodes():
    tree = analyse(tictactoe.start, SplitMix.from_seed(1), Search(29))[0].tree
    assert room_left(tree, None) == math.inf
    assert room_left(tree, 100) == 70
    assert room_left(plant(tictactoe.start), 1) == 0
    assert room_left(tree, 29) == 0  # too large already
