"""HTML in notebooks."""

import base64
import re
import xml.etree.ElementTree as ET

from attrs import evolve
from hypothesis import given, strategies as st
from returns.unsafe import unsafe_perform_io

from fmcts import Search, SplitMix, analyse, mcts, play_game, random_bot
from fmcts.compare import Refusal, compare_designs
from fmcts.games import connect4, tictactoe
from fmcts.games.families import find_member
from fmcts.matches import match
from fmcts.matches._tournaments import tournament
from fmcts.rng import format as format_rng
from fmcts.testing import Breach
from fmcts.view import draw
from fmcts.view._notebook import bar

RNG = SplitMix.from_seed(3)
BAD = '<script>&"'
STATE = connect4.start.play(3).play(3)
ANALYSIS, _ = analyse(STATE, RNG, Search(200))
MATCH = match(mcts(Search(9)), random_bot, tictactoe.start, games=4, rng=RNG, names=(BAD, 'b'))


def parsed(html):
    """HTML that is XML too, without scripts, forms, styles or requests."""
    root = ET.fromstring(f'<html>{html}</html>')
    allowed = {'html', 'div', 'table', 'caption', 'thead', 'tbody', 'tr', 'th', 'td', 'b', 'code'}
    assert {it.tag for it in root.iter()} <= allowed | {'img', 'pre'}
    sources = [it.get('src') for it in root.iter('img')]
    assert all(it.startswith('data:image/svg+xml;base64,') for it in sources)
    assert all(it.get('alt') for it in root.iter('img'))
    return root


def rows(root):
    return [[''.join(cell.itertext()) for cell in row] for row in root.iter('tr')]


def test_analysis_in_a_notebook():
    root = parsed(ANALYSIS._repr_html_())
    assert root[0][0].get('alt') == f'connect4, X to move: {ANALYSIS.move} was chosen'
    head, *body = rows(root)
    assert head == ['move', 'visits', 'share', 'value', '']
    names = [f'* {it.move}' if it.move == ANALYSIS.move else str(it.move) for it in ANALYSIS.stats]
    assert [[row[0].replace('*    ', '* '), row[1]] for row in body] == [
        [name, str(it.visits)] for name, it in zip(names, ANALYSIS.stats, strict=True)
    ]
    assert [row[4] for row in body] == [bar(it.visits / 200) for it in ANALYSIS.stats]
    bold = [[cell.text for cell in row.iter('b')] for row in root.iter('tr')]
    assert [row[0].split()[-1] for row in bold if row] == [str(ANALYSIS.move)]
    assert ANALYSIS.digest in ''.join(root.itertext())
    picture = base64.b64decode(root[0][0].get('src').partition(',')[2]).decode()
    assert ET.fromstring(picture).get('role') == 'img'
    assert 'currentColor' not in picture
    assert ANALYSIS._repr_html_() == ANALYSIS._repr_html_()


def test_node_in_a_notebook():
    assert ANALYSIS.tree._repr_svg_() == draw(ANALYSIS, depth=2, visits=10)
    child = ANALYSIS.tree.child(ANALYSIS.move)
    assert child._repr_svg_() == draw(child, depth=2, visits=max(1, child.visits // 20))
    assert type(child._repr_svg_()) is str


def test_a_broken_law_in_a_notebook():
    breach = Breach('a law', 'It is kept.', 'it is <not>', (0, 4, 4, 5), start=tictactoe.start)
    root = parsed(breach._repr_html_())  # its line is drawn as far as it can be played
    assert [it.get('alt') for it in root.iter('img')] == ['the start', 'after 0', 'after 0, 4']
    assert str(breach) in ''.join(root.itertext())
    assert list(parsed(evolve(breach, start=None)._repr_html_()).iter('img')) == []


def test_match_in_a_notebook():
    root = parsed(MATCH._repr_html_())
    assert root.find('.//caption').text == f'tictactoe: {BAD} against b, 4 games'
    counts = MATCH.wins, MATCH.draws, MATCH.losses
    assert [int(row[1]) for row in rows(root)[1:]] == [*counts]
    assert f'{MATCH.score:.1%}' in ''.join(root.itertext())
    parsed(evolve(MATCH, games=())._repr_html_())


def test_showing_a_match_needs_no_other_library(run_python):
    needless = 'sys.modules["scipy"] = sys.modules["numpy"] = sys.modules["tabulate"] = None;'
    script = (
        f'import sys; {needless}'
        'from fmcts import *; from fmcts.matches import match; from fmcts.games import tictactoe;'
        'print(match(random_bot, random_bot, tictactoe.start, games=2,'
        'rng=SplitMix.from_seed(1))._repr_html_())'
    )
    done = run_python('-c', script, check=True)
    assert re.search(
        r'score: <code>[0-9.]+% \([0-9.]+% to [0-9.]+% with a confidence of 95 %\)</code>',
        done.stdout,
    )


def test_tournament_and_comparison_in_a_notebook():
    bots = {BAD: mcts(Search(5)), 'b': random_bot}
    found = tournament(bots, tictactoe.start, games=4, rng=RNG)
    assert [row[0] for row in rows(parsed(found._repr_html_()))[1:]] == [
        it.name for it in found.standings
    ]
    comparison = unsafe_perform_io(
        compare_designs(STATE, RNG, Search(20), engines=['inplace', 'persistent'])
    )
    root = parsed(comparison._repr_html_())
    assert [row[0] for row in rows(root)[1:]] == ['inplace', 'persistent']
    assert 'yes, to the bit' in ''.join(root.itertext())
    refused = evolve(comparison, designs=(), refused=(Refusal('poor', BAD),))
    assert BAD in ''.join(parsed(refused._repr_html_()).itertext())


@given(st.floats(0, 1), st.floats(0, 1))
def test_longer_bars_are_larger_shares(one, two):
    def eighths(text):
        return sum(' ▏▎▍▌▋▊▉█'.index(it) for it in text)

    assert (eighths(bar(one)) <= eighths(bar(two))) or one > two
    assert abs(eighths(bar(one)) / 96 - one) <= 1 / 192 + 1e-9


def numbers(record):
    """The numbers that a game's picture has, in the order of cells."""
    root = parsed(record._repr_html_())
    drawn = base64.b64decode(next(root.iter('img')).get('src').partition(',')[2]).decode()
    places = re.findall(r'<text x="(.*?)" y="(.*?)"[^>]*class="number"[^>]*>(\d+)<', drawn)
    return [int(it) for _, _, it in sorted(places, key=lambda it: (float(it[1]), float(it[0])))]


def test_a_game_is_a_board_with_numbered_moves():
    record, _ = play_game(tictactoe.start, random_bot, random_bot, RNG)
    at = {cell: number for number, cell in enumerate(record.moves, 1)}
    assert numbers(record) == [at[cell] for cell in sorted(at)]
    text = ''.join(parsed(record._repr_html_()).itertext())
    assert f'moves: {" ".join(map(str, record.moves))}' in text
    assert f'generator: {format_rng(RNG)}' in text


def test_moves_of_stones_are_not_numbered():
    game = find_member('breakthrough:5,5').unwrap()
    record, _ = play_game(game.start, random_bot, random_bot, RNG)
    assert numbers(record) == []


def test_a_search_shows_what_is_not_usual():
    search = Search(5_000, selection='ucb1-tuned', solver=True)
    lines = [''.join(it.itertext()) for it in parsed(search._repr_html_()).iter('div')]
    assert '5,000 iterations' in lines
    assert "selection: 'ucb1-tuned'" in lines
    assert 'solver: True' in lines
    assert 'formula: x1 = L / n' in lines
    assert not any('playout' in it for it in lines)
