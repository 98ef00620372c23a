"""Trees as numbers: their layout in memory."""

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts._linked.tree.arena import subtree
from fmcts.games import tictactoe

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
    copied = subtree(tree)
    expected = blocks(other)
    assert (copied.nodes, copied.unvisited) == (other.count(), False)
    pairs = zip(copied.cells, expected, strict=True)
    assert all(number == known for number, known in pairs if known is not None)
