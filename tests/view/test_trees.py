"""Trees as text, Graphviz and images: numbering, omissions, and formats."""

import re
from itertools import islice, pairwise, takewhile

import attrs
import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse, trees
from fmcts.games import tictactoe
from fmcts.search._tree import walk
from fmcts.testing import generators, positions
from fmcts.view._trees import as_dot, as_picture, as_text, creations, rows_of

RNG = SplitMix.from_seed(2)
NARROW = tictactoe.start.play(4).play(0).play(2).play(6).play(3)


def grown(state, rng, search):
    stream = (tree for tree, _ in islice(trees(state, rng, search), search.iterations))
    return creations(stream)


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
    numbers, tree = grown(state, rng, search)
    assert tree == analyse(state, rng, search)[0].tree
    for tree, _ in islice(trees(state, rng, search), iterations):
        lines = [((), tree)]
        for line, node in lines:
            lines.extend(((*line, child.move), child) for child in node.children)
        assert sorted(numbers[line] for line, _ in lines) == list(range(tree.count()))


@given(st.integers(1, 80), st.none() | st.integers(0, 4), st.integers(0, 5))
@settings(max_examples=40)
def test_shown_and_omitted_nodes_are_counted(iterations, depth, visits):
    numbers, tree = grown(NARROW, RNG, Search(iterations))
    rows = rows_of(tree, numbers, depth=depth, visits=visits)
    assert rows[0].parent == -1
    for row in rows[1:]:
        above = rows[row.parent]
        assert row.depth == above.depth + 1
        assert row.visits >= visits
        assert depth is None or row.depth <= depth
    # Of every node that is shown, each child is shown or counted.
    by_line = {(): tree}
    lines = [()]
    for place, row in enumerate(rows[1:], 1):
        lines.append((*lines[row.parent], int(row.move)))
        by_line[lines[place]] = by_line[lines[row.parent]].child(int(row.move))
    for place, row in enumerate(rows):
        node = by_line[lines[place]]
        shown = sum(other.parent == place for other in rows)
        assert (row.visits, row.value, row.number) == (
            node.visits,
            node.value,
            numbers[lines[place]],
        )
        assert shown + row.hidden == len(node.children)
    if depth is None and visits == 0:
        assert len(rows) == sum(1 for _ in walk(tree))


def test_a_subtree():
    """Its rows are those of the whole tree from that node on, until one as high up comes."""
    numbers, tree = grown(NARROW, RNG, Search(60))
    whole = rows_of(tree, numbers)
    for place, row in enumerate(whole):
        line = []
        above = place
        while whole[above].parent >= 0:
            line.insert(0, int(whole[above].move))
            above = whole[above].parent
        rest = [*takewhile(lambda it, top=row.depth: it.depth > top, whole[place + 1 :])]
        part = rows_of(tree, numbers, below=tuple(line))
        plain = [attrs.evolve(it, depth=it.depth + row.depth, parent=0) for it in part]
        assert plain == [attrs.evolve(it, parent=0) for it in (row, *rest)]
        assert [it.parent + place for it in part[1:]] == [it.parent for it in rest]
        assert part[0].parent == -1
        assert rows_of(tree, numbers, below=tuple(line), depth=0)[0].number == row.number
    with pytest.raises(KeyError):
        rows_of(tree, numbers, below=(0,))


def test_as_text():
    numbers, tree = grown(NARROW, SplitMix.from_seed(0), Search(7))
    assert as_text(rows_of(tree, numbers, depth=1)) == (
        '#0  7 visits  {:.3f}\n'
        '├─ 1  #1  2 visits  {:.3f}\n'
        '│  └─ (1 more)\n'
        '├─ 5  #2  2 visits  {:.3f}\n'
        '│  └─ (1 more)\n'
        '├─ 7  #3  2 visits  {:.3f}\n'
        '│  └─ (1 more)\n'
        '└─ 8  #4  1 visit  {:.3f}\n'
    ).format(tree.value, *(child.value for child in tree.children))


def test_as_dot():
    numbers, tree = grown(NARROW, RNG, Search(30))
    text = as_dot(rows_of(tree, numbers, lambda move: f'"{move}\\', depth=2))
    assert text.startswith('digraph tree {\n')
    assert text.endswith('}\n')
    nodes = {int(number) for number in re.findall(r'^  n(\d+) \[', text, re.MULTILINE)}
    edges = re.findall(r'^  n(\d+) -> n(\d+) \[label="\\"\d\\\\"\];$', text, re.MULTILINE)
    assert len(edges) == len(nodes) - 1
    assert {int(end) for _, end in edges} == nodes - {0}
    assert 'more)", shape=plaintext' in text


def test_as_image():
    """Every box has a place of its own; children stand below parents, in the order of moves."""
    pytest.importorskip('matplotlib', reason='matplotlib is missing here: fmcts[plot] has it')
    numbers, tree = grown(NARROW, RNG, Search(60))
    rows = rows_of(tree, numbers, depth=2, visits=2)
    boxes = [text for text in as_picture(rows).axes[0].texts if '\n' in text.get_text()]
    places = {int(box.get_text()[1:].split('\n')[0]): box.xy for box in boxes}
    assert len(places) == len(rows) == len(set(places.values()))
    for row in rows[1:]:
        assert places[row.number][1] == -row.depth
        siblings = [it for it in rows if it.parent == row.parent]
        across = [places[it.number][0] for it in siblings]
        assert across == sorted(across)


def test_trees_may_be_deeper_than_the_recursion_limit():
    class Long:
        """One move at a time."""

        def __init__(self, left):
            self.left = left
            self.player = tictactoe.start.player
            self.moves = (0,) if left else ()
            self.over = not left
            self.winner = None

        def play(self, _move):
            return Long(self.left - 1)

    tree, _ = analyse(Long(3000), RNG, Search(1500, evaluate=lambda _state: 0.5), engine='inplace')
    numbers = {(0,) * depth: depth for depth in range(1501)}
    rows = rows_of(tree.tree, numbers)
    assert len(as_text(rows).splitlines()) == len(rows) == 1501
    assert as_dot(rows).count('->') == 1500


def test_hidden_moves_are_listed_to_the_right():
    """So on each level all stands as in text, and nothing closer than boxes are wide."""
    pytest.importorskip('matplotlib', reason='matplotlib is missing here: fmcts[plot] has it')
    numbers, tree = grown(NARROW, RNG, Search(60))
    for depth, visits in ((2, 4), (3, 3), (1, 20), (4, 8)):
        rows = rows_of(tree, numbers, depth=depth, visits=visits)
        expected = {}

        def walk_down(place, expected=expected, rows=rows):
            row = rows[place]
            expected.setdefault(row.depth, []).append(f'#{row.number}')
            for below in (it for it in range(len(rows)) if rows[it].parent == place):
                walk_down(below)
            if row.hidden:
                expected.setdefault(row.depth + 1, []).append(f'({row.hidden} more)')

        walk_down(0)
        found = {}
        texts = as_picture(rows).axes[0].texts
        for text in sorted(texts, key=lambda it: it.xy[0]):
            if text.get_text()[0] in '#(':
                found.setdefault(-text.xy[1], []).append((text.xy[0], text.get_text()))
        assert {
            level: [it[1].split('\n')[0] for it in row] for level, row in found.items()
        } == expected
        for row in found.values():
            assert all(right[0] - left[0] >= 1 for left, right in pairwise(row))
