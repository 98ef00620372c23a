"""Exact values of games with chance and any number of players."""

from fractions import Fraction

import pytest
from attrs import frozen

from fmcts.solve import check_expectation, expectation


@frozen
class Thirds:
    """One of three players takes a draw, or a lottery that each of them wins once in three."""

    at: str = 'begin'
    players = ('one', 'two', 'three')
    player = 'one'
    moves = property(lambda self: ('draw', 'lottery') if self.at == 'begin' else ())
    chances = property(lambda self: tuple((it, 1) for it in self.players if self.at == 'lottery'))
    over = property(lambda self: not (self.moves or self.chances))
    winner = property(lambda self: self.at if self.at in self.players else None)

    def play(self, move):
        return Thirds(move)


@frozen
class Shares(Thirds):
    """The same with rewards: the first move gives tenths, and the second as much on average."""

    at: str = 'begin'
    chances = property(
        lambda self: (('one', 7), ('two', 2), ('three', 1)) if self.at == 'lottery' else ()
    )

    @property
    def rewards(self):
        if self.at == 'draw':
            return (0.7, 0.2, 0.1)
        return tuple(float(it == self.at) for it in self.players) if self.over else ()

    def play(self, move):
        return Shares(move)


@pytest.mark.parametrize(
    ('start', 'values'),
    [(Thirds(), (1, 1, 1)), (Shares(), (2.1, 0.6, 0.3))],
    ids=['third', 'tenth'],
)
def test_of_equal_moves_the_first_is_the_best(start, values):
    found = expectation(start)
    assert found.move == 'draw'
    assert found.table[start.play('draw')] == found.table[start.play('lottery')] == found.values
    assert found.values == tuple(Fraction(str(it)) / 3 for it in values)
    assert check_expectation(found) == len(found.table) == 6
