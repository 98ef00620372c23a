"""GRAVE by its formula, held against what a method gives."""

from attrs import frozen

import naive
from fmcts import Player, Search, SplitMix, analyse


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


def holds(method, state, seed=1, iterations=150, **numbers):
    """Whether a search is the transcription's."""
    rng = SplitMix.from_seed(seed)
    expected, rng_after = naive.search(
        state,
        rng,
        iterations,
        lambda node, index: naive.grave(node, index, **numbers),
        selected=True,
    )
    search = Search(iterations, selection=method)
    found, after = analyse(state, rng, search, engine='inplace')
    return after == rng_after and naive.agree(found, expected)
