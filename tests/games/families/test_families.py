"""Families by name, and machine code per size."""

import pytest
from hypothesis import given, settings, strategies as st

from fmcts.game import Player
from fmcts.games import FAMILIES, GAMES, find_game
from fmcts.games.families import find_member
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


@pytest.mark.needs_numba
def test_sizes_do_not_share_machine_code():
    """What names it holds what the rules close over; the same size has the same name again."""
    from fmcts._linked.codes import name_of as named  # noqa: PLC0415 - where there is LLVM
    from fmcts._linked.functions import rules_key  # noqa: PLC0415 - where it is
    from fmcts.games.families import hex as hex_boards  # noqa: PLC0415 - the same

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
