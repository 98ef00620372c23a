"""Implicit minimax: its formula, UCB1 at alpha 0, and known faults."""

import math

from hypothesis import strategies as st

import naive
from fmcts import Player
from fmcts._arithmetic import logarithm_of
from naive import ROOT_OF_2


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
