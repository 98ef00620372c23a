import json

import pytest

from fmcts import SplitMix, mcts, play_game, random_bot
from fmcts.games import tictactoe
from fmcts.games.chance import mnk3
from fmcts.record import play_seats
from fmcts.rng import format as format_rng
from fmcts.search._description import Search


def test_json_equals_the_library_s_record(here, game):
    words = ['--first', 'mcts:30', '--second', 'random', '--seed', '7', '--json']
    code, out, err = here('play', game.name, *words)
    record, rng = play_game(
        game.start, mcts(Search(iterations=30)), random_bot, SplitMix.from_seed(7)
    )
    assert (code, err) == (0, '')
    assert json.loads(out) == {
        'winner': None if record.winner is None else str(record.winner),
        'board': game.format(record.final),
        'moves': [
            int(name) if name.isdecimal() else name for name in map(game.format_move, record.moves)
        ],
        'rng': format_rng(rng),
    }
    assert list(json.loads(out)) == ['winner', 'board', 'moves', 'rng']


def test_moves_include_those_before_the_position(here):
    words = ['--first', 'random', '--second', 'random', '--json']
    game = json.loads(here('play', 'othello', '--moves', 'd3,c3', *words).out)
    assert game['moves'][:2] == ['d3', 'c3']
    shown = here('show', 'othello', '--moves', ','.join(game['moves']))
    assert shown.out == game['board']


def test_a_game_continues_from_a_board(here):
    board = here('show', 'tictactoe', '--moves', '0,3,1,4').out
    words = ['--first', 'mcts:200', '--second', 'random', '--json']
    game = json.loads(here('play', 'tictactoe', '--board', '-', *words, stdin=board.encode()).out)
    assert game['moves'] == [2]
    assert game['winner'] == 'X'


def test_plain_text_in_a_pipe(here):
    out = here('play', 'tictactoe', '--first', 'random', '--second', 'random').out
    board, facts = out.split('\n\n')
    names = [line.split()[0] for line in facts.splitlines()]
    assert names == ['result', 'moves', 'rng']
    assert board.splitlines()[-1] == facts.splitlines()[0].removeprefix('result').strip()


def entries(*lines):
    return ''.join(f'{line}\n' for line in lines).encode()


HUMANS = ['play', 'tictactoe', '--first', 'human', '--second', 'human']
WON = ('0', '3', '1', '4', '2')


def test_people_can_play_through_a_pipe(here):
    code, out, err = here(*HUMANS, stdin=entries('9', *WON))
    assert (code, err) == (0, '')
    assert "X> 9\nunknown cell '9': expected a number from 0 to 8, or help\nX> 0\n" in out
    assert 'O> 3\n' in out
    assert 'result  X wins\nmoves   0,3,1,4,2\n' in out


def test_with_json_the_dialogue_goes_to_standard_error(here):
    code, out, err = here(*HUMANS, '--json', stdin=entries(*WON))
    assert code == 0
    assert out.count('\n') == 1
    assert json.loads(out)['moves'] == [0, 3, 1, 4, 2]
    assert 'X> 0\n' in err
    assert 'X wins' in err


@pytest.mark.parametrize(('json_asked', 'code'), [([], 0), (['--json'], 1)])
def test_quit_shows_how_to_resume(here, json_asked, code):
    outcome = here(*HUMANS, *json_asked, stdin=entries('4', 'quit', '0'))
    assert outcome.code == code
    said = outcome.err if json_asked else outcome.out
    assert said.endswith(
        'O> quit\n'
        'The game so far, to continue with --moves and --rng:\n'
        'moves  4\n'
        f'rng    {format_rng(SplitMix.from_seed(0))}\n'
    )
    assert json_asked == [] or outcome.out == ''


def test_the_end_of_input_has_its_own_message_and_exit_code(here):
    code, out, err = here(*HUMANS, stdin=entries('4'))
    assert code == 1
    assert err == 'fmcts: the input ended before the game did\n'
    assert '\nmoves  4\n' in out


def test_undecodable_input_is_an_invalid_entry(here):
    code, out, _ = here(*HUMANS, stdin=b'\xff\n' + entries(*WON))
    assert code == 0
    assert 'unknown cell' in out


def play_x(here, *lines):
    return here(
        'play', 'tictactoe', '--first', 'human', '--second', 'mcts:50', stdin=entries(*lines)
    )


def test_a_hint_is_a_search_with_a_child_generator(here):
    analysis, _ = mcts().analyse(tictactoe.start, SplitMix.from_seed(0).child(0))
    value = max(row.value for row in analysis.stats if row.move == analysis.move)
    said = f'hint: {analysis.move} (value {value:.3f}: from 0, X loses, to 1, it wins)'
    assert said in play_x(here, 'hint', 'quit').out.splitlines()


def test_a_bot_repeats_its_answer_after_undo(here):
    once = play_x(here, '4', 'quit')
    twice = play_x(here, '4', 'undo', '4', 'quit')
    assert once.out.splitlines()[-2:] == twice.out.splitlines()[-2:]


def test_three_bots_play_as_play_seats_does(here):
    words = 'play', 'mnk3:3,3,3', 'mcts:20', 'random', 'mcts:30', '--seed', '4', '--json'
    answer = json.loads(here(*words).out)
    bots = mcts(Search(20)), random_bot, mcts(Search(30))
    record, rng = play_seats(mnk3.start(3, 3, 3), bots, SplitMix.from_seed(4))
    assert answer['winner'] == record.winner
    assert answer['rewards'] == dict(zip('ABC', record.rewards, strict=True))
    assert len(answer['moves']) == len(record.moves)
    assert answer['rng'] == format_rng(rng)


def test_a_person_plays_with_two_bots(here):
    moves = 'hint', 'undo', '1', 'undo', 'quit'
    words = 'play', 'mnk3:3,3,3', 'human', 'random', 'random'
    code, out, err = here(*words, stdin=entries(*moves))
    assert (code, err) == (0, '')
    for line in ('what A gets on average', 'no earlier turn', 'B plays', 'C plays', 'taken back'):
        assert line in out
