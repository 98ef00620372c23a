"""GRAVE by its formula, held against what a method gives."""

import math

from attrs import frozen

import naive
from fmcts import Player, SplitMix
from fmcts.game import key_of


@frozen
class Takes:
    """Players take one to three counters in turn: a key is played again and again."""

    counters: int
    player: Player = Player.X

    @property
    def moves(self):
        return tuple(range(1, min(3, self.counters) + 1))

    @property
    def over(self):
        return self.counters == 0

    @property
    def winner(self):
        return self.player.other if self.over else None

    def play(self, taken):
        return type(self)(self.counters - taken, self.player.other)


def grave(node, index, *, ref=50, b=1e-5, c=0.0):
    reference = node
    while reference and not reference.visits > ref:
        reference = reference.parent
    move = node.state.player, key_of(node.state, node.state.moves[index])
    m, reward = reference.table.get(move, (0.0, 0.0)) if reference else (0.0, 0.0)
    n = node.children[index].visits if index in node.children else 0
    if not n:
        return reward / m if m else math.inf
    beta = m / (n + m + b * n * m)
    return (1.0 - beta) * naive.ucb1(node, index, c=c) + beta * (reward / m if m else 0.0)


def holds(method, state, seed=1):
    """Whether a search is the transcription's."""
    return naive.holds(method, state, SplitMix.from_seed(seed), 150, grave)
