"""Trees as numbers: their layout in memory, and copies of parts."""

from array import array

import numpy as np
import pytest

from fmcts import Search, SplitMix, analyse
from fmcts._linked.tree import code
from fmcts._linked.tree.places import first
from fmcts._linked.tree.store import copy_subtree
from fmcts.games import GAMES, tictactoe

RNG = SplitMix.from_seed(8)


def found(iterations=300, state=tictactoe.start, **options):
    return analyse(state, RNG, Search(iterations, **options), engine='compiled')[0]


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
    out = array('i', [0] * first(0))
    facts = copy_subtree(tree.store.cells, tree.block, out, 0, 0, in_order=False)
    expected = blocks(other)
    assert facts == (other.count(), False)
    pairs = zip(out[first(0) :], expected[first(0) :], strict=True)
    assert all(number == known for number, known in pairs if known is not None)


@pytest.mark.parametrize('expansion', ['in-order', 'random', 'full'])
@pytest.mark.parametrize('in_order', [False, True])
@pytest.mark.parametrize('game', GAMES)
def test_python_and_machine_code_copy_alike(game, expansion, in_order):
    tree = found(400, GAMES[game].start, expansion=expansion).tree
    for node in (tree, *tree.children):
        made = array('i', [0] * first(0))
        facts = copy_subtree(tree.store.cells, node.block, made, 0, 0, in_order=in_order)
        out = np.zeros(tree.store.used, np.int32)
        words = np.frombuffer(tree.store.numbers, np.int32)
        copy = code.Copy(words.ctypes.data, out.ctypes.data, node.block, in_order)
        code.run('copy_subtree', copy)
        assert (copy.nodes, bool(copy.unvisited)) == facts
        assert out[: copy.used].tolist() == made.tolist()
