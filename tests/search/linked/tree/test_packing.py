"""Trees as numbers: their layout; packed, the same bytes everywhere, and the same tree again."""

import os
import pickle
import struct
import subprocess
import sys
import zlib
from array import array

import pytest
from attrs import evolve

from drawn_games import Maze
from drawn_searches import worth
from fmcts import Player, Search, SplitMix, analyse, reroot
from fmcts._linked.structure import structure_of
from fmcts._linked.tree.arena import subtree
from fmcts._linked.tree.nodes import LazyNode
from fmcts._linked.tree.store import PLAIN, size
from fmcts.games import tictactoe
from fmcts.rules import OnPositions
from fmcts.search import _digest as digests
from fmcts.search._tree import walk
from fmcts.search.methods import UCB1Tuned
from shapes import FORMS, SHAPES
from tiers import usually

RNG = SplitMix.from_seed(8)


def found(iterations=300, state=tictactoe.start, **options):
    return analyse(state, RNG, Search(iterations, **options), engine='compiled')[0]


def again(value):
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own bytes


def shape(position):
    return 0.25 + 0.5 * ((position.mine * 7 + position.theirs) % 17) / 17


# Of every form, by machine code that other tests take too; 18 begins with two moves of one side.
START = Maze(18, 30, 5)
SEARCHES = {
    **{
        name: evolve(SHAPES[name], iterations=100)
        for name in (*FORMS, 'solver', 'rewarded', 'joined', 'joined by moves')
    },
    'normalised': Search(100, selection='amaf', normalised=True),
    'evaluator of a rule': Search(
        100, evaluate=OnPositions(worth), selection=lambda edge, _parent: edge.value - edge.visits
    ),
}


def blocks(tree):
    """All numbers of a tree, as `game.h` describes them, from nodes of another engine."""
    numbers = [1, 1, tree.visits, int(2 * tree.reward), 6, 0]
    queue = [(tree, 5)]
    while queue:
        node, link = queue.pop(0)
        if link != 5:
            numbers[link] = len(numbers)
        begin, total = len(numbers), len(node.moves)
        rows = [[-1] * total, [0] * total, [0] * total]
        for child in node.children:
            index = node.moves.index(child.move)
            over = {None: -3, 'X': -1, 'O': -2}
            winner = child.state.winner and child.state.winner.name
            rows[0][index], rows[1][index] = child.visits, int(2 * child.reward)
            rows[2][index] = over[winner] if not child.moves else 0
            if child.children:
                queue.append((child, begin + 2 + 2 * total + index))
        numbers += [total, len(node.children), *rows[0], *rows[1], *rows[2], *[None] * total]
    return numbers


@pytest.mark.parametrize('move', [None, 4])
def test_copied_trees_are_stored_by_level(move):
    tree = found(expansion='random').tree
    other = analyse(tictactoe.start, RNG, Search(300, expansion='random'), engine='inplace')[0].tree
    tree, other = (tree, other) if move is None else (tree.child(move), other.child(move))
    copied = subtree(tree)
    expected = blocks(other)
    assert (copied.nodes, copied.unvisited) == (other.count(), False)
    pairs = zip(copied.cells, expected, strict=True)
    assert all(number == known for number, known in pairs if known is not None)


# ---- round trips ----


@pytest.mark.parametrize('name', usually(SHAPES, SEARCHES))
def test_every_subtree_round_trips(name):
    """To the bit, as the reference engine makes it; and packed again to the same value."""
    search = SEARCHES[name]
    tree, expected = (
        analyse(START, RNG, search, engine=engine)[0].tree for engine in ('compiled', 'persistent')
    )
    packed = 0
    for node, other in zip(walk(tree, depth=3), walk(expected, depth=3), strict=True):
        fresh = again(node)
        assert digests.digest(fresh) == digests.digest(node) == digests.digest(other)
        assert fresh == again(fresh) == other
        assert fresh.count() == other.count()
        packed += isinstance(fresh, LazyNode)
        if node.children:
            assert pickle.dumps(again(fresh)) == pickle.dumps(again(node))
    assert packed > 5


@pytest.mark.parametrize('engine', ['compiled', 'inplace'])
@pytest.mark.parametrize('name', usually(['ucb1', 'grave', 'solver', 'rewarded'], SEARCHES))
def test_unpickled_trees_are_continued_alike(name, engine):
    search = SEARCHES[name]
    analysis, rng = analyse(START, RNG, search, engine='compiled')
    for tree in (analysis, reroot(analysis, 1), reroot(reroot(analysis, 1), 3)):
        state = tree.tree.state if tree is analysis else tree.state
        ours = analyse(state, rng, search, engine=engine, tree=tree)
        assert ours == analyse(state, rng, search, engine=engine, tree=again(tree))
        assert ours[0].tree == again(ours[0]).tree


def test_a_subtree_is_pickled_without_the_rest():
    analysis = found()
    view = reroot(analysis, analysis.move)
    assert again(view).store.nodes == view.count() < analysis.nodes


def test_methods_without_a_name_are_pickled_node_by_node():
    class Nameless(UCB1Tuned):
        pass

    analysis = found(selection=Nameless(0.5))
    for tree in (analysis.tree, reroot(analysis, analysis.move)):
        assert again(tree) == tree


def test_another_order_of_bytes_is_refused():
    unpacked, (packed, _, *facts) = found().tree.store.__reduce__()
    with pytest.raises(pickle.UnpicklingError, match='bytes have another order: middle'):
        unpacked(packed, 'middle', *facts)


# ---- what is packed ----


def test_packed_numbers_are_those_of_the_array():
    _, (packed, order, used, *facts) = found().tree.store.__reduce__()
    assert [order, *facts] == [sys.byteorder, found().nodes, False, PLAIN]
    raw = zlib.decompress(packed)
    assert raw[:24] == struct.pack('=6i', 1, 1, 300, int(2 * found().tree.reward), 6, 0)
    assert len(raw) == 4 * used


def test_tables_of_halves_are_packed_as_integers():
    """Twice the number, for each key of either side; doubles where rewards may be anything."""
    tree = found(selection='grave').tree
    raw = array('i', zlib.decompress(tree.store.__reduce__()[1][0]))
    kept = [0] * (2 * 2 * 9)
    for (player, key), numbers in tree.columns.table.entries.items():
        for row, number in enumerate(numbers):
            kept[18 * row + 9 * (player is Player.O) + key] = int(2 * number)
    rows = tree.store.structure.rows
    end = size(1, rows) + size(9, rows, len(kept))
    assert raw[end - len(kept) : end].tolist() == kept
    assert any(kept)
    search = Search(selection='grave', reward=OnPositions(shape))
    real = structure_of(search, tictactoe.start, unvisited=True)
    assert (real.tail, tree.store.structure.tail) == (72, 36)


PICKLES = """
import pickle, sys
from fmcts import Search, SplitMix, analyse, reroot
from fmcts.games import tictactoe
rng = SplitMix.from_seed(8)
search = Search(300, expansion='random', selection=sys.argv[1])
analysis, _ = analyse(tictactoe.start, rng, search, engine='compiled')
sys.stdout.buffer.write(pickle.dumps((analysis, reroot(analysis, 4)), 4))
"""


@pytest.mark.parametrize('selection', usually(['ucb1'], ['ucb1', 'amaf']))
def test_pickles_are_equal_in_every_process(selection):
    analysis = found(expansion='random', selection=selection)
    analysis.tree.children  # noqa: B018 - what was looked at does not show
    ours = pickle.dumps((analysis, reroot(analysis, 4)), 4)
    seed = '1' if os.environ.get('PYTHONHASHSEED') != '1' else '2'
    theirs = subprocess.run(
        [sys.executable, '-c', PICKLES, selection],
        env={**os.environ, 'PYTHONHASHSEED': seed},
        capture_output=True,
        check=True,
    ).stdout
    assert theirs == ours
