"""The studies of the source texts, each at a tiny size."""

import math
import xml.etree.ElementTree as ET
from fractions import Fraction
from types import SimpleNamespace

import pytest

from fmcts import Player, SplitMix, monte_carlo, probabilities
from fmcts.games import connect4, tictactoe
from fmcts.rng import StdGen
from toy_games import play_line

from .conftest import programs

SVG_TEXT = '{http://www.w3.org/2000/svg}text'

tables, connect_four, levels, losses, study, circles = programs(
    *('studies', 'tables', 'connect_four', 'levels', 'losses', 'second_part'),
    'second_part_circles',
)

RNG = SplitMix.from_seed(7)


@pytest.fixture
def here(monkeypatch, tmp_path):
    monkeypatch.setattr(tables, 'HERE', tmp_path)
    return tmp_path


# ---- estimates ----


@pytest.fixture(scope='module')
def estimates():
    """Imported when it is needed: SciPy takes a second."""
    return programs('studies', 'estimates')[0]


@pytest.fixture(scope='module')
def printed_study(estimates):
    return estimates.estimates_printed


def test_exact_probabilities(estimates):
    """Those of the article's position, and the known ones of the start."""
    exact = [question.exact for together in estimates.questions() for question in together]
    assert exact[:3] == [Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420)]
    assert exact[3:] == [Fraction(1, 2), Fraction(1, 2), 0]  # after 1, 7 and 8


def test_a_row_of_estimates_follows_from_the_definitions(estimates):
    """Estimates of 1/2 that are off by 0, 0.3, -0.4 and 0."""
    after = next(it for (it, *_) in estimates.questions() if it.name.startswith('position, 7'))
    row = dict(zip(estimates.COLUMNS, estimates.row(after, 10, [5, 8, 1, 5]), strict=True))
    assert (row['first estimate'], row['mean'], row['error']) == (0.5, 0.475, 0.25)
    assert row['expected error'] == pytest.approx(math.sqrt(0.025))
    assert row['intervals that hold it'] == 3  # 1 of 10 is 1.8 % to 40.4 %
    assert row['low'] < 0.25 < row['high']
    *_, o_wins = estimates.questions()[0]  # 28.8 %: 1 of 10 holds it, and 9 of 10 would not
    assert estimates.row(o_wins, 10, [1, 1])[-1] == 2


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


# ---- the French series' second part ----


END = tictactoe.parse('XOXOX.O..').unwrap()  # one of its ends is reached in two ways


def searched(name, state=END, iterations=100):
    return study.searched('tictactoe', state, name, iterations, 1)


def test_a_playout_makes_one_call_per_ply():
    last = tictactoe.parse('XOXXOOOX.').unwrap()
    for name in study.SEARCHES:
        row = searched(name, last, iterations=1)
        assert (row.calls, row.computed, row.nodes, row.states) == (1, 1, 2, 2), name
        assert (row.depth, row.credited, row.value) == (0.5, 1, 0.5), name
        assert searched(name, tictactoe.start, iterations=1).depth == 0.5  # of visited nodes


def nodes_of(state):
    """The states of every line there is."""
    return [state, *(one for move in state.moves for one in nodes_of(state.play(move)))]


def test_with_rollout_expand_terminal_states_are_computed_once():
    nodes = len(nodes_of(END))
    states = len({*nodes_of(END)})
    assert states == nodes - 1
    rows = {name: searched(name) for name in study.SEARCHES}
    for name in ('closing', 'rollout-expand', 'jump'):
        assert (rows[name].iterations, rows[name].nodes) == (nodes - 1, nodes)
    assert rows['rollout-expand'].calls == nodes - 1
    assert rows['closing'].calls > nodes - 1
    assert rows['plain'].iterations == 100
    assert {row.computed for row in rows.values()} == {states - 1}  # but for the root
    whole = [rows[name] for name in ('closing', 'rollout-expand', 'jump', 'sound graph')]
    assert {row.states for row in whole} == {states}
    assert rows['sound graph'].nodes == states
    assert rows['graph'].credited > 100 == rows['sound graph'].credited


def test_a_bot_limited_by_calls_ends_with_the_iteration_that_reaches_the_limit():
    for name in ('plain', 'rollout-expand', 'sound graph'):
        few = next(n for n in range(1, 100) if searched(name, tictactoe.start, n).calls >= 150)
        bots = study.bot_of(name, 'calls', 150), study.bot_of(name, 'iterations', few)
        one, two = (bot(tictactoe.start, SplitMix.from_seed(1)) for bot in bots)
        assert one == two
        assert one != study.bot_of(name, 'calls', 100)(tictactoe.start, SplitMix.from_seed(1))


def test_a_bot_limited_by_calls_ends_when_nothing_is_left_to_call():
    assert study.bot_of('plain', 'calls', 300)(END, SplitMix.from_seed(1))[0] == 8  # which wins
    assert study.bot_of('closing', 'calls', 300)(END, SplitMix.from_seed(1))[0] in END.moves
