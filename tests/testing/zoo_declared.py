"""Wrong games whose declarations do not fit: keys, rules, playouts, texts, and other games."""

import itertools

from attrs import evolve
from returns.result import Failure

from zoo_right import HEAP_RULES, LINES, Heap, Noughts, X, wrong

COUNTER = itertools.count()


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


# Texts, known games, keys and playouts that are wrong in other ways.


def entered(name, law, why, line=0, **told):
    """Enter a heap that is right by itself, of a class of its own, with what is told wrongly."""
    wrong(law, why, line, **told)(type(name, (Heap,), {'__module__': __name__}))


TEXT, KNOWN = 'text is read back', 'known games end so'
WRITTEN = itertools.count()
entered('WritesNumbers', TEXT, 'the text is a number', text=(Heap, lambda heap: heap.left))
entered('ReadsAHeap', TEXT, 'the class above is read', text=(read_left(Heap), write_left))
entered('ReadsNothing', TEXT, 'nothing is read', text=(lambda _: Failure('no heap'), write_left))
entered('NoSuchMove', KNOWN, 'a known game has a move that is none', 1, known=[((2, 9), X)])
entered('EndsTooSoon', KNOWN, 'a known game ends before the end', 1, known=[((2,), X)])


@wrong(
    TEXT,
    'each text has another number',
    text=(
        lambda text: WritesOtherwise(int(text[0])),
        lambda heap: f'{heap.left} {next(WRITTEN)}',
    ),
)
class WritesOtherwise(Heap):
    """Its texts are numbered."""


@wrong('keys are unique', 'a key has no hash')
class ListsAsKeys(Heap):
    def key(self, move):
        return [move]


@wrong('keys are unique', 'the key of a move changes')
class CountsKeys(Heap):
    def key(self, move):
        return move, next(COUNTER)


@wrong('the playout agrees', 'the playout goes on for ever')
class PlaysForEver(Heap):
    def playout(self, draw):
        while True:
            draw(len(self.moves))
