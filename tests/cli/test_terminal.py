"""Output and input at a real (pseudo-)terminal."""

import re
import subprocess
import time

LONG = 'mcts:1000000'  # some ten seconds
BLUE_X = '\x1b[1;38;5;32mX'


def test_a_game_with_a_hint_and_undo(terminal):
    person = terminal('play', 'tictactoe', '--first', 'human', '--second', 'mcts:200', '--seed=3')
    board = person.expect('X> ')
    assert '0 1 2\n3 4 5\n6 7 8\nX to move\nlegal moves: 0, 1, 2, 3, 4, 5, 6, 7, 8\n' in board
    person.type('hint\n')
    assert 'hint: 4 (value 0.' in person.expect('X> ')
    person.type('4\n')
    answered = person.expect('X> ')
    assert 'O plays ' in answered
    assert ' X ' in answered
    person.type('undo\n')
    assert '0 1 2\n3 4 5\n6 7 8\nX to move\n' in person.expect('X> ')
    person.type('44\n')
    assert "unknown cell '44'" in person.expect('X> ')
    person.type('4\n')
    assert person.expect('X> ').splitlines()[1:] == answered.splitlines()[1:]
    person.type('quit\n')
    assert person.wait() == 0
    assert 'moves  4,' in person.shown
    assert BLUE_X in person.raw


def test_control_d_ends_with_a_message(terminal):
    person = terminal('play', 'othello', '--first', 'human', '--second', 'random')
    person.expect('X> ')
    person.type('\x04')
    assert person.wait() == 1
    assert person.shown.endswith('\nfmcts: the input ended before the game did\n')


def test_the_answer_has_colours_and_a_table(terminal):
    person = terminal('move', 'connect4', '--moves', '3,3,2', '--bot', 'mcts:50')
    assert person.wait() == 0
    assert BLUE_X in person.raw
    assert '│   move │ visits │ share │ value │' in person.shown
    assert person.shown.count('│ * ') == 1
    assert '. . . * . . .\n. . * O . . .\n* * X X * * *\n0 1 2 3 4 5 6\n' in person.shown
    assert 'thinks' not in person.shown


def test_progress_appears_after_a_second_and_is_erased(terminal):
    person = terminal('move', 'othello', '--bot', LONG)
    person.expect('X thinks')
    assert time.monotonic() - person.began >= 1.0
    person.expect('/1000000')
    person.expect('/1000000')
    person.interrupt()
    assert person.wait() == 0  # with what was found until then
    assert re.search(r'ended after [\d,]+ iterations\n', person.shown)
    assert re.search(r'bot +mcts:\d+\n', person.shown)
    assert '\x1b[?25h' in person.raw.rpartition('\x1b[?25l')[2]  # the cursor is back


def test_progress_is_shown_while_output_is_redirected(terminal):
    person = terminal('move', 'othello', '--bot', LONG, '--json', stdout=subprocess.DEVNULL)
    person.expect('X thinks')
    person.interrupt()
    assert person.wait() == 0


def test_characters_unknown_to_the_terminal_are_replaced(terminal):
    words = ('move', 'connect4', '--bot', 'mcts:50')
    wide, narrow = (terminal(*words, columns=18, PYTHONIOENCODING=it) for it in ('utf8', 'ascii'))
    assert wide.wait() == narrow.wait() == 0
    assert '…' in wide.shown  # a cell that was cut off
    assert '?' in narrow.shown
    assert narrow.shown.isascii()
