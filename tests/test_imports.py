"""`import fmcts` loads attrs and returns, and nothing heavier."""

import subprocess
import sys

import pytest

HEAVY = ['click', 'hypothesis', 'matplotlib', 'numba', 'numpy', 'pytest', 'rich']
CHECK = (
    'from fmcts.testing import check_game, same_game; from fmcts.games import tictactoe;'
    'check_game(tictactoe.start, positions=5, games=1)'
)


def run(script):
    return subprocess.run(
        [sys.executable, '-c', script], capture_output=True, text=True, check=False
    )


def loaded_after(statement):
    finished = run(f'import sys; {statement}; print(*sys.modules)')
    assert finished.returncode == 0, finished.stderr
    return set(finished.stdout.split())


@pytest.mark.parametrize(
    'statement',
    [
        'import fmcts',
        'import fmcts, fmcts.games, fmcts.cli, fmcts.view',
        'import fmcts.testing',
        'import fmcts.view.notebook',
        CHECK,
    ],
)
def test_nothing_heavy_is_imported(statement):
    loaded = loaded_after(statement)
    assert not loaded & set(HEAVY)
    assert {'attrs', 'returns', 'fmcts'} <= loaded


@pytest.mark.parametrize('name', ['positions', 'game_machine'])
def test_this_test_can_fail(name):
    assert 'hypothesis' in loaded_after(f'from fmcts.testing import {name}')


@pytest.mark.parametrize('name', ['positions', 'games', 'game_machine'])
def test_without_hypothesis_the_extra_is_named(name):
    done = run(f'import sys; sys.modules["hypothesis"] = None; from fmcts.testing import {name}')
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f'ImportError: fmcts.testing.{name} needs hypothesis, which is not installed: '
        "pip install 'fmcts[testing]'"
    )


def test_what_is_not_there_is_said_as_python_does():
    done = run('from fmcts.testing import check_gme')
    assert "cannot import name 'check_gme' from 'fmcts.testing'" in done.stderr
