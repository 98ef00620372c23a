"""`fmcts reach` and `fmcts hunt`: a line to a position, and to a mistake."""

import json

from fmcts import Search
from fmcts.cli._app import run
from fmcts.games import connect4, tictactoe
from fmcts.history import hunt


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


# ---- hunt ----


def test_prints_the_first_mistake(capsys):
    words = 'hunt', 'tictactoe', '--bot', 'mcts:100', '--plies', '4', '--seeds', '50'
    assert run(words) == 0
    found = next(hunt(tictactoe.start, Search(100), 50, plies=4))
    assert capsys.readouterr().out == f'{found}\n'
    assert run([*words, '--json']) == 0
    printed = json.loads(capsys.readouterr().out)
    (mistake,) = printed.pop('mistakes')
    assert printed == {
        'game': 'tictactoe',
        'moves': [],
        'bot': 'mcts:100',
        'searches': found.seed + 1,
    }
    assert mistake['seed'] == found.seed
    assert mistake['moves'] == [*found.line]
    assert (mistake['move'], mistake['since']) == (found.move, found.since)
    assert mistake['starved']['iteration'] == found.starved.iteration
    assert mistake['c'] == found.saved_by
    # `fmcts move` finds it again.
    moves = ','.join(map(str, found.line))
    assert run(['move', 'tictactoe', '--moves', moves, '--seed', str(found.seed), *words[2:4],
                '--json']) == 0  # fmt: skip
    again = json.loads(capsys.readouterr().out)
    assert (again['move'], again['digest']) == (found.move, found.history.digest)


def test_counts_of_mistakes(capsys):
    words = ['hunt', 'tictactoe', '--moves', '4', '--bot', 'mcts:500', '--seeds', '3']
    assert run(words) == 0
    assert capsys.readouterr().out == '0 of 3 searches made a mistake\n'
    assert (
        run(['hunt', 'tictactoe', '--bot', 'mcts:40', '--plies', '4', '--seeds', '30', '--all'])
        == 0
    )
    lines = capsys.readouterr().out.splitlines()
    expected = len([*hunt(tictactoe.start, Search(40), 30, plies=4)])
    assert lines[-1] == f'{expected} of 30 searches made a mistake'
    assert sum(line.startswith('seed ') for line in lines) == expected > 0
