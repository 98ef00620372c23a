"""A process may fork at any moment."""

import os

import pytest

from processes import run_python

FORK = """
import os, signal, sys, threading
from fmcts import SplitMix
from fmcts.games import tictactoe
from fmcts._compiled import engine  # loaded, and nothing compiled
from fmcts._linked.logarithms import logarithms
from fmcts.notices import listening
from fmcts._running.playouts import playouts
begun = threading.Event()

def work():
    wins, _ = playouts(tictactoe.start, SplitMix.from_seed(1), 20, engine='compiled')
    return len(wins) > 0 and logarithms(5_000)[2] > 0.6

def work_in_a_thread():
    with listening(lambda notice: begun.set() if MOMENT in notice else None):
        work()

thread = threading.Thread(target=work_in_a_thread)
thread.start()
assert begun.wait(600)
child = os.fork()
if not child:
    signal.alarm(600)  # a child that waits for ever is ended; compiling may take long
    ending = 1
    try:
        ending = 0 if work() else 2
    finally:
        os._exit(ending)
thread.join()
work()
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, 'fork'), reason='os.fork is not there')
@pytest.mark.parametrize('moment', ['compiling'])
def test_fork_while_another_thread_compiles(tmp_path, moment):
    """The child has none of the other threads, and could wait for what they hold for ever."""
    done = run_python(
        '-c',
        f'MOMENT = {moment!r}\n{FORK}',
        env=os.environ | {'FMCTS_CACHE_DIR': str(tmp_path / 'cache')},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ['0']
