"""Charts over iterations, and what notebooks show of histories."""

import itertools
import math
import re
import sys
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import pytest

from fmcts import Search, SplitMix
from fmcts.games import connect4, othello, tictactoe
from fmcts.games.families import find_member
from fmcts.history import history, hunt, parting
from fmcts.search._analysis import stats_of
from fmcts.view import draw_history
from fmcts.view._svg import MOVES, SIDES, colours_of_moves

from .test_notebooks import parsed, rows

RNG = SplitMix.from_seed(4)
START = connect4.start.play(3).play(3)
H = history(START, RNG, Search(600), 'persistent')
SPACE = '{http://www.w3.org/2000/svg}'


def texts(root):
    return [it.text for it in root.iter(f'{SPACE}text')]


def lines(picture):
    """The lines of each panel, each with its colour and its places."""
    found = []
    for panel in re.split(r'id="[0-9a-f]*-axes_', picture)[1:]:
        paths = re.findall(
            r' d="([^"]*)" clip-path[^>]*stroke: (#\w+);(?: stroke-width: 2;)? stroke-linecap',
            panel,
        )
        found.append(
            [
                (colour, [tuple(map(float, two.split())) for two in re.split('[ML]', d)[1:]])
                for d, colour in paths
            ]
        )
    return found


def test_each_move_has_a_line_and_label_in_each_panel():
    picture = draw_history(H, moves=6)
    root = ET.fromstring(picture)
    assert len(lines(picture)) == 3
    for panel in lines(picture):
        assert len(panel) == 7
        assert len({colour for colour, _ in panel}) == 7  # six, and grey
    labels = [it.text for it in root.iter(f'{SPACE}text') if it.get('font-weight') == '600']
    most = sorted(range(7), key=lambda place: -H.at(600).stats[place].visits)[:6]
    for move in most:
        assert labels.count(str(move)) >= 3
    assert texts(root)[-1] == (
        f'connect4, X to move: 600 iterations, {H.move} is chosen; 1 more in grey'
    )


def test_lines_are_drawn_to_scale():
    (panel,) = lines(draw_history(H, ['share'], moves=7, points=600))
    at_end = [line[-1] for _, line in panel]
    assert all(x == 58 + 520 for x, _ in at_end)
    heights = sorted((34 + 150 - y for _, y in at_end), reverse=True)
    visits = sorted((row.visits for row in H.at(600).stats), reverse=True)
    scale = heights[0] / visits[0]
    assert heights == pytest.approx([scale * count for count in visits], abs=0.2)


def test_changes_of_the_leader_are_marked():
    picture = draw_history(H, ['value'])
    marks = re.findall(r'<path d="M ([0-9.]+) [^"]*" style="[^"]*stroke-dasharray', picture)
    expected = [58 + 520 * (lead.iteration - 1) / 599 for lead in H.leaders()]
    assert sorted(map(float, marks)) == pytest.approx(expected, abs=0.01)
    about = ET.fromstring(picture).find(f'{SPACE}desc').text
    for lead in H.leaders()[1:]:
        assert f'iteration {lead.iteration:,}: {lead.move} overtakes {lead.before}' in about


def test_pictures_share_a_page_and_follow_its_colour():
    """No identifier occurs in two pictures, nothing is black, and no style sheet leaks."""
    one, two = (
        set(re.findall(r'(?:id="|url\(#)([^")]+)', draw_history(H, name)))
        for name in ('visits', 'share')
    )
    assert one
    assert not one & two
    picture = draw_history(H)
    assert picture.count('currentColor') > 20
    assert '#010203' not in picture
    assert '#000000' not in picture
    assert picture.count('<style') == 1


def test_any_text_names_a_move():
    game = SimpleNamespace(name='<$', format_move=lambda move: f'$_{{{move}$<\u8c61\x00')
    written = texts(ET.fromstring(draw_history(H, 'visits', game=game)))
    assert f'$_{{{H.move}$<\u8c61\ufffd' in written


def test_charts_need_matplotlib(monkeypatch):
    for name in ('matplotlib', 'matplotlib.figure', 'matplotlib.style'):
        monkeypatch.setitem(sys.modules, name, None)
    line = "charts need matplotlib: pip install 'fmcts[plot]'"
    with pytest.raises(ImportError, match=f'^{re.escape(line)}$'):
        draw_history(H)
    root = parsed(H._repr_html_())
    assert line in ''.join(root.itertext())
    assert H.digest in ''.join(root.itertext())


@pytest.mark.parametrize(
    ('state', 'search'),
    [
        (othello.start, Search(60)),
        (tictactoe.start.play(1).play(0), Search(300, selection='uct', c=0.1)),
        (tictactoe.start, Search(1)),
        (tictactoe.start, Search(2)),
        (connect4.start, Search(40, solver=True, selection='ucb1-fpu')),
    ],
)
def test_labels_do_not_overlap(state, search):
    h = history(state, RNG, search)
    picture = draw_history(h)
    assert picture == draw_history(history(state, RNG, search, 'inplace'))
    root = ET.fromstring(picture)
    places = [
        (float(it.get('x')), float(it.get('y')))
        for it in root.iter(f'{SPACE}text')
        if it.get('text-anchor') == 'start' and it.get('font-weight')
    ]
    ends = sorted(y for x, y in places if x > 570)
    assert all(b - a > 12.9 for a, b in itertools.pairwise(ends))
    assert float(root.get('height')) > max(ends)


def test_a_fork_is_drawn_and_invalid_arguments_are_refused():
    fork = H.fork(500, Search(50))
    assert '550 iterations' in draw_history(fork)
    for given, complaint in (
        ({'measures': ['speed']}, r"measures must be of visits, share, value, not \['speed'\]"),
        ({'measures': []}, r'measures must be of visits, share, value, not \[\]'),
        ({'moves': 0}, 'moves must be a whole number of at least 1, not 0'),
        ({'points': 0}, 'points must be a whole number of at least 1, not 0'),
    ):
        with pytest.raises(ValueError, match=complaint):
            draw_history(H, **given)
    assert draw_history(H, 'value') == draw_history(H, ['value'])
    with pytest.raises(TypeError, match='draw_history draws a history'):
        draw_history(H.tree)
    with pytest.raises(TypeError, match="predicate must be a function of a tree, not 'x'"):
        H.when('x')
    nothing = H.what_if(600, 0.5).history
    with pytest.raises(ValueError, match='the history has no iteration to draw'):
        draw_history(nothing)
    assert 'img' not in nothing._repr_html_()


def test_notebooks_show_histories_and_their_results():
    root = parsed(H._repr_html_())
    assert len([*root.iter('img')]) == 1
    text = ''.join(root.itertext())
    assert str(H.leaders()[-1]) in text
    agree = H.agreement()
    assert agree is None or f'agreement: {agree[0]} of 20 other seeds' in text
    change = H.between(100, 600)
    table = rows(parsed(change._repr_html_()))
    assert [row[1] for row in table[1:]] == [f'{it.visits:+,}' for it in change.moves]
    stability = H.stability(5)
    table = rows(parsed(stability._repr_html_()))
    assert sum(int(row[1]) for row in table[1:]) == 5
    other = parting(H, history(START, RNG, Search(600, c=0.8), 'persistent'))
    root = parsed(other._repr_html_())
    assert len([*root.iter('table')]) == 2
    assert repr(other) == f'<Parting {other}>'
    assert repr(H.leaders()[0]) == f'<Lead {H.leaders()[0]}>'


def test_moves_use_the_game_s_notation():
    h = history(othello.start, RNG, Search(40), 'persistent')
    write = othello.format_move
    why = h.why(40)
    captions = [it.text for it in parsed(why._repr_html_()).iter('caption')]
    assert captions == [it.in_words(write) for it in why.choices]
    assert captions[0].startswith(f'at the root, X chooses {write(why.path[0])}: ')
    text = ''.join(parsed(h._repr_html_()).itertext())
    assert all(it.in_words(write) in text for it in h.leaders())
    assert f'iteration 1: {write(h.leaders()[0].move)} leads first' in text


@pytest.mark.parametrize('k', [1, 3, 599])
def test_why_is_a_table_between_two_boards(k):
    why = H.why(k)
    root = parsed(why._repr_html_())
    assert len([*root.iter('img')]) == 2
    tables = [*root.iter('table')][1:]
    assert len(tables) == len(why.choices)
    for table, choice in zip(tables, why.choices, strict=True):
        assert table.find('caption').text == str(choice)
        found = rows(table)
        assert [row[0] for row in found[1:]] == [str(it.move) for it in choice.scores]
        assert [row[1] for row in found[1:]] == [f'{it.visits:,}' for it in choice.scores]
        bold = [row.find('td/b').text for row in table.iter('tr') if row.find('td/b') is not None]
        assert bold == [str(choice.move)]


def test_a_mistake_is_shown_with_its_board():
    small = Search(1000, selection='uct', expansion='in-order', c=0.2)
    (mistake,) = hunt(tictactoe.start.play(1).play(0), small, [234])
    root = parsed(mistake._repr_html_())
    assert len([*root.iter('img')]) == 2
    assert ''.join(it.text or '' for it in root.iter('div')).startswith('seed 234: X chooses 5')


def test_what_if_is_shown_beside_the_original():
    k = next(k for k in range(40, 600) if H.why(k).playout and H.why(k).outcome == 0)
    found = H.what_if(k, 1)
    root = parsed(found._repr_html_())
    assert f'had the playout of iteration {k} been worth 1 to X, not 0: ' in ''.join(
        root.itertext()
    )
    assert len([*root.iter('img')]) == 1
    columns = [*zip(*rows(root)[1:], strict=True)]
    for tree, visits in ((H.tree, columns[1]), (found.history.tree, columns[3])):
        assert visits == tuple(f'{it.visits:,}' for it in stats_of(tree))
    last = H.what_if(600, 0.5)
    assert last.history.first == last.history.last
    assert 'img' not in last._repr_html_()


# ---- colours ----


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
