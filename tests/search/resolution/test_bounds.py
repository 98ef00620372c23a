"""Bounds: the least and greatest result of a position, which prove draws sooner."""

import itertools
from typing import NamedTuple

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Player, Search, SplitMix, analyse
from fmcts.search._tree import walk
from fmcts.search.derived import Place
from fmcts.search.resolution.solver import AT_LEAST, AT_MOST, BOUNDS, proof_number
from fmcts.testing import generators
from toy_games import Tree, drawn_trees


@given(drawn_trees(), generators(), st.integers(1, 200))
@settings(max_examples=60)
def test_bounds_prove_at_least_what_the_solver_proves(game, rng, iterations):
    """While both have made the same tree: no later, and what they are is what the children say."""
    tree, _ = analyse(game, rng, Search(iterations, solver=True, bounds=True), engine='inplace')

    def naive(node):
        """The least and the most that the mover gets, from all that is below."""
        state = node.state
        if state.over:
            mine = {node.mover: 1.0, None: 0.5}.get(state.winner, 0.0)
            return (mine, mine) if node.visits else (0.0, 1.0)
        below = [naive(child) for child in node.children]
        if len(below) < len(state.moves):
            below.append((0.0, 1.0))
        least, most = (max(bound) for bound in zip(*below, strict=True))
        return (least, most) if node.mover is state.player else (1.0 - most, 1.0 - least)

    kinds = {(0.0, 1.0): 0.0, (0.5, 1.0): AT_LEAST, (0.0, 0.5): AT_MOST, (0.5, 0.5): 0.5}
    for node in walk(tree):
        number = proof_number(node)
        expected = kinds.get(naive(node))
        assert number == expected if expected is not None else abs(number) >= 1.0


def test_a_certain_draw_is_preferred_to_a_mere_upper_bound():
    """A draw is proven by the last move; the first is a loss of which only a draw was seen."""
    win, draw = Tree(Player.X, (), Player.X), Tree(Player.X)
    game = Tree(Player.O, (Tree(Player.X, (win, win, win, draw)), win, draw))
    search = Search(5, solver=True, bounds=True, expansion='random')
    for seed in range(40):
        found, _ = analyse(game, SplitMix.from_seed(seed), search, engine='inplace')
        if found.proof is not None:
            assert (str(found.proof), found.move) == ('draw', 2)
    assert BOUNDS.preferred([AT_MOST, 0.5, 0.0, AT_LEAST, -2.0]) == [1, 2, 3]
    assert BOUNDS.preferred([AT_MOST, 0.0, -2.0]) == [0, 1]


NUMBERS = {
    0.0: (0.0, 1.0),
    AT_MOST: (0.0, 0.5),
    0.5: (0.5, 0.5),
    AT_LEAST: (0.5, 1.0),
    **{float(plies): (1.0, 1.0) for plies in (1, 2, 3)},
    **{float(-plies): (0.0, 0.0) for plies in (1, 2, 3)},
}
"""What each number says of a child: what it is worth at least and at most."""


@pytest.mark.parametrize('width', [1, 2, 3, 4])
def test_preference_among_all_pairs_of_bounds(width):
    """Of all children there can be: by what they are worth at least and at most."""
    for numbers in itertools.product(NUMBERS, repeat=width):
        worth = [NUMBERS[number] for number in numbers]
        won = [number for number in numbers if NUMBERS[number][0] == 1.0]
        open_ones = [index for index, (_, most) in enumerate(worth) if most > 0.0]
        if won:
            expected = [numbers.index(min(won))]
        elif not open_ones:
            expected = [numbers.index(min(numbers))]
        elif any(worth[index][0] == 0.5 for index in open_ones):
            expected = [index for index in open_ones if worth[index] != (0.0, 0.5)]
        else:
            expected = open_ones
        assert BOUNDS.preferred([*numbers]) == expected, numbers


class Child(NamedTuple):
    """What is told of a child."""

    bounds: float


@pytest.mark.parametrize('same', [False, True])
@pytest.mark.parametrize('complete', [False, True])
def test_a_node_s_bounds_follow_from_its_children(complete, same):
    """Of all children there can be: the interval that theirs give, and how long wins take."""
    kinds = {bounds: number for number, bounds in NUMBERS.items() if abs(number) < 1.0}
    for numbers in itertools.product(NUMBERS, repeat=3):
        seen = BOUNDS.first
        for number in numbers:
            seen = BOUNDS.fold(seen, Child(number)) if number else seen
        least = max(NUMBERS[number][0] for number in numbers)
        most = max(NUMBERS[number][1] for number in numbers) if complete else 1.0
        sign = 1.0 if same else -1.0
        if least == 1.0:
            expected = sign * (1.0 + min(number for number in numbers if number >= 1.0))
        elif most == 0.0:
            expected = -sign * (1.0 - min(numbers))
        else:
            expected = kinds[(least, most) if same else (1.0 - most, 1.0 - least)]
        assert BOUNDS.node(seen, Place(complete and all(numbers), same)) == (expected,), numbers
