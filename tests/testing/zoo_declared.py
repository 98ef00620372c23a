"""Wrong games: keys, rules, playouts and texts that do not fit; dice, rewards and three players."""

import itertools
from functools import partial
from typing import ClassVar, NamedTuple

from attrs import evolve, field, frozen
from returns.result import Failure

from fmcts import Player, SplitMix
from fmcts.game import illegal
from fmcts.rules import IntegerRules
from zoo_right import HEAP_RULES, LINES, PROCESS, Heap, Noughts, X, changed, wrong

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


# ---- dice, rewards, three players ----


class RacePosition(NamedTuple):
    x: int
    o: int
    throws: int
    rolling: int


def thrown_by_rules(position, move):
    if not position.rolling:
        return RacePosition(position.x, position.o, position.throws, 1)
    x, o = position.x, position.o
    if position.throws % 2:
        return RacePosition(x, o + move, position.throws + 1, 0)
    return RacePosition(x + move, o, position.throws + 1, 0)


RACE_RULES = IntegerRules(
    pack=lambda race: RacePosition(*race.points, race.throws, int(race.rolling)),
    menu=lambda position: 0 if position.throws == 4 else 2 if position.rolling else 1,
    count=lambda menu: menu,
    pick=lambda menu, index: index + menu - 1,
    play=thrown_by_rules,
    side=lambda position: position.throws % 2,
    chances=lambda position: 4 * position.rolling,
    weight=lambda _position, move: 2 * move - 1,
    rewards=lambda position, player: (
        0.5 if position.x == position.o else float((position.x < position.o) == player)
    ),
)


@frozen
class Race:
    """Two players throw a die of two sides in turn, twice each; more points win."""

    points: tuple = (0, 0)
    throws: int = 0
    rolling: bool = False
    players = (Player.X, Player.O)
    sides: ClassVar[tuple] = ((1, 1), (2, 3))
    player = property(lambda self: self.players[self.throws % 2])
    over = property(lambda self: self.throws == 4)
    chances = property(lambda self: self.sides if self.rolling else ())
    moves = property(lambda self: () if self.over or self.rolling else ('throw',))

    @property
    def rewards(self):
        if not self.over:
            return ()
        x, o = self.points
        return (0.5, 0.5) if x == o else (1.0, 0.0) if x > o else (0.0, 1.0)

    def play(self, move):
        if self.rolling and type(move) is int and move in (1, 2):
            return self.scored(move)
        if move not in self.moves:
            raise illegal(self, move)
        return changed(self, rolling=True)

    def scored(self, move):
        x, o = self.points
        points = (x, o + move) if self.throws % 2 else (x + move, o)
        return changed(self, points=points, throws=self.throws + 1, rolling=False)


@frozen
class Bare:
    """A state without chances, players and rewards."""

    player = Player.X
    moves = ()
    over = True
    winner = None

    def play(self, move):
        raise illegal(self, move)


@frozen
class Aim:
    """A player names three numbers from -3 to 3, which are not listed, and loses their squares."""

    left: int = 3
    gained: float = 0.0
    players, player, winner = ('archer',), 'archer', None
    moves = ()
    over = property(lambda self: self.left == 0)

    def play(self, move):
        if self.over or type(move) is not float or not -3 <= move <= 3:
            raise illegal(self, move)
        return Aim(self.left - 1, -(move**2))


def aimed(_state, rng):
    number, rng = rng.uniform(-30, 30)
    return number / 10, rng


PLAYERS, CHANCES = 'players are the same everywhere', 'chances are outcomes with weights'
ENDS, DRAWN = 'ends have rewards', 'nothing is drawn inside play'


@wrong('a state has all members', 'the members for dice come and go', 1)
class Sometimes(Race):
    play = lambda _self, _move: Bare()  # noqa: E731 - in one line


@wrong(PLAYERS, 'the players change places', 4)
class ChangePlaces(Race):
    players = property(lambda s: (Player.X, Player.O)[:: -1 if s.throws == 2 else 1])


@wrong(PLAYERS, 'somebody who is not a player is to move', 1)
class NotAPlayer(Race):
    player = property(lambda self: 'Z' if self.rolling else Player.X)


@wrong(CHANCES, 'a weight is zero', 1)
class Weightless(Race):
    sides = ((1, 0), (2, 3))


@wrong(CHANCES, 'a weight is a probability', 1)
class Probabilities(Race):
    sides = ((1, 0.25), (2, 0.75))


@wrong(CHANCES, 'an outcome is listed twice', 1)
class OutcomeTwice(Race):
    sides = ((1, 1), (1, 3))


@wrong(CHANCES, 'there are moves where chance moves', 1)
class MovesToo(Race):
    moves = property(lambda self: () if self.over else ('throw',))


@wrong('who is asked has a move', 'a player is asked who has no move', 2)
class NothingToDo(Race):
    moves = property(lambda s: () if s.over or s.rolling or s.throws % 2 else ('throw',))


@wrong('every move can be played', 'an outcome cannot be played', 1)
class OutcomeRefused(Race):
    sides = ((1, 1), (7, 1))


THROWN = itertools.count()


@wrong(DRAWN, 'dice are thrown in play too')
class ThrowsInPlay(Race):
    def play(self, move):
        after = super().play(move)
        return evolve(after, points=(next(THROWN), 0))


DRIFTED = itertools.count(1)


@wrong(DRAWN, 'weights drift from one call to the next')
class Drifting(Race):
    chances = property(lambda self: ((1, next(DRIFTED)), (2, 3)) if self.rolling else ())


@wrong(ENDS, 'a player has no reward', 8)
class RewardMissing(Race):
    rewards = property(lambda self: (1.0,) if self.over else ())


@wrong(ENDS, 'there are rewards before the end')
class RewardsBefore(Race):
    rewards = property(lambda _self: (0.5, 0.5))


@wrong(ENDS, 'the winner is not whom the rewards are best for', 8)
class WinnerContradicts(Race):
    @property
    def winner(self):
        x, o = self.points
        return None if not self.over or x == o else Player.X if x < o else Player.O


@wrong('the rules on integers agree', 'the rules have other weights', 1)
class RulesWeighOtherwise(Race):
    compiled = evolve(RACE_RULES, chances=lambda it: 5 * it.rolling, weight=lambda _it, m: m + 1)


@wrong('the rules on integers agree', 'the rules have other rewards', 8)
class RulesRewardOtherwise(Race):
    compiled = evolve(RACE_RULES, rewards=lambda it, player: float((it.x < it.o) != player))


@wrong('the rules on integers agree', 'the rules have weights for more than machine code adds', 1)
class RulesTooHeavy(Race):
    sides = ((1, 1), (2, 1 << 31))
    compiled = evolve(
        RACE_RULES,
        chances=lambda it: (2**31 + 1) * it.rolling,
        weight=lambda _it, move: 1 if move == 1 else 2**31,
    )


@wrong('equal states are alike', 'equality looks at the sum of the points', 4)
class SumAlone(Race):
    known = property(lambda self: (sum(self.points), self.rolling))
    __eq__ = lambda self, other: type(self) is type(other) and self.known == other.known  # noqa: E731
    __hash__ = lambda self: hash(self.known)  # noqa: E731 - in one line


@wrong('illegal moves are refused', 'outcomes that chance never has are played', 1)
class AnyThrow(Race):
    def play(self, move):
        return self.scored(move) if self.rolling and type(move) is int else super().play(move)


@wrong(PROCESS, 'outcomes come out of a set', 1)
class OutcomesOfASet(Race):
    faces: ClassVar[dict] = {'one': 1, 'two': 2, 'three': 3, 'four': 4, 'five': 5, 'six': 6}
    sides = property(lambda self: tuple((face, 1) for face in sorted(self.faces, key=hash)))

    def play(self, move):
        if self.rolling and move in self.faces:
            return self.scored(self.faces[move])
        return super().play(move)


@frozen
class Round:
    """Three players take one or two counters in turn; who takes the last one wins."""

    left: int = 5
    turn: int = 0
    players = ('a', 'b', 'c')
    player = property(lambda self: self.players[self.turn])
    over = property(lambda self: self.left == 0)
    moves = property(lambda self: (1, 2)[: self.left])
    winner = property(lambda self: self.players[self.turn - 1] if self.over else None)

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return changed(self, left=self.left - move, turn=(self.turn + 1) % 3)


class RoundPosition(NamedTuple):
    left: int
    turn: int


@wrong('the rules on integers agree', 'the rules have another winner', 3)
class RulesHaveAnotherWinner(Round):
    compiled = IntegerRules(
        pack=lambda it: RoundPosition(it.left, it.turn),
        menu=lambda it: min(it.left, 2),
        count=lambda menu: menu,
        pick=lambda _menu, index: index + 1,
        play=lambda it, move: RoundPosition(it.left - move, (it.turn + 1) % 3),
        side=lambda it: it.turn,
        winner=lambda it: it.turn,
        players=3,
    )


# What only another implementation shows.


@wrong('same players', 'somebody watches', theirs=Race())
class Watched(Race):
    players = (Player.X, Player.O, 'the public')


@wrong('same chances', 'the die is loaded', 1, theirs=Race())
class Loaded(Race):
    sides = ((1, 1), (2, 2))


@wrong('same rewards', 'every end is a draw', 8, theirs=Race())
class AlwaysDrawn(Race):
    rewards = property(lambda self: (0.5, 0.5) if self.over else ())


# Generators in states.


@wrong('no generator in the state', 'a generator in the state throws the die')
@frozen
class KnowsItsDice(Race):
    rng: SplitMix = field(factory=partial(SplitMix.from_seed, 7))

    def play(self, move):
        die, rng = self.rng.uniform(1, 2)
        after = super().play(move)
        return evolve(after.scored(die), rng=rng)
