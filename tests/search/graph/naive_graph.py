"""Graph searches, transcribed naively: one dictionary of mutable nodes, one recursive call a level.

An independent statement that the engines are compared with: UCB1, one move tried after another.
"""

import math

from fmcts._arithmetic import logarithm_of
from transcription import (
    ROOT_OF_2,
    chances_in,
    drawn,
    following,
    players_in,
    playout,
    uniform,
)


class Node:
    """A state: how often an iteration ended there and with what, and by each move how often."""

    def __init__(self, state):
        self.state = state
        self.own, self.worth = 0, ()
        self.visits, self.sums = 0, [0.0] * len(players_in(state))
        self.children, self.chosen, self.gained = {}, {}, {}  # by the index of the move
        self.parents = []

    @property
    def total(self):
        return self.sums[0]

    @property
    def mean(self):
        return [total / self.visits for total in self.sums]


def played_out(state, rng, discount=1.0, left=math.inf):
    states, rng = playout(uniform, [], state, rng, left)
    return following(states, discount), rng


def best(node, value, visits_of, c):
    """The first move with the highest score; `value(index, seat)` is for who sits there."""
    seat = players_in(node.state).index(node.state.player)
    log = logarithm_of(1 + node.visits)

    def score(index):
        return value(index, seat) + c * math.sqrt(log / visits_of(index))

    return max(range(len(node.state.moves)), key=score)


def sound(  # noqa: C901 - in one piece
    state, rng, iterations, c=ROOT_OF_2, discount=1.0, horizon=math.inf
):
    """The nodes by their states, and the generator: the pseudocode of KataGo's documentation.

    What is of this library: the root has no playout of its own, finished nodes count how often they
    were reached, and where all visits of a child came by one edge, its sum is taken as it is. What
    a move brings is its edge's; with a horizon nodes are kept by states and by the moves made.
    """
    nodes = {}

    def node_of(state, made):
        key = state if horizon == math.inf else (state, made)
        return nodes.setdefault(key, Node(state))

    root = node_of(state, 0)

    def brought(node, index, seat, times, total):
        """What a move brought in so many times, if what follows it was worth `total`."""
        child = node.children[index]
        factor = discount if child.state.moves else 1.0
        return times * node.gained[index][seat] + factor * total

    def perform_one_playout(node, made, rng):
        here, seats = node.state, range(len(node.sums))
        rolls = bool(chances_in(here))
        new = node is not root and not node.visits
        if here.over or new or (made >= horizon and not rolls):
            node.worth, rng = played_out(here, rng, discount, horizon - made)
            node.own += 1
        else:
            moves = [face for face, _ in here.chances] if rolls else here.moves
            if rolls:
                index, rng = drawn(here, rng)
            elif len(node.children) < len(moves):
                index = len(node.children)
            else:
                index = best(
                    node,
                    lambda index, seat: brought(
                        node, index, seat, 1, node.children[index].mean[seat]
                    ),
                    node.chosen.get,
                    c,
                )
            made += not rolls
            if index not in node.children:
                after = here.play(moves[index])
                node.children[index], node.chosen[index] = node_of(after, made), 0
                node.gained[index] = getattr(after, 'gained', [0.0] * len(seats))
            rng = perform_one_playout(node.children[index], made, rng)
            node.chosen[index] += 1
        node.visits = node.own + sum(node.chosen.values())
        node.sums = [node.own * node.worth[seat] if node.own else 0.0 for seat in seats]
        for index, child in sorted(node.children.items()):
            chosen = node.chosen[index]
            for seat in seats:
                every = chosen == child.visits
                total = child.sums[seat] if every else chosen * child.mean[seat]
                node.sums[seat] += brought(node, index, seat, chosen, total)
        if not hasattr(here, 'players'):  # of two the other has the rest
            node.sums[1] = node.visits - node.total
        return rng

    for _ in range(iterations):
        rng = perform_one_playout(root, 0, rng)
    return nodes, rng


def credit_every_parent(state, rng, iterations):
    """The same by the text's rule: states in a map, and the score goes up from each parent."""
    nodes = {state: Node(state)}

    def backpropagate(node, scores):
        node.visits += 1
        node.sums = [old + new for old, new in zip(node.sums, scores, strict=True)]
        for parent in node.parents:
            backpropagate(parent, scores)

    for _ in range(iterations):
        node = nodes[state]
        while not node.state.over:
            moves, children = node.state.moves, node.children
            if len(children) < len(moves):
                index = len(children)
                after = node.state.play(moves[index])
                child = nodes.setdefault(after, Node(after))
                child.parents.append(node)
                children[index], node.chosen[index] = child, 1
                node = child
                break
            index = best(
                node,
                lambda index, seat, children=children: children[index].mean[seat],
                lambda index, children=children: children[index].visits,
                ROOT_OF_2,
            )
            node.chosen[index] += 1
            node = children[index]
        node.own += 1
        scores, rng = played_out(node.state, rng)
        backpropagate(node, scores)
    return nodes, rng


TRANSCRIBED = {'sound': sound, 'naive': credit_every_parent}


def differences(node, nodes):
    """The states of which a graph (its root, seen as a tree) and a transcription do not say the
    same, or of which only one of them knows."""
    graph = node.graph
    for entry in graph.entries:
        plain = nodes.get(entry.state)
        if plain is None:
            yield entry.state
            continue
        edges = [
            (entry.moves.index(edge.move), graph.entries[edge.to].state, edge.visits)
            for edge in entry.edges
        ]
        said = (entry.own, entry.visits, entry.total, edges)
        children = [
            (index, child.state, plain.chosen[index]) for index, child in plain.children.items()
        ]
        if said != (plain.own, plain.visits, plain.total, children):
            yield entry.state
    yield from nodes.keys() - {entry.state for entry in graph.entries}
