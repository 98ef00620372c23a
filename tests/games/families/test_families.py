"""Families by name, and machine code per size."""

import pytest
from hypothesis import given, settings, strategies as st

from fmcts.game import Player
from fmcts.games import FAMILIES, GAMES, find_game
from fmcts.games.families import (
    breakthrough,
    connect,
    find_member,
    hex as hex_boards,
    mnk,
    nim,
    othello,
)
from fmcts.testing import positions

MEMBERS = {
    name: find_game(name).unwrap()
    for family in FAMILIES.values()
    for name in (family.example, family.other)
}
EVERY = {**GAMES, **MEMBERS}
drawn = st.sampled_from(sorted(EVERY)).flatmap(
    lambda name: positions(EVERY[name].start, max_plies=120).map(lambda state: (EVERY[name], state))
)


@pytest.mark.parametrize('name', MEMBERS)
def test_a_member_is_an_ordinary_game(name):
    game = MEMBERS[name]
    assert game.name == name
    assert find_game(f' {name} ').unwrap() is game  # one object in a process
    assert game.start.player is Player.X
    assert name not in GAMES


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
        ('othello:7', "game 'othello:7': a side of the board: expected an even number, not 7"),
        ('chess:8', f"unknown family 'chess': expected {', '.join(FAMILIES)}"),
    ],
)
def test_an_unknown_name_is_reported_in_one_line(text, why):
    assert find_member(text).failure() == why


@pytest.mark.parametrize(
    ('family', 'sizes', 'what', 'expected'),
    [
        (breakthrough, (3, 3), 'rows', (4, 32, 3)),
        (breakthrough, (8, 9), 'columns of 8', (2, 8, 9)),
        (connect, (8, 8, 4), 'rows on 8 columns', (1, 7, 8)),
        (connect, (33, 1, 2), 'columns', (1, 32, 33)),
        (connect, (7, 6, 8), 'a row to win', (2, 7, 8)),
        (hex_boards, (1,), 'a side of the board', (2, 16, 1)),
        (hex_boards, (17,), 'a side of the board', (2, 16, 17)),
        (mnk, (0, 3, 3), 'columns', (1, 16, 0)),
        (mnk, (3, 17, 3), 'rows', (1, 16, 17)),
        (mnk, (3, 3, 4), 'a row to win', (2, 3, 4)),
        (mnk, (3.0, 3, 3), 'columns', (1, 16, 3.0)),
        (nim, (), 'how many piles', (1, 12, 0)),
        (nim, (0, 0), 'all counters', (1, 1188, 0)),
        (nim, (3, 100), 'a pile', (0, 99, 100)),
        (othello, (2,), 'a side of the board', (4, 16, 2)),
        (othello, (18,), 'a side of the board', (4, 16, 18)),
    ],
)
def test_invalid_sizes_are_refused(family, sizes, what, expected):
    with pytest.raises(ValueError, match='{}: expected {} to {}, not {}$'.format(what, *expected)):
        family.game(*sizes)


@pytest.mark.parametrize(
    ('name', 'text', 'why'),
    [
        ('breakthrough:4,2', 'XXXXX...', 'the board has 5 X: expected at most 4'),
        ('breakthrough:4,2', 'O.....X. X', 'no game leads to this board'),
        ('breakthrough:4,2', '........ X', 'no game leads to this board'),
        ('breakthrough:4,2', 'XX..OO..', 'the side is missing'),
        ('breakthrough:4,2', 'XX....XO X to move', "expected 'X wins', as the board has it"),
        ('connect:5,2,3', 'X.........', 'row 1, column 0: found X above an empty cell'),
        ('connect:5,2,3', '.....XX...', 'expected as many X as O'),
        ('connect:5,2,3', 'XO...XOXOX O wins', "expected 'O to move', as the board has it"),
        ('connect:5,2,3', 'XOO..XXXOO', 'no game leads to this board'),
        ('hex:3', 'XOOX.OX..', 'no game leads to this board'),
    ],
)
def test_impossible_boards_are_refused(name, text, why):
    assert why in find_game(name).unwrap().parse(text).failure()


@pytest.mark.needs_numba
def test_sizes_do_not_share_machine_code():
    """What names it holds what the rules close over; the same size has the same name again."""
    from fmcts._linked.codes import name_of as named  # noqa: PLC0415 - where there is LLVM
    from fmcts._linked.functions import rules_key  # noqa: PLC0415 - the same

    def name_of(game):
        """As the code of a search of this game is named."""
        state = game.start
        rules = type(state).compiled
        return named(rules_key(rules, state.position, rules.menu(state.position)))

    sizes = ('hex:5', 'hex:6', 'hex:11', 'mnk:3,3,3', 'mnk:4,3,3', 'mnk:4,4,3', 'mnk:4,4,4')
    names = {name: name_of(find_game(name).unwrap()) for name in sizes}
    assert len({*names.values()}) == len(sizes)
    again = hex_boards.game.__wrapped__(5)
    assert again is not find_game('hex:5').unwrap()
    assert name_of(again) == names['hex:5']
