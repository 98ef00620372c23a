"""PUCT: its formula, its priors."""

import math
from functools import partial
from types import SimpleNamespace

import pytest

import naive
from fmcts.errors import MethodError
from fmcts.games import tictactoe
from fmcts.rules import OnPositions
from fmcts.search.methods import PUCT


def puct(node, index, *, c=1.25, first_play=0.5):
    child = node.children.get(index)
    visits = child.visits if child else 0
    mean = child.reward / visits if visits else first_play
    return mean + c * (node.priors[index] * math.sqrt(1.0 + node.visits) / (1.0 + visits))


test_matches_the_transcription = naive.law(puct)


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
