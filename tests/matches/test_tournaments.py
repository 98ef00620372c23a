"""Tournaments, and matches at several budgets."""

import json

import pytest

from fmcts import Search, SplitMix, mcts, monte_carlo, random_bot
from fmcts.games import tictactoe
from fmcts.matches import match, play_match, replay
from fmcts.matches._sweeps import curve
from fmcts.matches._tournaments import pairings, tournament
from played import fmcts

RNG = SplitMix.from_seed(4)


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


def test_a_curve_rises_with_the_budget():
    found = curve(
        lambda budget: mcts(Search(budget)), (1, 6, 300), random_bot, tictactoe.start,
        rng=RNG, games=40,
    )  # fmt: skip
    scores = [result.score for result in found]
    assert scores == sorted(scores)
    assert [result.match.names[0] for result in found] == ['bot:1', 'bot:6', 'bot:300']


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
    found = curve(
        lambda budget: mcts(Search(budget, c=0.5)), (5, 40), random_bot, tictactoe.start,
        rng=SplitMix.from_seed(0), games=8,
    )  # fmt: skip
    assert [(it['budget'], it['wins'], it['losses']) for it in told['points']] == [
        (budget, it.wins, it.losses) for budget, it in zip((5, 40), found, strict=True)
    ]
    drawn = (tmp_path / 'curve.svg').read_text()
    title = 'tictactoe, mcts:c=0.5 against random'
    assert all(f'>{word}<' in drawn for word in ('5', '40', 'budget', title))
    assert fmcts(*words).stdout.splitlines()[1].split()[0] == '5'


@pytest.mark.parametrize(
    'words',
    [
        ['tournament', 'tictactoe', 'mc:5', 'random'],
        ['curve', 'tictactoe', 'mc', '--budgets', '5', '--against', 'random'],
    ],
    ids=lambda words: words[0],
)
def test_given_openings_are_used_in_every_match(words, tmp_path):
    """In turn, each from both sides; and so they are played again."""
    openings = ['--opening', '4, 0', '--opening', '8']
    fmcts(*words, '--games', '6', *openings, '--out', str(tmp_path))
    (path,) = tmp_path.iterdir()
    games = replay(path).unwrap()
    assert [game.moves[: game.opening] for game in games] == [
        *[(4, 0)] * 2,
        *[(8,)] * 2,
        *[(4, 0)] * 2,
    ]
    assert fmcts('verify', str(tmp_path)).stdout == '6 games hold, move by move\n'


@pytest.mark.parametrize(
    ('words', 'complaint'),
    [
        *(
            ([*words, *more], complaint)
            for words in (
                ['tournament', 'tictactoe', 'mc:5', 'random'],
                ['curve', 'tictactoe', 'mc', '--budgets', '5', '--against', 'random'],
            )
            for more, complaint in (
                (['--opening', '4,4'], "opening 1: ply 2: '4' is not one of 0, 1, 2, 3, 5"),
                (
                    ['--opening', '4', '--opening-plies', '1'],
                    'openings and opening_plies exclude each other: give one of them',
                ),
            )
        ),
        (['tournament', 'tictactoe', 'random'], 'a tournament needs at least 2 bots, not 1'),
        (
            ['tournament', 'tictactoe', 'random', 'random'],
            'the bot random is named twice: name each bot once',
        ),
        (['curve', 'tictactoe', 'mcts'], "Missing option '--budgets'"),
        (
            ['curve', 'tictactoe', 'mcts', '--budgets', '1,x', '--against', 'random'],
            "--budgets must be whole numbers such as 10,100, not '1,x'",
        ),
        (
            ['curve', 'tictactoe', 'random', '--budgets', '1', '--against', 'random'],
            'random takes no number and no options: write only random',
        ),
    ],
)
def test_bad_input_is_one_line(words, complaint):
    done = fmcts(*words, code=2)
    assert complaint in done.stderr
    assert done.stderr.count('\n') == 1
