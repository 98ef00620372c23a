"""Games with mistakes in redundant declarations: keys, rules, texts, other games."""

from attrs import evolve

from zoo_right import HEAP_RULES, LINES, Heap, Noughts


class SameKeys(Heap):
    def key(self, _move):
        return self.left


class KeyOfAnother(Heap):
    """The key is of the position after the move."""

    compiled = evolve(HEAP_RULES, key=lambda position, move: position.left * 4 + move, keys=64)

    def key(self, move):
        return (self.left - move) * 4 + move


class RulesOtherwise(Heap):
    compiled = evolve(HEAP_RULES, winner=lambda position: position.turn)


class DrawsTooLittle(Heap):
    def playout(self, draw):
        state = self
        while not state.over:
            state = state.play(state.moves[draw(len(state.moves))] if state.left > 1 else 1)
        return state.winner


class LastMoverWins(Noughts):
    def playout(self, draw):
        state = self
        while not state.over:
            state = state.play(state.moves[draw(len(state.moves))])
        return state.player.other


def write_left(heap):
    return f'{heap.left} left'


def read_left(kind):
    return lambda text: kind(int(text.split()[0]))


def mirrored(state):
    """Left and right exchanged; in the lower two rows only."""
    cells = state.cells
    return evolve(
        state, cells=(*cells[:3], cells[5], cells[4], cells[3], cells[8], cells[7], cells[6])
    )


def mirrored_move(move):
    return move - move % 3 + 2 - move % 3


# What only another implementation shows.


class OffByOne(Noughts):
    lines = LINES[:-1]


class NoPass(Heap):
    """Whose turn it is follows from the counters taken, as if nobody ever moved twice."""

    def play(self, move):
        return evolve(super().play(move), player=self.player.other)


class Downwards(Heap):
    moves = property(lambda self: (1, 2)[: self.left][::-1])


class NeverOver(Heap):
    over = property(lambda _self: False)


def colours_exchanged(noughts):
    """The board with each stone of the other colour; the same side is to move on it."""
    return evolve(noughts, cells=tuple(cell and cell.other for cell in noughts.cells))


def same_move(move):
    return move
