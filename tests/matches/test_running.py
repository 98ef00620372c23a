"""Running a match: what is requested and who plays, observed by a stand-in executor."""

import sys
from itertools import chain

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from fmcts import Player, Search, SplitMix, mcts, random_bot
from fmcts.errors import MoveLimitError
from fmcts.games import tictactoe
from fmcts.matches import Sprt, match, play_match, play_number
from fmcts.matches._game import points
from fmcts.matches._running import MatchState, games_of
from fmcts.matches._sprt import Evidence
from played import MATCH, RNG, AtOnce, fmcts, in_file, of_the_command, small
from tiers import exhaustive, usually


def plain(**more):
    return small(first=random_bot, **more)


def test_games_played_before_are_not_handed_out():
    described, executor = plain(games=10), AtOnce()
    whole = play_match(described)
    assert play_match(described, executor=executor, before=whole.games[:7]) == whole
    assert list(chain(*(args[1] for args in executor.given))) == [7, 8, 9]


def test_a_match_that_ends_early_cancels_waiting_games():
    described = small(first=mcts(Search(100)), games=4000, sprt=Sprt(0, 100))
    executor = AtOnce()
    found = play_match(described, executor=executor)
    assert found.accepted == 'elo1'
    assert found == play_match(described)
    assert executor.cancelled == executor.untaken > 0
    assert play_match(described, executor=executor, before=found.games) == found


def test_match_describes_and_plays():
    told = []
    options = {'games': 6, 'rng': RNG, 'opening_plies': 1, 'names': ('one', 'two')}
    found = match(random_bot, mcts(Search(9)), tictactoe.start, watch=told.append, **options)
    assert found == play_match(
        small(first=random_bot, second=mcts(Search(9)), games=6, names=('one', 'two'))
    )
    assert tuple(told) == found.games
    executor = AtOnce()
    assert (
        match(random_bot, mcts(Search(9)), tictactoe.start, executor=executor, **options) == found
    )
    assert executor.given


@pytest.mark.parametrize('jobs', [0, -1, 1.5, True])
def test_jobs_must_be_a_positive_integer(jobs):
    with pytest.raises(ValueError, match='jobs must be a whole number of at least 1, not '):
        play_match(plain(games=4), jobs=jobs)


def test_sprt_is_checked_after_whole_pairs_only():
    """Also where a run was broken off between the two games of a pair."""
    described = small(first=mcts(Search(100)), games=400, sprt=Sprt(0, 100))
    found = play_match(described)
    assert len(found.games) % 2 == 0
    for kept in (1, len(found.games) - 1):
        told = []
        assert play_match(described, before=found.games[:kept], watch=told.append) == found
        assert tuple(told) == found.games[kept:]
    heard = []
    assert play_match(described, before=found.games, watch=heard.append) == found
    assert heard == []


@pytest.mark.parametrize('seed', range(6))
def test_sprt_ends_at_the_first_decisive_pair(seed):
    bots = {'first': mcts(Search(30)), 'rng': SplitMix.from_seed(seed), 'opening_plies': 0}
    whole = play_match(small(**bots, games=60)).games
    test = Sprt(0, 150, alpha=0.1, beta=0.1)
    looks = (count for count in range(2, 61, 2) if test.accepted(points(whole[:count])))
    found = play_match(small(**bots, games=60, sprt=test)).games
    assert found == whole[: next(looks)]


# ---- when a match is over ----


PLAIN = small(first=random_bot, games=4)
ONE = play_number(PLAIN, 0)
WORTH = {1: Player.X, 0: Player.O, 0.5: None}


def games(*points):
    """Games that are worth so much to the first bot, which is X in all of them."""
    return tuple(
        evolve(ONE, number=number, first_plays=Player.X, winner=WORTH[each])
        for number, each in enumerate(points)
    )


def test_state_after_each_game():
    """Points of a pair count when it is whole."""
    state = MatchState(PLAIN)
    known = [(state.games, state.seen, state.half)]
    for game in games(1, 0.5, 0.5, 0):
        state = state.after(game)
        known.append((state.games, state.seen, state.half))
    assert known == [
        (0, Evidence(), 0),
        (1, Evidence(), 1),
        (2, Evidence.of([1.5]), 0),
        (3, Evidence.of([1.5]), 0.5),
        (4, Evidence.of([1.5, 0.5]), 0),
    ]
    assert MatchState.of(PLAIN, games(1, 0.5, 0.5, 0)) == state
    assert MatchState.of(PLAIN, ()) == MatchState(PLAIN)


def test_a_match_ends_after_all_its_games():
    draws = [0.5] * 6
    found = [MatchState.of(PLAIN, games(*draws[:count])) for count in range(5)]
    over = 'the match was over, because it has 4 games'
    assert [state.over for state in found] == [None] * 4 + [over]
    with pytest.raises(ValueError, match=f'game 4: {over}'):
        MatchState.of(PLAIN, games(*draws))
    assert MatchState(PLAIN, 5).over == over


def test_a_file_with_games_after_the_end_is_refused(tmp_path):
    """By `verify`, and by a run that would go on; what would have been a right file is not."""
    path = tmp_path / 'games.jsonl'
    described = of_the_command(sprt=Sprt(0.0, 100.0))
    found = play_match(described).games
    assert len(found) < 40
    more = (*found, play_number(described, len(found)), play_number(described, len(found) + 1))
    over = f'{path}: game {len(found)}: the match was over, because its test had accepted elo1'
    for count in (1, 2):
        content = in_file(described, more[: len(found) + count])
        path.write_bytes(content)
        assert fmcts('verify', str(path), code=1).stderr == f'fmcts: {over}\n'
        words = (*MATCH, '--sprt', '0,100', '--out', str(path))
        assert fmcts(*words, code=2).stderr == f'fmcts: {over}; nothing was written\n'
        assert path.read_bytes() == content
    path.write_bytes(in_file(described, found))
    assert f'{len(found)} games hold' in fmcts('verify', str(path)).stdout


@given(st.lists(st.integers(0, 11), min_size=1, max_size=12, unique=True))
@settings(max_examples=10)
def test_games_are_independent(numbers):
    described = small()
    played = {number: play_number(described, number) for number in numbers}
    again = list(games_of(described, range(12)))
    assert all(again[number] == game for number, game in played.items())


def test_openings_on_the_command_line_may_contain_spaces():
    words = ('match', 'tictactoe', 'mc:5', 'random', '--games', '8', '--csv', '--opening')
    told = [fmcts(*words, text, '--opening', '0').stdout for text in ('4,0', ' 4, 0 ')]
    assert told[0] == told[1]
    assert [line.split(',')[4] for line in told[0].splitlines()[1:]] == 2 * ['4 0', '4 0', '0', '0']


# ---- time limits ----


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
