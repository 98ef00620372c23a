"""The program of the French series, transcribed: its tree, and how it is compared with a search.

A variant is a function `descend(root, rng)`: the path to a node, where its playout ends, and the
generator.
"""

import math

from fmcts import Search, analyse
from fmcts._arithmetic import logarithm_of
from fmcts.testing import positions

ROOT_OF_2 = math.sqrt(2)


class Node:
    """The text's `Node`, with the children by index; `closed` as its first improvement has it."""

    def __init__(self, state, mover):
        self.state, self.mover, self.children = state, mover, {}
        self.visits, self.score, self.closed = 0, 0.0, False

    def child(self, index):
        if index not in self.children:
            state = self.state
            self.children[index] = Node(state.play(state.moves[index]), state.player)
        return self.children[index]

    def in_order(self):
        """The children in the order of the moves, which is not that of playouts."""
        return [child for _, child in sorted(self.children.items())]

    def best_open(self):
        return max((it for it in self.in_order() if not it.closed), key=self.uct)

    def uct(self, child):
        if child.visits == 0:
            return math.inf
        log = logarithm_of(1 + self.visits)
        return child.score / child.visits + ROOT_OF_2 * math.sqrt(log / child.visits)


def play_out(state, rng):
    while not state.over:
        index, rng = rng.uniform(0, len(state.moves) - 1)
        state = state.play(state.moves[index])
    return state, rng


def grow(state, rng, iterations, descend):
    """The root after so many iterations, and the generator: flags go up with the result."""
    root = Node(state, state.player.other)
    for _ in range(iterations):
        if root.closed:
            break
        path, end, rng = descend(root, rng)
        for node in reversed(path):
            node.visits += 1
            node.score += 0.5 if end.winner is None else end.winner is node.mover
            explored = len(node.children) == len(node.state.moves)
            node.closed = explored and all(child.closed for child in node.children.values())
    return root, rng


def matches(start, data, rng, iterations, descend, **options):
    """Compare a search that closes, from a drawn position, with the text's program."""
    state = data.draw(positions(start, running=True))
    expected, rng_after = grow(state, rng, iterations, descend)
    search = Search(iterations, closing=True, **options)
    analysis, after = analyse(state, rng, search, engine='persistent')
    assert after == rng_after
    pairs = [(analysis.tree, expected)]
    while pairs:
        node, plain = pairs.pop()
        assert (node.state, node.visits, node.reward) == (plain.state, plain.visits, plain.score)
        assert node.columns.own == (float(plain.closed),)
        indices = sorted(plain.children)
        assert [child.move for child in node.children] == [node.moves[it] for it in indices]
        pairs += zip(node.children, plain.in_order(), strict=True)
