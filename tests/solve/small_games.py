"""Games for the tests of searches to the end: on a drawn graph, and of any length."""

from typing import ClassVar, NamedTuple

from attrs import evolve, frozen

from fmcts import Player
from fmcts.rules import IntegerRules


class DrawnPosition(NamedTuple):
    seed: int
    size: int
    node: int
    turn: int


def noise(position, salt):
    mixed = position.seed * 7919 + position.node * 104729 + salt * 1299709 + 12345
    return ((mixed & 0x7FFFFFF) * 2654435761 >> 13) & 0xFFFF


def drawn_count(position):
    return 0 if position.node >= position.size else 1 + noise(position, 2) % 4


def drawn_play(position, move):
    """Some nodes on; in a third of the moves the same side is to move again."""
    step = 1 + noise(position, 20 + move) % 3
    again = noise(position, 40 + move) % 3 == 0
    turn = position.turn if again else 1 - position.turn
    return DrawnPosition(position.seed, position.size, position.node + step, turn)


def drawn_winner(position):
    """X, O or nobody, half of the time."""
    return min(2, noise(position, 3 + position.turn) % 4)


@frozen
class Drawn:
    """A game from `node` to `size`; moves, steps, sides and ends are drawn from `seed`."""

    seed: int
    size: int
    node: int = 0
    player: Player = Player.X

    compiled: ClassVar[IntegerRules] = IntegerRules(
        pack=lambda state: state.packed(),
        count=drawn_count,
        pick=lambda _position, index: index,
        key=lambda _position, move: move,
        keys=4,
        play=drawn_play,
        side=lambda position: position.turn,
        winner=drawn_winner,
    )

    def packed(self):
        return DrawnPosition(self.seed, self.size, self.node, 0 if self.player is Player.X else 1)

    def key(self, move):
        return move

    moves = property(lambda self: tuple(range(drawn_count(self.packed()))))
    over = property(lambda self: self.node >= self.size)

    @property
    def winner(self):
        return (Player.X, Player.O, None)[drawn_winner(self.packed())] if self.over else None

    def play(self, move):
        after = drawn_play(self.packed(), move)
        return evolve(self, node=after.node, player=(Player.X, Player.O)[after.turn])


class Step(NamedTuple):
    steps: int
    last: int


@frozen
class Staircase:
    """One step up at a time, by turns or always by X; who makes the last one wins."""

    last: int
    steps: int = 0
    compiled: ClassVar = IntegerRules(
        pack=lambda state: Step(state.steps, state.last),
        menu=lambda step: 1 if step.steps != step.last else 0,
        play=lambda step, _: Step(step.steps + 1, step.last),
        side=lambda step: step.steps & 1,
        winner=lambda step: 1 - (step.steps & 1),
    )

    player = property(lambda self: (Player.X, Player.O)[self.steps & 1])
    moves = property(lambda self: () if self.over else (0,))
    over = property(lambda self: self.steps == self.last)
    winner = property(lambda self: self.player.other if self.over else None)

    def play(self, _):
        return type(self)(self.last, self.steps + 1)


class Puzzle(Staircase):
    """For one: the other never moves."""

    player = Player.X
    winner = property(lambda self: Player.X if self.over and self.last % 2 else None)


class Place(NamedTuple):
    at: int
    turn: int


@frozen
class Walk:
    """Each in turn steps left or right, from 0 until 3 or -3; it need not end."""

    at: int = 0
    turn: int = 0
    compiled: ClassVar = IntegerRules(
        pack=lambda state: Place(state.at, state.turn),
        menu=lambda place: 3 if -3 < place.at < 3 else 0,
        play=lambda place, move: Place(place.at + 2 * move - 1, 1 - place.turn),
        side=lambda place: place.turn,
        winner=lambda place: 0 if place.at > 0 else 1,
    )

    player = property(lambda self: (Player.X, Player.O)[self.turn])
    moves = property(lambda self: () if self.over else (0, 1))
    over = property(lambda self: abs(self.at) == 3)
    winner = property(lambda self: (Player.X if self.at > 0 else Player.O) if self.over else None)

    def play(self, move):
        return type(self)(self.at + 2 * move - 1, 1 - self.turn)
