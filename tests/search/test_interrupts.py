"""Ctrl-C while numba loads and compiles is deferred, and nothing is lost."""

import os
import signal
import subprocess
import sys
import threading

import pytest
from fmcts._numba.interrupts import interrupts_wait

from processes import run_python
from tiers import exhaustive


@pytest.fixture(autouse=True)
def _python_s_own_handler():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_is_deferred_to_the_end_of_the_block():
    done = []

    def work():
        with interrupts_wait():
            signal.raise_signal(signal.SIGINT)
            done.append('work')

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ['work']
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_interrupt_is_immediate():
    def work():
        with interrupts_wait():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            pytest.fail('the second interrupt was lost')

    with pytest.raises(KeyboardInterrupt):
        work()


def test_nested_blocks():
    done = []

    def work():
        with interrupts_wait():
            with interrupts_wait():
                signal.raise_signal(signal.SIGINT)
            done.append('outer')

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ['outer']


def test_a_custom_handler_is_called():
    heard = []
    signal.signal(signal.SIGINT, lambda number, _frame: heard.append(number))
    with interrupts_wait():
        signal.raise_signal(signal.SIGINT)
        assert heard == []
    assert heard == [signal.SIGINT]


@pytest.mark.parametrize('handler', [signal.SIG_IGN, signal.SIG_DFL])
def test_without_a_python_handler_nothing_is_installed(handler):
    signal.signal(signal.SIGINT, handler)
    with interrupts_wait():
        assert signal.getsignal(signal.SIGINT) is handler
    assert signal.getsignal(signal.SIGINT) is handler


def test_other_threads_install_no_handlers():
    seen = []

    def work():
        with interrupts_wait():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]


# Each process compiles everything, and is interrupted when a certain function is called for the so
# many-th time: inside numba, inside of what LLVM calls back, while modules are imported.
COMPILING = """
import os, signal, sys
from fmcts import SplitMix, monte_carlo
from fmcts.games import tictactoe as game

where, times = sys.argv[1], int(sys.argv[2])
def watch(frame, event, _argument):
    global times
    if event == 'call' and frame.f_code.co_name == where:
        times -= 1
        if not times:
            sys.setprofile(None)
            os.kill(os.getpid(), signal.SIGINT)
sys.setprofile(watch)
def play(engine):
    return monte_carlo(300, engine=engine)(game.start, SplitMix.from_seed(1))
try:
    play('compiled')
    print('not interrupted')
except KeyboardInterrupt:
    print('interrupted')
finally:
    sys.setprofile(None)
print(play('compiled') == play('persistent'))
"""


@pytest.mark.parametrize(
    ('where', 'times'),
    [
        exhaustive(('_raw_object_cache_notify', 2)),  # called by LLVM, the second time
        exhaustive(('find_spec', 200)),  # imports
        exhaustive(('install_registry', 10)),
        ('run_pass', 30),
        exhaustive(('save_overload', 1)),
    ],
)
def test_interrupts_while_compiling(tmp_path, where, times):
    pytest.importorskip('numba', reason='compiling takes the extra fmcts[fast]')
    done = run_python(
        '-c', COMPILING, where, str(times), env={**os.environ, 'FMCTS_CACHE_DIR': str(tmp_path)}
    )
    assert done.stderr == ''
    assert done.stdout.split() == ['interrupted', 'True']


ENDLESS = """
import sys
from fmcts import Search, SplitMix, analyse
from fmcts.games import connect4
def watch(done):
    if done:
        print('begun', flush=True)
try:
    analyse(connect4.start, SplitMix.from_seed(1), Search(10**9), engine='compiled', watch=watch)
except KeyboardInterrupt:
    print('interrupted')
    sys.exit(7)
"""


@pytest.mark.needs_numba
def test_a_long_search_can_be_interrupted():
    with subprocess.Popen(
        [sys.executable, '-c', ENDLESS], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == 'begun\n'
        process.send_signal(signal.SIGINT)
        output = process.stdout.read()
    assert process.returncode == 7
    assert output.endswith('interrupted\n')
