"""The methods with priors against their formulas, and how priors are given."""

import math
from functools import partial
from itertools import islice
from types import SimpleNamespace

import pytest
from hypothesis import given, settings

import naive
from fmcts import Search, SplitMix, analyse, trees
from fmcts.errors import MethodError
from fmcts.games import connect4, tictactoe
from fmcts.rules import OnPositions
from fmcts.search._tree import walk
from fmcts.search.methods import PUCT, Widening
from fmcts.testing import generators, positions
from transcription import ROOT_OF_2, ucb1


def puct(node, index, *, c=1.25, first_play=0.5):
    child = node.children.get(index)
    visits = child.visits if child else 0
    mean = child.reward / visits if visits else first_play
    return mean + c * (node.priors[index] * math.sqrt(1.0 + node.visits) / (1.0 + visits))


test_puct = naive.law(puct)


@pytest.mark.parametrize('given', [(1.0, 2.0), (1.0, 2.0, 3.0, 4.0), ()])
def test_a_wrong_number_of_priors_is_not_truncated(given):
    """So that it is refused where new nodes get their columns, and not cut to size."""
    state = SimpleNamespace(moves=(5, 6, 7))
    for moves in ((5, 6, 7), (5, 7)):
        assert PUCT(prior=lambda _state: given).first_rows(state, moves) == (given,)


def test_priors_of_positions_are_given_per_move():
    prior = OnPositions(lambda position, move: move + (position.mine | position.theirs) / 1000)
    state = tictactoe.start.play(4)
    moves = (0, 1, 2, 3, 5, 6, 7, 8)
    expected = tuple(move + 16 / 1000 for move in moves)
    assert PUCT(prior=prior).first_rows(state, state.moves) == (expected,)
    assert PUCT(prior=prior).first_rows(state, (1, 5)) == ((expected[1], expected[4]),)
    (first,) = PUCT(prior=prior).first_numbers()
    assert first(SimpleNamespace(mine=16, theirs=0), 3, 8) == expected[3]


@pytest.mark.needs_numba
def test_equal_priors_share_compiled_code():
    from fmcts._linked.keys import key_of  # noqa: PLC0415 - where there is numba

    prior = OnPositions(lambda _position, _move: 1.0)
    for named in ({'prior': prior}, {}):
        (one,), (two,) = (PUCT(c, **named).first_numbers() for c in (1.0, 2.0))
        assert key_of(one, 'the prior') == key_of(two, 'the prior')


def evenly(state):
    return [1.0] * len(state.moves)


def test_priors_of_states_are_not_compiled():
    with pytest.raises(MethodError, match=r'^the prior evenly, which is a function of states: see'):
        PUCT(prior=evenly).first_numbers()
    nameless = partial(evenly)
    with pytest.raises(MethodError, match=r'^the prior given, which is a function of states: see'):
        PUCT(prior=nameless).first_numbers()


def puct_reduced(node, index, *, c=1.25, reduction=0.33):
    tried = 0.0
    for other, prior in enumerate(node.priors):
        if other in node.children:
            tried += prior
    expected = value_for_the_side_to_move(node) - reduction * math.sqrt(tried)
    child = node.children.get(index)
    visits = child.visits if child else 0
    mean = child.reward / visits if visits else expected
    return mean + c * (node.priors[index] * math.sqrt(1.0 + node.visits) / (1.0 + visits))


def value_for_the_side_to_move(node):
    if not node.visits:
        return 0.0
    passed = node.mover is node.state.player
    return (node.reward if passed else node.visits - node.reward) / node.visits


test_puct_reduced = naive.law(puct_reduced)


def progressive_bias(node, index, *, c=ROOT_OF_2, weight=1.0):
    bias = weight * node.priors[index] / (1.0 + node.children[index].visits)
    return ucb1(node, index, c=c) + bias


test_progressive_bias = naive.law(progressive_bias)


def widening(node, index, *, c=ROOT_OF_2, k=2.0):
    if index in node.children:
        return ucb1(node, index, c=c)
    if len(node.children) + 1 > k * math.sqrt(node.visits) + 1:
        return -math.inf
    left = [other for other in range(len(node.priors)) if other not in node.children]
    highest = max(node.priors[other] for other in left)
    return math.inf if node.priors[index] == highest else -math.inf


test_widening = naive.law(widening)


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
