"""The laws of games on other libraries' games, and their games in step with ours."""

import re

import pytest
from returns.pipeline import is_successful

from fmcts import SplitMix
from fmcts.games import find_game
from fmcts.interop import openspiel, pettingzoo, pythonchess
from fmcts.testing import check_game, same_game
from tiers import usually

STARTS = {
    **{
        name: openspiel.start(name)
        for name in (
            *('tic_tac_toe', 'connect_four', 'breakthrough(rows=6,columns=6)'),
            *('hex(board_size=5)', 'othello', 'mancala'),
        )
    },
    'chess': pythonchess.position('6k1/4P3/8/8/8/8/8/R3K2R w KQ - 90 60'),
    'tictactoe of PettingZoo': pettingzoo.start('classic/tictactoe-v3'),
}


# A library at a time: on three positions of one of its games.
LIBRARIES = [(name, 3) for name in ('tic_tac_toe', 'tictactoe of PettingZoo', 'chess')]


@pytest.mark.parametrize(
    ('name', 'positions'),
    usually(LIBRARIES, [*LIBRARIES, *((it, 4 if it == 'chess' else 15) for it in STARTS)]),
)
def test_the_games_keep_all_laws(name, positions):
    found = check_game(STARTS[name], positions=positions, games=1)
    assert is_successful(found), found


@pytest.mark.parametrize(
    ('mine', 'theirs'),
    [
        ('tictactoe', 'tic_tac_toe'),
        ('mnk:6,4,4', 'mnk(m=6,n=4,k=4)'),
        ('connect4', 'connect_four'),
        ('othello', 'othello'),
        ('hex:11', 'hex'),
    ],
)
def test_our_games_equal_openspiel_s(mine, theirs):
    start = find_game(mine).unwrap().start
    found = same_game(start, openspiel.start(theirs), positions=150, games=2)
    assert is_successful(found), found


def walked(mine, theirs, name):
    """Random games in step, moves told apart by what `name` makes of OpenSpiel's names."""
    rng = SplitMix.from_seed(1)
    for _ in range(5):
        ours, other = mine.start, theirs
        while not ours.over:
            assert ours.player is other.player
            assert not other.over
            named = {name(other.name_of(move)): move for move in other.moves}
            assert {mine.format_move(move) for move in ours.moves} == set(named)
            index, rng = rng.uniform(0, len(ours.moves) - 1)
            move = ours.moves[index]
            ours, other = ours.play(move), other.play(named[mine.format_move(move)])
        assert other.over
        assert ours.winner is other.winner


@pytest.mark.parametrize('size', [6, 8])
def test_our_breakthrough_is_openspiel_s_upside_down(size):
    def name(text):
        return re.sub(r'\d', lambda row: str(size + 1 - int(row[0])), text.rstrip('*'))

    game = find_game(f'breakthrough:{size},{size}').unwrap()
    walked(game, openspiel.start(f'breakthrough(rows={size},columns={size})'), name)


def test_our_nim_equals_openspiel_s():
    def name(text):
        pile, taken = re.findall(r'\d+', text)
        return 'abc'[int(pile) - 1] + taken

    game = find_game('nim:3,4,5').unwrap()
    walked(game, openspiel.start('nim(pile_sizes=3;4;5,is_misere=false)'), name)
