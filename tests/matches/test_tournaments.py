"""Tournaments and curves as lists of matches, and their standings."""

import json

import pytest
from attrs import evolve

from fmcts import Player, Search, SplitMix, mcts, monte_carlo, random_bot
from fmcts.errors import FinishedGameError
from fmcts.games import tictactoe
from fmcts.matches import (
    Match,
    MatchResult,
    _tournaments as tournaments,
    match,
    play_match,
    play_number,
)
from fmcts.matches._statistics import Encounter, Rating
from fmcts.matches._tournaments import TournamentResult, pairings, sweep, tournament
from played import RNG, fmcts

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


def test_invalid_tournaments_are_refused():
    for names in ('', 'a'):
        complaint = f'^a tournament needs at least 2 bots, not {len(names)}$'
        with pytest.raises(ValueError, match=complaint):
            pairings(dict.fromkeys(names, random_bot), tictactoe.start, rng=RNG)
    assert len(pairings(dict.fromkeys('ab', random_bot), tictactoe.start, rng=RNG)) == 1
    with pytest.raises(TypeError, match=r"^bots must be a dict of bots by name, not \[\('a', "):
        pairings([('a', random_bot), ('b', random_bot)], tictactoe.start, rng=RNG)
    over = tictactoe.parse('XXXOO....').unwrap()
    with pytest.raises(FinishedGameError, match='the game is over at the start'):
        tournament(BOTS, over, rng=RNG)


def test_a_tournament_equals_its_matches():
    bots = {'weak': random_bot, 'strong': mcts(Search(150)), 'middle': mcts(Search(8))}
    found = tournament(bots, tictactoe.start, rng=RNG, games=12)
    assert [row.name for row in found.standings] == ['strong', 'middle', 'weak']
    assert [row.games for row in found.standings] == [24, 24, 24]
    assert sum(row.points for row in found.standings) == 36
    second = match(
        random_bot, bots['middle'], tictactoe.start, rng=RNG.child(1), games=12,
        names=('weak', 'middle'),
    )  # fmt: skip
    assert found.results[1] == second
    assert tournament(bots, tictactoe.start, rng=RNG, games=12, jobs=2) == found


def test_trees_are_kept_where_a_bot_has_one():
    bots = {'tree': mcts(Search(20)), 'flat': monte_carlo(5), 'random': random_bot}
    planned = pairings(bots, tictactoe.start, rng=RNG, games=2, keep_trees=True)
    assert [it.keep_trees for it in planned] == [True, True, False]
    found = tournament(bots, tictactoe.start, rng=RNG, games=2, keep_trees=True)
    assert [it.games for it in found.results] == [play_match(it).games for it in planned]
    del bots['tree']
    with pytest.raises(
        ValueError, match='keep_trees needs a tree search without a schedule, and no bot'
    ):
        tournament(bots, tictactoe.start, rng=RNG, games=2, keep_trees=True)


# ---- the commands ----


def test_the_tournament_command(tmp_path):
    words = ['tournament', 'tictactoe', 'mcts:60', 'mc:20', 'random', '--games', '8']
    told = json.loads(fmcts(*words, '--json', '--plot', str(tmp_path / 'elo.svg')).stdout)
    bots = {'mcts:60': mcts(Search(60)), 'mc:20': monte_carlo(20), 'random': random_bot}
    found = tournament(bots, tictactoe.start, rng=SplitMix.from_seed(0), games=8)
    assert [(row['bot'], row['points'], row['games']) for row in told['standings']] == [
        (row.name, row.points, row.games) for row in found.standings
    ]
    assert [(it['wins'], it['draws'], it['losses']) for it in told['matches']] == [
        (it.wins, it.draws, it.losses) for it in found.results
    ]
    assert (tmp_path / 'elo.svg').read_text().count('mcts:60') == 1
    rows = fmcts(*words).stdout.splitlines()
    assert [row.split()[0] for row in rows] == ['bot', *(row.name for row in found.standings)]


def test_the_curve_command(tmp_path):
    words = ['curve', 'tictactoe', 'mcts:c=0.5', '--budgets', '5,40', '--against', 'random']
    words = [*words, '--games', '8']
    told = json.loads(fmcts(*words, '--json', '--plot', str(tmp_path / 'curve.svg')).stdout)
    found = sweep(
        lambda budget: mcts(Search(budget, c=0.5)), {'budget': (5, 40)}, random_bot,
        tictactoe.start, rng=SplitMix.from_seed(0), games=8,
    ).results  # fmt: skip
    assert [(it['budget'], it['wins'], it['losses']) for it in told['points']] == [
        (budget, it.wins, it.losses) for budget, it in zip((5, 40), found, strict=True)
    ]
    drawn = (tmp_path / 'curve.svg').read_text()
    title = 'tictactoe, mcts:c=0.5 against random'
    assert all(f'>{word}<' in drawn for word in ('5', '40', 'budget', title))
    assert fmcts(*words).stdout.splitlines()[1].split()[0] == '5'
