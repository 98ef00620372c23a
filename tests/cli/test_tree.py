"""`fmcts tree`."""

import json
import re
import sys
import xml.etree.ElementTree as ET
from types import ModuleType

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts.games import tictactoe
from fmcts.rng import format as format_rng
from toy_games import Piles

from .conftest import run_here

MOVES = ('--moves', '4,0,2,6,3')


def tree(*words):
    """What `fmcts tree tictactoe` prints."""
    done = run_here('tree', 'tictactoe', *words)
    assert done.code == 0, done.err
    return done.out


def state():
    found = tictactoe.start
    for move in (4, 0, 2, 6, 3):
        found = found.play(move)
    return found


def test_the_tree_of_a_search():
    lines = tree(*MOVES, '--bot', 'mcts:40', '--depth', '1')
    found, _ = analyse(state(), SplitMix.from_seed(0), Search(40))
    rows = [line for line in lines.splitlines() if line[0] in '├└']
    assert [row.split()[1] for row in rows] == [str(one.move) for one in found.stats]
    assert [int(row.split()[3]) for row in rows] == [one.visits for one in found.stats]


def test_the_root_after_every_iteration():
    lines = tree(*MOVES, '--bot', 'mehat-uct:12', '--each')
    rows = lines.splitlines()
    assert [int(row.split()[0]) for row in rows] == list(range(1, 13))
    visits = [sum(int(word) for word in row[32:].split()[2::4]) for row in rows]
    assert visits == list(range(1, 13))
    # Four descents make a node each below the root; so does each of the next, but deeper.
    nodes = [row[32:].split()[1::4] for row in rows]
    assert nodes == [[f'#{1 + move}' for move in range(min(4, count))] for count in range(1, 13)]


def test_json_output():
    words = *MOVES, '--bot', 'mcts:40,solver=on', '--depth', '2', '--json'
    printed = json.loads(tree(*words))
    found, rng = analyse(state(), SplitMix.from_seed(0), Search(40, solver=True))
    assert printed['game'] == 'tictactoe'
    assert printed['moves'] == [4, 0, 2, 6, 3]
    assert printed['rng'] == format_rng(rng)
    assert printed['analysis'] == json.loads(found.to_json(depth=2, min_visits=0))


def test_the_subtree_below_some_moves():
    words = '--moves', '4,0', '--bot', 'mcts:300'
    whole = tree(*words, '--depth', '4').splitlines()
    part = tree(*words, '--below', '2,6', '--depth', '2').splitlines()
    above = whole.index(next(row for row in whole if row.startswith('├─ 2  #')))
    first = next(place for place in range(above, len(whole)) if whole[place][3:8] == '├─ 6 ')
    assert part == [whole[first][6:], *(row[6:] for row in whole[first + 1 :])][: len(part)]
    assert whole[first + len(part)][3] in '├└'


@pytest.mark.parametrize(
    ('name', 'begin'), [('a.txt', '#0'), ('a.dot', 'digraph'), ('a.svg', '<?xml')]
)
def test_output_files(name, begin, tmp_path):
    path = tmp_path / name
    assert tree(*MOVES, '--out', str(path)) == ''
    assert path.read_text(encoding='utf-8').startswith(begin)


def test_svg_with_boards_and_columns(tmp_path):
    path = tmp_path / 'a.svg'
    spec = ('--bot', 'baeldung:20', '--depth', '1')
    tree(*MOVES, *spec, '--boards', '--column', 'score', '--out', str(path))
    root = ET.fromstring(path.read_bytes())
    texts = [it.text for it in root.iter('{http://www.w3.org/2000/svg}text')]
    assert texts.count('score -2147483648') == 3
    assert sum(it.get('class') == 'cell' for it in root.iter()) == 9 * 5


def test_the_tree_of_probabilities():
    moves = ('--moves', '4,0,2,5,3,6', '--probabilities')
    lines = tree(*moves).splitlines()
    assert lines[0] == 'P(X wins) = 1/3'
    firsts = [line[3:] for line in lines if line[0] in '├└']
    assert firsts == ['1: P = 1/2', '7: P = 1/2', '8: P = 0']
    assert len(lines) == 16
    assert sum(line.endswith('X wins') for line in lines) == 2


def test_a_column_after_every_iteration():
    words = *MOVES, '--bot', 'baeldung:4', '--each', '--column', 'score'
    last = tree(*words).splitlines()[-1].split()
    assert last == ['4', '1:', '1/0', '5:', '1/0', '7:', '1/0', '8:', '1/-2147483648']


def test_the_principal_variation():
    words = *MOVES, '--bot', 'mcts:200', '--principal'
    found, _ = analyse(state(), SplitMix.from_seed(0), Search(200))
    lines = [line for line in tree(*words).splitlines()[1:] if '#' in line]
    rows = [line.partition('─ ')[2].split() for line in lines]
    assert [int(row[0]) for row in rows] == [*found.principal_variation]


def test_dump_of_all_nodes():
    """Every node that a move leads to has a line, with the visits of the move."""
    words = *MOVES, '--bot', 'mehat-uct:30', '--dump'
    rows = [row.split() for row in tree(*words).splitlines()]
    assert [row[0] for row in rows] == [f'#{number}' for number in range(len(rows))]
    assert rows[0][1] == '30'
    visits = {row[0]: row[1] for row in rows}
    links = [(row[at], row[at + 1]) for row in rows for at in range(3, len(row), 4)]
    links = [(to, count) for to, count in links if to.startswith('#')]
    assert sorted(to for to, _ in links) == sorted([*visits][1:])
    assert all(visits[to] == count for to, count in links)


def test_the_tree_of_a_game_for_three_players(tmp_path):
    """They are called A, B and C."""
    words = ('tree', 'mnk3', '--bot', 'mcts:20', '--depth', '1')
    done = run_here(*words, '--json')
    top = json.loads(done.out)['analysis']['tree']
    assert (top['player'], {each['mover'] for each in top['children']}) == ('A', {'A'})
    picture = tmp_path / 'tree.svg'
    done = run_here(*words, '--out', str(picture))
    assert (done.code, done.err) == (0, '')
    assert ET.parse(picture).getroot().tag.endswith('svg')


@pytest.mark.parametrize('words', [(), ('--each',), ('--dump',), ('--below', '[2],[1]')])
def test_moves_need_no_hash(words, monkeypatch):
    module = ModuleType('piles')
    module.lists, module.plain = Piles(4), Piles(4, plain=True)
    monkeypatch.setitem(sys.modules, 'piles', module)
    done = run_here('tree', 'piles:lists', '--bot', 'mcts:50', *words)
    same = run_here('tree', 'piles:plain', '--bot', 'mcts:50', *map(bare, words))
    assert (done.code, bare(done.out)) == (0, bare(same.out))


def bare(text):
    """Return a text without brackets and spaces."""
    return re.sub(r'[\[\] ]', '', text)
