"""Implicit minimax: its formula, UCB1 at alpha 0, and known faults."""

import math

from hypothesis import strategies as st

import naive
from fmcts import Player, Search, SplitMix, analyse
from fmcts._arithmetic import logarithm_of
from fmcts.games import tictactoe
from naive import ROOT_OF_2

RNG = SplitMix.from_seed(1)


def by_hash_of_cells(state):
    """A heuristic that tells positions apart, and sides: 0 to 1 in steps that are exact."""
    cells = str(state)
    return sum(index * ord(cell) for index, cell in enumerate(cells)) % 65 / 64


def implicit_minimax(node, index, *, alpha=0.25, c=ROOT_OF_2):
    child = node.children[index]
    known = (1.0 - alpha) * (child.reward / child.visits) + alpha * child.derived['minimax']
    return known + c * math.sqrt(logarithm_of(1 + node.visits) / child.visits)


def minimax(node, worth, *, heuristic=None):
    if worth is not None:
        if not node.state.over:
            for_x = heuristic(node.state) if heuristic else 0.5
            worth = for_x if node.mover is Player.X else 1.0 - for_x
        return {'minimax': worth}
    best = max(child.derived['minimax'] for child in node.children.values())
    return {'minimax': best if node.mover is node.state.player else 1.0 - best}


test_matches_the_transcription = naive.law(
    implicit_minimax,
    derive=minimax,
    alpha=st.floats(0, 1),
    heuristic=st.sampled_from([None, by_hash_of_cells]),
)


def holds(method, state, seed):
    rng = SplitMix.from_seed(seed)
    return naive.holds(method, state, rng, 150, implicit_minimax, naive.nothing, minimax)


def test_endings_count_without_a_heuristic():
    """A win at once is worth 1 to who plays it, and a move that allows one 0."""
    state = tictactoe.parse('XX.OO....').unwrap()
    found, _ = analyse(state, RNG, Search(200, selection='implicit-minimax'))
    numbers = {child.move: child.columns.own[0] for child in found.tree.children}
    assert numbers[2] == 1.0
    assert {numbers[move] for move in (6, 7, 8)} == {0.0}
    assert found.move == 2
