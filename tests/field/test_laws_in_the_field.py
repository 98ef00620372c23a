"""Games and bots with mistakes that people really made: each is found by the law named for it."""

import importlib
import random
import sys

import numpy as np
import pytest
from attrs import evolve, frozen

from fmcts import Player, Search, SplitMix, analyse
from fmcts.game import illegal
from fmcts.games import connect4, tictactoe
from fmcts.search.methods import METHODS
from fmcts.testing import check_game
from fmcts.view.formulas import method_lines

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
    ('kind', 'rng'),
    [
        (BetOfPython, random.Random(7)),  # noqa: S311 - the mistake
        (BetOfNumpy, np.random.default_rng(7)),
    ],
    ids=['random', 'numpy'],
)
def test_a_generator_in_the_state_is_found(kind, rng):
    breach = check_game(kind(rng, 2), **HERE).failure()
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


class HashOfTheOrder(Fill):
    __eq__ = Fill.__eq__

    def __hash__(self):
        return hash(self.stones)


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


@pytest.mark.parametrize(
    ('start', 'words'),
    [
        (HashOfTheOrder(), 'but they have another hash'),
        (MovesInTheOrder(size=9), ' after '),
    ],
    ids=lambda it: type(it).__name__,
)
def test_equal_states_that_differ_meet(start, words):
    breach = check_game(start, **HERE).failure()
    assert breach.law == 'equal states are alike'
    assert words in breach.found


@frozen
class Climb:
    """One stair or two at a time, all remembered: no two lines lead to equal states."""

    steps: tuple = ()
    player = property(lambda self: (Player.X, Player.O)[len(self.steps) % 2])
    over = property(lambda self: sum(self.steps) > 4)
    moves = property(lambda self: () if self.over else (1, 2))
    winner = property(lambda self: self.player if self.over else None)

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return Climb((*self.steps, move))


def test_the_report_counts_pairs_of_equal_states():
    passed = check_game(Climb(), **HERE).unwrap()
    assert ('equal states are alike', 'no two lines led to equal states') in passed.left_out
    assert 'equal states are alike' not in dict(passed.cases)
    assert (
        dict(check_game(Fill(size=4), without=[PROCESS]).unwrap().cases)['equal states are alike']
        > 50
    )


# ---- messages ----


def said(call):
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - what is told is compared
        return f'{type(error).__name__}: {error}'


RNG = SplitMix.from_seed(1)


def test_an_illegal_move_is_shown_so_that_it_differs_from_the_legal_ones():
    assert said(lambda: connect4.start.play('3')) == (
        "IllegalMoveError: illegal move '3' (did you mean 3?): "
        'the legal moves are 0, 1, 2, 3, 4, 5, 6'
    )
    pythonchess = pytest.importorskip('fmcts.interop.pythonchess')
    chess = pytest.importorskip('chess')
    told = said(lambda: pythonchess.start.play(chess.Move.from_uci('e2e4')))
    assert told.startswith(
        "IllegalMoveError: illegal move Move.from_uci('e2e4') (did you mean 'e2e4'?): the legal"
    )


def test_numbers_of_numpy_are_numbers():
    assert Search(np.int64(5)) == Search(5)
    assert SplitMix.from_seed(np.int64(3)) == SplitMix.from_seed(3)

    def digest(value):
        search = Search(50, evaluate=lambda _state: value, evaluate_after=0)
        return analyse(tictactoe.start, RNG, search, engine='inplace')[0].digest

    assert digest(np.float32(0.5)) == digest(0.5)
    for wrong in ('5', True, np.True_, 5.5, None):
        assert said(lambda wrong=wrong: Search(wrong)) == (
            f'ValueError: iterations must be a whole number of at least 1, not {wrong!r}'
        )


def test_the_logarithm_of_a_method_is_named():
    """By the legend of the page on searches, L is ln(1 + N)."""
    assert method_lines(METHODS['ucb1']()) == ['score = value + c * sqrt(L / n)']
    assert method_lines(METHODS['uct']()) == ['score = value + c * sqrt(ln(N) / n)']


def test_games_of_openspiel_in_python_are_not_unknown():
    pytest.importorskip('pyspiel')
    openspiel = pytest.importorskip('fmcts.interop.openspiel')
    if 'open_spiel.python.games' not in sys.modules:
        told = said(lambda: openspiel.start('python_tic_tac_toe'))
        assert told.endswith('yet: import open_spiel.python.games, which adds the games in Python')


def test_the_typed_compositions_run():
    """Their types are checked by `tests/snippets.py`."""
    assert importlib.import_module('typed_bots').move in (1, 2, 3)
