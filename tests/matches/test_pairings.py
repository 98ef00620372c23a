"""Tournaments and curves as lists of matches, and their standings."""

from contextlib import contextmanager

import pytest
from attrs import evolve

from fmcts import Player, Search, mcts, monte_carlo, random_bot
from fmcts.errors import FinishedGameError
from fmcts.games import tictactoe
from fmcts.matches import (
    Match,
    MatchResult,
    _running as running,
    _tournaments as tournaments,
    play_match,
    play_number,
)
from fmcts.matches._ratings import Encounter, Rating
from fmcts.matches._sweeps import curve, points_of_curve
from fmcts.matches._tournaments import TournamentResult, pairings, tournament
from played import RNG

FLAT = monte_carlo(3)
BOTS = {'a': random_bot, 'b': FLAT, 'c': random_bot, 'd': FLAT}
PAIRS = ('ab', 'ac', 'ad', 'bc', 'bd', 'cd')


def test_every_pair_plays_a_match_with_its_own_generator():
    found = pairings(BOTS, tictactoe.start, rng=RNG, games=4, opening_plies=2, max_plies=20)
    assert found == tuple(
        Match(
            first=BOTS[one],
            second=BOTS[two],
            start=tictactoe.start,
            rng=RNG.child(number),
            games=4,
            names=(one, two),
            opening_plies=2,
            max_plies=20,
        )
        for number, (one, two) in enumerate(PAIRS)
    )
    plain = pairings({'a': random_bot, 'b': FLAT}, tictactoe.start, rng=RNG)
    assert [(it.games, it.keep_trees) for it in plain] == [(100, False)]
    assert pairings(bots={'a': random_bot, 'b': FLAT}, start=tictactoe.start, rng=RNG) == plain


def test_trees_are_kept_where_a_bot_has_one():
    tree = mcts(Search(9))
    found = pairings({**BOTS, 'e': tree}, tictactoe.start, rng=RNG, games=2, keep_trees=True)
    assert [it.keep_trees for it in found] == ['e' in it.names for it in found]
    found = pairings({'e': tree, 'f': random_bot}, tictactoe.start, rng=RNG, keep_trees=True)
    assert [it.keep_trees for it in found] == [True]
    complaint = 'keep_trees needs a tree search without a schedule, and no bot is one'
    with pytest.raises(ValueError, match=f'^{complaint}$'):
        pairings(BOTS, tictactoe.start, rng=RNG, keep_trees=True)


@contextmanager
def listened_to(asked):
    """Who plays is written down: once for all matches, then for each."""

    @contextmanager
    def there(executor, jobs, move_limit):
        asked.append(f'{executor}, {jobs}, {move_limit}')
        yield asked[-1]

    def counted(described, **how):
        asked.append(how['executor'])
        with pytest.MonkeyPatch.context() as back:  # it plays in this process
            back.setattr(running, 'players', players)
            return play_match(described, watch=how['watch'])

    players = running.players
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, 'play_match', counted)
        patch.setattr(running, 'players', there)
        yield


def test_a_tournament_plays_its_matches_in_order():
    """And all of it is handed on: who plays, who is told."""
    heard, asked = [], []

    options = {'rng': RNG, 'games': 2}
    with listened_to(asked):
        found = tournament(
            BOTS, tictactoe.start, executor='e', jobs=7, watch=heard.append, **options
        )
        tournament(bots=BOTS, start=tictactoe.start, **options)
    assert asked == ['e, 7, None', *['e, 7, None'] * 6, 'None, 1, None', *['None, 1, None'] * 6]
    assert found == tournament(BOTS, tictactoe.start, **options)
    assert found.names == ('a', 'b', 'c', 'd')
    planned = pairings(BOTS, tictactoe.start, **options)
    assert found.results == tuple(map(play_match, planned))
    assert heard == [game for it in found.results for game in it.games]


X, O = Player.X, Player.O  # noqa: E741 - their names


def with_points(described, *points):
    """The match with games in which the first bot got these points."""
    sides = {1.0: (X, O), 0.5: (None, None), 0.0: (O, X)}
    games = (
        evolve(play_number(described, n), winner=sides[it][n % 2]) for n, it in enumerate(points)
    )
    return MatchResult(described, tuple(games))


def test_standings_of_points_and_ratings(monkeypatch):
    """Points of both sides of each match, and ratings by who met whom; the highest is the first."""
    planned = pairings(dict.fromkeys('abc', random_bot), tictactoe.start, rng=RNG, games=4)
    scores = ((1.0, 1.0, 0.5, 0.0), (0.0, 0.5), (0.0, 0.0, 1.0, 0.0))
    results = (with_points(it, *points) for it, points in zip(planned, scores, strict=True))
    asked = []
    given = (Rating(-5.0, -9.0, -1.0), Rating(3.0, 1.0, 5.0), Rating(2.0, -7.0, 11.0))

    def rated(encounters, count):
        asked.append((list(encounters), count))
        return given

    monkeypatch.setattr(tournaments, 'ratings', rated)
    found = TournamentResult(('a', 'b', 'c'), tuple(results))
    rows = [(it.name, it.points, it.games, it.rating) for it in found.standings]
    assert asked == [
        ([Encounter(0, 1, 2.5, 4), Encounter(0, 2, 0.5, 2), Encounter(1, 2, 1.0, 4)], 3)
    ]
    assert rows == [('b', 2.5, 8, given[1]), ('c', 4.5, 6, given[2]), ('a', 3.0, 6, given[0])]
    table = found.table()
    assert table.columns == {
        'bot': str, 'points': float, 'games': int, 'elo': float, 'low': float, 'high': float,
    }  # fmt: skip
    assert table.rows[1] == ('c', 4.5, 6, 2.0, -7.0, 11.0)
    assert len(table.rows) == 3


def test_a_missing_match_is_detected():
    with pytest.raises(ValueError, match='zip'):
        _ = TournamentResult(('a', 'b'), ()).standings


def test_a_curve_is_a_match_per_budget():
    options = {'rng': RNG, 'games': 4, 'opening_plies': 1, 'names': ('mc', 'random')}
    found = points_of_curve(monte_carlo, (5, 2), random_bot, tictactoe.start, **options)
    assert found == tuple(
        Match(
            first=monte_carlo(budget),
            second=random_bot,
            start=tictactoe.start,
            rng=RNG.child(number),
            games=4,
            names=(f'mc:{budget}', 'random'),
            opening_plies=1,
        )
        for number, budget in enumerate((5, 2))
    )
    (plain,) = points_of_curve(monte_carlo, [5], random_bot, tictactoe.start, rng=RNG)
    assert (plain.games, plain.names) == (100, ('bot:5', 'opponent'))
    named = {'bot': monte_carlo, 'budgets': [5], 'against': random_bot, 'start': tictactoe.start}
    assert points_of_curve(**named, rng=RNG) == (plain,)


def test_a_curve_plays_its_matches_in_order():
    heard, asked = [], []

    options = {'rng': RNG, 'games': 2}
    with listened_to(asked):
        found = curve(
            monte_carlo, (2, 5), random_bot, tictactoe.start, executor='e', jobs=7,
            watch=heard.append, **options,
        )  # fmt: skip
        curve(bot=monte_carlo, budgets=(2, 5), against=random_bot, start=tictactoe.start, **options)
    assert asked == ['e, 7, None', *['e, 7, None'] * 2, 'None, 1, None', *['None, 1, None'] * 2]
    planned = points_of_curve(monte_carlo, (2, 5), random_bot, tictactoe.start, **options)
    assert found == tuple(map(play_match, planned))
    assert found == curve(monte_carlo, (2, 5), random_bot, tictactoe.start, **options)
    assert heard == [game for it in found for game in it.games]


def test_invalid_tournaments_and_curves_are_refused():
    for names in ('', 'a'):
        complaint = f'^a tournament needs at least 2 bots, not {len(names)}$'
        with pytest.raises(ValueError, match=complaint):
            pairings(dict.fromkeys(names, random_bot), tictactoe.start, rng=RNG)
    assert len(pairings(dict.fromkeys('ab', random_bot), tictactoe.start, rng=RNG)) == 1
    with pytest.raises(TypeError, match=r"^bots must be a dict of bots by name, not \[\('a', "):
        pairings([('a', random_bot), ('b', random_bot)], tictactoe.start, rng=RNG)
    with pytest.raises(ValueError, match=r'^a curve needs at least one budget$'):
        points_of_curve(monte_carlo, (), random_bot, tictactoe.start, rng=RNG)
    over = tictactoe.parse('XXXOO....').unwrap()
    with pytest.raises(FinishedGameError, match='the game is over at the start'):
        tournament(BOTS, over, rng=RNG)
