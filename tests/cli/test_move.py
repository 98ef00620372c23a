import json
from types import SimpleNamespace

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts.cli._screen import moves_in_json
from fmcts.games import connect4, othello, tictactoe
from fmcts.rng import format as format_rng

RNG = SplitMix.from_seed(3)


def test_json_equals_the_library_s_analysis(here):
    words = ['--bot', 'mcts:200,c=0.7', '--seed', '42', '--json']
    answer = json.loads(here('move', 'connect4', '--moves', '3,3,2', *words).out)
    state = connect4.start.play(3).play(3).play(2)
    analysis, rng = analyse(state, SplitMix.from_seed(42), Search(iterations=200, c=0.7))
    assert answer == {
        'game': 'connect4',
        'moves': [3, 3, 2],
        'bot': 'mcts:200,c=0.7',
        'move': analysis.move,
        'rng': format_rng(rng),
        'iterations': 200,
        'stats': [
            {'move': row.move, 'visits': row.visits, 'value': row.value} for row in analysis.stats
        ],
        'digest': analysis.digest,
    }
    assert ' '.join(answer) == 'game moves bot move rng iterations stats digest'


@pytest.mark.parametrize('bot', ['mcts:90', 'mc:90'])
def test_root_moves_option(here, bot):
    words = ['--bot', bot, '--root-moves', 'e6,d3', '--seed', '7', '--json']
    answer = json.loads(here('move', 'othello', *words).out)
    assert [row['move'] for row in answer['stats']] == ['d3', 'e6']
    assert sum(row['visits'] for row in answer['stats']) == 90
    assert answer['move'] in {'d3', 'e6'}


def test_othello_moves_are_strings_and_untried_moves_have_no_value(here):
    answer = json.loads(here('move', 'othello', '--bot', 'mcts:1', '--json').out)
    assert answer['move'] == 'd3'
    assert [row['move'] for row in answer['stats']] == ['d3', 'c4', 'f5', 'e6']
    assert [row['value'] is None for row in answer['stats']] == [False, True, True, True]


def test_a_forced_pass_is_a_move(here):
    # X has no disc to capture with; O may take all of the first row.
    board = '.' + 'X' * 62 + 'O X'
    assert othello.parse(board).unwrap().moves == (othello.PASS,)
    answer = json.loads(here('move', 'othello', '--board', '-', '--json', stdin=board.encode()).out)
    assert answer['move'] == 'pass'


def test_random_has_no_statistics(here):
    code, out, _ = here('move', 'tictactoe', '--bot', 'random', '--json')
    assert code == 0
    rng = format_rng(SplitMix.from_seed(0).uniform(0, 8)[1])
    assert json.loads(out) == {
        'game': 'tictactoe',
        'moves': [],
        'bot': 'random',
        'move': 8,
        'rng': rng,
        'iterations': 0,
        'stats': [],
        'digest': None,
    }


def test_a_board_gives_the_same_answer_as_its_moves(here, tmp_path):
    file = tmp_path / 'board.txt'
    file.write_text(here('show', 'connect4', '--moves', '3,3,2').out)
    by_board = json.loads(here('move', 'connect4', '--board', str(file), '--json').out)
    by_moves = json.loads(here('move', 'connect4', '--moves', '3,3,2', '--json').out)
    assert by_board.pop('moves') == []
    assert by_moves.pop('moves') == [3, 3, 2]
    assert by_board == by_moves


def test_default_bot_and_seed(here):
    explicit = ['--bot', 'mcts:1000', '--seed', '0', '--engine', 'persistent']
    assert here('move', 'tictactoe', '--json') == here('move', 'tictactoe', *explicit, '--json')
    assert here('move', 'tictactoe', '--json') != here('move', 'tictactoe', '--json', '--seed', '1')


def test_a_seed_may_be_negative(here):
    minus_one = here('move', 'tictactoe', '--bot', 'random', '--seed', '-1', '--json')
    assert minus_one.code == 0
    assert minus_one == here(
        'move', 'tictactoe', '--bot', 'random', '--rng', f'splitmix:{2**64 - 1}', '--json'
    )


PAGE = """\
X O .
. X .
. . .
O to move

  move  visits  share  value
     2       3  15.0%  0.000
*    3       4  20.0%  0.250
     5       3  15.0%  0.000
     6       3  15.0%  0.333
     7       4  20.0%  0.250
     8       3  15.0%  0.167
* the move chosen; value: from 0, O loses, to 1, O wins

move        3
"""


def test_plain_text_in_a_pipe(process):
    code, out, err = process(
        'move', 'tictactoe', '--moves', '0,1,4', '--bot', 'mcts:20', FORCE_COLOR='1'
    )
    assert (code, err) == (0, '')
    assert out.startswith(PAGE)
    facts = dict(line.split(maxsplit=1) for line in out.split('\n\n')[2].splitlines())
    assert list(facts) == ['move', 'line', 'bot', 'iterations', 'digest', 'rng']
    assert facts['bot'] == 'mcts:20'
    assert facts['iterations'] == '20'
    assert facts['line'].startswith('3 ')
    found = json.loads(
        process('move', 'tictactoe', '--moves', '0,1,4', '--bot', 'mcts:20', '--json').out
    )
    assert (facts['digest'], facts['rng']) == (found['digest'], found['rng'])


def test_a_bot_without_analysis_gets_a_short_page(here):
    out = here('move', 'tictactoe', '--bot', 'random').out
    assert out.split('\n\n')[1].split()[:6] == ['move', '8', 'bot', 'random', 'iterations', '0']
    assert 'digest' not in out


def test_perfect_play_shows_each_move_s_value(here):
    words = ['--moves', '0,4,8,2', '--bot', 'perfect']
    answer = json.loads(here('move', 'tictactoe', *words, '--seed', '5', '--json').out)
    rows = {row['move']: (row['visits'], row['value'], row['plies']) for row in answer['stats']}
    assert rows == dict.fromkeys((1, 3, 5, 7), (None, 0.0, 2)) | {6: (None, 1.0, 3)}
    assert (answer['move'], answer['iterations'], answer['digest']) == (6, 0, None)
    assert answer['rng'] == format_rng(SplitMix.from_seed(5))
    page = here('move', 'tictactoe', *words).out
    assert '  5     0.000      2\n* 6     1.000      3\n' in page
    assert '* the move chosen; value: from 0, X loses, to 1, X wins' in page


def test_moves_that_are_written_as_numbers_are_numbers_in_json():
    game = SimpleNamespace(format_move=str)
    moves = [7, '7', -1, '01', '-', '0.5', '²', 'e4']
    assert moves_in_json(game, moves) == [7, 7, -1, '01', '-', '0.5', '²', 'e4']


# ---- graph searches ----


def test_how_many_other_seeds_agree(here):
    words = ['--bot', 'mcts:90', '--root-moves', '0,4,8', '--seed', '3', '--agree', '6']
    page = here('move', 'tictactoe', *words).out
    search = Search(90)
    analysis, _ = analyse(tictactoe.start, RNG, search, root_moves=(0, 4, 8))
    moves = [
        analyse(tictactoe.start, RNG.child(seed), search, root_moves=(0, 4, 8))[0].move
        for seed in range(6)
    ]
    assert f'{moves.count(analysis.move)} of 6 other seeds' in page
    assert 'a tree search' in here('move', 'tictactoe', '--bot', 'mc:9', '--agree', '6').err


def test_who_can_agree_is_asked_before_the_move_is_solved(here, monkeypatch):
    monkeypatch.setattr('fmcts.cli._move.chosen', None)
    assert 'a tree search' in here('move', 'tictactoe', '--bot', 'perfect', '--agree', '6').err
