"""Properties of every position of every game."""

import random

import pytest
from hypothesis import given, strategies as st
from returns.result import Success

from fmcts.games import FAMILIES, GAMES, find_game
from fmcts.testing import check_game, positions

# A position knows its own game, so that one law covers them all.
LONGEST = {'tictactoe': 9, 'connect4': 42, 'othello': 70}
STRATEGIES = [
    positions(game.start, max_plies=LONGEST[name]).map(lambda state, game=game: (game, state))
    for name, game in GAMES.items()
]
game_positions = st.one_of(STRATEGIES)


class Whole(int):
    """An integer of another class."""


class Index:
    """What stands for an integer, as those of numpy do."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number

    def __eq__(self, other):
        return self.number == other

    __hash__ = None


def generator(seed):
    return random.Random(seed)  # noqa: S311 - a game needs no secrets


def one_line(state, text):
    """The one-line form of a printed board, made from its rows."""
    rows = [line for line in text.splitlines() if set(line.lstrip('12345678 ')) <= set('XO. ')]
    return ''.join(row.lstrip('12345678').replace(' ', '') for row in rows) + f' {state.player}'


@pytest.mark.parametrize(
    'name', [*(family.example for family in FAMILIES.values()), 'mnk:9,9,5', 'othello:10']
)
def test_all_laws_hold(name):
    """(Those of the three games of `GAMES` are tested where `check_game` is.)"""
    start = find_game(name).unwrap().start
    assert check_game(start, positions=40, games=3).unwrap().total > 900


@given(game_positions)
def test_any_integer_type_is_accepted_and_kept_as_int(drawn):
    _, state = drawn
    for move in state.moves:
        for other in (Whole(move), Index(move)):
            assert repr(state.play(other)) == repr(state.play(move))


@given(game_positions, st.sampled_from('.-_'), st.sampled_from(['', ';']))
def test_the_one_line_form_round_trips(drawn, empty, end):
    game, state = drawn
    line = one_line(state, game.format(state)).replace('.', empty)
    assert game.parse(line + end) == Success(state)
    assert game.parse(line.lower() + '\n') == Success(state)


@pytest.mark.parametrize('name', GAMES)
def test_long_runs_of_playouts_equal_the_generic_ones(name):
    # Seeded, so that rare ends (a full board, passes, a side without discs) come up every time.
    start = GAMES[name].start
    for seed in range(60 if name == 'othello' else 400):
        fast, slow = generator(seed), generator(seed)
        state = start
        while not state.over:
            state = state.play(state.moves[slow.randrange(len(state.moves))])
        assert start.playout(fast.randrange) == state.winner
        assert fast.getstate() == slow.getstate()


def stones(text):
    """The stones of the board, without its last line, which says whose turn it is."""
    return [c for line in text.strip().splitlines()[:-1] for c in line if c in 'XO']


@given(game_positions, st.data())
def test_a_damaged_board_is_refused_or_read_literally(drawn, data):
    game, state = drawn
    text = game.format(state)
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.sampled_from('XO.?# 7\n')) + text[at + 1 :]
    outcome = game.parse(damaged)
    if isinstance(outcome, Success):
        # Every line that stands again is as it was written; only the last one, which may be left
        # out or written in other letters, is not compared.
        again = game.format(outcome.unwrap())
        assert stones(again) == stones(damaged)
    else:
        assert len(outcome.failure().splitlines()) == 1


def test_an_unknown_game_is_refused_with_the_known_names():
    expected = "unknown game 'chess': expected tictactoe, connect4 or othello, or sizes after mnk:"
    assert find_game('chess').failure().startswith(expected)
    assert find_game('Otello').failure().endswith('; did you mean othello?')


def test_the_mapping_of_games_cannot_be_changed():
    with pytest.raises(TypeError):
        GAMES['chess'] = None
