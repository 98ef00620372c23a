"""Progressive widening against its formula."""

import math
from itertools import islice

import pytest
from hypothesis import given, settings

import naive
from fmcts import Search, SplitMix, analyse, trees
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import walk
from fmcts.search.methods import Widening
from fmcts.testing import generators, positions
from transcription import ROOT_OF_2, ucb1


def widening(node, index, *, c=ROOT_OF_2, k=2.0):
    if index in node.children:
        return ucb1(node, index, c=c)
    if len(node.children) + 1 > k * math.sqrt(node.visits) + 1:
        return -math.inf
    left = [other for other in range(len(node.priors)) if other not in node.children]
    highest = max(node.priors[other] for other in left)
    return math.inf if node.priors[index] == highest else -math.inf


test_matches_the_formula = naive.law(widening)


def test_a_move_is_added_at_each_square_number_of_visits():
    """With `k=1` there are at most `sqrt(N) + 1` moves, so the next comes when N is a square."""
    found = trees(connect4.start, SplitMix.from_seed(1), Search(selection=Widening(k=1.0)))
    moves = [len(tree.children) for tree, _ in islice(found, 10)]
    assert moves == [1, 2, 2, 2, 3, 3, 3, 3, 3, 4]


@pytest.mark.parametrize('resolution', ['solver', 'closing'])
@given(positions(tictactoe.start, running=True), generators())
@settings(max_examples=20)
def test_widening_continues_past_resolved_moves(resolution, state, rng):
    """A move that is known to be lost is left out; then the next one is considered."""
    search = Search(300, selection=Widening(k=0), **{resolution: True})
    analysis, _ = analyse(state, rng, search)
    for node in walk(analysis.tree):
        left_out = [child for child in node.children if child.columns.own[-1]]
        assert len(node.children) <= len(left_out) + 1
