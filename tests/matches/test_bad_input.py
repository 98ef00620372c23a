"""Bad input to the commands that play matches: one line each, and nothing written."""

import sys

import pytest

from fmcts.cli import _many as many
from played import MATCH, fmcts


@pytest.fixture
def impatient(monkeypatch):
    """A scheduler must answer at once."""
    monkeypatch.setattr(many, 'ANSWER', 0.5)


@pytest.mark.parametrize(
    ('address', 'why'),
    [
        ('tcp://127.0.0.1:1', 'Timed out trying to connect'),
        ('127.0.0.1', 'missing port number'),
    ],
)
@pytest.mark.usefixtures('impatient')
def test_dask_without_a_scheduler(address, why, tmp_path):
    path = tmp_path / 'games.jsonl'
    told = fmcts(*MATCH, '--dask', address, '--out', str(path), code=2).stderr
    assert told.startswith(f'fmcts: --dask {address}: no scheduler answers at this address: ')
    assert why in told
    assert told.count('\n') == 1
    assert not path.exists()


@pytest.mark.parametrize(
    ('words', 'complaint'),
    [
        (('tournament', 'tictactoe', 'random', 'mc:5'), 'this needs scipy: install fmcts[matches]'),
        ((*MATCH, '--table', 'latex'), 'this needs tabulate: install fmcts[matches]'),
        ((*MATCH, '--plot', 'a.png'), 'this needs matplotlib: install fmcts[plot]'),
    ],
)
def test_a_missing_library_is_reported_before_any_game(words, complaint, monkeypatch):
    for name in ('scipy', 'tabulate', 'matplotlib'):
        monkeypatch.setitem(sys.modules, name, None)
    done = fmcts(*words, code=2)
    assert done.stdout == ''
    assert done.stderr.count('\n') == 1
    assert complaint in done.stderr


def test_without_portalocker_no_file_is_started(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, 'portalocker', None)
    done = fmcts(*MATCH, '--out', str(tmp_path / 'games.jsonl'), code=2)
    assert done.stderr == 'fmcts: this needs portalocker: install fmcts[matches]\n'
    assert not [*tmp_path.iterdir()]


OWN = """from fmcts import Search
def failing(state, rng):
    return {}[state.moves[0]], rng

def in_words(edge, parent):
    return 'much'

worded = Search(9, selection=in_words)

import os

def gone(state, rng):
    os._exit(0)
"""


ANSWERED = 'game 0: ply 1: ownplayers:{} (X) against random: {}'


@pytest.fixture
def _own_players(tmp_path, monkeypatch):
    (tmp_path / 'ownplayers.py').write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, 'path', [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, 'ownplayers', raising=False)


@pytest.mark.usefixtures('_own_players')
@pytest.mark.parametrize(
    ('name', 'jobs', 'complaint'),
    [
        ('failing', 1, ANSWERED.format('failing', 'ownplayers.py, line 3: KeyError: 0')),
        ('failing', 2, ANSWERED.format('failing', 'ownplayers.py, line 3: KeyError: 0')),
        ('gone', 2, 'a worker process ended in game 0: ply 1: ownplayers:gone (X) against random'),
        ('worded', 2, 'game 0: ply 3: ownplayers:worded (X) against random: '),
    ],
)
def test_errors_in_a_user_s_bot_are_one_line(name, jobs, complaint):
    """In whichever process it does; where in the user's code, if it is there."""
    words = ['match', 'tictactoe', f'ownplayers:{name}', 'random', '--games', '4']
    done = fmcts(*words, '--jobs', str(jobs), code=2)
    assert done.stderr.count('\n') == 1
    assert done.stderr.startswith(f'fmcts: {complaint}')
