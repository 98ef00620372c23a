"""Searches whose moves are proposed, written naively from the papers.

A. Couëtoux, J.-B. Hoock, N. Sokolovska, O. Teytaud and N. Bonnard, "Continuous upper confidence
trees", 2011: progressive and double progressive widening; D. Auger, A. Couëtoux and O. Teytaud,
"Continuous upper confidence trees with polynomial exploration - consistency", 2013.
"""

import math
from functools import partial

import transcription
from transcription import ucb1, uniform


class Node(transcription.Node):
    """A node with a generator of its own, from which its moves are proposed."""

    moves = ()  # not the listed ones

    def __init__(self, state, move=None, parent=None, rng=None, propose=None):
        super().__init__(state, move, parent)
        self.propose = propose or parent.propose
        self.rng = rng or parent.rng.child(2 * parent.moves.index(move) + 1)
        self.moves, self.made = [], 0
        if not state.over:
            self.proposed()

    def proposed(self):
        """Make the next proposal; its place among the moves, where equal ones are one."""
        move, _ = self.propose(self.state, self.rng.child(2 * self.made))
        self.made += 1
        if move not in self.moves:
            self.moves.append(move)
        return self.moves.index(move)


def by_power(c, alpha):
    """The rule of 2011: at visit t a node may have c * t**alpha moves, the next integer above."""
    return lambda visits, made: made < math.ceil(c * (visits + 1) ** alpha)


def by_steps(alpha):
    """The rule of 2013: another move whenever the integer part of n**alpha grows."""
    return lambda visits, _made: math.floor(visits**alpha) > math.floor((visits - 1) ** alpha)


def search(state, rng, iterations, c, propose, rules, discount=1.0, *, least=False):  # noqa: PLR0913
    """Return the root after so many iterations, and the generator to use next.

    `rules` are two functions, for nodes where a player moves and where chance does: whether a node
    with these visits, for which so many proposals were made, gets another. `least`: else chance
    goes to the outcome with the least visits (2013), and not to one drawn by visits (2011).
    """

    def step(node, rng, score, _expand):
        nonlocal stream
        rolls, visited = bool(node.state.chances), sorted(node.children)
        if node.visits and rules[rolls](node.visits, node.made):
            index = node.proposed()
        elif len(node.children) < len(node.moves):
            index = next(it for it in range(len(node.moves)) if it not in node.children)
            if rolls:
                _, rng = rng.uniform(0, 0)
        elif rolls and least:
            index = min(visited, key=lambda at: node.children[at].visits)
            _, rng = rng.uniform(0, 0)
        elif rolls:  # in proportion to the visits
            urn = [at for at in visited for _ in range(node.children[at].visits)]
            drawn, rng = rng.uniform(0, len(urn) - 1)
            index = urn[drawn]
        else:
            index = max(visited, key=lambda index: score(node, index))
        stream = node.rng.child(2 * index + 1)
        return index, index not in node.children, rng

    def pick(line, state, rng):
        """Moves and outcomes that are not listed come from the stream of the last node."""
        nonlocal stream
        if state.moves:
            return uniform(line, state, rng)
        move, stream = (state.chances or partial(propose, state))(stream)
        return move, rng

    own, rng = rng.split()
    root, stream = Node(state, rng=own, propose=propose), own
    return transcription.search(
        root, rng, iterations, partial(ucb1, c=c), step=step, pick=pick, discount=discount
    )


def rows(root):
    """Return the move, all moves, the visits and the mover's reward of each node, in preorder."""
    return [(node.move, tuple(node.moves), node.visits, node.reward) for _, node in root.all()]
