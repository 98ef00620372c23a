"""OpenSpiel's games compared with ours and with OpenSpiel's states, and our bots in OpenSpiel."""

import pickle
import re
import sys
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings, strategies as st
from open_spiel.python.algorithms.minimax import expectiminimax

from chained import agree
from fmcts import Player, Search, SplitMix, analyse, mcts, random_bot
from fmcts.errors import FmctsWarning, IllegalMoveError
from fmcts.game import chances_of, options_of, players_of
from fmcts.games import GAMES, connect4, tictactoe
from fmcts.interop import openspiel, replayed
from fmcts.record import play_seats
from fmcts.simulation import playout
from fmcts.solve import check_expectation, expectation, solve

RNG = SplitMix.from_seed(1)
SAME = {'tic_tac_toe': tictactoe.start, 'connect_four': connect4.start}


def theirs(name):
    """What OpenSpiel's own state says."""
    return pyspiel.load_game(name).new_initial_state()


@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace'])
@pytest.mark.parametrize('name', SAME)
def test_the_same_game_gives_the_same_search(name, engine):
    """Also the playouts, which are OpenSpiel's own; the digest names every node."""
    search = Search(300)
    one, after = analyse(openspiel.start(name), RNG, search, engine=engine)
    two, other_after = analyse(SAME[name], RNG, search, engine='persistent')
    assert (one.digest, one.move, after) == (two.digest, two.move, other_after)


def test_states_are_independent_of_openspiel_s():
    plain = theirs('tic_tac_toe')
    state = openspiel.state_of(plain)
    plain.apply_action(4)
    assert state == openspiel.start('tic_tac_toe')
    assert openspiel.state_of(plain).history == (4,)
    with pytest.raises(ValueError, match='kuhn_poker cannot be searched: it has hidden inform'):
        openspiel.state_of(theirs('kuhn_poker'))
    assert openspiel.start('hex(board_size=4)') != openspiel.start('hex(board_size=5)')


@pytest.mark.parametrize(
    ('name', 'complaint'),
    [
        ('tictactoe', r"OpenSpiel has no game 'tictactoe' \(did you mean tic_tac_toe\?\)"),
        (
            'restricted_nash_response(game=tic_tac_toe())',
            'cannot be searched: OpenSpiel does not load it by its name rnr_tic_tac_toe; expected',
        ),
        (None, '^game must be a name as OpenSpiel writes it, such as tic_tac_toe, not None$'),
        (3, '^game must be a name as OpenSpiel writes it, such as tic_tac_toe, not 3$'),
        ('kuhn_poker', 'kuhn_poker cannot be searched: it has hidden information; expected a game'),
        ('dark_hex', 'dark_hex cannot be searched: it has hidden information'),
        ('goofspiel', 'goofspiel cannot be searched: its players move at the same time'),
        ('stones_and_gems', 'it draws by chance itself and does not list the outcomes; expected'),
    ],
)
def test_unsupported_games_are_refused(name, complaint, capfd):
    """In one line, and OpenSpiel prints nothing."""
    with pytest.raises(ValueError, match=complaint) as refused:
        openspiel.start(name)
    assert len(str(refused.value).splitlines()) == 1
    assert capfd.readouterr() == ('', '')


@pytest.mark.parametrize(
    ('name', 'why'),
    [
        ('hex(size=4)', 'Unknown parameter .size.. Available parameters are: board_size, num_col'),
        ('hex(board_size=x)', 'Wrong type for parameter board_size. Expected type: kInt'),
        ('hex(board_size=3', 'Missing closing bracket'),
        ('restricted_nash_response', 'Missing parameter game'),
    ],
)
def test_openspiel_says_which_parameters_it_has(name, why):
    with pytest.raises(ValueError, match=rf'^OpenSpiel cannot load {re.escape(repr(name))}: {why}'):
        openspiel.start(name)


def test_games_of_openspiel_in_python_are_not_unknown():
    if 'open_spiel.python.games' not in sys.modules:
        with pytest.raises(ValueError, match=r'yet: import open_spiel\.python\.games, which adds'):
            openspiel.start('python_tic_tac_toe')


def test_moves_are_openspiel_s_own():
    begin = openspiel.start('tic_tac_toe')
    for move in (10**400, None, 'x'):
        with pytest.raises(IllegalMoveError, match=r'^illegal move '):
            begin.play(move)
    assert [repr(begin.play(it).history) for it in (np.int64(1), 1.0)] == ['(1,)', '(1,)']
    for wrong in (None, begin, 3):
        with pytest.raises(ValueError, match=r'^state must be a state of OpenSpiel, not '):
            openspiel.state_of(wrong)


@pytest.mark.parametrize(('first', 'winner'), [(0.5, Player.X), (0, None), (-0.5, Player.O)])
def test_the_higher_return_wins(first, winner):
    assert openspiel._winner(SimpleNamespace(player_return=[first, -first].__getitem__)) is winner


def test_repr_shows_the_moves():
    assert repr(openspiel.start('tic_tac_toe').play(4)) == (
        "OpenSpielState(history=(4,), player=<Player.O: 'O'>, winner=None)"
    )


def test_our_bots_play_in_openspiel():
    """Game by game what `play_game` would: a search beats chance, and made anew plays the same."""

    def results():
        ours = openspiel.FmctsBot(mcts(Search(50)), SplitMix.from_seed(2))
        other = openspiel.FmctsBot(random_bot, SplitMix.from_seed(3))
        return [
            pyspiel.evaluate_bots(theirs('connect_four'), bots, seed)
            for seed, bots in enumerate([[ours, other]] * 5)
        ]

    found = results()
    assert found == results()
    assert sum(first for first, _ in found) >= 3


def test_the_bot_keeps_its_generator():
    bot = openspiel.FmctsBot(random_bot, RNG)
    state = theirs('tic_tac_toe')
    move, after = random_bot(GAMES['tictactoe'].start, RNG)
    assert bot.step(state) == move
    assert bot.rng == after


# ---- states that begin elsewhere ----


@pytest.mark.parametrize(
    ('name', 'text'),
    [
        ('chess', '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1'),
        ('antichess', 'rnbqkbnr/ppppppp1/8/7p/7P/8/PPPPPPP1/RNBQKBNR w - - 0 2'),
        ('crazyhouse', 'rnbqkbnr/ppppppp1/8/7p/7P/8/PPPPPPP1/RNBQKBNR w KQkq - 0 2'),
        ('shogi', 'lnsgkgsn1/1r5bl/ppppppppp/9/9/8P/PPPPPPPP1/1B5R1/LNSGKGSNL b - 2'),
    ],
)
def test_a_position_from_elsewhere_is_the_one_that_was_given(name, text):
    theirs = pyspiel.load_game(name).new_initial_state(text)
    for _ in range(4):
        mine = openspiel.state_of(theirs)
        assert str(mine) == str(theirs)
        assert mine.moves == tuple(theirs.legal_actions())
        assert mine == openspiel.state_of(theirs) == pickle.loads(pickle.dumps(mine))  # noqa: S301
        assert mine != openspiel.start(name)
        action = mine.moves[len(mine.moves) // 2]
        assert str(mine.play(action)) == str(theirs.child(action))
        theirs.apply_action(action)


@pytest.mark.parametrize(
    ('name', 'text'),
    [('clobber(rows=2,columns=3)', '0oooxxx'), ('dots_and_boxes', '1' + '0' * 11)],
)
def test_a_position_that_openspiel_does_not_write_down_is_refused(name, text):
    """Of these games it writes the actions alone, which may be illegal from the usual start."""
    theirs = pyspiel.load_game(name).new_initial_state(text)
    complaint = r'^this state of \w+ began elsewhere than the game, and what OpenSpiel.s serialize'
    for _ in range(3):
        with pytest.raises(ValueError, match=complaint):
            openspiel.state_of(theirs)
        theirs.apply_action(theirs.legal_actions()[-1])


# ---- states that are met in several ways ----


def by_text(name):
    """Return the value of a game of OpenSpiel for its player 0, and the number of positions."""
    table = {}

    def value(state):
        if state.is_terminal():
            return state.player_return(0)
        if str(state) not in table:
            below = [value(state.child(action)) for action in state.legal_actions()]
            table[str(state)] = max(below) if state.current_player() == 0 else min(below)
        return table[str(state)]

    return value(pyspiel.load_game(name).new_initial_state()), len(table)


def test_solving_meets_each_position_of_nim_a_few_times():
    name = 'nim(pile_sizes=1;3;5;7)'
    value, count = by_text(name)
    assert (value, count) == (-1.0, 750)
    found = solve(openspiel.start(name))
    assert found.value == (value + 1) / 2
    assert found.nodes < 10 * count


@pytest.mark.parametrize('name', [
    'breakthrough(rows=5,columns=3)', 'clobber(rows=3,columns=3)', 'connect_four(rows=4,columns=4)',
    'dots_and_boxes', 'gomoku(size=3,dims=3,connect=3)', 'havannah(board_size=2,swap=true)',
    'hex(board_size=3,swap=true)', 'hex(board_size=3,string_rep=explicit)', 'mnk(m=3,n=3,k=3)',
    'nim', 'othello', 'pentago', 'tic_tac_toe', 'y(board_size=3)',
])  # fmt: skip
def test_equal_texts_have_equal_futures(name):
    """Of equal states OpenSpiel says the same, for random games; most games meet some twice."""
    seen, rng, again = {}, RNG, 0
    wide = name in {'gomoku(size=3,dims=3,connect=3)', 'othello', 'pentago'}
    for _ in range(10 if wide else 60):
        state = openspiel.start(name)
        while True:
            inner = state._state
            over = inner.is_terminal()
            facts = (
                inner.returns()
                if over
                else [(action, str(inner.child(action))) for action in inner.legal_actions()[::3]]
            )
            history, known = seen.setdefault(state, (state.history, (over, facts)))
            again += history != state.history
            assert known == (over, facts), (history, state.history)
            if over:
                break
            index, rng = rng.uniform(0, len(state.moves) - 1)
            state = state.play(state.moves[index])
    assert again or wide


def test_weights_of_a_throw_are_worked_out_once(monkeypatch):
    """A throw of five dice has 7,776 outcomes, and a game of Yacht some fifty throws."""
    made = []

    class Counted(Fraction):
        def __new__(cls, *given):
            made.append(given)
            return Fraction(*given)

    monkeypatch.setattr(replayed, 'Fraction', Counted)
    state, outcomes = openspiel.start('yacht'), 0
    while not state.over:
        outcomes += len(state.chances)
        assert len({weight for _, weight in state.chances}) <= 1  # all are equally likely
        state = state.play(state.chances[0][0] if state.chances else state.moves[0])
    assert outcomes > 20 * len(made)


# ---- chance, and any number of players ----

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
    agree(begin, SplitMix.from_seed(2), Search(30), 'inplace', 'auto')


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
