"""Match records, line by line: writing, reading, and refusing to overwrite."""

import json
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import pytest
from attrs import evolve

from fmcts import Search, mcts, random_bot
from fmcts.games import othello, tictactoe
from fmcts.matches import Sprt, load, play_match, replay
from fmcts.matches._description import contents_of
from fmcts.matches._files import (
    MatchFile,
    Recorded,
    check_of,
    game_in,
    head_of,
    line_of,
    read,
    values_of,
    written,
)
from played import RNG, in_file, small

MATCH = small(first=random_bot, games=4)
GAMES = play_match(MATCH).games
HEAD = head_of(MATCH, tictactoe)
VALUES = HEAD.to_json()
WHOLE = in_file(MATCH, GAMES)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / 'games.jsonl'
    path.write_bytes(WHOLE)
    return path


def resumed(path, match=MATCH):
    """What a run that goes on with a file finds in it."""
    file = MatchFile.of(match, tictactoe, path)
    return file.recorded, file.games


def wrong(function, *given):
    """What is wrong with a file, in words."""
    with pytest.raises(ValueError, match=r'\w') as caught:
        function(*given)
    return str(caught.value)


def play(path):
    return MatchFile.of(MATCH, tictactoe, path).play(None, lambda _game: None)


# ---- what is written ----


def test_the_header_describes_the_match():
    assert list(VALUES.items()) == [
        ('format', 2),
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
        ('contents', contents_of(MATCH, tictactoe)),
    ]
    move = othello.start.moves[0]
    more = evolve(
        MATCH, start=othello.start, opening_plies=0, openings=[[move]], sprt=Sprt(1, 2, 0.1, 0.2)
    )
    told = head_of(more, othello)
    assert told.openings == [[othello.format_move(move)]]
    assert (told.game, told.sprt) == ('othello', [1, 2, 0.1, 0.2])


def test_a_line_records_a_game_completely():
    for number, game in enumerate(GAMES):
        head = evolve(HEAD, first='one', second='two')
        line = values_of(head, game, tictactoe)
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
        assert check == check_of(head, line)
    draw = values_of(HEAD, evolve(GAMES[0], winner=None), tictactoe)
    assert draw['winner'] is None


STABLE = '8f3b4f1a80d386e0'


def test_the_checksum_covers_header_and_line_and_is_stable():
    """As it was when it was introduced: files that exist go on holding."""

    def check(line, **changes):
        first = {name: value for name, value in VALUES.items() if name != 'contents'}
        first |= {'format': 1, 'fmcts': '0', 'rng': 'splitmix:1', **changes}
        return check_of(SimpleNamespace(to_json=lambda: first), line)

    assert check({'number': 0, 'moves': ['4']}) == STABLE
    assert check({'moves': ['4'], 'check': 'x', 'number': 0}) == STABLE
    assert check({'number': 0, 'moves': ['4']}, games=8) != STABLE
    assert check({'number': 1, 'moves': ['4']}) != STABLE


def test_a_line_is_json_with_a_newline():
    assert written({'a': 1, 'b': [None]}) == b'{"a": 1, "b": [null]}\n'


# ---- what is read ----


def test_a_file_is_read(path):
    lines = tuple(line_of(HEAD, game, tictactoe) for game in GAMES)
    assert read(path) == Recorded(HEAD, lines, len(WHOLE))


def test_an_unfinished_last_line_is_ignored(path):
    first = WHOLE.index(b'\n') + 1
    for size in (first, first + 1, len(WHOLE) - 1):
        path.write_bytes(WHOLE[:size])
        kept = read(path)
        assert kept.size == WHOLE[:size].rindex(b'\n') + 1
        assert b''.join((written(kept.head.to_json()), *kept.lines)) == WHOLE[: kept.size]


def test_missing_and_empty_files_count_as_new(path):
    """No file, an empty one, or one that was killed within its first line."""
    none = path.parent / 'none'
    assert resumed(none) == (None, ())
    assert wrong(read, none) == f'{none}: there is no such file'
    for size in (0, 1, 11, 40, WHOLE.index(b'\n')):
        path.write_bytes(WHOLE[:size])
        assert resumed(path) == (None, ())
        assert wrong(read, path) == f'{path}: is not a match file: it has no complete line'


HEAD_LINE = written(VALUES)


@pytest.mark.parametrize(
    ('content', 'complaint'),
    [
        (b'notes', 'is not a match file: it has no complete line'),
        (HEAD_LINE[:-2] + b' }', 'is not a match file: it has no complete line'),
        (b'notes\n', 'is not a match file: line 1 is not an object of JSON'),
        (HEAD_LINE + b'[]\n', 'line 2 is not an object of JSON'),
        (HEAD_LINE + b'\n', 'line 2 is not an object of JSON'),
        (HEAD_LINE + b'\xff\n', 'line 2 is not an object of JSON'),
        (HEAD_LINE + b'[' * 100_000 + b'\n', 'line 2 is not an object of JSON'),
        (b'{"games": 2, ' + HEAD_LINE[1:], 'the first line was altered'),
        (b'{"a": 1}\n', 'is not a match file of format 2: its format is none'),
        (b'{"format": "x"}\n', "is not a match file of format 2: its format is 'x'"),
        (b'{"format": 0}\n', 'is not a match file of format 2: its format is 0'),
        (b'{"format": 3}\n', 'is not a match file of format 2: its format is 3'),
    ],
    ids=lambda it: it if isinstance(it, str) else '',
)
def test_invalid_files_are_refused(path, content, complaint):
    path.write_bytes(content)
    assert wrong(read, path) == f'{path}: {complaint}'
    assert wrong(resumed, path) == f'{path}: {complaint}; nothing was written'


ALTERED_HEADS = {
    'format': [True, 2.0, '2'],
    'fmcts': [1, None],
    'game': [None],
    'first': [['first']],
    'second': [2],
    'games': [4.0, '4', True],
    'rng': [None],
    'opening_plies': [True, 1.0],
    'openings': [[], [['4'], [4]], 'x', [['4'], '4']],
    'keep_trees': [0, None],
    'sprt': [False, [0, 1, 0.1], [0, 1, 0.1, True], {}],
    'contents': [None, {}, {**HEAD.contents, 'more': ''}, {**HEAD.contents, 'game': None}],
}


@pytest.mark.parametrize('name', VALUES)
def test_altered_headers_are_refused(name, path):
    """By everything that reads: a field that is missing, added, or of another type or value."""
    less = {key: value for key, value in VALUES.items() if key != name}
    heads = [less, {**VALUES, f'{name}s': VALUES[name]}]
    heads += [{**VALUES, name: value} for value in ALTERED_HEADS[name] if value != []]
    for head in heads:
        path.write_bytes(written(head) + WHOLE.partition(b'\n')[2])
        before = path.read_bytes()
        complaint = wrong(read, path)
        assert 'the first line was altered' in complaint or 'its format is' in complaint
        assert replay(path).failure() == complaint
        assert wrong(resumed, path) == f'{complaint}; nothing was written'
        assert path.read_bytes() == before


def test_folders_and_unreadable_files_are_refused(path, monkeypatch):
    assert wrong(read, path.parent) == f'{path.parent}: is not a regular file'

    def refuse(_path):
        raise PermissionError(13, 'Permission denied')

    monkeypatch.setattr(Path, 'read_bytes', refuse)
    assert wrong(read, path) == f'{path}: cannot be read: Permission denied'

    def fail(_path):
        raise OSError('no strerror')

    monkeypatch.setattr(Path, 'read_bytes', fail)
    assert wrong(read, path) == f'{path}: cannot be read: no strerror'


# ---- gone on with ----


def test_recorded_games_are_found(path):
    assert resumed(path) == (read(path), GAMES)
    assert resumed(path.parent / 'none') == (None, ())


def test_a_file_of_another_match_is_left_alone(path):
    told = wrong(resumed, path, evolve(MATCH, games=6))
    assert told == f'{path}: holds another match, with games 4, not 6; nothing was written'


def test_a_file_with_an_altered_game_is_left_alone(path):
    lines = WHOLE.decode().splitlines()
    for name, value, complaint in (
        ('rng_out', 'splitmix:1', 'its check does not match'),
        ('check', '', 'its check does not match'),
        ('number', 1.0, 'its check does not match'),
        ('more', 1, 'its check does not match'),
        ('moves', ['9'], 'ply 2: '),
        ('winner', 'Z', 'KeyError'),
    ):
        other = json.dumps({**json.loads(lines[2]), name: value})
        path.write_text('\n'.join([*lines[:2], other, *lines[3:]]) + '\n')
        told = wrong(resumed, path)
        assert told.startswith(f'{path}: game 1: {complaint}')
        assert told.endswith(f'(fmcts verify {path} names the ply); nothing was written')
        assert replay(path).failure().startswith(f'{path}: game 1: {complaint}')


def test_a_line_is_read_back_as_its_game():
    """It depends on the line but for the number, which is the line's place."""
    for number, game in enumerate(GAMES):
        line = values_of(HEAD, game, tictactoe)
        assert game_in(line, number, tictactoe) == game
        other = game_in(line, number + 3, tictactoe)
        assert other.number == number + 3
        assert other.first_plays is game.first_plays.other
    drawn = {**values_of(HEAD, GAMES[0], tictactoe), 'winner': None}
    assert wrong(game_in, drawn, 0, tictactoe).endswith('winner nobody recorded, X by the rules')


def test_invalid_lines_are_refused():
    line = values_of(HEAD, GAMES[2], tictactoe)
    for name in ('opening', 'moves', 'winner', 'rng_in', 'rng_out'):
        less = {key: value for key, value in line.items() if key != name}
        assert wrong(game_in, less, 2, tictactoe) == f"game 2: KeyError: '{name}'"
    found = wrong(game_in, {**line, 'winner': 'w' * 300}, 2, tictactoe)
    assert found == f"game 2: KeyError: '{'w' * 119}..."  # one line, not 300 characters
    found = wrong(game_in, {**line, 'rng_in': 'dice'}, 2, tictactoe)
    assert found.startswith("game 2: ValueError: generator 'dice': expected")
    found = wrong(game_in, {**line, 'opening': ['9']}, 2, tictactoe)
    assert found.startswith("game 2: ply 1: '9' is not one of 0, 1")


# ---- added to ----


@pytest.mark.parametrize('size', [None, 0, 6, len(HEAD_LINE), len(HEAD_LINE) + 9, len(WHOLE) - 10])
def test_a_run_continues_at_the_last_whole_line(size, path):
    """No file, an empty one, and files that end in mid-line."""
    path.unlink() if size is None else path.write_bytes(WHOLE[:size])
    assert play(path).games == GAMES
    assert path.read_bytes() == WHOLE


def test_foreign_text_at_the_end_is_left_alone(path):
    there = WHOLE[: read(path).size // 2]
    there = there[: there.rindex(b'\n') + 1] + b'my notes'
    path.write_bytes(there)
    with pytest.raises(OSError, match=f'something else follows byte {len(there) - 8}'):
        play(path)
    assert path.read_bytes() == there


def test_locks_admit_one_run_at_a_time(path):
    """Each would write what it plays between the lines of the other."""
    path.unlink()
    one, two = (MatchFile.of(MATCH, tictactoe, path) for _ in range(2))

    def second(_game):
        with pytest.raises(OSError, match='another run writes to it; nothing was written'):
            two.play(None, print)

    assert one.play(None, second).games == GAMES
    assert path.read_bytes() == WHOLE


def test_lines_written_since_reading_are_left_alone(path):
    path.write_bytes(WHOLE[:-10])
    file = MatchFile.of(MATCH, tictactoe, path)
    path.write_bytes(WHOLE)
    with pytest.raises(OSError, match='another run has written to it; nothing was written'):
        file.play(None, print)
    assert path.read_bytes() == WHOLE


# ---- as a result ----


def test_a_file_is_loaded_as_a_result(path):
    found = load(path).unwrap()
    assert found.games == GAMES
    assert (found.wins, found.match.names) == (play_match(MATCH).wins, ('first', 'second'))
    assert repr(found) == '<MatchResult first against second, 4 games: 2 won, 0 drawn, 2 lost>'
    with pytest.raises(TypeError, match='the bot first is known by its name only'):
        found.match.first(tictactoe.start, RNG)
    described = evolve(MATCH, first=mcts(Search(20)), names=('mcts:20', 'random'))
    path.write_bytes(in_file(described, play_match(described).games))
    assert load(path).unwrap() == play_match(described)
    opened = evolve(described, opening_plies=0, openings=[[4], [0, 8]])
    path.write_bytes(in_file(opened, play_match(opened).games))
    assert load(path).unwrap() == play_match(opened)
    path.write_bytes(b'notes\n')
    assert load(path).failure() == f'{path}: is not a match file: line 1 is not an object of JSON'
