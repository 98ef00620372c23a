"""Time limits for moves: hanging bots are named, and other games are unchanged."""

import sys

import pytest

from fmcts.errors import MoveLimitError
from fmcts.matches import play_match
from played import MATCH, fmcts, of_the_command, small
from tiers import exhaustive, usually

# Each hangs in the middle of its second game; nothing within a process can end the second one.
OWN = """
import re
from threading import Event
from fmcts import Search, mcts, random_bot

def looping(state, rng):
    while len(state.moves) == 4:
        pass
    return random_bot(state, rng)

def holding(state, rng):
    if len(state.moves) == 4:
        re.match(r'(a+)+$', 'a' * 60 + 'b')  # holds Python's lock for years
    return random_bot(state, rng)

def judging(state, rng):
    if len(state.moves) == 4:
        return mcts(Search(10, network=lambda states: Event().wait(), batch=4))(state, rng)
    return random_bot(state, rng)
"""


@pytest.fixture
def _own(tmp_path, monkeypatch):
    (tmp_path / 'hanging.py').write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, 'path', [str(tmp_path), *sys.path])
    yield
    sys.modules.pop('hanging', None)


@pytest.mark.usefixtures('_own')
@pytest.mark.parametrize(
    ('name', 'jobs'),
    usually(
        [('looping', 1), ('holding', 2), ('judging', 1)],
        [('looping', 1), ('looping', 2), ('holding', 1), ('holding', 2), ('judging', 1)],
    ),
)
def test_a_bot_that_hangs_is_named_in_one_line(name, jobs, tmp_path):
    """Four moves are left before ply 6, which is O's: the first bot's in odd games."""
    out = tmp_path / 'games.jsonl'
    words = ['match', 'tictactoe', f'hanging:{name}', 'random', '--games', '4', '--out', str(out)]
    done = fmcts(*words, '--move-limit', '2', '--jobs', str(jobs), code=2)
    ply = f'ply 6: hanging:{name} (O) against random: gave no move within 2 s\n'
    games = [f'fmcts: game {number}: {ply}' for number in (1, 3)]
    assert done.stderr in (games[:1] if jobs == 1 else games)
    assert done.stdout == ''
    assert out.read_bytes().count(b'\n') <= 2  # the match, and the game before


@pytest.mark.parametrize('jobs', [exhaustive('1'), '2'])
def test_games_are_the_same_with_a_limit(jobs, tmp_path):
    plain, limited = tmp_path / 'plain', tmp_path / 'limited'
    fmcts(*MATCH, '--out', str(plain))
    fmcts(*MATCH, '--out', str(limited), '--move-limit', '600', '--jobs', jobs)
    assert plain.read_bytes() == limited.read_bytes()


def test_trees_are_kept_with_a_limit():
    described = of_the_command(keep_trees=True, games=6)
    assert play_match(described, move_limit=600).games == play_match(described).games


def test_a_limit_excludes_an_executor():
    with pytest.raises(ValueError, match='move_limit and executor exclude each other: give jobs'):
        play_match(small(), executor=object(), move_limit=5)
    for wrong in (0, -1, True, '5', float('inf')):
        with pytest.raises(ValueError, match='move_limit must be a number of seconds above 0'):
            play_match(small(), move_limit=wrong)
    assert issubclass(MoveLimitError, RuntimeError)
