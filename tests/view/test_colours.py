"""The colours of moves and sides: told apart by everybody, on white and in the dark."""

import itertools
import math

import pytest

from fmcts import Search, SplitMix
from fmcts.games import connect4
from fmcts.games.families import find_member
from fmcts.history import history
from fmcts.view import draw_history
from fmcts.view._svg import MOVES, SIDES, colours_of_moves

# Machado, Oliveira, Fernandes, "A physiologically-based model for simulation of color vision
# deficiency", 2009: what is seen of linear red, green and blue, at full severity.
SEEN = {
    'all': ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    'no red': (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    'no green': (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    'no blue': (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.95047, 1.0, 1.08883)
GROUNDS = ('#ffffff', '#181d23')  # a page by day, and the explorer's cards by night


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def linear(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in parts]


def lab(light):
    """CIELAB of linear red, green and blue."""
    ratios = [max(it, 0) / one for it, one in zip(times(TO_XYZ, light), WHITE, strict=True)]
    x, y, z = (it ** (1 / 3) if it > 216 / 24389 else it * 841 / 108 + 4 / 29 for it in ratios)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize('eyes', SEEN)
def test_no_two_colours_look_alike(eyes):
    seen = {it: lab(times(SEEN[eyes], linear(it))) for it in (*MOVES, *SIDES.values())}
    assert len(seen) == 9
    for one, two in itertools.combinations(seen, 2):
        assert math.dist(seen[one], seen[two]) > 14, (one, two)  # 2.3 is just noticeable


@pytest.mark.parametrize('ground', GROUNDS)
def test_lines_are_seen_on_each_ground(ground):
    def light(colour):
        return times(TO_XYZ, linear(colour))[1] + 0.05

    for colour in (*MOVES, *SIDES.values()):
        ratio = light(colour) / light(ground)
        assert max(ratio, 1 / ratio) > 2.95, colour  # WCAG 1.4.11 asks for 3


@pytest.mark.parametrize('start', [connect4.start, find_member('hex:4').unwrap().start])
def test_a_move_has_one_colour_in_charts_and_pages(start):
    made = history(start, SplitMix.from_seed(1), Search(300), 'persistent')
    stats = made.at(300).stats
    colours = colours_of_moves([it.visits for it in stats])
    best = max(range(len(stats)), key=lambda place: stats[place].visits)
    drawn = draw_history(made, 'share', moves=1)
    assert [it for it in MOVES if it in drawn] == [colours[best]]
