"""Mistakes in states that people really made: each is found by the law named for it."""

import random

import numpy as np
import pytest
from attrs import evolve, frozen

from fmcts import Player, SplitMix
from fmcts.game import illegal
from fmcts.testing import check_game

PROCESS = 'the same in another process'
HERE = {'without': [PROCESS], 'games': 6}


# ---- a generator in the state ----


@frozen
class Bet:
    """Bet on low or high; a generator of the state throws the die."""

    rng: object
    bets: int = 1
    won: bool | None = None
    player: Player = Player.X
    over = property(lambda self: self.bets == 0)
    moves = property(lambda self: () if self.over else ('low', 'high'))
    winner = property(lambda self: None if not self.over else (Player.O, Player.X)[self.won])

    def thrown(self):
        return self.rng.uniform(1, 6)

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        die, rng = self.thrown()
        return evolve(self, rng=rng, won=(die <= 3) == (move == 'low'), bets=self.bets - 1)


class ByValue(Bet):
    def __eq__(self, other):
        return type(self) is type(other) and self.known == other.known

    def __hash__(self):
        return hash(self.known)


class BetOfPython(ByValue):
    """The generator is copied, so that `play` changes nothing."""

    def thrown(self):
        rng = random.Random()  # noqa: S311 - the mistake
        rng.setstate(self.rng.getstate())
        return rng.randint(1, 6), rng

    known = property(lambda self: (self.rng.getstate(), self.bets, self.won))


class BetOfNumpy(ByValue):
    def thrown(self):
        rng = np.random.Generator(type(self.rng.bit_generator)())
        rng.bit_generator.state = self.rng.bit_generator.state
        return int(rng.integers(1, 7)), rng

    known = property(lambda self: (str(self.rng.bit_generator.state), self.bets, self.won))


class Unused(Bet):
    """The generator only names the table; high always wins."""

    def thrown(self):
        return 6, self.rng


@pytest.mark.parametrize(
    'start',
    [BetOfPython(random.Random(7), 2), BetOfNumpy(np.random.default_rng(7))],  # noqa: S311 - the mistake
    ids=['random', 'numpy'],
)
def test_a_generator_in_the_state_is_found(start):
    breach = check_game(start, **HERE).failure()
    assert (breach.law, breach.line) == ('no generator in the state', ())
    assert breach.found.startswith('play draws from a generator in the state: use chances; with')


def test_a_generator_that_decides_nothing_is_not_accused():
    assert check_game(Unused(SplitMix.from_seed(7), 2), **HERE).unwrap()


# ---- equal states that differ ----


@frozen(eq=False)
class Fill:
    """Fill a square; the stones are kept in the order of play, which equality leaves out."""

    stones: tuple = ()
    size: int = 6
    player = property(lambda self: (Player.X, Player.O)[len(self.stones) % 2])
    taken = property(lambda self: {cell for cell, _ in self.stones})
    moves = property(lambda self: tuple(sorted({*range(self.size)} - self.taken)))
    over = property(lambda self: not self.moves)
    winner = property(lambda self: Player.X if self.over and (0, Player.X) in self.stones else None)

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return type(self)((*self.stones, (move, self.player)), self.size)

    def __eq__(self, other):
        return type(self) is type(other) and {*self.stones} == {*other.stones}

    def __hash__(self):
        return hash(frozenset(self.stones))


class MovesInTheOrder(Fill):
    """Moves beside stones of the side to move are listed first, in the order of its stones.

    So two states that one side reached in two orders differ in its next moves, not in the
    opponent's.
    """

    @property
    def moves(self):
        mine = [cell for cell, player in self.stones if player is self.player]
        moves = super().moves
        beside = [cell + 1 for cell in mine if cell + 1 in moves]
        return (*dict.fromkeys((*beside, *moves)),)


def test_equal_states_that_differ_meet():
    breach = check_game(MovesInTheOrder(size=9), **HERE).failure()
    assert breach.law == 'equal states are alike'
    assert ' after ' in breach.found


@frozen(eq=False)
class Ends:
    """So many numbers are named in turn; equality leaves out in which order the ends were."""

    plies: int
    named: tuple = ()
    player = property(lambda self: (Player.X, Player.O)[len(self.named) % 2])
    moves = property(lambda self: () if self.over else tuple(range(5)))
    over = property(lambda self: len(self.named) == self.plies)
    winner = None

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return evolve(self, named=(*self.named, move))

    def __eq__(self, other):
        if type(other) is not Ends or not self.over or not other.over:
            return type(other) is Ends and self.named == other.named
        first, *between, last = other.named
        return self.named in (other.named, (last, *between, first))

    def __hash__(self):
        return hash(self.named)


@pytest.mark.parametrize('plies', [2, 5])
def test_lines_with_two_plies_exchanged_meet(plies):
    breach = check_game(Ends(plies), positions=99, **HERE).failure()
    assert (breach.law, len(breach.line)) == ('equal states are alike', plies)
    assert 'but they have another hash' in breach.found
    assert plies > 2 or 'equals that after [1, 0]' in breach.found  # before that line comes up
