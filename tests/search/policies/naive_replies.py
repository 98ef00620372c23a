"""A naive transcription of last good reply, and whether searches agree with it."""

from fmcts.game import key_of
from remembering import kept, same_tree


class Naive:
    """The papers' tables: one for each player, from the opponent's move to the reply."""

    def __init__(self, *, forgets):
        self.forgets = forgets

    def choose(self, memory, before, state, rng):
        replies = memory.get(state.player, {})
        if before[0] != state.player and before[1] in replies:
            for move in state.moves:
                if key_of(state, move) == replies[before[1]]:
                    return move, rng
        index, rng = rng.uniform(0, len(state.moves) - 1)
        return state.moves[index], rng

    def learn(self, memory, line, winner):
        for number in range(1, len(line)):
            (opponent, key), (player, reply) = line[number - 1], line[number]
            if opponent != player and winner is not None:
                table = memory.setdefault(player, {})
                if player == winner:
                    table[key] = reply
                elif self.forgets and table.get(key) == reply:
                    del table[key]


def agrees(analysis, after, expected, name):
    """Whether a search found what the transcription did: tree, memory and generator."""
    root, memory, rng = expected
    entries = {
        (player.other, key): (reply,)
        for player, table in memory.items()
        for key, reply in table.items()
    }
    return same_tree(root, analysis.tree) and kept(analysis.tree, name) == entries and after == rng
