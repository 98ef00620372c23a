"""Graph searches, transcribed naively: one dictionary of mutable nodes, one recursive call a level.

An independent statement that the engines are compared with: UCB1, one move tried after another.
"""

import math

from fmcts import Player
from fmcts._arithmetic import logarithm_of

ROOT_OF_2 = math.sqrt(2)


class Node:
    def __init__(self, state):
        self.state = state
        self.own, self.visits, self.total = 0, 0, 0.0  # rewards are for X
        self.children = {}  # by the index of the move
        self.chosen = {}
        self.parents = []


def worth(winner):
    return {Player.X: 1.0, Player.O: 0.0, None: 0.5}[winner]


def thrown(state, rng):
    """An outcome by its weight, where chance moves; else `None`."""
    chances = getattr(state, 'chances', ())
    if not chances:
        return None, rng
    urn = [outcome for outcome, weight in chances for _ in range(weight)]
    drawn, rng = rng.uniform(0, len(urn) - 1)
    return urn[drawn], rng


def played_out(state, rng):
    while not state.over:
        outcome, rng = thrown(state, rng)
        if outcome is None:
            index, rng = rng.uniform(0, len(state.moves) - 1)
            outcome = state.moves[index]
        state = state.play(outcome)
    return worth(state.winner), rng


def mean(node, player):
    mine = node.total if player is Player.X else node.visits - node.total
    return mine / node.visits


def best(node, visits_of):
    log = logarithm_of(1 + node.visits)

    def score(index):
        child, visits = node.children[index], visits_of(node, index)
        return mean(child, node.state.player) + ROOT_OF_2 * math.sqrt(log / visits)

    return max(range(len(node.state.moves)), key=score)  # the first of equals


def known(nodes, state):
    if state not in nodes:
        nodes[state] = Node(state)
    return nodes[state]


def sound(state, rng, iterations):
    """The nodes by their states, and the generator: the pseudocode of KataGo's documentation.

    What is of this library: the root has no playout of its own, finished nodes count how often they
    were reached, and where all visits of a child came by one edge, its sum is taken as it is.
    """
    nodes = {state: Node(state)}
    root, utility = nodes[state], {}

    def perform_one_playout(node, rng):
        if node.state.over or (node is not root and not node.visits):
            utility[node], rng = played_out(node.state, rng)
            node.own += 1
        else:
            moves = node.state.moves
            outcome, rng = thrown(node.state, rng)
            if outcome is not None:
                moves = [face for face, _ in node.state.chances]
                index = moves.index(outcome)
            elif len(node.children) < len(moves):
                index = len(node.children)
            else:
                index = best(node, lambda node, index: node.chosen[index])
            if index not in node.children:
                node.children[index] = known(nodes, node.state.play(moves[index]))
                node.chosen[index] = 0
            rng = perform_one_playout(node.children[index], rng)
            node.chosen[index] += 1
        node.visits = node.own + sum(node.chosen.values())
        node.total = node.own * utility.get(node, 0.0)
        for index, child in sorted(node.children.items()):
            chosen = node.chosen[index]
            every = chosen == child.visits
            node.total += child.total if every else chosen * (child.total / child.visits)
        return rng

    for _ in range(iterations):
        rng = perform_one_playout(root, rng)
    return nodes, rng


def credit_every_parent(state, rng, iterations):
    """The same by the text's rule: states in a map, and the score goes up from each parent."""
    nodes = {state: Node(state)}

    def backpropagate(node, score):
        node.visits += 1
        node.total += score
        for parent in node.parents:
            backpropagate(parent, score)

    for _ in range(iterations):
        node = nodes[state]
        while not node.state.over:
            moves = node.state.moves
            if len(node.children) < len(moves):
                index = len(node.children)
                child = known(nodes, node.state.play(moves[index]))
                child.parents.append(node)
                node.children[index], node.chosen[index] = child, 1
                node = child
                break
            index = best(node, lambda node, index: node.children[index].visits)
            node.chosen[index] += 1
            node = node.children[index]
        node.own += 1
        score, rng = played_out(node.state, rng)
        backpropagate(node, score)
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
