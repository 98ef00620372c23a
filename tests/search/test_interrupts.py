"""Ctrl-C ends a search in machine code."""

import signal
import subprocess
import sys

import pytest

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
