"""Tournaments and curves as lists of matches, and their standings."""

import pytest
from attrs import evolve

from fmcts import Player, monte_carlo, random_bot
from fmcts.errors import FinishedGameError
from fmcts.games import tictactoe
from fmcts.matches import (
    Match,
    MatchResult,
    _tournaments as tournaments,
    curve,
    play_number,
)
from fmcts.matches._ratings import Encounter, Rating
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
    found = curve(monte_carlo, (5, 2), random_bot, tictactoe.start, **options)
    assert tuple(it.match for it in found) == tuple(
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
    (plain,) = curve(monte_carlo, [1], random_bot, tictactoe.start, rng=RNG)
    assert (len(plain.games), plain.match.names) == (100, ('bot:1', 'opponent'))


def test_invalid_tournaments_and_curves_are_refused():
    for names in ('', 'a'):
        complaint = f'^a tournament needs at least 2 bots, not {len(names)}$'
        with pytest.raises(ValueError, match=complaint):
            pairings(dict.fromkeys(names, random_bot), tictactoe.start, rng=RNG)
    assert len(pairings(dict.fromkeys('ab', random_bot), tictactoe.start, rng=RNG)) == 1
    with pytest.raises(TypeError, match=r"^bots must be a dict of bots by name, not \[\('a', "):
        pairings([('a', random_bot), ('b', random_bot)], tictactoe.start, rng=RNG)
    with pytest.raises(ValueError, match=r'^a curve needs at least one budget$'):
        curve(monte_carlo, (), random_bot, tictactoe.start, rng=RNG)
    over = tictactoe.parse('XXXOO....').unwrap()
    with pytest.raises(FinishedGameError, match='the game is over at the start'):
        tournament(BOTS, over, rng=RNG)
