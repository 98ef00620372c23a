"""OpenSpiel's games with chance and any number of players, against OpenSpiel's states."""

import pickle
from fractions import Fraction

import pyspiel
import pytest
from hypothesis import given, settings, strategies as st
from open_spiel.python.algorithms.minimax import expectiminimax

from fmcts import Player, Search, SplitMix, analyse
from fmcts.errors import FmctsWarning, IllegalMoveError
from fmcts.game import chances_of, options_of, players_of
from fmcts.interop import openspiel
from fmcts.record import play_seats
from fmcts.simulation import playout
from fmcts.solve import check_expectation, expectation

SMALL = 'pig(winscore=4,horizon=5,diceoutcomes=3)'


NAMES = (
    *(SMALL, 'pig(players=3)', 'backgammon', '2048', 'catch', 'einstein_wurfelt_nicht'),
    *('othello', 'hex(board_size=4)', 'mancala', 'breakthrough'),  # in mancala one may move again
)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(NAMES))
def test_states_equal_openspiel_s(data, name):
    state, plain = openspiel.start(name), pyspiel.load_game(name).new_initial_state()
    for _ in range(data.draw(st.integers(0, 30))):
        if plain.is_terminal():
            break
        assert (state.over, state.winner) == (False, None)
        if plain.is_chance_node():
            assert state.moves == ()
            total = sum(weight for _, weight in state.chances)
            found = {outcome: weight / total for outcome, weight in state.chances}
            assert found == pytest.approx(dict(plain.chance_outcomes()), rel=1e-12)
        else:
            assert chances_of(state) == ()
            assert state.moves == tuple(plain.legal_actions())
            two = players_of(state) == tuple(Player)
            player = [*Player][plain.current_player()] if two else plain.current_player()
            assert state.player == player
        before = str(state)
        assert before == str(plain)
        move = data.draw(st.sampled_from(options_of(state)))
        if move in state.moves:
            assert state.name_of(move) == plain.action_to_string(move)
        child = state.play(move)
        assert str(state) == before
        state = child
        plain.apply_action(move)
    again = openspiel.state_of(plain)
    assert state.over == plain.is_terminal()
    assert (again.player, hash(again)) == (state.player, hash(state))
    assert state == again == pickle.loads(pickle.dumps(state))  # noqa: S301 - our own bytes


def test_exact_values_equal_openspiel_s():
    """A game that is small enough for both: OpenSpiel's expectiminimax gives rewards from -1."""
    begin = openspiel.start(SMALL)
    found = expectation(begin)
    assert check_expectation(found) == len(found.table)
    state = pyspiel.load_game(SMALL).new_initial_state()
    value, best = expectiminimax(state, 20, None, 0)
    assert found.move == best
    assert float(2 * found.values[0] - 1) == pytest.approx(value, abs=1e-12)
    analysis, _ = analyse(begin, SplitMix.from_seed(1), Search(300))
    assert found.table[begin.play(analysis.move)] == found.values


def test_rewards_are_scaled_to_the_game():
    begin = openspiel.start('catch(rows=3,columns=2)')
    assert begin.players == (0,)
    assert [weight for _, weight in begin.chances] == [1, 1]
    ends = set()
    for outcome, _ in begin.chances:
        for first in (0, 1, 2):
            for second in (0, 1, 2):
                end = begin.play(outcome).play(first).play(second)
                assert end.over
                (theirs,) = end._state.returns()
                assert end.rewards == ((theirs + 1) / 2,)
                ends.add(theirs)
    assert ends == {-1.0, 1.0}
    assert expectation(begin.play(0)).values == (Fraction(1),)


def test_games_for_three_are_played_and_searched():
    begin = openspiel.start('pig(players=3,winscore=8,horizon=60)')
    bots = [lambda state, rng: (state.moves[0], rng)] * 3
    record, _ = play_seats(begin, bots, SplitMix.from_seed(1))
    assert record.rewards == tuple((it + 1) / 2 for it in record.final._state.returns())
    engines = ('persistent', 'inplace', 'auto')
    found = [analyse(begin, SplitMix.from_seed(2), Search(30), engine=it) for it in engines]
    assert found[0] == found[1] == found[2]


def test_invalid_outcomes_are_refused():
    rolling = openspiel.start('pig').play(0)
    with pytest.raises(IllegalMoveError, match=r'^illegal outcome 6: chance moves here, by 0, 1, '):
        rolling.play(6)
    playout(rolling, SplitMix.from_seed(1))


@pytest.mark.parametrize(
    ('given', 'weights'),
    [
        ([0.5, 0.5], (1, 1)),
        ([1 / 6] * 6, (1,) * 6),
        ([0.9 / 7, 0.1 / 7, 6 / 7], (9, 1, 60)),
        ([0.25, 0.0, 0.75], (1, 3)),
        ([0.3, 0.3], None),
        ([0.123456789, 1 - 0.123456789], None),
    ],
)
def test_probabilities_become_integers_or_are_refused(given, weights):
    outcomes = tuple(enumerate(given))
    if weights is None:
        with pytest.raises(ValueError, match=r'^OpenSpiel.s game pig has probabilities that are n'):
            openspiel._weights(outcomes, 'pig')
    else:
        found = openspiel._weights(outcomes, 'pig')
        assert tuple(weight for _, weight in found) == weights
        assert [outcome for outcome, _ in found] == [at for at, it in outcomes if it]


def test_rewards_on_the_way_are_gained_and_normalised():
    state, total = openspiel.start('2048').play(0).play(4), 0.0
    search = Search(100, normalised=True)
    analysis, _ = analyse(state, SplitMix.from_seed(1), search)
    assert min(row.visits for row in analysis.stats) > 10
    with pytest.warns(FmctsWarning, match=r'moves of OpenSpielChanceState are worth from .* to '):
        analysis, _ = analyse(state, SplitMix.from_seed(1), Search(100))
    assert max(row.visits for row in analysis.stats) > 90  # the first move that seems best
    for index in range(60):
        options = state.moves or tuple(outcome for outcome, _ in state.chances)
        state = state.play(options[index % len(options)])
        total += state.gained[0]
    assert [total] == state._state.returns() != [0.0]
