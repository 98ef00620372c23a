"""Games such as users have: moves that are texts, and a list inside the state."""

from dataclasses import dataclass

from attrs import frozen

from fmcts import Player


@frozen
class Fruits:
    """Take one of the fruits in turn; who takes the last one wins."""

    left: tuple[str, ...] = ('apple', 'cherry', 'grape', 'lemon', 'mango', 'peach')
    player: Player = Player.X

    @property
    def moves(self):
        return self.left

    @property
    def over(self):
        return not self.left

    @property
    def winner(self):
        return self.player.other if self.over else None

    def play(self, move):
        return Fruits(tuple(one for one in self.left if one != move), self.player.other)


@dataclass(frozen=True)
class Heaps:
    """Take one counter of a heap in turn; the heaps are a list, which no bot may write to."""

    counters: list
    player: Player = Player.X

    @property
    def moves(self):
        return tuple(heap for heap, count in enumerate(self.counters) if count)

    @property
    def over(self):
        return not any(self.counters)

    @property
    def winner(self):
        return self.player.other if self.over else None

    def play(self, move):
        after = [count - (heap == move) for heap, count in enumerate(self.counters)]
        return Heaps(after, self.player.other)


def some(state, rng):
    """A move that is drawn, and the generator after it."""
    index, rng = rng.uniform(0, len(state.moves) - 1)
    return state.moves[index], rng
