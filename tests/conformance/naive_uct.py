"""Tree search as in the textbooks, with mutable nodes, and the faults that people write into it."""

import math
from fractions import Fraction

from attrs import define, field

from fmcts import Player
from fmcts.conformance import Step


@define(eq=False)
class Node:
    tree: object
    parent: object = None
    children: dict = field(factory=dict)
    visits: int = 0
    wins: float = 0.0  # of the player who chose this node
    sum_for_x: float = 0.0


def uct(tree, iterations, *, c=2**0.5, fault=None):
    """UCT: in order, ln N, rewards from 0 to 1. Yields the path, result, visits and values."""
    root = Node(tree)
    steps = []
    for _ in range(iterations):
        path, node = descend(root, c, fault)
        result = node.tree.result
        if fault == 'another result':
            result = node.tree.moves_to[0][1].result if node.tree.moves else result
        along = [node]
        while node.parent is not None:
            node = node.parent
            along.insert(0, node)
        ends_again = along[-1].visits > 0
        for depth, it in enumerate(along):
            if fault == 'finished games count once' and ends_again:
                break
            chooser = it.parent.tree.player if it.parent else tree.player
            if fault == 'the player to move gains':
                chooser = it.tree.player
            elif fault == 'sides alternate by depth':
                chooser = list(Player)[(depth + 1) % 2]
            elif fault == 'all gain as X does':
                chooser = Player.X
            it.visits += 1
            it.sum_for_x += result
            it.wins += result if chooser is Player.X else 1 - result
        below = 1 if fault == 'a mean of one too many' else 0
        values = tuple(it.sum_for_x / (it.visits + below) for it in along)
        steps.append(Step(path, result, tuple(it.visits for it in along), values))
    return steps


def descend(root, c, fault):
    path, node = [], root
    while node.tree.moves:
        untried = [move for move in node.tree.moves if move not in node.children]
        if untried:
            move = untried[-1 if fault == 'the last move first' else 0]
            node.children[move] = Node(node.tree.play(move), node)
            path.append(move)
            node = node.children[move]
            if fault == 'expands to the end':
                continue
            break

        def score(move, node=node):
            child = node.children[move]
            parent = node.visits + (fault == 'ln of one more')
            value = child.wins / child.visits
            if fault == 'half of c':
                return value + c / 2 * math.sqrt(math.log(parent) / child.visits)
            return value + c * math.sqrt(math.log(parent) / child.visits)

        moves = [*node.children]
        move = max(moves[::-1] if fault == 'ties to the last' else moves, key=score)
        path.append(move)
        node = node.children[move]
    return tuple(path), node


def openspiel(tree, iterations, c=2**0.5):
    """OpenSpiel's bot without its solver, moves not shuffled, transcribed; yields the paths."""
    visits, reward, paths = {(): 0}, {(): 0.0}, []
    for _ in range(iterations):
        path, node = (), tree
        while visits.get(path) and node.moves:

            def uct_value(move, path=path, node=node):
                after, child = (*path, move), node.play(move)
                if not visits.get(after):
                    return math.inf
                if not child.moves:  # its outcome was kept when it was first reached
                    won = 2 * child.result - 1
                    return won if node.player is Player.X else -won
                mean = reward[after] / visits[after]
                return mean + c * math.sqrt(math.log(visits[path]) / visits[after])

            move = max(node.moves, key=uct_value)
            path, node = (*path, move), node.play(move)
        for plies in range(len(path) + 1):
            here = path[:plies]
            chooser = tree.at(path[: max(plies - 1, 0)]).player
            won = 2 * node.result - 1
            visits[here] = visits.get(here, 0) + 1
            reward[here] = reward.get(here, 0.0) + (won if chooser is Player.X else -won)
        paths.append(path)
    return paths


def muzero(tree, iterations, *, siblings=False, arithmetic=Fraction, ties=()):
    """mctx's MuZero policy with equal priors, transcribed: values from -1 to 1, by negamax.

    `arithmetic` rounds a fraction as the running means do; scores are computed in doubles. Of equal
    moves the one in the same place of `ties`, a list of paths, is taken, else the first.
    """

    def sign(node):
        return 1 if node.player is Player.X else -1

    visits, value, paths = {(): 1}, {(): arithmetic(sign(tree) * (2 * tree.result - 1))}, [()]
    for number in range(1, iterations):
        path, node = (), tree
        while True:
            n = visits[path]

            def score(move, n=n, path=path, node=node):
                after = (*path, move)
                tried = visits.get(after, 0)
                q = {
                    it: sign(node) * sign(node.play(it)) * value[*path, it]
                    for it in node.moves
                    if visits.get((*path, it), 0)
                }
                low, high = (-1, 1)
                if siblings:
                    around = (value[path], *q.values())
                    low, high = min(around), max(around)
                known = float(q.get(move, low) - low) / max(float(high - low), 1e-8)
                bonus = 1.25 + math.log((n + 19652 + 1) / 19652)
                return known + bonus * math.sqrt(n) / len(node.moves) / (1 + tried)

            scores = {move: score(move) for move in node.moves}
            equal = [move for move in scores if max(scores.values()) - scores[move] < 1e-6]
            move = next((it[len(path)] for it in ties[number:][:1] if it[: len(path)] == path), '')
            move = move if move in equal else equal[0]
            path, node = (*path, move), node.play(move)
            if node.over or path not in visits:
                break
        paths.append(path)
        gained = sign(node) * (2 * node.result - 1)
        for plies in range(len(path), -1, -1):
            here = path[:plies]
            mine = gained * sign(node) * sign(tree.at(here))
            seen = visits.get(here, 0)
            before = value.get(here, arithmetic(0))
            value[here] = arithmetic(arithmetic(before * seen + Fraction(mine)) / (seen + 1))
            visits[here] = seen + 1
    return paths
