"""Drawn games for comparing searches by networks: a tree of random numbers, given by a seed.

Every state has as many moves. A game ends after `depth` plies, or sooner with a winner by chance.
Priors and values are multiples of 2**-20, so that rounding changes nothing.
"""

import hashlib

from attrs import frozen

from fmcts import Player

BITS = 20
ENDS = 10  # one state in so many is the end of a game


def drawn(seed, index, what):
    """A whole number below 2**20 that depends on these three."""
    text = f'{seed} {index} {what}'.encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), 'big') >> (32 - BITS)


@frozen
class Drawn:
    """A state: the place of its node when the levels of the tree are numbered one after another."""

    seed: int
    width: int
    depth: int
    index: int = 0
    ply: int = 0

    player = property(lambda self: Player.O if self.ply % 2 else Player.X)

    @property
    def over(self):
        early = self.ply > 0 and drawn(self.seed, self.index, 'end') % ENDS == 0
        return early or self.ply == self.depth

    @property
    def winner(self):
        if not self.over:
            return None
        return (Player.X, Player.O, None)[drawn(self.seed, self.index, 'winner') % 3]

    moves = property(lambda self: () if self.over else tuple(range(self.width)))

    def play(self, move):
        index = self.index * self.width + 1 + move
        return Drawn(self.seed, self.width, self.depth, index, self.ply + 1)

    def __str__(self):
        return str(self.index)


def priors_of(state):
    return [(1 + drawn(state.seed, state.index, move)) / 2.0**BITS for move in range(state.width)]


def value_of(state):
    """What the state is worth to the side to move."""
    return drawn(state.seed, state.index, 'value') / 2.0**BITS


def network(states):
    return [*map(priors_of, states)], [*map(value_of, states)]
