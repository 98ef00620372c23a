"""Searches ended by the clock or by Ctrl-C, and how to reproduce them."""

import json
import subprocess
import sys

import pytest

from fmcts._arguments import amount
from tiers import usually

MOVE = ('move', 'connect4', '--moves', '3,3')
PLAY = ('play', 'tictactoe', '--first', 'mcts:c=0.7', '--second', 'mcts')


def test_a_move_by_time_is_reproduced_by_the_printed_bot(here):
    first = here(*MOVE, '--bot', 'mcts:7,final=max', '--time', '0.05', '--json')
    found = json.loads(first.out)
    assert found['bot'] == f'mcts:{found["iterations"]},final=max'
    assert here(*MOVE, '--bot', found['bot'], '--json').out == first.out


def test_a_game_by_time_is_reproduced_by_its_counts(here):
    first = here(*PLAY, '--time', '0.02', '--json')
    found = json.loads(first.out)
    assert len(found['iterations']) == len(found['moves'])
    counts = ','.join(map(str, found['iterations']))
    assert here(*PLAY, '--iterations', counts, '--json').out == first.out
    page = here(*PLAY, '--iterations', counts).out
    assert f'iterations  {counts}\n' in page


@pytest.mark.parametrize(
    'words',
    [
        'move tictactoe --bot {} --time 0.01',
        'play tictactoe --first {} --second mc:9 --time 0.01',
        'match tictactoe {} mc:9 --games 2 --time 0.001',
        'curve tictactoe {} --budgets 9 --against mc:9 --games 2',
    ],
)
def test_a_number_that_is_not_used_is_named(here, words):
    option = 'budgets' if words.startswith('curve') else 'time'
    told = f'fmcts: --{option} is used in place of the number in mcts:7,c=1.0\n'
    for spec, expected in (('mcts:7,c=1.0', told), ('mcts:c=1.0', '')):
        done = here(*words.format(spec).split())
        assert (done.code, done.err) == (0, expected)


def test_counts_against_a_person(here):
    words = ('play', 'tictactoe', '--first', 'human', '--second', 'mcts', '--iterations', '30,40')
    done = here(*words, stdin=b'4\nquit\n')
    assert 'iterations  30\n' in done.out


def test_surplus_counts_against_a_person_are_reported(here):
    moves = '0,1,2,4,3,5'  # and 6 wins
    words = ('play', 'tictactoe', '--moves', moves, '--first', 'human', '--second', 'mcts')
    done = here(*words, '--iterations', '9', stdin=b'6\n')
    assert done.code != 0
    assert done.err == 'fmcts: --iterations: the game has only 0 searches, not 1\n'


def test_without_a_time_limit_nothing_is_counted(here):
    assert 'iterations' not in json.loads(here(*PLAY, '--json').out)


@pytest.mark.parametrize(
    ('counts', 'complaint'),
    [
        ('5,5', 'the game has more searches than the 2 given'),
        (','.join(['5'] * 10), 'searches, not 10'),
    ],
)
def test_missing_and_surplus_counts_are_reported(here, counts, complaint):
    done = here(*PLAY, '--iterations', counts)
    assert done.code != 0
    assert complaint in done.err
    assert done.err.count('\n') == 1


INTERRUPTED = """
import signal, sys
import fmcts.cli._app
from fmcts.cli._progress import Progress

def watching(_self, _label, _total):
    return lambda done: [signal.raise_signal(signal.SIGINT) for _ in range({times} * (done > 50))]

Progress.watching = watching
sys.exit(fmcts.cli.main(sys.argv[1:]))
"""


def interrupted(times, *words):
    code = INTERRUPTED.format(times=times)
    return subprocess.run(
        [sys.executable, '-c', code, *words], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    'engine', usually(['persistent', 'compiled'], ['persistent', 'inplace', 'compiled'])
)
def test_an_interrupt_ends_a_search_with_its_result_so_far(here, engine):
    words = (*MOVE, '--engine', engine, '--json')
    done = interrupted(1, *words, '--bot', 'mcts:100000000')
    found = json.loads(done.stdout)
    assert 50 < found['iterations'] < 100_000_000
    assert found['bot'] == f'mcts:{found["iterations"]}'
    assert done.stderr == f'fmcts: ended after {amount(found["iterations"], "iteration")}\n'
    assert done.returncode == 0
    assert here(*words, '--bot', found['bot']).out == done.stdout


@pytest.mark.parametrize(
    ('times', 'bot'), [(2, 'mcts:100000000'), (1, 'mc:1000000'), (1, 'mcts:10000,schedule=halving')]
)
def test_a_second_interrupt_aborts(times, bot):
    done = interrupted(times, *MOVE, '--bot', bot, '--engine', 'inplace')
    assert (done.returncode, done.stdout, done.stderr) == (130, '', 'fmcts: interrupted\n')
