"""The studies after the source texts, each at a tiny size."""

import importlib
import math
import pathlib
import sys
from fractions import Fraction

import pytest

from fmcts import Player, SplitMix
from fmcts.games import tictactoe
from fmcts.rng import StdGen

STUDIES = pathlib.Path(__file__).parents[2] / 'benchmarks/studies'

if not STUDIES.is_dir():
    pytest.skip('benchmarks/studies is not part of this copy', allow_module_level=True)

sys.path.insert(0, str(STUDIES))
try:
    tables = importlib.import_module('tables')
    estimates = importlib.import_module('estimates')
finally:
    sys.path.remove(str(STUDIES))

RNG = SplitMix.from_seed(7)


@pytest.fixture
def here(monkeypatch, tmp_path):
    monkeypatch.setattr(tables, 'HERE', tmp_path)
    return tmp_path


def test_figures_are_read_as_they_were_written(here, capsys):
    tables.written('x', ('name', 'share'), [('a, b', 1 / 3), ('c', 5)])
    assert (here / 'x.csv').read_text() == 'name,share\n"a, b",0.333333\nc,5\n'
    assert tables.read('x') == [{'name': 'a, b', 'share': '0.333333'}, {'name': 'c', 'share': '5'}]
    assert capsys.readouterr().out == 'name  share\na, b  0.333333\nc  5\n'


# ---- estimates ----


def test_the_exact_probabilities():
    """Those of the article's position, and the known ones of the start."""
    start = estimates.probabilities(tictactoe.start)
    shares = [start[winner] for winner in (Player.X, None, Player.O)]
    assert shares == [Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420)]
    after = {move: estimates.position().play(move) for move in (8, 7, 1)}
    found = {move: estimates.probabilities(state)[Player.X] for move, state in after.items()}
    assert found == {8: 0, 7: Fraction(1, 2), 1: Fraction(1, 2)}


@pytest.mark.usefixtures('here')
def test_estimates_and_their_error():
    rows = tables.written('estimates', estimates.COLUMNS, estimates.asked(4, (10, 20), RNG))
    assert [row[:4] for row in rows[:4]] == [
        ['start: X wins', '737/1260', '10', '4'],
        ['start: draw', '8/63', '10', '4'],
        ['start: O wins', '121/420', '10', '4'],
        ['start: X wins', '737/1260', '20', '4'],
    ]
    assert len(rows) == 12
    # From the definitions: estimates of 1/2 that are off by 0, 0.3, -0.4 and 0.
    after = next(it for (it, *_) in estimates.questions() if it.name.startswith('position, 7'))
    row = dict(zip(estimates.COLUMNS, estimates.row(after, 10, [5, 8, 1, 5]), strict=True))
    assert (row['first estimate'], row['mean'], row['error']) == (0.5, 0.475, 0.25)
    assert row['expected error'] == pytest.approx(math.sqrt(0.025))
    assert row['intervals that hold it'] == 3  # 1 of 10 is 1.8 % to 40.4 %
    assert row['low'] < 0.25 < row['high']
    assert not any(float(it['error']) for it in tables.read('estimates') if '8:' in it['question'])


def test_the_slope_of_a_power():
    points = [(n, 3 / math.sqrt(n)) for n in (10, 30, 100, 300)]
    assert estimates.slope(points) == pytest.approx((-0.5, -0.5, -0.5))
    middle, low, high = estimates.slope([(1, 1), (math.e, math.e), (math.e**2, math.e)])
    # By hand: the slope is 1/2 and its standard error 1/sqrt(12); Student's t at one degree is 12.706.
    assert (middle, high - middle, middle - low) == pytest.approx(
        (0.5, *[12.706 / 12**0.5] * 2), 1e-4
    )


def test_the_articles_session():
    victories, (move, rng) = estimates.of_the_article()
    assert victories == [0, 4965, 4965]
    assert (move, rng) == (7, StdGen(1356595715, 1539624735))
