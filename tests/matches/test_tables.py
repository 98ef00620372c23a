"""Results as JSON, CSV and data frames."""

import csv
import io
import json
import math
import sys

import pytest

from fmcts import Search, SplitMix, mcts, random_bot
from fmcts.games import tictactoe
from fmcts.matches import match
from fmcts.matches._tables import FRAMES, ResultTable

RNG = SplitMix.from_seed(4)


@pytest.fixture(scope='module')
def result():
    bots = mcts(Search(40)), mcts(Search(30))
    names = ('good', 'weak')
    return match(*bots, tictactoe.start, games=30, rng=RNG, opening_plies=1, names=names)


def test_a_row_of_a_timed_game_has_its_iterations():
    bots = mcts(Search(40)), random_bot
    found = match(*bots, tictactoe.start, games=2, rng=RNG, seconds=0.001)
    for game, row in zip(found.games, found.table().to_dicts(), strict=True):
        assert tuple(map(int, row['iterations'].split())) == game.iterations != ()


def test_json_and_csv_contain_the_rows(result):
    table = result.table()
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
def test_a_frame_contains_the_rows(result, library):
    """Also one in which a column holds nothing, or none does."""
    module = pytest.importorskip(library, reason=f'{library} is not installed')
    table = result.table()
    drawn = ResultTable(table.columns, tuple(row for row in table.rows if row[6] is None))
    for each in (table, drawn, ResultTable(table.columns, ())):
        frame = each.to_frame(library)
        assert isinstance(frame, module.DataFrame)
        assert list(frame.columns) == list(each.columns)
        assert len(frame) == len(each.rows)
        for name, values in zip(each.columns, zip(*each.rows, strict=True), strict=False):
            found = [None if value != value else value for value in frame[name].to_list()]  # noqa: PLR0124 - NaN stands for nothing in pandas
            assert found == list(values)
    assert table.to_frame(library)['points'].sum() == 30 * result.score
    if library == 'polars':  # whose columns are of one type
        assert drawn.to_frame(library).schema == table.to_frame(library).schema


def test_other_libraries_are_refused(result, monkeypatch):
    with pytest.raises(ValueError, match="library must be pandas or polars, not 'numpy'"):
        result.table().to_frame('numpy')
    for library in FRAMES:
        monkeypatch.setitem(sys.modules, library, None)
        complaint = f"^this frame needs {library}: pip install '{library}'$"
        with pytest.raises(ImportError, match=complaint):
            result.table().to_frame(library)
