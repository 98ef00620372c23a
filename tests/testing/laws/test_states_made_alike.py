"""The laws of equality and hashes, for states made alike."""

from itertools import count

import pytest

from looking import case_of, found
from walks import EQUAL, HASH, NoHash, Walk


class Unequal(Walk):
    """Unequal from ply `late` on, and then by `!=` alone, if so told."""

    late, by_not = 0, False

    def __eq__(self, other):
        if self is not other and len(self.steps) >= self.late and not self.by_not:
            return False
        return super().__eq__(other)

    def __ne__(self, other):
        return len(self.steps) >= self.late or not super().__eq__(other)

    __hash__ = Walk.__hash__


class LaterUnequal(Unequal):
    late = 1


class NotEqual(Unequal):
    by_not = True


class LaterNotEqual(Unequal):
    late, by_not = 1, True


class Lists(Walk):
    """Who won goes by how often somebody looked."""

    looks = 0
    winner = property(lambda _self: Lists.look())

    @classmethod
    def look(cls):
        cls.looks += 1
        return cls.looks


class Hashed(Walk):
    """Another hash every time, from ply `late` on."""

    late, hashes, more = 0, 1000, 1

    def __hash__(self):
        Hashed.hashes += self.more * (len(self.steps) >= self.late)
        return Hashed.hashes


class LaterHashed(Hashed):
    late = 1


class HashedLess(Hashed):
    more = -1


class LaterHashedLess(Hashed):
    late, more = 1, -1


class Named(Walk):
    """Two that are not equal, told apart in writing too."""

    number = 0

    def __init__(self, steps=()):
        super().__init__(steps)
        Named.number += 1
        self.own = Named.number

    __eq__ = object.__eq__
    __hash__ = Walk.__hash__

    def __repr__(self):
        return f'number {self.own}'


TWO = 'the same moves lead to two states that are not equal: twice Walk(1,)'
PLAYED = '1, played twice, gives states that are not equal: twice Walk(1,)'


@pytest.mark.parametrize(
    ('law', 'state', 'line', 'words'),
    [
        (EQUAL, Unequal(), (1,), TWO),
        (EQUAL, NotEqual(), (1,), TWO),
        (EQUAL, LaterUnequal(), (), PLAYED),
        (EQUAL, LaterNotEqual(), (), PLAYED),
        (EQUAL, Walk(), (1, 2), None),
        (HASH, Hashed(), (), 'the same moves lead to two states with different hashes'),
        (HASH, HashedLess(), (), 'the same moves lead to two states with different hashes'),
        (HASH, LaterHashedLess(), (), '1, played twice, gives states with different hashes'),
        (HASH, LaterHashed(), (), '1, played twice, gives states with different hashes'),
        (HASH, NoHash(), (), "hash raised TypeError: unhashable type: 'NoHash'"),
        (HASH, Walk(), (1, 2), None),
    ],
    ids=count(),
)
def test_equal_moves_must_lead_to_equal_states(law, state, line, words):
    assert found(law, state, *line) == words


def test_differing_states_are_reported_with_their_members():
    assert found(EQUAL, Lists(), 1).startswith('the same moves lead to two states with winner ')
    one, two = found(EQUAL, Named(), 1).partition('not equal: ')[2].split(' and ')
    assert {one[:7], two[:7]} == {'number '}
    assert one != two


class Written(Named):
    """So long that it is cut, and by turns the lower or the higher."""

    def __repr__(self):
        return 'ab'[self.own % 2] * 100


@pytest.mark.parametrize('turn', [0, 1])
def test_unequal_values_are_quoted_in_80_characters(turn):
    Named.number = turn
    told = found(EQUAL, Written(), 1)
    both = {f'{one * 80}... and {two * 80}...' for one, two in ('ab', 'ba')}
    assert told.partition('not equal: ')[2] in both


def test_a_line_is_replayed_from_an_untouched_start():
    case = case_of(Walk(), 1, 2, 2)
    again = case.again
    assert again is not case.state
    assert again == Walk((1, 2, 2))
