"""The searches that are run under valgrind, here without it."""

import pathlib

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts.games import tictactoe
from lines import play_line
from processes import run_python

SCRIPT = pathlib.Path(__file__).parents[2] / 'benchmarks/memory/under_valgrind.py'


@pytest.mark.exhaustive
@pytest.mark.needs_numba
@pytest.mark.skipif(not SCRIPT.is_file(), reason='benchmarks/memory is not part of this copy')
def test_the_watched_searches_run():
    done = run_python(SCRIPT, '--inside')
    assert done.returncode == 0, done.stderr
    *searches, winners = done.stdout.splitlines()
    state = play_line(tictactoe.start, (0, 1, 2, 4, 3))
    for line, expansion in zip(searches, ['in-order', 'full'], strict=True):
        wanted = Search(40, expansion=expansion)
        found, rng = analyse(state, SplitMix.from_seed(1), wanted, engine='inplace')
        again, _ = analyse(state, rng, wanted, engine='inplace', tree=found)
        assert line == f'{expansion} {found.digest[:16]} {again.digest[:16]}'
    assert winners.startswith('Counter(')
