"""Searches by methods, transcribed naively: dictionaries, one recursive call a level, the papers'
formulas written out. An independent statement that the engines are compared with."""

import math

from fmcts import Player
from fmcts.game import key_of
from fmcts.search.scoring import logarithm_of


class Node:
    def __init__(self, state, mover, priors=None):
        self.state, self.mover = state, mover
        self.visits, self.reward, self.squares, self.score = 0, 0.0, 0.0, 0
        self.children = {}
        count = len(state.moves)
        self.priors = priors or [1.0 / count] * count if count else []
        self.amaf = [(0.0, 0.0)] * count


ROOT_OF_2 = math.sqrt(2)


def ucb1(node, index, *, c=ROOT_OF_2):
    child = node.children[index]
    return child.reward / child.visits + c * math.sqrt(logarithm_of(1 + node.visits) / child.visits)


def uct(node, index, *, c=ROOT_OF_2):
    child = node.children[index]
    return child.reward / child.visits + c * math.sqrt(logarithm_of(node.visits) / child.visits)


POISON = -(2**31)


def baeldung(node, index):
    child = node.children[index]
    spread = math.sqrt(logarithm_of(node.visits) / child.visits)
    return child.score / child.visits + 1.41 * spread


def ucb1_tuned(node, index, *, c=1.0):
    child = node.children[index]
    ratio = logarithm_of(1 + node.visits) / child.visits
    mean = child.reward / child.visits
    bound = child.squares / child.visits - mean * mean + math.sqrt(2.0 * ratio)
    return mean + c * math.sqrt(ratio * (min(bound, 0.25)))


def amaf(node, index, *, alpha=0.5, c=ROOT_OF_2):
    visits, reward = node.amaf[index]
    return alpha * (reward / visits) + (1.0 - alpha) * ucb1(node, index, c=c)


def puct(node, index, *, c=1.25, first_play=0.5):
    child = node.children.get(index)
    visits = child.visits if child else 0
    mean = child.reward / visits if visits else first_play
    return mean + c * (node.priors[index] * math.sqrt(1.0 + node.visits) / (1.0 + visits))


def search(state, rng, iterations, score, *, selected=False):  # noqa: C901 - in one piece
    """The root after so many iterations, and the generator."""

    def playout(state, rng):
        played = []
        while not state.over:
            index, rng = rng.uniform(0, len(state.moves) - 1)
            move = state.moves[index]
            played.append((state.player, key_of(state, move)))
            state = state.play(move)
        return state.winner, rng, played

    def mark(node, winner, played):
        worth = {None: 0.5, node.mover: 1.0}.get(winner, 0.0)
        node.visits += 1
        node.reward += worth
        node.squares += worth * worth
        if winner is node.mover and node.score != POISON:
            node.score += 10
        mine = {None: 0.5, node.state.player: 1.0}.get(winner, 0.0)
        for index, move in enumerate(node.state.moves):
            if (node.state.player, key_of(node.state, move)) in played:
                visits, reward = node.amaf[index]
                node.amaf[index] = visits + 1.0, reward + mine

    def iterate(node, rng):
        moves = node.state.moves
        if node.state.over:
            mark(node, node.state.winner, [])
            return node.state.winner, rng, []
        untried = [index for index in range(len(moves)) if index not in node.children]
        if untried and not selected:
            index = untried[0]
        else:
            index = max(range(len(moves)), key=lambda index: score(node, index))
        if index in node.children:
            winner, rng, played = iterate(node.children[index], rng)
        else:
            child = Node(node.state.play(moves[index]), node.state.player)
            node.children[index] = child
            winner, rng, played = playout(child.state, rng)
            mark(child, winner, played)
        played.append((node.state.player, key_of(node.state, moves[index])))
        if node.children[index].state.over and winner is state.player.other:
            node.score = POISON
        mark(node, winner, played)
        return winner, rng, played

    root = Node(state, state.player.other)
    for _ in range(iterations):
        _, rng, _ = iterate(root, rng)
    return root, rng


assert Player.X.other is Player.O  # what `mark` relies on: every winner is one of the two, or None
