"""One line in a test file makes a test for each law; they pass, fail and skip correctly."""

import pytest

from fmcts.games import connect4, tictactoe
from fmcts.testing import GAME_LAWS, game_tests

test_tictactoe = game_tests(
    tictactoe.start, text=(tictactoe.parse, tictactoe.format), positions=20, games=2
)
test_some_laws_of_connect4 = game_tests(
    connect4.start,
    positions=20,
    games=2,
    without=[law.name for law in GAME_LAWS if law.name not in {'keys are unique', 'play is pure'}],
)


def test_there_is_a_test_for_each_law():
    (mark,) = game_tests(
        tictactoe.start, invariants={'it': bool}, without=iter(['games end'])
    ).pytestmark
    names = {law.name for law in GAME_LAWS} - {'games end'}
    assert {*mark.args[1]} == {*names, 'invariant it'}


FILE = """
from hypothesis import settings
from fmcts import Player
from fmcts.testing import game_machine, game_tests
from {module} import {name}

test_game = game_tests({name}(), positions=2, games=0, without=['the same in another process'])
TestMachine = game_machine({name}()).TestCase
TestMachine.settings = settings(max_examples=10, stateful_step_count=9, deadline=None)
"""


def outcome(run_python, tmp_path, module, name, *options):
    """What pytest says of a test file of a game, with coverage and several workers if asked for."""
    folder = __file__.rpartition('/')[0]
    (tmp_path / 'test_mine.py').write_text(FILE.format(module=module, name=name))
    done = run_python(
        '-m',
        'pytest',
        '-q',
        '-p',
        'no:cacheprovider',
        '-rA',
        *options,
        tmp_path,
        cwd=tmp_path,
        env={'PYTHONPATH': folder, 'PATH': ''},
    )
    return done.returncode, done.stdout


@pytest.mark.exhaustive
def test_a_correct_game_passes_with_xdist_and_coverage(run_python, tmp_path):
    code, out = outcome(run_python, tmp_path, 'zoo_right', 'Heap', '-n', '2', '--cov', 'zoo_right')
    assert code == 0, out
    assert 'test_mine.py::test_game[play is pure]' in out
    assert 'FAILED' not in out


def test_a_wrong_game_fails_the_test_of_its_law(run_python, tmp_path):
    code, out = outcome(run_python, tmp_path, 'zoo_games', 'Twice')
    assert code == 1
    failed = [line.split(' - ')[0] for line in out.splitlines() if line.startswith('FAILED')]
    assert failed == ['FAILED test_mine.py::test_game[moves are unique]']
    assert 'none was given' in out
    assert 'moves are unique, at the start: the move 2 at 1 and at 2. Expected: No two' in out


@pytest.mark.exhaustive
def test_the_machine_detects_modified_states(run_python, tmp_path):
    code, out = outcome(run_python, tmp_path, 'zoo_games', 'Board')
    assert code == 1
    assert 'FAILED test_mine.py::TestMachine::runTest' in out
