"""The studies of the source texts, each at a tiny size."""

import importlib
import math
import pathlib
import sys
import xml.etree.ElementTree as ET
from fractions import Fraction
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

from fmcts import Player, SplitMix, monte_carlo, probabilities
from fmcts.bots.printed import playouts_after_the_end
from fmcts.games import connect4, tictactoe
from fmcts.rng import StdGen
from toy_games import play_line

SVG_TEXT = '{http://www.w3.org/2000/svg}text'
STUDIES = pathlib.Path(__file__).parents[2] / 'benchmarks/studies'

if not STUDIES.is_dir():
    pytest.skip('benchmarks/studies is not part of this copy', allow_module_level=True)
for name, extra in (('matplotlib', 'plot'), ('jinja2', 'bench')):
    if find_spec(name) is None:
        pytest.skip(f'{name} is missing: fmcts[{extra}]', allow_module_level=True)

sys.path.insert(0, str(STUDIES))
try:
    tables = importlib.import_module('tables')
    connect_four = importlib.import_module('connect_four')
    levels = importlib.import_module('levels')
    losses = importlib.import_module('losses')
    circles = importlib.import_module('second_part_circles')
finally:
    sys.path.remove(str(STUDIES))

RNG = SplitMix.from_seed(7)


@pytest.fixture
def here(monkeypatch, tmp_path):
    monkeypatch.setattr(tables, 'HERE', tmp_path)
    return tmp_path


def test_figures_are_parsed_as_written(here, capsys):
    tables.written('x', ('name', 'share'), [('a, b', 1 / 3), ('c', 5)])
    assert (here / 'x.csv').read_text() == 'name,share\n"a, b",0.333333\nc,5\n'
    assert tables.read('x') == [{'name': 'a, b', 'share': '0.333333'}, {'name': 'c', 'share': '5'}]
    assert capsys.readouterr().out == 'name  share\na, b  0.333333\nc  5\n'


# ---- estimates ----


@pytest.fixture(scope='module')
def estimates():
    """Imported when it is needed: SciPy takes a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(STUDIES)
        return importlib.import_module('estimates')


@pytest.fixture(scope='module')
def printed_study(estimates):
    return estimates.estimates_printed


def test_exact_probabilities(estimates):
    """Those of the article's position, and the known ones of the start."""
    exact = [question.exact for together in estimates.questions() for question in together]
    assert exact[:3] == [Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420)]
    assert exact[3:] == [Fraction(1, 2), Fraction(1, 2), 0]  # after 1, 7 and 8


@pytest.mark.exhaustive
@pytest.mark.usefixtures('here')
def test_estimates_and_their_error(estimates):
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


def test_slope_of_a_power_law(estimates):
    points = [(n, 3 / math.sqrt(n)) for n in (10, 30, 100, 300)]
    assert estimates.slope(points) == pytest.approx((-0.5, -0.5, -0.5))
    middle, low, high = estimates.slope([(1, 1), (math.e, math.e), (math.e**2, math.e)])
    # By hand: 1/2 with a standard error of 1/sqrt(12); Student's t at one degree is 12.706.
    reach = 12.706 / math.sqrt(12)
    assert (middle, high - middle, middle - low) == pytest.approx((0.5, reach, reach), 1e-4)


def test_the_article_s_session(estimates):
    victories, (move, rng) = estimates.of_the_article()
    assert victories == estimates.PRINTED
    assert (move, rng) == (7, StdGen(1356595715, 1539624735))


class EachInTurn:
    """The generator whose draws are 0, 1, 2 and so on, modulo the range."""

    def __init__(self, number=0):
        self.number = number

    def uniform(self, low, high):
        return low + self.number % (high - low + 1), EachInTurn(self.number + 1)


def test_moves_by_the_printed_endless_playouts(printed_study):
    """What a win is worth: by one printed playout for each free cell."""
    states = printed_study.positions()
    assert len(states) == len({*states}) == 4520
    with_ends = 0
    for state in states:
        worth = {}
        for move in state.moves:
            after = state.play(move)
            free = 9 - (after.x | after.o).bit_count()
            if after.over and free:
                winners, _ = playouts_after_the_end(after, free, EachInTurn())
                worth[move] = Fraction(winners[state.player], free)
        if worth and len(state.moves) < 4:
            with_ends += 1
            worth = {
                move: probabilities(state.play(move))[state.player] for move in state.moves
            } | worth
            best = max(move for move in worth if worth[move] == max(worth.values()))
            assert printed_study.endless(state, printed=True) == best
        if len(state.moves) == 1:
            assert printed_study.endless(state, printed=True) is None
            assert printed_study.endless(state, printed=False) == state.moves[0]
    assert with_ends > 1000


def test_how_often_the_printed_program_plays_another_move(printed_study):
    """X's 7 wins at once, and as printed in three cases of four; 6 wins in five of six."""
    state = tictactoe.parse('OX.OX....').unwrap()
    assert probabilities(state.play(6))[Player.X] == Fraction(5, 6)
    assert printed_study.endless(state, printed=False) == 7
    assert printed_study.endless(state, printed=True) == 6
    last = tictactoe.parse('XOXXOOOX.').unwrap()
    rows = [*printed_study.compared([state, last], 400)]
    assert [row[:4] for row in rows] == [(5, 1, 1, 0), (1, 1, 1, 1)]
    assert [row[5] for row in rows] == [1, 0]
    assert rows[1][4] == 0


# ---- levels ----


@pytest.mark.parametrize(
    ('who', 'as_told'), [(levels.SELF, 1), (levels.BEGINS, 3), (levels.ANSWERS, 5)]
)
def test_expectations_of_the_java_text(who, as_told):
    """Draws alone, then those of X's two wins, or of O's four, that are level 3's."""
    x, o = [SimpleNamespace(winner=player) for player in (Player.X, Player.O)]
    row = levels.row(who, 9, 5, [x, o, SimpleNamespace(winner=None), o, x, o, o])
    assert row[:8] == [who, 9, 5, 7, 2, 1, 4, as_told]
    assert row[8] < as_told / 7 < row[9]


def test_levels_play_from_both_sides():
    own, begins, answers = levels.played(8, (20,), RNG, 1)
    assert [row[1:4] for row in (own, begins, answers)] == [[20, 20, 8], [20, 4, 8], [4, 20, 8]]
    assert [sum(row[4:7]) for row in (own, begins, answers)] == [8, 8, 8]


def test_dry_run_of_the_java_text():
    """At the fourth iteration O's move 8 meets X's answer 5, which wins: the score is poisoned."""
    lines = [line.split() for line in levels.dry_run((3, 4, 20))]
    assert lines == [
        ['3', '1:', '1/0', '5:', '1/0', '7:', '1/0', '8:', '0/0'],
        ['4', '1:', '1/0', '5:', '1/0', '7:', '1/0', '8:', '1/-2^31'],
        ['20', '1:', '2/-2^31', '5:', '14/0', '7:', '3/-2^31', '8:', '1/-2^31'],
    ]
    texts = [text.text for text in ET.fromstring(levels.dry_picture()).iter(SVG_TEXT)]
    for figures in (['#0', '20', '0.700', 'score 90'], ['#2', '14', '0.357', 'score 0']):
        place = texts.index(figures[0])
        assert texts[place : place + 4] == figures


# ---- losses ----


def test_curves_of_the_c_course():
    """Games won less games lost, the bot as X in all: by matches."""
    rows = list(losses.scored((10, 20), 6, RNG, 1))
    assert [row[:3] for row in rows] == [
        (spec.format('N'), budget, 6) for spec in losses.IN_LINES for budget in (10, 20)
    ]
    assert all(-6 <= row[3] <= 0 for row in rows)  # nobody beats perfect play


def test_probability_of_a_difference_in_counts():
    """The course lost 9; by hand, of 9 + 9 and of 9 + 1 tosses of a coin."""
    scores = dict.fromkeys(losses.LINES, 0)
    assert losses.of_step_a({**scores, 420: -9})['chance'] == 1
    found = losses.of_step_a({**scores, 410: -5, 990: -1})
    assert (found['there'], found['here'], found['games']) == (9, 1, 59 * 200)
    assert found['chance'] == 2 * (1 + 10) / 2**10


# ---- the second part as printed ----


def test_iterations_without_a_playout():
    """From the start a few hundred make none at the end of a game; jump crashes."""
    rows = list(circles.circled((100,), 2))
    assert len(rows) == 2 * 2 * len(circles.PRESETS)
    for name, printed, asked, seed, iterations, without, crash in rows:
        assert (asked, seed in {1, 2}) == (100, True)
        if (name, printed) == ('jump', 'yes'):
            assert (iterations, without, crash) == (0, 0, 1)
        else:
            assert (iterations, crash) == (100, 0)
            assert without <= 100
            assert without == 0 or name == 'jump'
    (_, some, _), (_, more, _) = (circles.printed('first-part', n, 1) for n in (4000, 9000))
    assert more - some == 5000  # it goes round in circles
    kept = tables.read('second_part_circles')
    (crash,) = (
        int(it['crash'])
        for it in circles.some(kept, 'rollout-expand', 'yes', 10_000)
        if it['seed'] == '1'
    )
    assert circles.printed('rollout-expand', 10_000, 1) == (0, 0, crash)
    texts = [dict(zip(circles.COLUMNS, map(str, row), strict=True)) for row in rows]
    assert circles.figures(texts)['cell']('jump', 'yes', 100) == '2 of 2 crash'
    assert circles.figures(texts)['playouts'] == (100, 100, 100)
    labels = [line.get_label() for line in circles.drawn(texts).axes[0].lines]
    assert labels == [
        'first-part, as printed', 'first-part', 'closing, as printed, until it crashes', 'closing'
    ]  # fmt: skip


# ---- Connect Four ----


def test_the_flat_bot_divides_its_playouts_among_the_moves():
    state = play_line(connect4.start, (3, 3, 3, 3, 3, 3))
    assert connect_four.OfEachMove(6)(state, RNG) == monte_carlo(36)(state, RNG)


def test_score_as_first_player_and_bars():
    games = [SimpleNamespace(points=points) for points in (1, 0, 0.5, 0)]
    result = SimpleNamespace(
        games=games, wins=1, draws=1, losses=2, score=0.375, interval=(0.1, 0.7)
    )
    row = connect_four.row(connect_four.TREE, 1024, 512, result)
    assert row == (connect_four.TREE, 1024, 512, 4, 1, 1, 2, 0.375, 0.1, 0.7, 0.75)
    lines = [dict(zip(connect_four.COLUMNS, map(str, row), strict=True))]
    (axes,) = connect_four.drawn(lines, connect_four.TREE).axes
    assert [bars[0].get_width() for bars in axes.containers[:3]] == [25, 25, 50]
    assert axes.get_title() == connect_four.TREE
    assert [text.get_text() for text in axes.get_yticklabels()] == ['1,024']
