"""Plots show the counted results and have room for long names."""

from itertools import pairwise

import pytest
from attrs import evolve

from fmcts import Player, random_bot
from fmcts.matches import MatchResult, play_number
from fmcts.matches._statistics import Rating
from fmcts.matches._tournaments import Standing
from fmcts.matches.plots import bars, elo, folded, saved, stacked
from played import small

LONG = 'mcts:1000,c=0.5,selection=ucb1-tuned,playout=decisive,solver=on'


def widths(axes):
    return [[bar.get_width() for bar in bars] for bars in axes.containers[:3]]


def elo_of(names):
    return elo([Standing(name, 1, 2, Rating(-n, -n - 5, -n + 9)) for n, name in enumerate(names)])


def test_bars_show_shares_and_whiskers_the_interval():
    """Of 15 points in 25 games Wilson's interval is 0.4074 to 0.7660 (see `wilson`)."""
    (axes,) = stacked(
        [(10, 10, 5), (0, 0, 4), (4, 0, 0)], ['a', 'b', 'c'], title='t', across='x'
    ).axes
    assert [bars.get_label() for bars in axes.containers[:3]] == ['won', 'drawn', 'lost']
    assert widths(axes) == [[40, 0, 100], [40, 0, 0], [20, 100, 0]]
    assert [bar.get_x() for bar in axes.containers[2]] == [80, 0, 100]
    points, _, (whiskers,) = axes.containers[3].lines
    assert list(points.get_xdata()) == [60, 0, 100]
    low, high = whiskers.get_segments()[0][:, 0]
    assert (round(low, 2), round(high, 2)) == (40.74, 76.6)
    assert whiskers.get_segments()[1][0, 0] == 0
    assert round(whiskers.get_segments()[2][1, 0], 9) == 100
    assert (axes.get_title(), axes.get_xlabel(), axes.get_ylabel()) == ('t', '% of games', 'x')
    assert axes.get_xlim() == (0, 100)
    assert axes.get_ylim() == pytest.approx((2.6, -0.6))  # the first at the top


@pytest.mark.parametrize(
    ('name', 'width', 'lines'),
    [
        ('10,000', 3, ['10,000']),
        ('mcts:10,000,c=1', 3, ['mcts:10,000,', 'c=1']),
        (LONG, 100, [LONG]),
        (LONG, 37, ['mcts:1000,c=0.5,selection=ucb1-tuned,', 'playout=decisive,solver=on']),
        (LONG, 36, ['mcts:1000,c=0.5,', 'selection=ucb1-tuned,', 'playout=decisive,solver=on']),
    ],
)
def test_names_are_folded_after_commas(name, width, lines):
    assert folded(name, width).split('\n') == lines


@pytest.mark.parametrize('draw', [lambda names: stacked([(1, 2, 3)] * len(names), names), elo_of])
@pytest.mark.parametrize('names', [[LONG] * 3, [LONG] * 20, [f'{n},000' for n in range(20)], ['a']])
def test_names_beside_rows_do_not_overlap(draw, names):
    figure = draw(names)
    figure.draw_without_rendering()
    (axes,) = figure.axes
    labels = axes.get_yticklabels()
    assert [label.get_text() for label in labels] == [folded(name, 36) for name in names]
    boxes = [label.get_window_extent() for label in labels]
    assert not any(one.overlaps(two) for one, two in pairwise(boxes))
    assert axes.get_window_extent().width > 300
    assert axes.get_window_extent().height > 20 * len(names)


# ---- how they look: as it was found readable, in grey too ----


def of(names, *winners):
    """A match between two so named, with games that were won so; the first bot is X in them all."""
    one = evolve(play_number(small(first=random_bot), 0), first_plays=Player.X)
    games = (evolve(one, winner=winner) for winner in winners)
    return MatchResult(small(first=random_bot, names=names), tuple(games))


WON, DRAWN, LOST = Player.X, None, Player.O
ONE = of(('a', 'c'), WON, DRAWN, LOST, LOST)
TWO = of(('b', 'c'), WON, WON, WON, DRAWN)


def labels(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def test_bars_of_several_matches():
    (axes,) = bars([ONE, TWO]).axes
    assert widths(axes) == [[25, 75], [25, 25], [50, 0]]
    assert (labels(axes), axes.get_title()) == (['a', 'b'], 'tictactoe, against c')
    (axes,) = bars([ONE, TWO], ['1', '2'], 'mine', 'budget').axes
    assert (labels(axes), axes.get_title(), axes.get_ylabel()) == (['1', '2'], 'mine', 'budget')
    (axes,) = bars([ONE], title='').axes
    assert axes.get_title() == ''
    (axes,) = bars([ONE, of(('b', 'd'), WON)]).axes  # against several
    assert axes.get_title() == 'tictactoe'


def test_wins_draws_and_losses_differ_without_colour():
    figure = stacked([(1, 2, 3)], ['a'])
    (axes,) = figure.axes
    assert [round(width, 2) for (width,) in widths(axes)] == [16.67, 33.33, 50]
    looks = []
    for (bar,) in axes.containers[:3]:
        red, green, blue, _ = bar.get_facecolor()
        looks.append((round(0.3 * red + 0.59 * green + 0.11 * blue, 1), bar.get_hatch()))
    assert looks == [(0.3, None), (0.9, '..'), (0.6, '//')]  # how light, and what is drawn on it
    (legend,) = figure.legends
    words = [text.get_text() for text in legend.get_texts()]
    assert words == ['won', 'drawn', 'lost', 'score (a draw is half a point), 95 %']


def test_ratings_are_drawn_from_highest_to_lowest():
    rows = [Standing('b', 1, 2, Rating(9, 4, 19)), Standing('a,b', 1, 2, Rating(-9, -29, 3))]
    figure = elo(rows, 'hex:5')
    (axes,) = figure.axes
    assert axes.get_title() == 'hex:5'
    assert labels(axes) == ['b', 'a,b']
    points, _, (whiskers,) = axes.containers[0].lines
    assert (list(points.get_xdata()), list(points.get_ydata())) == ([9, -9], [0, 1])
    assert [segment[:, 0].tolist() for segment in whiskers.get_segments()] == [[4, 19], [-29, 3]]
    assert axes.get_ylim() == (1.6, -0.6)  # the first at the top
    assert axes.get_xlabel() == 'Elo points, 0 for the mean; 95 %'


def test_plots_are_saved_as_png_and_reproducible_svg(tmp_path):
    """PNG at 150 dots an inch; SVG whose words are words, and which is the same tomorrow."""
    figure = stacked([(1, 2, 3)], ['a'])
    saved(figure, str(tmp_path / 'a.PNG'))
    content = (tmp_path / 'a.PNG').read_bytes()
    assert content[:4] == b'\x89PNG'
    assert [int.from_bytes(content[at : at + 4]) for at in (16, 20)] == [1050, 300]
    for name in ('a.svg', 'b.SVG'):
        saved(stacked([(1, 2, 3)], ['a']), tmp_path / name)
    one, two = ((tmp_path / name).read_text() for name in ('a.svg', 'b.SVG'))
    assert one == two
    assert '>won</text>' in one.replace(' ', '')
    assert '<dc:date>' not in one
