"""OpenSpiel's games compared with ours, and our bots in OpenSpiel."""

import re
from types import SimpleNamespace

import numpy as np
import pyspiel
import pytest

from fmcts import Player, Search, SplitMix, analyse, mcts, random_bot
from fmcts.errors import IllegalMoveError
from fmcts.games import GAMES, connect4, tictactoe
from fmcts.interop import openspiel

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
