"""A naive transcription of MAST, and whether searches agree with it."""

from attrs import frozen

from fmcts.game import key_of
from fmcts.search.policies.mast import Means
from fmcts.search.policies.recalling import Recalling
from remembering import kept, same_tree


class Naive:
    """The papers' MAST: a dictionary of means, read before each move with probability 1 - share."""

    def __init__(self, share):
        self.limit = round(share * 2**20)

    def choose(self, memory, _before, state, rng):
        moves = state.moves
        if 0 < self.limit < 2**20:
            number, rng = rng.uniform(0, 2**20 - 1)
        else:
            number = 0 if self.limit else 1
        if number < self.limit:
            index, rng = rng.uniform(0, len(moves) - 1)
            return moves[index], rng
        means = []
        for move in moves:
            played, won = memory.get((state.player, key_of(state, move)), (0, 0.0))
            means.append(won / played if played else 1.0)
        return moves[means.index(max(means))], rng

    def learn(self, memory, line, winner):
        for player, key in {*line}:
            played, won = memory.get((player, key), (0, 0.0))
            mine = 0.5 if winner is None else float(winner is player)
            memory[player, key] = played + 1, won + mine


def agrees(analysis, after, expected):
    """Whether a search found what the transcription did: tree, memory and generator."""
    root, memory, rng = expected
    return same_tree(root, analysis.tree) and kept(analysis.tree, 'mast') == memory and after == rng


@frozen
class Watching(Recalling):
    """Remembers means, and draws as uniform playouts do."""

    memories = (Means(),)

    def chooser(self):
        return lambda _recalled, _state, moves, draw: moves[draw(len(moves))]
