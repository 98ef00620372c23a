"""Trees in one call (`draw`, `draw_versions`, `draw_probabilities`): layout, numbers, omissions."""

import re
import xml.etree.ElementTree as ET
from functools import reduce
from itertools import islice, pairwise

import pytest
from hypothesis import example, given, settings, strategies as st

from fmcts import Player, Search, SplitMix, analyse, probabilities, trees, walk
from fmcts.bots._spec import parse_bot
from fmcts.explore import explore
from fmcts.games import connect4, tictactoe
from fmcts.history import history
from fmcts.search._tree import principal_variation
from fmcts.testing import generators, positions
from fmcts.view import draw, draw_probabilities, draw_versions
from fmcts.view._boxes import places_across
from fmcts.view.descents import creations, descended, descents
from toy_games import Piles, nodes_by_line

RNG = SplitMix.from_seed(2)
SVG = '{http://www.w3.org/2000/svg}'
NARROW = reduce(tictactoe.TicTacToe.play, [4, 0, 2, 6, 3], tictactoe.start)
ARTICLE = reduce(tictactoe.TicTacToe.play, [4, 0, 2, 5, 3, 6], tictactoe.start)


def nodes(svg):
    """The boxes: class, and the texts in each."""
    root = ET.fromstring(svg)
    found = [it for it in root.iter(f'{SVG}g') if it.get('class', '').split()[:1] == ['node']]
    return [(it.get('class'), [text.text for text in it.findall(f'{SVG}text')]) for it in found]


@st.composite
def preorders(draw):
    """Trees as the parents of nodes in preorder."""
    parents, path = [-1], [0]
    for deep in draw(st.lists(st.integers(0, 100), max_size=60)):
        path = path[: 1 + deep % len(path)]
        parents.append(path[-1])
        path.append(len(parents) - 1)
    return parents


@given(preorders())
@example([-1])
@example([-1, 0, 1, 2, 0, 0, 0, 6, 7, 8, 8, 8])
def test_positions_of_nodes(parents):
    places = places_across(parents)
    depths, levels, children = [], {}, {}
    for node, parent in enumerate(parents):
        depths.append(depths[parent] + 1 if node else 0)
        levels.setdefault(depths[node], []).append(places[node])
        children.setdefault(parent, []).append(node)
    assert min(places) == 0
    for level in levels.values():
        assert all(right - left >= 1 - 1e-9 for left, right in pairwise(level))
    for parent, below in children.items():
        if parent >= 0:
            middle = (places[below[0]] + places[below[-1]]) / 2
            assert places[parent] == pytest.approx(middle, abs=1e-9)


@given(preorders(), st.integers(1, 4))
def test_equal_subtrees_have_equal_layouts(parents, copies):
    """The same tree several times below one root: each is the same but for its place."""
    alone = places_across(parents)
    whole = [-1]
    for _ in range(copies):
        first = len(whole)
        whole += [first + parent if parent >= 0 else 0 for parent in parents]
    places = places_across(whole)
    for copy in range(copies):
        begin = 1 + copy * len(parents)
        own = places[begin : begin + len(parents)]
        assert [it - own[0] for it in own] == pytest.approx([it - alone[0] for it in alone])


def test_layouts_may_be_large_and_deeper_than_the_recursion_limit():
    deep = range(-1, 20_000)
    assert places_across(deep) == [0.0] * 20_001
    assert places_across([-1] + [0] * 20_000)[-1] == 19_999
    assert places_across([]) == []


def test_small_subtrees_between_large_ones_are_in_the_middle():
    """Three children, of which the outer ones have five children each."""
    places = places_across([-1, *([0] + [1] * 5), 0, *([0] + [8] * 5)])
    assert (places[1], places[7], places[8]) == (2, 4.5, 7)


@given(st.integers(1, 80), st.none() | st.integers(0, 4), st.integers(0, 5), st.booleans())
@settings(max_examples=40, deadline=None)
def test_shown_and_omitted_nodes_are_counted(iterations, depth, visits, boards):
    analysis, _ = analyse(NARROW, RNG, Search(iterations))
    svg = draw(analysis, depth=depth, visits=visits, boards=boards)
    assert svg == draw(analysis.tree, depth=depth, visits=visits, boards=boards)

    def kept(node, deep):
        below = [it for it in node.children if it.visits >= visits] if deep != depth else []
        yield [*filter(None, [str(node.visits), f'{node.value:.3f}'])], node, len(below)
        for child in below:
            yield from kept(child, deep + 1)

    expected = [*kept(analysis.tree, 0)]
    found = nodes(svg)
    assert sorted(texts[:2] for _, texts in found) == sorted(it for it, _, _ in expected)
    moves = sorted(texts[2] for _, texts in found if len(texts) > 2)
    assert moves == sorted(str(node.move) for _, node, _ in expected[1:])
    hidden = sorted(len(node.children) - shown for _, node, shown in expected)
    more = sorted(map(int, re.findall(r'>\((\d+) more\)<', svg)))
    assert more == [it for it in hidden if it]
    assert svg.count('viewBox') == 1 + boards * len(expected) * 2


def test_the_principal_variation_alone():
    analysis, _ = analyse(connect4.start, RNG, Search(400))
    line = principal_variation(analysis.tree)
    found = nodes(draw(analysis, principal=True, visits=0))
    assert [texts[2] for _, texts in found[1:]] == [str(move) for move in line]
    assert {name for name, _ in found} == {'node path'}


def test_by_default_nodes_with_a_hundredth_of_the_visits_are_drawn():
    analysis, _ = analyse(connect4.start, RNG, Search(1000))
    few = [node for node in walk(analysis) if node.visits >= 10]
    assert len(nodes(draw(analysis))) == len(few)
    assert draw(analysis, 'dot').count('shape=plaintext') <= len(few)


def test_proofs_and_columns_are_shown():
    analysis, _ = analyse(NARROW, RNG, Search(300, solver=True))
    proven = [texts[2] for _, texts in nodes(draw(analysis, depth=1, visits=0))]
    assert proven[0] == 'draw'
    assert [str(stats.proof) for stats in analysis.stats] == proven[1:]
    search = parse_bot('baeldung:20').unwrap().search
    analysis, _ = analyse(NARROW, RNG, search)
    assert nodes(draw(analysis, columns=('score',)))[0][1][2].startswith('score ')


@pytest.mark.parametrize(
    ('given', 'complaint'),
    [
        ({'kind': 'png'}, "kind must be svg, text or dot, not 'png'"),
        ({'columns': ('score',)}, "the tree has no column 'score': its columns are none"),
        ({'depth': -1}, 'depth must be a whole number of at least 0, not -1'),
        ({'visits': 1.5}, 'visits must be a whole number of at least 0, not 1.5'),
    ],
)
def test_invalid_arguments_are_refused(given, complaint):
    analysis, _ = analyse(NARROW, RNG, Search(9))
    with pytest.raises(ValueError, match=re.escape(complaint)):
        draw(analysis, **given)


def test_trees_too_large_for_a_browser_are_refused():
    analysis, _ = analyse(connect4.start, RNG, Search(6000), engine='inplace')
    with pytest.raises(ValueError, match='more than 5,000 nodes would be drawn'):
        draw(analysis, visits=0)
    with pytest.raises(TypeError, match='tree must be a Node or an Analysis, not 5'):
        draw(5)


@given(
    positions(tictactoe.start, running=True),
    generators(),
    st.integers(1, 60),
    st.sampled_from(['in-order', 'random', 'full']),
)
@settings(max_examples=40)
def test_nodes_are_numbered_in_order_of_creation(state, rng, iterations, expansion):
    """The tree after n iterations has the lowest numbers, and all of them."""
    search = Search(iterations, expansion=expansion)
    versions = [tree for tree, _ in islice(trees(state, rng, search), iterations)]
    numbers, tree = creations(versions)
    assert tree == analyse(state, rng, search)[0].tree
    for version in versions:
        paths = [*nodes_by_line(version)]
        assert sorted(numbers[path] for path in paths) == list(range(version.count()))


def numbered_tree(iterations):
    return creations(tree for tree, _ in islice(trees(NARROW, RNG, Search()), iterations))


def test_text_and_dot_name_nodes_by_number():
    numbers, tree = numbered_tree(7)
    assert draw(tree, 'text', depth=1, visits=0, numbers=numbers) == (
        '#0  7 visits  {:.3f}\n'
        '├─ 1  #1  2 visits  {:.3f}\n'
        '│  └─ (1 more)\n'
        '├─ 5  #2  2 visits  {:.3f}\n'
        '│  └─ (1 more)\n'
        '├─ 7  #3  2 visits  {:.3f}\n'
        '│  └─ (1 more)\n'
        '└─ 8  #4  1 visit  {:.3f}\n'
    ).format(tree.value, *(child.value for child in tree.children))
    numbers, tree = numbered_tree(30)
    text = draw(tree, 'dot', depth=2, visits=0, numbers=numbers)
    shown = {int(number) for number in re.findall(r'^  n(\d+) \[', text, re.MULTILINE)}
    assert shown == {numbers[path] for path in nodes_by_line(tree) if len(path) <= 2}
    edges = re.findall(r'^  n(\d+) -> n(\d+) \[label="\d"\];$', text, re.MULTILINE)
    assert {int(end) for _, end in edges} == shown - {0}
    hidden = re.findall(r'^  n(\d+) -> h(\d+) \[style=dotted\];$', text, re.MULTILINE)
    assert hidden
    assert all(one == two for one, two in hidden)


def test_a_subtree_has_its_part_of_the_text():
    numbers, tree = numbered_tree(60)
    whole = draw(tree, 'text', visits=0, numbers=numbers).splitlines()
    for path in nodes_by_line(tree):
        part = draw(tree, 'text', visits=0, numbers=numbers, below=path).splitlines()
        (place,) = (at for at, line in enumerate(whole) if part[0] in line)
        indent = whole[place].index(part[0])
        assert [it[indent:] for it in whole[place : place + len(part)]] == part
    with pytest.raises(ValueError, match='no node below'):
        draw(tree, below=(0,))


def test_text_of_trees_deeper_than_the_recursion_limit():
    class Long:
        """One move at a time."""

        player, winner = Player.X, None

        def __init__(self, left):
            self.moves, self.over = (left - 1,)[:left], not left

        def play(self, move):
            return Long(move)

    tree, _ = analyse(Long(3000), RNG, Search(1500, evaluate=lambda _state: 0.5), engine='inplace')
    assert len(draw(tree, 'text', visits=0).splitlines()) == 1501
    assert draw(tree, 'dot', visits=0).count('->') == 1500
    assert len(nodes(draw(tree, visits=0))) == 1501


@given(positions(tictactoe.start, running=True), generators(), st.integers(2, 60), st.data())
@settings(max_examples=30, deadline=None)
def test_versions_show_which_nodes_are_shared(state, rng, iterations, data):
    """By an oracle that knows nothing of the drawing: identities of nodes, by their paths."""
    versions = [tree for tree, _ in islice(trees(state, rng, Search()), iterations)]
    number = data.draw(st.integers(0, iterations - 2))
    before, after = versions[number], versions[number + data.draw(st.integers(0, 1))]
    old = nodes_by_line(before)
    expected = []
    for path, node in nodes_by_line(after).items():
        if any(
            path[:length] in old and old[path[:length]] is at for length, at in above(after, path)
        ):
            continue  # below what is shared
        look = 'shared' if old.get(path) is node else 'copied' if path in old else 'new'
        expected.append(
            (f'node {look}', [str(node.visits), f'{node.value:.3f}', *map(str, path[-1:])])
        )
    assert sorted(nodes(draw_versions(before, after))) == sorted(expected)


def above(tree, path):
    """The nodes on the way to a path, without its end."""
    node = tree
    for length, move in enumerate(path):
        yield length, node
        node = node.child(move)


def test_the_haskell_article_s_tree():
    """P(7) = 1/2, P(78) = 1, P(71) = 0: from `probabilities` of each position."""
    svg = draw_probabilities(ARTICLE, player=Player.X)
    labels = re.findall(r'>(\d): P = ([0-9/]+)</text>', svg)
    expected = []

    def collect(state):
        for move in state.moves:
            after = state.play(move)
            expected.append((str(move), str(probabilities(after)[Player.X])))
            collect(after)

    collect(ARTICLE)
    assert sorted(labels) == sorted(expected)
    assert len(nodes(svg)) == 1 + len(expected) == 16
    text = draw_probabilities(ARTICLE, 'text', player=Player.X)
    assert '├─ 7: P = 1/2\n│  ├─ 1: P = 0\n│  │  └─ 8: P = 0  draw\n│  └─ 8: P = 1\n' in text
    assert ET.fromstring(svg)[1].text == text
    assert '(2 more)' in draw_probabilities(ARTICLE, depth=1)


class Hostile:
    """A game whose words are marks of XML and of Graphviz."""

    name = '<&"'

    def format(self, _state):
        return '<svg>&"]]>'

    def format_move(self, move):
        return f'<&"\\{move}\n\x00'


def test_hostile_names_are_escaped():
    analysis, _ = analyse(NARROW, RNG, Search(20))
    for svg in (
        draw(analysis, game=Hostile(), boards=True),
        draw_versions(analysis, analysis, game=Hostile()),
        draw_probabilities(ARTICLE, game=Hostile()),
    ):
        ET.fromstring(svg)
    dot = draw(analysis, 'dot', game=Hostile())
    assert all(len(re.findall(r'(?<!\\)"', line)) % 2 == 0 for line in dot.splitlines())


def test_separately_made_trees_share_nothing():
    one, two = (analyse(NARROW, RNG, Search(30), engine='persistent')[0].tree for _ in range(2))
    assert one == two
    assert {name for name, _ in nodes(draw_versions(one, two))} == {'node copied'}
    assert [name for name, _ in nodes(draw_versions(two, two))] == ['node shared']


@pytest.mark.parametrize('spec', ['mcts:60', 'mcts:60,expansion=full', 'closing:60'])
def test_a_descent_is_where_visits_grew_by_one(spec):
    search = parse_bot(spec).unwrap().search
    versions = [tree for tree, _ in islice(trees(NARROW, RNG, search), 60)]
    for before, after in pairwise(versions):
        old = {path: node.visits for path, node in nodes_by_line(before).items()}
        grown = [
            path for path, node in nodes_by_line(after).items() if node.visits > old.get(path, 0)
        ]
        assert descended(before, after) == [path[-1] for path in sorted(grown, key=len)[1:]]
    for number, line in enumerate(descents(versions), 1):
        words = line[:32].split()
        path = descended(versions[number - 2] if number > 1 else None, versions[number - 1])
        assert words == [str(number), *map(str, path)]


def test_moves_need_no_hash():
    found = analyse(Piles(), RNG, Search(60))[0]
    assert draw(found, 'text', depth=1).count('[') == 2
    assert len(nodes(draw(found, depth=1, visits=0))) == 3
    assert '[2]' in explore(history(Piles(), RNG, Search(20))).html
