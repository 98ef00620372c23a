"""Boards as SVG (`fmcts.view.board_svg`): well-formed, complete, and deterministic."""

import re
import xml.etree.ElementTree as ET

import pytest
from attrs import frozen
from hypothesis import given, settings, strategies as st

from fmcts import Player, Search, SplitMix, analyse
from fmcts.games import find_game, tictactoe
from fmcts.games._cells import moved, read_cells
from fmcts.games.chance import find_chance_game
from fmcts.testing import positions
from fmcts.view import board_svg
from fmcts.view._svg import element, plain, put
from tiers import usually
from toy_games import play_line

RNG = SplitMix.from_seed(7)
SVG = '{http://www.w3.org/2000/svg}'
GRIDS = (
    *('tictactoe', 'connect4', 'othello', 'mnk:5,4,3', 'mnk:15,15,5', 'mnk:1,2,2'),
    *('connect:5,4,3', 'connect:12,3,3', 'othello:6', 'othello:10', 'hex:2', 'hex:7'),
    *('hex:16', 'breakthrough:6,6', 'breakthrough:4,2'),
)
NAMES = (*GRIDS, 'nim:3,4,5', 'nim:12,0,1')
HOSTILE = '<&">\'\x00\x1b\ud800]]>--'


def parsed(svg):
    return ET.fromstring(svg)


def classes(root):
    found = [it.get('class') for it in root.iter() if it.get('class')]
    return {name: sum(name in it.split() for it in found) for name in ('cell', 'stone', 'X', 'O')}


def lacks_nothing(root):
    """No script, no reference, no identifier, all points within the picture, words for readers."""
    width, height = float(root.get('width')), float(root.get('height'))
    assert root.get('viewBox') == f'0 0 {root.get("width")} {root.get("height")}'
    assert root[0].tag == f'{SVG}title'
    assert root[0].text
    for node in root.iter():
        assert node.tag.removeprefix(SVG) not in ('script', 'image', 'use', 'foreignObject')
        assert not any(key == 'id' or key.endswith('href') for key in node.attrib)
        assert not any('url(' in value for value in node.attrib.values())
    for x, y, margin in marks(root):
        assert margin <= x <= width - margin + 0.01, (x, width)
        assert margin <= y <= height - margin + 0.01, (y, height)


def marks(root):
    """The places of what is drawn, and how far it reaches around; of groups that are not moved."""
    if any('transform' in node.attrib for node in root.iter()):
        return
    for node in root.iter():
        at = {key: node.get(key) for key in ('x', 'y', 'cx', 'cy', 'r', 'width', 'height')}
        if node.tag == f'{SVG}circle':
            yield float(at['cx']), float(at['cy']), float(at['r'])
        elif node.tag == f'{SVG}rect':
            x, y = float(at['x']), float(at['y'])
            yield x, y, 0
            yield x + float(at['width']), y + float(at['height']), 0
        elif node.get('points'):
            for point in node.get('points').split():
                yield *map(float, point.split(',')), 0
        elif node.tag == f'{SVG}text':
            yield float(at['x']), float(at['y']), 0


@pytest.mark.parametrize('name', NAMES)
@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_the_image_shows_the_board(name, data):
    game = find_game(name).unwrap()
    state = data.draw(positions(game.start))
    svg = board_svg(state)
    root = parsed(svg)
    lacks_nothing(root)
    assert game.name in root[0].text
    text = game.format(state)
    assert root[1].text == text.rstrip('\n')
    counts = classes(root)
    cells = read_cells(text)
    if cells is None:
        drawn = [it.text for it in root.iter() if it.get('class') == 'line']
        assert drawn == text.splitlines()[:-1]
        return
    letters = ''.join(cells.rows)
    assert counts['cell'] == len(letters)
    assert counts['stone'] == len(letters) - letters.count('.')
    stones = [it.get('class').split()[1] for it in root.iter() if 'stone' in it.get('class', '')]
    assert {side: stones.count(side) for side in 'XO'} == {it: letters.count(it) for it in 'XO'}
    assert board_svg(state) == svg


@pytest.mark.parametrize('name', usually(NAMES[::2], NAMES))
def test_an_analysis_is_shown_on_the_board(name):
    """Each move with its share, on the board or below it, and exactly one is chosen."""
    game = find_game(name).unwrap()
    analysis, _ = analyse(game.start, RNG, Search(30))
    svg = board_svg(game.start, analysis)
    root = parsed(svg)
    lacks_nothing(root)
    moves = [it for it in root.iter() if it.get('class') in ('move', 'move chosen')]
    chosen = game.format_move(analysis.move)
    if name.startswith('nim'):
        assert not moves
        assert sum(it.text.startswith('* ') for it in root.iter(f'{SVG}text')) == 1
    else:
        assert len(moves) == len(analysis.stats)
        (best,) = (it for it in moves if it.get('class') == 'move chosen')
        assert best[0].text.startswith(f'{chosen}: ')
    lines = root[1].text.splitlines()
    assert sum(' of the visits, ' in line for line in lines) == len(analysis.stats)
    assert board_svg(game.start, analysis) == svg


def test_an_analysis_of_another_state_is_refused():
    analysis, _ = analyse(tictactoe.start, RNG, Search(9))
    with pytest.raises(ValueError, match='the analysis is of another state'):
        board_svg(tictactoe.start.play(4), analysis)


@pytest.mark.parametrize('name', usually(lambda name: name not in {'hex:16', 'mnk:15,15,5'}, GRIDS))
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_a_move_is_drawn_where_its_name_says(name, data):
    game = find_game(name).unwrap()
    state = data.draw(positions(game.start, running=True))
    before = read_cells(game.format(state))
    for move in state.moves:
        source, target = moved(before, read_cells(game.format(state.play(move))), str(state.player))
        written = game.format_move(move)
        marks = board_svg(state.play(move), before=state).count('class="last"')
        assert marks == (written != 'pass')
        if written == 'pass':
            assert (source, target) == (None, None)
            continue
        if before.above:
            ends = re.findall('([a-z])([0-9]+)', written)
            found = [it for it in (source, target) if it]
            assert found == [(int(row) - 1, 'abcdefghijklmnop'.index(it)) for it, row in ends]
        elif before.below:
            assert target[1] == int(written)
        else:
            assert divmod(int(written), 3) == target


@frozen
class Own:
    """A game of the user's own, without text."""

    left: int = 3
    name: str = 'x'
    player = Player.X
    winner = None

    moves = property(lambda self: tuple(range(self.left)))
    over = property(lambda self: not self.left)

    def play(self, _move):
        return Own(self.left - 1, self.name)


@frozen
class Pictured(Own):
    def picture(self):
        return f'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" n="{self.left}"/>'


class Written:
    """How a user writes a game."""

    name = f'game {HOSTILE}'

    def __init__(self, text):
        self.text = text

    def format(self, _state):
        return self.text

    def format_move(self, move):
        return f'{HOSTILE}{move}'


def test_any_game_can_be_drawn_as_text():
    root = parsed(board_svg(Own(name=HOSTILE)))
    lacks_nothing(root)
    assert root[1].text.startswith('Own(left=3')
    assert sum(it.get('class') == 'line' for it in root.iter()) == 1


def test_user_text_cannot_break_the_image():
    analysis, _ = analyse(Own(), RNG, Search(9))
    for text in (HOSTILE, '', '\n\n', 'x' * 10_000, 'y\n' * 500, 'X . O\n' + HOSTILE, '日本\tX'):
        svg = board_svg(Own(), analysis, game=Written(text))
        root = parsed(svg)
        lacks_nothing(root)
        assert '\x00' not in svg
        svg.encode('utf-8')


def test_a_user_s_image_is_used():
    assert board_svg(Pictured()) == Pictured().picture().partition('?>')[2]
    mine = board_svg(tictactoe.start, picture=lambda state: f'<svg n="{len(state.moves)}"/>')
    assert mine == '<svg n="9"/>'
    with pytest.raises(TypeError, match='a picture must be SVG text, with an <svg> element, not 7'):
        board_svg(tictactoe.start, picture=lambda _: 7)


def test_rows_of_letters_are_drawn_as_a_board():
    svg = board_svg(Own(), game=Written('X . O\n. . X\nall is well'))
    assert classes(parsed(svg)) == {'cell': 6, 'stone': 3, 'X': 2, 'O': 1}


@given(st.text() | st.just(HOSTILE))
def test_any_text_is_escaped(text):
    root = parsed(element('g', plain(text), a=text))
    kept = re.sub('[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]', '\ufffd', text)
    assert (root.text or '') == kept
    assert root.get('a').split() == kept.split()  # XML makes spaces of other white space


def test_an_image_is_embedded_at_the_given_size():
    svg = '<svg width="40px" height=\'20\' stroke-width="3"><g/></svg>'
    root = parsed(put(svg, 1, 2, 30, 40))
    assert root.attrib == {
        'viewBox': '0 0 40 20',
        'x': '1',
        'y': '2',
        'width': '30',
        'height': '40',
    }
    assert ET.tostring(root[0]) == ET.tostring(parsed(svg))
    for sizeless in ('<svg viewBox="0 0 5 5"/>', '<svg width="100%" height="50%"/>'):
        root = parsed(put(f'<?xml version="1.0"?>{sizeless}', 0, 0, 1, 1))
        assert root.get('viewBox') is None
        assert ET.tostring(root[0]) == ET.tostring(parsed(sizeless))


@pytest.mark.parametrize(
    ('name', 'moves', 'cells', 'signs'),
    [
        ('mnk3:4,3,3', (0, 1, 2, 11), 12, ['A', 'B', 'C', 'A']),
        ('2048:4', ((0, 1), (3, 2)), 16, ['2', '4']),
        ('pig:20', (), 0, None),
    ],
)
def test_boards_with_other_symbols_are_grids(name, moves, cells, signs):
    state = play_line(find_chance_game(name).unwrap().start, moves)
    root = parsed(state._repr_svg_())
    assert len(root.findall(f".//{SVG}rect[@class='cell']")) == cells
    text = str(state).split() if signs is None else signs
    drawn = ''.join(root.itertext())
    assert all(word in drawn for word in text if word != '.')
    if signs:
        bold = root.findall(f".//{SVG}text[@font-weight='bold']")
        assert [it.text for it in bold][: len(signs)] == signs
