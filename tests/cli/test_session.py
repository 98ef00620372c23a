"""A game against a person, as a value."""

from functools import reduce

import pytest
from hypothesis import given, strategies as st
from returns.maybe import Nothing

from fmcts import SplitMix
from fmcts.cli._session import COMMANDS, Command, Session, board_of, respond, understand
from fmcts.game import Player
from fmcts.games import connect4, othello, tictactoe
from fmcts.view import Sentence

RNG = SplitMix.from_seed(0)
START = Session(tictactoe, tictactoe.start, RNG)


def words(reply):
    return [part.text for part in reply.parts if isinstance(part, Sentence)]


def test_a_move_returns_a_new_session():
    after = respond(START, ' 4\n').session
    assert after == Session(tictactoe, tictactoe.start.play(4), RNG, (4,))
    assert after.before is START
    assert START.state == tictactoe.start
    assert START.moves == ()


@pytest.mark.parametrize('command', Command)
def test_commands_are_recognised_in_any_case(command):
    assert understand(START, f' {command.word.title()} \n').unwrap() is command
    assert COMMANDS[command.word] is command


def test_othello_moves_are_typed_in_its_notation():
    session = Session(othello, othello.start, RNG)
    assert understand(session, 'D3').unwrap() == 19
    assert understand(session, 'pass').failure() == (
        'pass is illegal: the legal moves are d3, c4, f5, e6'
    )


@pytest.mark.parametrize(
    ('entry', 'why'),
    [
        ('', 'type a move, or help'),
        ('9', "unknown cell '9': expected a number from 0 to 8, or help"),
        ('hnit', "unknown cell 'hnit': expected a number from 0 to 8 (did you mean hint?)"),
        ('0', '0 is illegal: the legal moves are 1, 2, 3, 4, 5, 6, 7, 8'),
    ],
)
def test_an_invalid_entry_gives_one_line_and_changes_nothing(entry, why):
    session = respond(START, '0').session
    reply = respond(session, entry)
    assert words(reply) == [why]
    assert reply.session is session
    assert reply.wish is None


@pytest.mark.parametrize('command', [Command.HINT, Command.QUIT])
def test_hints_and_quitting_are_left_to_the_caller(command):
    assert respond(START, command.word).wish is command


def test_moves_command():
    assert words(respond(START, 'moves'))[0] == 'moves so far: none'
    session = reduce(lambda s, entry: respond(s, entry).session, ['4', '0'], START)
    assert words(respond(session, 'moves')) == [
        'moves so far: 4,0',
        'legal moves: 1, 2, 3, 5, 6, 7, 8',
    ]


def test_help_names_every_command():
    said = '\n'.join(words(respond(START, 'help')))
    assert all(command.word in said and command.value in said for command in Command)


def test_board_command():
    assert respond(START, 'board').parts[0] == board_of(START)


def test_undo_restores_state_and_generator():
    drawn = RNG.split()[0]
    own_turn = START.after(4, RNG).after(0, drawn)  # O was a bot that used the generator
    again = respond(own_turn, 'undo')
    assert words(again) == ['taken back']
    assert again.session is START
    assert words(respond(START, 'undo')) == ['you have no earlier turn to take back to']


def test_undo_after_a_pass():
    rows = '..XXXXOX XXXXX.OX XOXOXXOX XOXXOXOX XOOOXOOX XOXOOXOX XOOOOOXX XOOXXXXX'
    first = Session(othello, othello.parse(rows.replace(' ', '') + ' O').unwrap(), RNG)
    passing, third = (
        reduce(lambda session, entry: respond(session, entry).session, entries, first)
        for entries in (['f2'], ['f2', 'pass'])
    )
    assert third.state.player is first.state.player
    assert third.taken_back().unwrap() is first
    assert passing.taken_back() == Nothing


@given(st.lists(st.sampled_from([*'012345678', 'undo', 'zz', 'moves']), max_size=40))
def test_the_moves_always_lead_to_the_state(entries):
    session = START
    for entry in entries:
        if session.state.over:
            break
        mover = session.state.player
        session = respond(session, entry).session
        assert session.state == reduce(lambda s, m: s.play(m), session.moves, tictactoe.start)
        if entry == 'undo':
            assert session.state.player is mover


def test_the_last_stone_and_free_cells_are_marked():
    session = Session(connect4, connect4.start, RNG).after(3, RNG)
    board = board_of(session)
    assert board.text[board.last] == 'X'
    assert len(board.free) == 7
    assert set(board.free.values()) == {'*'}
    assert board.text.count('X') == 1
    assert session.state.player is Player.O
    cells = board_of(Session(tictactoe, tictactoe.start.play(4), RNG)).free
    assert sorted(cells.values()) == [*'01235678']


def test_the_stone_before_the_session_is_marked():
    seen = Session(tictactoe, tictactoe.start.play(0), RNG, (0,), seen_before=tictactoe.start)
    assert board_of(seen).last == 0
    assert board_of(Session(tictactoe, seen.state, RNG, (0,))).last is None
