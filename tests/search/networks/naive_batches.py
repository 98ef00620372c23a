"""PUCT by batches, transcribed naively: dictionaries, and losses counted apart from visits.

An independent statement that the engines are compared with, and networks to search by.
"""

import hashlib
import math

from fmcts import Player

GRID = 2**20


def number(*what):
    """A number from 0 to 1 that depends on all of `what`, the same on every machine."""
    text = repr(what).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), 'big') / 2**32


def answer(state):
    weights = [number(str(state), move) + 0.01 for move in state.moves]
    return [weight / sum(weights) for weight in weights], number(str(state))


def network(states):
    """A network that has learnt nothing: its answers are hashes."""
    rows, values = zip(*map(answer, states), strict=True)
    return list(rows), list(values)


def nearest(value):
    return round(value * GRID) / GRID


class Node:
    def __init__(self, state, mover):
        self.state, self.mover = state, mover
        self.visits, self.reward, self.losses = 0, 0.0, 0
        self.children, self.priors, self.waits = {}, None, False


def judged(node):
    priors, value = answer(node.state)
    node.priors = [nearest(prior) for prior in priors]
    node.waits = False
    return nearest(value) if node.state.player is Player.X else 1.0 - nearest(value)


def puct(node, index, c, first_play, reduction):
    child = node.children.get(index)
    visits = child.visits + child.losses if child else 0
    count = node.visits + node.losses
    if reduction is not None:
        same = node.mover is node.state.player
        reward = node.reward if same else node.visits - node.reward
        tried = 0.0
        for other, prior in enumerate(node.priors):
            if other in node.children:
                tried += prior
        backed_up = reward / node.visits if node.visits else 0.0
        first_play = backed_up - reduction * math.sqrt(tried)
    mean = child.reward / visits if visits else first_play
    return mean + c * (node.priors[index] * math.sqrt(1.0 + count) / (1.0 + visits))


def descend(root, score):
    """The nodes of a descent; the last may be new, or wait."""
    path = [root]
    while path[-1].state.moves and not path[-1].waits:
        node = path[-1]
        indices = range(len(node.state.moves))
        scores = [score(node, index) for index in indices]
        best = max(indices, key=lambda index: (scores[index], -index))
        if best not in node.children:
            state = node.state.play(node.state.moves[best])
            child = node.children[best] = Node(state, node.state.player)
            return [*path, child], True
        path.append(node.children[best])
    return path, False


def collected(root, most, collisions, score):
    """The paths of a batch, and those that met a node that waits, all with losses."""
    paths, dropped = [], []
    while len(paths) < most:
        path, new = descend(root, score)
        if path[-1].waits and len(dropped) == collisions:
            break
        (dropped if path[-1].waits else paths).append(path)
        path[-1].waits = path[-1].waits or (new and bool(path[-1].state.moves))
        for node in path:
            node.losses += 1
    return paths, dropped


def back_up(path):
    leaf = path[-1]
    if leaf.waits:
        for_x = judged(leaf)
    else:
        for_x = {Player.X: 1.0, Player.O: 0.0, None: 0.5}[leaf.state.winner]
    for node in path:
        node.visits += 1
        node.reward += for_x if node.mover is Player.X else 1.0 - for_x


def search(state, iterations, batch, c=1.25, first_play=0.5, reduction=None, collisions=0):
    root = Node(state, state.player.other)
    judged(root)
    while root.visits < iterations:
        most = min(iterations - root.visits, batch - root.visits % batch)
        paths, dropped = collected(
            root, most, collisions, lambda node, at: puct(node, at, c, first_play, reduction)
        )
        for path in paths + dropped:
            for node in path:
                node.losses -= 1
        for path in paths:
            back_up(path)
    return root


def sliding_search(state, iterations, window, c=1.25):
    """The same with a new descent after every backup; the losses stay in the tree meanwhile."""
    root = Node(state, state.player.other)
    judged(root)
    flying = []
    while root.visits < iterations:
        while len(flying) < window:
            path, new = descend(root, lambda node, at: puct(node, at, c, 0.5, None))
            if path[-1].waits:
                break
            path[-1].waits = new and bool(path[-1].state.moves)
            for node in path:
                node.losses += 1
            flying.append(path)
        path = flying.pop(0)
        for node in path:
            node.losses -= 1
        back_up(path)
    return root


def rows_of(root):
    """Every node of the naive tree: its line, visits, reward and priors."""
    waiting, rows = [((), root)], {}
    while waiting:
        line, node = waiting.pop()
        rows[line] = (node.visits, node.reward, tuple(node.priors or ()))
        for index, child in node.children.items():
            if child.visits:  # not in flight
                waiting.append(((*line, node.state.moves[index]), child))
    return rows


def rows_of_tree(root):
    """The same of a tree of the library."""
    waiting, rows = [((), root)], {}
    while waiting:
        line, node = waiting.pop()
        (priors,) = node.columns.moves
        rows[line] = (node.visits, node.reward, tuple(priors))
        waiting.extend(((*line, child.move), child) for child in node.children)
    return rows
