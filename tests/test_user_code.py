"""Which code is the user's own, wherever packages are installed."""

import importlib.metadata
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

import fmcts
from fmcts._content.user_code import is_user_code

BAD = ('match', 'tictactoe', 'random', 'random', '--games', '2', '--out', 'notes.txt')


@pytest.mark.parametrize(
    ('path', 'own'),
    [
        ('/home/ann/games/mine.py', True),
        ('mine.py', True),
        ('/home/ann/.local/lib/python3.11/site-packages/click/core.py', False),
        ('/usr/lib/python3/dist-packages/click/core.py', False),
        ('/usr/local/lib/python3.12/site-packages/numpy/linalg.py', False),
        (fmcts.__file__, False),
        (click.__file__, False),
        (subprocess.__file__, False),
        (__file__, True),
        ('<string>', False),
        ('<frozen importlib._bootstrap>', False),
    ],
)
def test_own_and_installed_files(path, own):
    assert is_user_code(str(path)) is own


def test_packages_in_a_user_s_folder_are_not_own_code(tmp_path, monkeypatch):
    """By `pip install --target`; a folder of code without packages is own."""
    (tmp_path / 'lib' / 'thing-1.0.dist-info').mkdir(parents=True)
    (tmp_path / 'src').mkdir()
    monkeypatch.setattr(sys, 'path', [*sys.path, str(tmp_path / 'lib'), str(tmp_path / 'src')])
    assert not is_user_code(str(tmp_path / 'lib' / 'thing.py'))
    assert is_user_code(str(tmp_path / 'src' / 'thing.py'))


@pytest.mark.parametrize('folder', ['site-packages', 'dist-packages', 'packages'])
def test_bad_input_is_reported_wherever_click_is_installed(run_python, folder, tmp_path):
    """As for a user (`pip --user`), or for the system beside a virtual environment."""
    there = tmp_path / folder
    shutil.copytree(Path(click.__file__).parent, there / 'click')
    (there / f'click-{importlib.metadata.version("click")}.dist-info').mkdir()
    (tmp_path / 'notes.txt').write_text('my notes')
    done = run_python('-m', 'fmcts', *BAD, cwd=tmp_path, env={'PYTHONPATH': str(there)})
    assert (done.returncode, done.stdout) == (2, '')
    assert done.stderr == (
        'fmcts: notes.txt: is not a match file: it has no complete line; nothing was written\n'
    )


FAILING = """
import click
def bot(state, rng):
    return click.testing_no_such_thing(state), rng
def inside(state, rng):
    return click.unstyle(state), rng
"""


@pytest.mark.parametrize(('name', 'line'), [('bot', 4), ('inside', 6)])
def test_an_error_is_placed_in_the_user_s_code(run_python, name, line, tmp_path):
    """Also where it was raised in a package below."""
    there = tmp_path / 'site-packages'
    shutil.copytree(Path(click.__file__).parent, there / 'click')
    (tmp_path / 'mine.py').write_text(FAILING)
    done = run_python(
        '-m',
        'fmcts',
        'move',
        'tictactoe',
        '--bot',
        f'mine:{name}',
        cwd=tmp_path,
        env={'PYTHONPATH': str(there)},
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f'fmcts: mine.py, line {line}: ')
