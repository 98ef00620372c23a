"""Games with mistakes in redundant declarations: keys, rules, texts, other games."""

from attrs import evolve

from zoo_right import HEAP_RULES, LINES, Heap, Noughts, wrong


@wrong('keys are unique', 'the key does not depend on the move')
@wrong('same keys', 'the two name moves in two ways', theirs=Heap(), keys=True)
class SameKeys(Heap):
    def key(self, _move):
        return self.left


@wrong('the rules on integers agree', 'the key is of the position after the move')
class KeyOfAnother(Heap):
    compiled = evolve(HEAP_RULES, key=lambda position, move: position.left * 4 + move, keys=64)

    def key(self, move):
        return (self.left - move) * 4 + move


@wrong('the rules on integers agree', 'the two statements of the rules differ', 3)
class RulesOtherwise(Heap):
    compiled = evolve(HEAP_RULES, winner=lambda position: position.turn)


@wrong('the playout agrees', 'a forced move is not drawn')
class DrawsTooLittle(Heap):
    def playout(self, draw):
        state = self
        while not state.over:
            state = state.play(state.moves[draw(len(state.moves))] if state.left > 1 else 1)
        return state.winner


@wrong('the playout agrees', 'the playout forgets draws', 2)
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


@wrong('same moves', 'a line is missing in a table', 5, theirs=Noughts())
class OffByOne(Noughts):
    lines = LINES[:-1]


@wrong('same player', 'sides take turns though one may move twice', 1, theirs=Heap())
class NoPass(Heap):
    """Whose turn it is follows from the counters taken, as if nobody ever moved twice."""

    def play(self, move):
        return evolve(super().play(move), player=self.player.other)


@wrong('same moves', 'moves are listed in another order', theirs=Heap())
class Downwards(Heap):
    moves = property(lambda self: (1, 2)[: self.left][::-1])


@wrong('same play', 'a table lacks a move', 1, theirs=Heap())
class Lacking(Heap):
    def play(self, move):
        return super().play({1: 1}[move])


@wrong('same end', 'the end was forgotten', 3, theirs=Heap())
class NeverOver(Heap):
    over = property(lambda _self: False)


def colours_exchanged(noughts):
    """The board with each stone of the other colour; the same side is to move on it."""
    return evolve(noughts, cells=tuple(cell and cell.other for cell in noughts.cells))


def same_move(move):
    return move


wrong('text is read back', 'the text has no side to move', 1, text=(read_left(Heap), write_left))(
    Heap
)
wrong('the symmetry holds', 'the mirror leaves out a row', symmetry=(mirrored, mirrored_move))(
    Noughts
)
wrong(
    'the colours are alike',
    'the side to move follows from the stones',
    colours=(colours_exchanged, same_move),
)(Noughts)
