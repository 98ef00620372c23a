"""Verifying recorded games by playing them again."""

from importlib.metadata import version

import pytest
from attrs import evolve

from fmcts import Search, mcts, random_bot
from fmcts.games import tictactoe
from fmcts.matches import Sprt, play_match, play_number
from fmcts.matches._files import Recorded, check_of, head_of, line_of, values_of, written
from fmcts.matches._verification import difference, verify
from played import small

MATCH = small(first=random_bot, games=6)
GAMES = play_match(MATCH).games
HEAD = head_of(MATCH, tictactoe)
LINES = tuple(line_of(HEAD, game, tictactoe) for game in GAMES)


def told(lines=LINES, head=HEAD, match=MATCH, **more):
    """The number of games that hold, or what is wrong."""
    try:
        found = verify(Recorded(head, tuple(lines), 0), match, tictactoe, **more)
        return int(found.partition(' games hold, move by move')[0])
    except ValueError as error:
        return str(error)


def test_a_correct_record_passes():
    heard = []
    assert told(watch=heard.append) == told() == 6
    assert heard == [1, 2, 3, 4, 5, 6]


def test_missing_and_surplus_games_are_reported():
    assert told(LINES[:4]) == 'the match has 6 games, the file 4'
    assert told(()) == 'the match has 6 games, the file 0'
    more = small(first=random_bot, games=4)
    head = head_of(more, tictactoe)
    lines = [line_of(head, game, tictactoe) for game in GAMES]
    assert told(lines, head, more) == 'game 4: the match was over, because it has 4 games'


def test_a_match_ended_by_sprt_may_be_shorter():
    """Fewer games are right when the test had accepted something, and only then; more never."""
    ended = small(first=mcts(Search(40)), games=40, sprt=Sprt(0, 200, alpha=0.4, beta=0.4))
    found = play_match(ended)
    assert 2 <= len(found.games) < 40
    head = head_of(ended, tictactoe)
    lines = [line_of(head, game, tictactoe) for game in found.games]
    assert told(lines, head, ended) == len(lines)
    count = len(lines) - 2
    assert told(lines[:-2], head, ended) == f'the match has 40 games, the file {count}'
    more = [line_of(head, play_number(ended, number), tictactoe) for number in range(40)]
    assert more[: len(lines)] == lines
    for surplus in (1, 2, 5):
        assert told(more[: len(lines) + surplus], head, ended) == (
            f'game {len(lines)}: the match was over, because its test had accepted elo1'
        )


def test_an_altered_header_is_distinguished_from_altered_games():
    other = evolve(HEAD, games=8)
    complaint = 'no checksum matches: the first line was altered, or every game'
    assert told(head=other) == complaint
    one = line_of(other, GAMES[3], tictactoe)
    assert told((*LINES[:3], one, *LINES[4:]), other).startswith('game 0: its check ')
    assert told((), other) == 'the match has 6 games, the file 0'


@pytest.mark.parametrize(
    ('recorded', 'said'),
    [('0.0', ' (by fmcts 0.0; this is {})'), ('9', ' (by fmcts 9; this is {})'), ('', '')],
)
def test_another_version_is_offered_as_the_explanation(recorded, said):
    head = evolve(HEAD, fmcts=recorded or version('fmcts'))
    lines = [line_of(head, game, tictactoe) for game in GAMES]
    assert told(lines, head) == 6
    end = said.format(version('fmcts'))
    for name, complaint in (('rng_out', 'rng_out'), ('winner', 'KeyError')):
        value = {'rng_out': 'splitmix:7', 'winner': 'Z'}[name]
        lines[2] = written({**values_of(head, GAMES[2], tictactoe), name: value})
        found = told(lines, head)
        assert found.startswith(f'game 2: {complaint}')
        assert found.endswith(end)


AGAIN = {
    'number': 2,
    'x': 'one',
    'o': 'two',
    'opening': ['4', '0'],
    'moves': ['1', '7', '2', '6'],
    'winner': None,
    'rng_in': 'splitmix:1',
    'rng_out': 'splitmix:2',
}
AGAIN['check'] = check_of(HEAD, AGAIN)


@pytest.mark.parametrize(
    ('changed', 'expected'),
    [
        ({'number': 3}, 'number 3 recorded, 2 played again'),
        ({'number': 2.0}, 'number 2.0 recorded, 2 played again'),
        ({'x': 'two'}, "x 'two' recorded, 'one' played again"),
        ({'o': 1}, "o 1 recorded, 'two' played again"),
        ({'opening': ['4', '8']}, "ply 2: '8' recorded, '0' played again"),
        ({'opening': ['4']}, "ply 2: no move recorded, '0' played again"),
        ({'opening': ['4', '0', '1']}, "ply 3: '1' recorded, no move played again"),
        ({'opening': None}, "opening None recorded, ['4', '0'] played again"),
        ({'moves': ['3', '7', '2', '6']}, "ply 3: '3' recorded, '1' played again"),
        ({'moves': ['1', '7', '2', '8']}, "ply 6: '8' recorded, '6' played again"),
        ({'moves': ['1', '7', '2']}, "ply 6: no move recorded, '6' played again"),
        ({'moves': 7}, "moves 7 recorded, ['1', '7', '2', '6'] played again"),
        ({'winner': 'X'}, "winner 'X' recorded, None played again"),
        ({'rng_in': ''}, "rng_in '' recorded, 'splitmix:1' played again"),
        ({'rng_out': ''}, "rng_out '' recorded, 'splitmix:2' played again"),
        ({'check': '0'}, 'its check does not match: this line or the first was altered'),
        ({'more': 0, 'else': 1}, "'more' is not a field of a game"),
    ],
    ids=str,
)
def test_the_first_difference_is_named(changed, expected):
    assert difference({**AGAIN, **changed}, AGAIN) == expected


def test_a_missing_field_is_named():
    for name in ('x', 'moves', 'check'):
        less = {key: value for key, value in AGAIN.items() if key != name}
        assert difference(less, AGAIN) == f'{name} is missing'
