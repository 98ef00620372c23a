"""Pictures: what they show is what was counted, and long names have room."""

from importlib.util import find_spec
from itertools import pairwise

import pytest

from fmcts.matches.plots import elo, folded, stacked
from fmcts.matches.ratings import Rating
from fmcts.matches.tournaments import Standing

for name, extra in (('statsmodels', 'matches'), ('matplotlib', 'plot')):
    if find_spec(name) is None:
        pytest.skip(f'{name} is missing: fmcts[{extra}]', allow_module_level=True)

LONG = 'mcts:1000,c=0.5,selection=ucb1-tuned,playout=decisive,solver=on'


def test_bars_are_the_shares_and_whiskers_the_interval():
    """Of 15 points in 25 games Wilson's interval is 0.4074 to 0.7660 (see `wilson`)."""
    (axes,) = stacked([(10, 10, 5), (0, 0, 4)], ['a', 'b'], title='t', across='x').axes
    heights = [[bar.get_height() for bar in bars] for bars in axes.containers[:3]]
    assert [bars.get_label() for bars in axes.containers[:3]] == ['won', 'drawn', 'lost']
    assert heights == [[40, 0], [40, 0], [20, 100]]
    assert [bar.get_y() for bar in axes.containers[2]] == [80, 0]
    points, _, (whiskers,) = axes.containers[3].lines
    assert list(points.get_ydata()) == [60, 0]
    low, high = whiskers.get_segments()[0][:, 1]
    assert (round(low, 2), round(high, 2)) == (40.74, 76.6)
    assert whiskers.get_segments()[1][0, 1] == 0
    assert (axes.get_title(), axes.get_xlabel()) == ('t', 'x')


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


def overlaps(labels):
    boxes = [label.get_window_extent() for label in labels]
    return any(one.overlaps(two) for one, two in pairwise(boxes))


@pytest.mark.parametrize('names', [[LONG] * 3, [LONG] * 20, [f'{n},000' for n in range(20)]])
def test_names_under_bars_do_not_overlap(names):
    figure = stacked([(1, 2, 3)] * len(names), names)
    figure.draw_without_rendering()
    assert not overlaps(figure.axes[0].get_xticklabels())
    assert figure.axes[0].get_window_extent().height > 200


def test_names_beside_ratings_do_not_overlap():
    rows = [Standing(LONG, 1, 2, Rating(-n, -n - 5, -n + 9)) for n in range(20)]
    figure = elo(rows)
    figure.draw_without_rendering()
    labels = figure.axes[0].get_yticklabels()
    assert len(labels) == 20
    assert not overlaps(labels)
    assert figure.axes[0].get_window_extent().width > 300
