"""Records of matches, line by line: what stands there, what is read, and what is left alone."""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from attrs import evolve
from returns.result import Failure, Success

sys.path.insert(0, str(Path(__file__).parent))  # importlib mode: no packages
from played import RNG, in_file, small

sys.path.pop(0)

from fmcts import random_bot
from fmcts.games import othello, tictactoe
from fmcts.matches import Sprt, play_match
from fmcts.matches.files import (
    FORMAT,
    Recorded,
    append_to,
    check_of,
    game_in,
    head_of,
    line_of,
    read,
    resumed,
    written,
)

MATCH = small(first=random_bot, games=4)
GAMES = play_match(MATCH).games
HEAD = head_of(MATCH, tictactoe)
WHOLE = in_file(MATCH, GAMES)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / 'games.jsonl'
    path.write_bytes(WHOLE)
    return path


# ---- what is written ----


def test_the_first_line_says_what_the_match_is():
    assert list(HEAD.items()) == [
        ('format', 1),
        ('fmcts', version('fmcts')),
        ('game', 'tictactoe'),
        ('first', 'first'),
        ('second', 'second'),
        ('games', 4),
        ('rng', f'splitmix:{RNG.state}:{RNG.gamma}'),
        ('opening_plies', 1),
        ('openings', None),
        ('keep_trees', False),
        ('sprt', None),
    ]
    move = othello.start.moves[0]
    more = evolve(
        MATCH, start=othello.start, opening_plies=0, openings=[[move]], sprt=Sprt(1, 2, 0.1, 0.2)
    )
    told = head_of(more, othello)
    assert told['openings'] == [[othello.format_move(move)]]
    assert (told['game'], told['sprt']) == ('othello', [1, 2, 0.1, 0.2])


def test_a_line_says_all_of_a_game():
    for number, game in enumerate(GAMES):
        line = line_of({**HEAD, 'first': 'one', 'second': 'two'}, game, tictactoe)
        x, o = ('two', 'one') if number % 2 else ('one', 'two')
        check = line.pop('check')
        assert line == {
            'number': number,
            'x': x,
            'o': o,
            'opening': [str(move) for move in game.opening],
            'moves': [str(move) for move in game.moves],
            'winner': None if game.winner is None else game.winner.name,
            'rng_in': f'splitmix:{game.rng_in.state}:{game.rng_in.gamma}',
            'rng_out': f'splitmix:{game.rng_out.state}:{game.rng_out.gamma}',
        }
        assert check == check_of({**HEAD, 'first': 'one', 'second': 'two'}, line)
    draw = line_of(HEAD, evolve(GAMES[0], winner=None), tictactoe)
    assert draw['winner'] is None


def test_the_check_is_of_both_lines_and_never_another():
    """As it was when it was introduced: files that exist go on holding."""
    assert check_of({'format': 1}, {'number': 0, 'moves': ['4']}) == '9436da4533b3f728'
    assert check_of({'format': 1}, {'moves': ['4'], 'check': 'x', 'number': 0}) == (
        '9436da4533b3f728'
    )
    assert check_of({'format': 2}, {'number': 0, 'moves': ['4']}) != '9436da4533b3f728'
    assert check_of({'format': 1}, {'number': 0, 'moves': ['4'], 'a': 1}) != '9436da4533b3f728'
    assert check_of({'format': 1}, {'number': 1, 'moves': ['4']}) != '9436da4533b3f728'


def test_a_line_is_json_and_its_end():
    assert written({'a': 1, 'b': [None]}) == '{"a": 1, "b": [null]}\n'


# ---- what is read ----


def test_a_file_is_read(path):
    lines = tuple(line_of(HEAD, game, tictactoe) for game in GAMES)
    assert read(path) == Success(Recorded(HEAD, lines, len(WHOLE)))


def test_a_line_that_was_not_ended_is_left_out(path):
    first = WHOLE.index(b'\n') + 1
    for size in (first, first + 1, len(WHOLE) - 1):
        path.write_bytes(WHOLE[:size])
        kept = read(path).unwrap()
        assert kept.size == WHOLE[:size].rindex(b'\n') + 1
        assert written(kept.head) + ''.join(map(written, kept.lines)) == (
            WHOLE[: kept.size].decode()
        )


def test_where_nothing_was_written_yet(path):
    """No file, an empty one, or one that was killed within its first line."""
    assert read(path.parent / 'none') == Success(None)
    for begun in (b'', b'{', b'{"format": ', WHOLE[:40]):
        path.write_bytes(begun)
        assert read(path) == Success(None)


@pytest.mark.parametrize(
    ('content', 'complaint'),
    [
        (b'notes', 'is no record of a match of format 1: its format is none'),
        (b'notes\n', 'line 1 is no object of JSON'),
        (b'{"format": 1}\n[]\n', 'line 2 is no object of JSON'),
        (b'{"format": 1}\n\n', 'line 2 is no object of JSON'),
        (b'{"format": 1}\n\xff\n', 'line 2 is no object of JSON'),
        (b'{"format": 1}\n' + b'[' * 100_000 + b'\n', 'line 2 is no object of JSON'),
        (b'{"a": 1}\n', 'is no record of a match of format 1: its format is none'),
        (b'{"format": "x"}\n', "is no record of a match of format 1: its format is 'x'"),
        (b'{"format": 0}\n', 'is no record of a match of format 1: its format is 0'),
    ],
    ids=lambda it: it if isinstance(it, str) else '',
)
def test_what_is_no_record(path, content, complaint):
    assert FORMAT == 1
    path.write_bytes(content)
    assert read(path) == Failure(f'{path}: {complaint}')


def test_what_is_no_file(path, monkeypatch):
    assert read(path.parent) == Failure(f'{path.parent}: is no file, or one without an end')

    def refuse(_path):
        raise PermissionError(13, 'Permission denied')

    monkeypatch.setattr(Path, 'read_bytes', refuse)
    assert read(path) == Failure(f'{path}: cannot be read: Permission denied')

    def fail(_path):
        raise OSError('no strerror')

    monkeypatch.setattr(Path, 'read_bytes', fail)
    assert read(path) == Failure(f'{path}: cannot be read: no strerror')


# ---- gone on with ----


def test_what_was_played_is_found(path):
    kept, games = resumed(path, HEAD, tictactoe).unwrap()
    assert (kept, games) == (read(path).unwrap(), GAMES)
    assert resumed(path.parent / 'none', HEAD, tictactoe) == Success((None, ()))


def test_another_match_is_left_alone(path):
    told = resumed(path, {**HEAD, 'games': 6}, tictactoe)
    assert told == Failure(f'{path}: holds another match, with games 4, not 6; nothing was written')
    told = resumed(path, {**HEAD, 'more': 'x'}, tictactoe)
    assert told == Failure(
        f"{path}: holds another match, with more None, not 'x'; nothing was written"
    )


def test_an_altered_game_is_left_alone(path):
    lines = WHOLE.decode().splitlines()
    for name, value, complaint in (
        ('rng_out', 'splitmix:1', 'game 1 was altered; nothing was written'),
        ('check', '', 'game 1 was altered; nothing was written'),
        ('moves', ['9'], 'game 1 was altered; nothing was written'),
        ('winner', 'Z', 'game 1 was altered; nothing was written'),
    ):
        other = json.dumps({**json.loads(lines[2]), name: value})
        path.write_text('\n'.join([*lines[:2], other, *lines[3:]]) + '\n')
        told = resumed(path, HEAD, tictactoe).failure()
        assert told.startswith(f'{path}: {complaint}')


def test_the_game_of_a_line():
    """It depends on the line but for the number, which is the line's place."""
    for number, game in enumerate(GAMES):
        line = line_of(HEAD, game, tictactoe)
        assert game_in(line, number, tictactoe) == Success(game)
        other = game_in(line, number + 3, tictactoe).unwrap()
        assert other.number == number + 3
        assert other.first_plays is game.first_plays.other
    drawn = {**line_of(HEAD, GAMES[0], tictactoe), 'winner': None}
    assert game_in(drawn, 0, tictactoe).unwrap().winner is None


def test_a_line_that_holds_no_game():
    line = line_of(HEAD, GAMES[2], tictactoe)
    for name in ('opening', 'moves', 'winner', 'rng_in', 'rng_out'):
        less = {key: value for key, value in line.items() if key != name}
        assert game_in(less, 2, tictactoe) == Failure(f"game 2: KeyError: '{name}'")
    found = game_in({**line, 'winner': 'w' * 300}, 2, tictactoe).failure()
    assert found == f"game 2: KeyError: '{'w' * 119}..."  # one line, not 300 characters
    found = game_in({**line, 'opening': ['9']}, 2, tictactoe)
    assert found.failure().startswith("game 2: ply 1: '9' is not one of 0, 1")


# ---- added to ----


def test_a_new_file_begins_with_its_first_line(tmp_path):
    """At once, so that another run of another match does not take its place."""
    path = tmp_path / 'new.jsonl'
    path.write_text('{"form')  # killed in its first line
    with append_to(path, None, {'é': 1}) as file:
        assert path.read_bytes() == b'{"\\u00e9": 1}\n'
        file.write('é\n')
    assert path.read_bytes() == b'{"\\u00e9": 1}\n\xc3\xa9\n'


def test_a_file_goes_on_after_its_last_whole_line(path):
    path.write_bytes(WHOLE + b'{"numb')
    with append_to(path, read(path).unwrap(), HEAD) as file:
        file.write('é\n')
    assert path.read_bytes() == WHOLE + b'\xc3\xa9\n'


@pytest.mark.parametrize('kept', ['new', 'old'])
def test_one_run_at_a_time_writes_to_a_file(kept, path):
    """Each would write what it plays between the lines of the other."""
    if kept == 'new':
        path.unlink()
    before = read(path).unwrap()
    with append_to(path, before, HEAD):
        held = path.read_bytes()
        with pytest.raises(OSError, match='another run writes to it; nothing was written'):
            append_to(path, before, HEAD)
    assert path.read_bytes() == held
    append_to(path, read(path).unwrap(), HEAD).close()


@pytest.mark.parametrize('kept', ['new', 'old'])
def test_what_was_written_since_the_file_was_read_is_left_alone(kept, path):
    path.write_bytes(b'' if kept == 'new' else WHOLE[:-10])  # as if killed in the last line
    before = read(path).unwrap()
    path.write_bytes(WHOLE)
    with pytest.raises(OSError, match='another run has written to it meanwhile; nothing was'):
        append_to(path, before, HEAD)
    assert path.read_bytes() == WHOLE


def test_without_portalocker_its_extra_is_named(path, monkeypatch):
    monkeypatch.setitem(sys.modules, 'portalocker', None)
    with pytest.raises(ImportError, match=r"pip install 'fmcts\[matches\]'"):
        append_to(path, read(path).unwrap(), HEAD)
    assert path.read_bytes() == WHOLE
