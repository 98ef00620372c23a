"""Ctrl-C and missing memory while the command line loads, and after its work is done."""

import os
import subprocess
import sys

import pytest

# Something happens before the n-th module that is loaded after the first one of the library.
STARTED = """
import atexit, os, signal, sys

def interrupt():
    os.kill(os.getpid(), signal.SIGINT)

def lack_memory():
    raise MemoryError

def lack_file():
    raise ImportError('failed to map segment')

def break_off():
    raise RuntimeError('a fault')

class Loading:
    left = None

    def find_spec(self, name, path=None, target=None):
        if name == 'fmcts.cli._starting':
            Loading.left = int(os.environ['MOMENT'])
        elif Loading.left is not None and not name.startswith('_'):  # Python does without some
            Loading.left -= 1
            if Loading.left == 0:
                globals()[os.environ['EVENT']]()

sys.meta_path.insert(0, Loading())
if os.environ['MOMENT'] == 'exit':
    os.environ['MOMENT'] = '0'
    atexit.register(interrupt)
sys.argv[0] = '/usr/bin/fmcts'
from fmcts.cli import main
sys.exit(main())
"""
BOARD = '. . .\n. . .\n. . .\nX to move\n'


def started(moment, event='interrupt'):
    done = subprocess.run(
        [sys.executable, '-c', STARTED, 'show', 'tictactoe'],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        env=os.environ | {'MOMENT': str(moment), 'EVENT': event},
    )
    return done.returncode, done.stdout, done.stderr


MOMENTS = [3, 10, 30, 60, 90, 120, 140, 155]


@pytest.mark.parametrize('moment', MOMENTS)
def test_an_interrupt_while_modules_load_is_one_line(moment):
    assert started(moment) == (130, '', 'fmcts: interrupted\n')


def test_an_interrupt_at_exit_is_one_line():
    assert started('exit') == (130, BOARD, 'fmcts: interrupted\n')


def test_the_tested_moments_are_within_the_run():
    assert started(100_000) == (0, BOARD, '')


@pytest.mark.parametrize('moment', MOMENTS)
@pytest.mark.parametrize(
    ('event', 'why'),
    [('lack_memory', 'out of memory'), ('lack_file', 'failed to map segment')],
)
def test_a_module_that_cannot_be_loaded_is_one_line(moment, event, why):
    code, out, err = started(moment, event)
    assert (code, out) == (1, '')
    assert err == f'fmcts: the command line cannot be loaded: {why}\n'


def test_errors_of_the_library_keep_their_traceback():
    code, out, err = started(3, 'break_off')
    assert (code, out) == (1, '')
    assert err.startswith('Traceback')
    assert err.endswith('RuntimeError: a fault\n')


def test_importing_the_library_installs_no_handlers():
    script = 'import signal, sys, fmcts; print(signal.getsignal(signal.SIGINT).__name__, end="")'
    done = subprocess.run([sys.executable, '-c', script], capture_output=True, check=True)
    assert done.stdout == b'default_int_handler'
