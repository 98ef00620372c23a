"""Without numba the tests are collected, and those that need it are skipped with the reason."""

import hashlib

import pytest

from fmcts import _linked as linked
from fmcts.explore import searching

BLOCKED = """
import sys
for name in ('numba', 'llvmlite'):
    sys.modules[name] = None
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""


def test_tests_that_need_numba_are_skipped_with_the_reason(run_python):
    folders = ['fmcts/search', 'tests/search/linked', 'docs/compiled_games.md']
    folders += ['docs/designs.md', 'tests/cli/test_prepare.py']
    done = run_python(
        '-c', BLOCKED, '-q', '-p', 'no:cacheprovider', '-p', 'no:cov', *folders, timeout=600
    )
    assert done.returncode == 0, done.stdout
    skipped = [line for line in done.stdout.splitlines() if line.startswith('SKIPPED')]
    assert skipped
    assert all('numba is missing here: it comes with the extra fmcts[fast]' in it for it in skipped)
    assert ' passed' in done.stdout


ALONE = """
import sys
from typing import NamedTuple
sys.modules['numba'] = None
from fmcts import EngineError, Search, SplitMix, analyse
from fmcts.games import connect4
from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules, OnPositions
import numpy as np
rng = SplitMix.from_seed(1)
def fair(positions):
    return np.ones((len(positions), 48)), np.full(len(positions), 0.5)
fair = OnPositions(fair)
for search in (Search(300), Search(300, selection='rave'), Search(300, network=fair, batch=8)):
    one, two = (analyse(connect4.start, rng, search, engine=it) for it in ('inplace', 'compiled'))
    print(one == two)
class Heap(NamedTuple):
    left: int
    turn: int
game = make_game('heap', Heap(21, 0), IntegerRules(
    menu=lambda p: min(p.left, 3), count=lambda menu: menu, pick=lambda menu, index: index + 1,
    play=lambda p, move: Heap(p.left - move, 1 - p.turn), side=lambda p: p.turn,
    winner=lambda p: 1 - p.turn,
))
try:
    analyse(game.start, rng, Search(300), engine='compiled')
except EngineError as error:
    print(error)
"""


@pytest.mark.skipif(not linked.installed(), reason='llvmlite is missing')
def test_the_library_s_games_are_compiled_without_numba(run_python):
    done = run_python('-c', ALONE)
    *equal, refused = done.stdout.splitlines()
    assert equal == ['True', 'True', 'True'], done.stderr
    assert refused.startswith(
        'the engine compiled does not support rules of your own without numba: install fmcts[fast]'
    )


PAGES = """
import sys
for name in ('llvmlite', 'numba', 'numpy'):
    sys.modules[name] = None
import hashlib
from fmcts import Search, SplitMix
from fmcts.explore import explore, searching
from fmcts.games import connect4
from fmcts.history import history
print(hashlib.blake2b(searching().html.encode()).hexdigest())
for search in (Search(50, c=0.5), Search(50, solver=True), Search(50, selection='rave')):
    data = explore(history(connect4.start.play(3), SplitMix.from_seed(1), search)).data
    print(data.get('lacks', 'log' in data['searches'][0]))
"""


@pytest.mark.skipif(not linked.installed(), reason='llvmlite is missing')
def test_pages_search_the_library_s_games_without_llvm(run_python):
    here = hashlib.blake2b(searching().html.encode()).hexdigest()
    done = run_python('-c', PAGES)
    lacking = 'there was no llvmlite: install fmcts[fast]'
    assert done.stdout.splitlines() == [here, 'False', 'False', lacking], done.stderr
