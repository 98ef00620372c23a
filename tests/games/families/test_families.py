"""Every game of the library: found by name, its laws, its text; machine code per size."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from returns.result import Success

from fmcts.game import Player
from fmcts.games import FAMILIES, GAMES, find_game
from fmcts.games.families import find_member
from fmcts.testing import check_game, check_rules, positions

MEMBERS = {
    name: find_game(name).unwrap()
    for family in FAMILIES.values()
    for name in (family.example, family.other)
}
EVERY = {**GAMES, **MEMBERS}
drawn = st.sampled_from(sorted(EVERY)).flatmap(
    lambda name: positions(EVERY[name].start, max_plies=120).map(lambda state: (EVERY[name], state))
)
drawn_by_hand = st.sampled_from(sorted(GAMES)).flatmap(
    lambda name: positions(GAMES[name].start).map(lambda state: (GAMES[name], state))
)


@pytest.mark.parametrize('name', EVERY)
def test_games_are_found_by_name(name):
    game = EVERY[name]
    assert game.name == name
    assert find_game(name).unwrap() is game  # one object in a process
    assert game.start.player is Player.X


def test_an_unknown_game_is_refused_with_the_known_names():
    expected = "unknown game 'chess': expected tictactoe, connect4 or othello, or sizes after mnk:"
    assert find_game('chess').failure().startswith(expected)
    assert find_game('Otello').failure().endswith('; did you mean othello?')


@pytest.mark.parametrize(
    'name', [*(family.example for family in FAMILIES.values()), 'mnk:9,9,5', 'othello:10']
)
def test_all_laws_hold(name):
    """(Those of the three games of `GAMES` are tested where `check_game` is.)"""
    start = find_game(name).unwrap().start
    assert check_game(start, positions=40, games=3).unwrap().total > 900


@given(drawn)
@settings(max_examples=100)
def test_text_round_trips(game_and_state):
    game, state = game_and_state
    text = game.format(state)
    assert text.endswith('\n')
    assert game.parse(text).unwrap() == state
    assert game.parse('\n' + text.lower().replace('\n', ' \r\n')).unwrap() == state
    for move in state.moves:
        assert game.parse_move(game.format_move(move)).unwrap() == move
        assert game.format_move(move).upper().lower() == game.format_move(move)


@given(st.sampled_from(sorted(EVERY)), st.text('XOxo.-_ \n123abcdefgh|;towins', max_size=150))
@settings(max_examples=250)
def test_any_text_gives_a_result_or_a_one_line_message(name, text):
    game = EVERY[name]
    found = game.parse(text)
    complaint = found.swap().value_or('')
    assert len(str(complaint).splitlines()) <= 1
    if not complaint:
        assert game.parse(game.format(found.unwrap())) == found


@given(drawn_by_hand)
def test_any_integer_type_is_accepted_and_kept_as_int(game_and_state):
    _, state = game_and_state
    for move in state.moves:
        for kind in (np.int64, type('Whole', (int,), {})):
            assert repr(state.play(kind(move))) == repr(state.play(move))


def one_line(state, text):
    """The one-line form of a printed board, made from its rows."""
    rows = [line for line in text.splitlines() if set(line.lstrip('12345678 ')) <= set('XO. ')]
    return ''.join(row.lstrip('12345678').replace(' ', '') for row in rows) + f' {state.player}'


@given(drawn_by_hand, st.sampled_from('.-_'), st.sampled_from(['', ';']))
def test_the_one_line_form_round_trips(game_and_state, empty, end):
    game, state = game_and_state
    line = one_line(state, game.format(state)).replace('.', empty)
    assert game.parse(line + end) == Success(state)
    assert game.parse(line.lower() + '\n') == Success(state)


def stones(text):
    """The stones of the board, without its last line, which says whose turn it is."""
    return [c for line in text.strip().splitlines()[:-1] for c in line if c in 'XO']


@given(drawn_by_hand, st.data())
def test_a_damaged_board_is_refused_or_read_literally(game_and_state, data):
    game, state = game_and_state
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


@pytest.mark.parametrize(
    ('text', 'why'),
    [
        ('mnk', "game 'mnk': expected mnk:COLUMNS,ROWS,LENGTH, such as mnk:4,4,3"),
        ('mnk:', "game 'mnk:': expected mnk:COLUMNS,ROWS,LENGTH, such as mnk:4,4,3"),
        ('mnk:4,4', "game 'mnk:4,4': expected mnk:COLUMNS,ROWS,LENGTH, such as mnk:4,4,3"),
        ('hex:-3', "game 'hex:-3': expected hex:SIZE, such as hex:7"),
        ('hex:99999', "game 'hex:99999': expected hex:SIZE, such as hex:7"),
        ('hex:²', "game 'hex:²': expected hex:SIZE, such as hex:7"),
        ('nim:', "game 'nim:': expected nim:PILE,..., such as nim:3,4,5"),
        ('chess:8', f"unknown family 'chess': expected {', '.join(FAMILIES)}"),
    ],
)
def test_an_unknown_name_is_reported_in_one_line(text, why):
    assert find_member(text).failure() == why


@pytest.mark.parametrize(
    ('name', 'why'),
    [
        ('mnk:0,3,3', 'columns: expected 1 to 16, not 0'),
        ('mnk:3,17,3', 'rows: expected 1 to 16, not 17'),
        ('mnk:3,3,4', 'a row to win: expected 2 to 3, not 4'),
        ('mnk:3,3,1', 'a row to win: expected 2 to 3, not 1'),
        ('connect:8,8,4', 'rows on 8 columns: expected 1 to 7, not 8'),
        ('connect:33,1,2', 'columns: expected 1 to 32, not 33'),
        ('connect:7,6,8', 'a row to win: expected 2 to 7, not 8'),
        ('breakthrough:3,3', 'rows: expected 4 to 32, not 3'),
        ('breakthrough:8,9', 'columns of 8: expected 2 to 8, not 9'),
        ('breakthrough:8,1', 'columns of 8: expected 2 to 8, not 1'),
        ('hex:1', 'a side of the board: expected 2 to 16, not 1'),
        ('hex:17', 'a side of the board: expected 2 to 16, not 17'),
        ('othello:5', 'a side of the board: expected an even number, not 5'),
        ('othello:2', 'a side of the board: expected 4 to 16, not 2'),
        ('othello:18', 'a side of the board: expected 4 to 16, not 18'),
        ('nim:0,0', 'all counters: expected 1 to 1188, not 0'),
        ('nim:3,100', 'a pile: expected 0 to 99, not 100'),
    ],
)
def test_invalid_sizes_are_refused(name, why):
    assert find_game(name).failure() == f'game {name!r}: {why}'


@pytest.mark.parametrize('name', ['pig:1', 'bearoff:16', '2048:9', 'mnk3:3,3,9'])
def test_invalid_sizes_of_games_with_chance_are_refused_in_one_line(name):
    assert 'expected' in find_game(name).failure()
    assert '\n' not in find_game(name).failure()


@pytest.mark.parametrize(
    ('name', 'text', 'why'),
    [
        ('breakthrough:4,2', 'XXXXX...', 'the board has 5 X: expected at most 4'),
        ('breakthrough:4,2', 'O.....X. X', 'no game leads to this board'),
        ('breakthrough:4,2', '........ X', 'no game leads to this board'),
        ('breakthrough:4,2', 'XX..OO..', 'the side is missing'),
        ('breakthrough:4,2', 'XX....XO X to move', "expected 'X wins', as the board has it"),
        ('hex:3', 'XOOX.OX..', 'no game leads to this board'),
    ],
)
def test_impossible_boards_are_refused(name, text, why):
    assert why in find_game(name).unwrap().parse(text).failure()


@pytest.mark.needs_numba
@pytest.mark.parametrize('name', ['hex:11', 'nim:1,3,5,7'])
def test_compiled_rules_agree(name):
    """Boards of more than a hundred cells, and piles; test_wide has others."""
    assert check_rules(find_game(name).unwrap().start, plies=300).unwrap() == 300


@pytest.mark.needs_numba
def test_sizes_do_not_share_machine_code():
    """What names it holds what the rules close over; the same size has the same name again."""
    from fmcts._linked.codes import name_of as named  # noqa: PLC0415 - where there is LLVM
    from fmcts.games.families import hex as hex_boards  # noqa: PLC0415 - the same

    def name_of(game):
        """As the code of a search of this game is named."""
        return named(type(game.start).compiled, game.start.position)

    sizes = ('hex:5', 'hex:6', 'hex:11', 'mnk:3,3,3', 'mnk:4,3,3', 'mnk:4,4,3', 'mnk:4,4,4')
    names = {name: name_of(find_game(name).unwrap()) for name in sizes}
    assert len({*names.values()}) == len(sizes)
    again = hex_boards.game.__wrapped__(5)
    assert again is not find_game('hex:5').unwrap()
    assert name_of(again) == names['hex:5']
