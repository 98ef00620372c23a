"""`fmcts reach`: a line to a position, or what is known of it."""

import json

from fmcts.games import connect4


def test_the_line_can_be_played(here):
    code, out, _ = here(
        'reach', 'connect4', 'over and winner is Player.O', '--moves', '3,3', '--json'
    )
    assert code == 0
    found = json.loads(out)
    state = connect4.start.play(3).play(3)
    for move in found['line']:
        state = state.play(move)
    assert state.winner is not None
    assert state.winner.value == 'O'


def test_what_no_line_reaches(here):
    code, out, _ = here('reach', 'tictactoe', 'over and moves')
    assert code == 1
    assert out == 'no line reaches such a state: all 5,478 positions were looked at\n'
    code, out, _ = here('reach', 'tictactoe', 'over and moves', '--json')
    assert (code, json.loads(out)) == (1, {'found': False, 'within': None, 'positions': 5478})


def test_the_board_is_printed_and_a_function_is_accepted(here):
    code, out, _ = here('reach', 'tictactoe', 'builtins:bool')
    assert (code, out.splitlines()[0]) == (
        0,
        'reached in 0 plies, and no line is shorter, after 0 plies: the start',
    )
