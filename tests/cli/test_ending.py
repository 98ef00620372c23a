"""Full disks, closed streams, little memory and interrupts: exit codes and one-line messages."""

import os
import signal
import subprocess
import sys

import pytest

SHOW = ('show', 'tictactoe')
SHOWS = ' '.join(SHOW)
MOVES, PLAYS = 'move tictactoe --bot mcts:9', 'play tictactoe --first random --second random'
ALL_WAYS_TO_PRINT = [SHOWS, PLAYS]


@pytest.mark.parametrize('words', ALL_WAYS_TO_PRINT)
def test_a_full_disk_is_one_line(shell, words):
    assert shell(*words.split(), streams='> /dev/full') == (
        1,
        '',
        'fmcts: cannot write: No space left on device\n',
    )


@pytest.mark.parametrize('words', ALL_WAYS_TO_PRINT)
def test_a_closed_pipe_is_not_an_error(words):
    from_here, to_there = os.pipe()
    os.close(from_here)
    done = subprocess.run(
        [sys.executable, '-m', 'fmcts', *words.split()],
        stdout=to_there,
        stderr=subprocess.PIPE,
        check=False,
        timeout=600,
    )
    os.close(to_there)
    assert (done.returncode, done.stderr) == (141, b'')


@pytest.mark.parametrize(
    ('streams', 'code', 'err'),
    [
        ('>&-', 2, 'fmcts: standard output is closed\n'),
        ('>&- 2>&-', 2, ''),
    ],
)
def test_closed_streams_give_no_traceback(shell, streams, code, err):
    done = shell(*SHOW, streams=streams)
    assert (done.code, done.err) == (code, err)


# Complaints about options, and about what is asked for, each to every stream; others to one.
FULL, *OTHERS = '2> /dev/full', '2>&-', '> /dev/full 2>&1', '>&- 2>&-'
BAD = 'mvoe', 'move tictactoe --bot mcts:9,max_nodes=1'


@pytest.mark.parametrize(
    ('words', 'streams'),
    [
        *((BAD[0], streams) for streams in (FULL, *OTHERS)),
        ('move tictactoe --bot mcts:0', FULL),
    ],
)
def test_bad_input_exits_with_2_on_closed_streams(shell, words, streams):
    assert shell(*words.split(), streams=streams) == (2, '', '')


@pytest.mark.parametrize(
    ('words', 'streams', 'code', 'err'),
    [
        (
            'show tictactoe --board -',
            '<&-',
            2,
            'fmcts: standard input: cannot be read: standard input is closed\n',
        ),
        (
            'play tictactoe --first human --second random',
            '<&-',
            1,
            'fmcts: the input ended before the game did\n',
        ),
        (
            'play tictactoe --first human --second random',
            '0> /dev/null',
            2,
            'fmcts: standard input cannot be read: Bad file descriptor\n',
        ),
    ],
)
def test_unreadable_input_gives_no_traceback(shell, words, streams, code, err):
    done = shell(*words.split(), streams=streams)
    assert (done.code, done.err) == (code, err)


def test_an_interrupt_is_one_line():
    words = [sys.executable, '-m', 'fmcts', 'play', 'othello', '--first=human', '--second=random']
    pipes = {'stdin': subprocess.PIPE, 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE}
    with subprocess.Popen(words, **pipes) as running:
        while not running.stdout.readline().startswith(b'legal moves'):
            pass
        assert running.stdout.read(3) == b'X> '
        running.send_signal(signal.SIGINT)
        assert running.wait(600) == 130
        assert running.stderr.read() == b'fmcts: interrupted\n'


@pytest.mark.needs_numba
def test_machine_code_runs_in_an_address_space_below_a_gigabyte(shell):
    bot = 'mcts:20000000,max_nodes=1000'  # so many iterations that a gigabyte is asked for
    words = ('move', 'connect4', '--bot', bot, '--json', '--engine')
    limited = shell(*words, 'compiled', before='ulimit -v 1000000;')
    assert limited.code == 0, limited.err
    assert limited.out == shell(*words, 'inplace').out
