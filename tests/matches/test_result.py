"""The result of a match, from games with given outcomes."""

import csv
import io
import json
import math
import sys
from importlib.metadata import version

import pytest
from attrs import evolve

from fmcts import Player, Search, SplitMix, mcts, random_bot
from fmcts.games import othello, tictactoe
from fmcts.matches import MatchResult, PlayedGame, Sprt, SweepResult, _result as result, match
from fmcts.matches._seatings import Seatings
from fmcts.matches._statistics import elo_of_score
from fmcts.matches._tables import FRAMES, ResultTable
from fmcts.record import play_seats
from played import RNG, small

X, O = Player.X, Player.O  # noqa: E741 - their names
WINNERS = (X, O, None, X, X, X, None)  # won, won, drawn, lost, won, lost, drawn


def game(number, winner, **more):
    side = O if number % 2 else X
    plain = PlayedGame(
        number, tictactoe.start, side, (4,), (0, 8), winner, RNG.child(number), SplitMix(5, 7)
    )
    return evolve(plain, **more)


GAMES = tuple(game(number, winner) for number, winner in enumerate(WINNERS))


def of(games=GAMES, **more):
    return MatchResult(small(names=('good', 'weak'), **more), tuple(games))


def test_games_are_told_apart_by_moves_without_a_hash_too():
    games = [game(number, X, moves=([0], [1], [number // 2])) for number in range(5)]
    assert (of(games).distinct, of().distinct) == (3, 1)


@pytest.fixture
def plain_intervals(monkeypatch):
    """Intervals that say what they were asked."""
    monkeypatch.setattr(result, 'wilson', lambda points, games: (points / games / 2, games / 10))


def test_results_are_counted_for_the_first_bot():
    assert [it.points for it in GAMES] == [1.0, 1.0, 0.5, 0.0, 1.0, 0.0, 0.5]
    assert (of().wins, of().draws, of().losses) == (3, 2, 2)
    assert of().score == 4 / 7
    assert of().elo == elo_of_score(4 / 7)


@pytest.mark.usefixtures('plain_intervals')
def test_intervals_of_score_and_elo():
    assert of().interval == (2 / 7, 0.7)
    assert of().elo_interval == (elo_of_score(2 / 7), elo_of_score(0.7))


@pytest.mark.usefixtures('plain_intervals')
def test_perfectly_correlated_pairs_count_as_one_game():
    twice = tuple(game for game in GAMES for _ in range(2))
    assert [it.points for it in twice[::2]] == [it.points for it in twice[1::2]]
    assert of(twice).interval == (2 / 7, 0.7)


def test_a_result_is_short_in_words_however_many_games_it_has():
    many = of(GAMES * 100)
    assert repr(many) == '<MatchResult good against weak, 700 games: 300 won, 200 drawn, 200 lost>'
    for results in (SweepResult(('c',), ((1,), (2,)), (many, many)), many.table()):
        assert len(repr(results)) < 400
    record = play_seats(tictactoe.start, (random_bot, random_bot), RNG)
    assert len(repr(Seatings((record,) * 100, ((0, 1),) * 100, 2, ('a', 'b')))) < 100


def test_without_games_there_is_no_score():
    with pytest.raises(ValueError, match='no game was played: there is no score'):
        _ = of(()).score
    assert (of(()).wins, of(()).draws, of(()).losses) == (0, 0, 0)


def test_decision_of_sprt_by_whole_pairs():
    """By whole pairs: the last game here has no partner."""
    won = [game(number, O if number % 2 else X) for number in range(40)]
    test = Sprt(0, 200)
    assert of(won).accepted is None
    assert of(won, sprt=test).accepted == 'elo1'
    assert of(won[:2], sprt=test).accepted is None
    lost = [game(number, X if number % 2 else O) for number in range(40)]
    assert of(lost, sprt=test).accepted == 'elo0'


def test_a_table_has_one_row_per_game():
    """Column by column, bots by their sides, nothing for the winner of a drawn game."""
    rows = of().table().to_dicts()
    assert len(rows) == 7
    assert rows[0] == {
        'fmcts': version('fmcts'),
        'number': 0,
        'x': 'good',
        'o': 'weak',
        'opening': '4',
        'moves': '0 8',
        'winner': 'X',
        'points': 1.0,
        'rng_in': f'splitmix:{RNG.child(0).state}:{RNG.child(0).gamma}',
        'rng_out': 'splitmix:5:7',
    }
    assert [(row['number'], row['x'], row['winner']) for row in rows] == [
        (0, 'good', 'X'),
        (1, 'weak', 'O'),
        (2, 'good', None),
        (3, 'weak', 'X'),
        (4, 'good', 'X'),
        (5, 'weak', 'X'),
        (6, 'good', None),
    ]
    assert {row['o'] for row in rows if row['x'] == 'weak'} == {'good'}
    kinds = [str, int, str, str, str, str, str, float, str, str]
    assert list(of().table().columns.values()) == kinds


def test_moves_in_a_table_use_the_given_format():
    opening, moves = othello.start.moves[:2], othello.start.moves[2:]
    one = game(0, X, opening=opening, moves=moves)
    row = of([one]).table(othello.format_move).to_dicts()[0]
    assert row['opening'].split() == list(map(othello.format_move, opening))
    assert row['moves'].split() == list(map(othello.format_move, moves))


# ---- tables ----


@pytest.fixture(scope='module')
def thirty():
    bots = mcts(Search(40)), mcts(Search(30))
    names = ('good', 'weak')
    return match(*bots, tictactoe.start, games=30, rng=RNG, opening_plies=1, names=names)


def test_a_row_of_a_timed_game_has_its_iterations():
    bots = mcts(Search(40)), random_bot
    found = match(*bots, tictactoe.start, games=2, rng=RNG, seconds=0.001)
    for game, row in zip(found.games, found.table().to_dicts(), strict=True):
        assert tuple(map(int, row['iterations'].split())) == game.iterations != ()


def test_json_and_csv_contain_the_rows(thirty):
    table = thirty.table()
    assert json.loads(table.to_json()) == table.to_dicts()
    read = list(csv.DictReader(io.StringIO(table.to_csv())))
    assert read == [
        {name: '' if value is None else str(value) for name, value in row.items()}
        for row in table.to_dicts()
    ]


def test_numbers_that_are_not_finite_are_null_in_json():
    table = ResultTable({'elo': float}, ((math.inf,), (-math.inf,), (math.nan,), (1.5,)))
    assert table.to_json() == '[{"elo": null}, {"elo": null}, {"elo": null}, {"elo": 1.5}]'


def test_text_is_escaped_in_markdown():
    table = ResultTable({'bot': str, 'points': float}, (('c|d', 1.5), ('e\nf', 2.0)))
    *_, one, two = table.to_markdown().splitlines()
    assert one.split() == ['|', r'c\|d', '|', '1.500', '|']
    assert two.split() == ['|', 'e', 'f', '|', '2.000', '|']


@pytest.mark.parametrize('library', FRAMES)
def test_a_frame_contains_the_rows(thirty, library):
    """Also one in which a column holds nothing, or none does."""
    module = pytest.importorskip(library, reason=f'{library} is not installed')
    table = thirty.table()
    drawn = ResultTable(table.columns, tuple(row for row in table.rows if row[6] is None))
    for each in (table, drawn, ResultTable(table.columns, ())):
        frame = each.to_frame(library)
        assert isinstance(frame, module.DataFrame)
        assert list(frame.columns) == list(each.columns)
        assert len(frame) == len(each.rows)
        for name, values in zip(each.columns, zip(*each.rows, strict=True), strict=False):
            found = [None if value != value else value for value in frame[name].to_list()]  # noqa: PLR0124 - NaN stands for nothing in pandas
            assert found == list(values)
    assert table.to_frame(library)['points'].sum() == 30 * thirty.score
    if library == 'polars':  # whose columns are of one type
        assert drawn.to_frame(library).schema == table.to_frame(library).schema


def test_other_libraries_are_refused(thirty, monkeypatch):
    with pytest.raises(ValueError, match="library must be pandas or polars, not 'numpy'"):
        thirty.table().to_frame('numpy')
    for library in FRAMES:
        monkeypatch.setitem(sys.modules, library, None)
        complaint = f"^this frame needs {library}: pip install '{library}'$"
        with pytest.raises(ImportError, match=complaint):
            thirty.table().to_frame(library)
