"""The laws of different states, and of states that are equal whatever led to them."""

from itertools import count

import pytest

from fmcts import SplitMix
from fmcts.testing._laws.cases import Case, Description
from fmcts.testing._laws.law import Unchecked
from looking import LAWS, found
from walks import ALIKE, DIFFER, Walk


class EqualTo(Walk):
    """It equals this, whatever it is."""

    to = None

    def __eq__(self, other):
        return other == self.to or super().__eq__(other)

    __hash__ = Walk.__hash__


class EqualToText(EqualTo):
    to = 'a state'


class Compares(Walk):
    def __eq__(self, other):
        return self.steps == other.steps

    __hash__ = Walk.__hash__


class Round(Walk):
    """All is as before after so many plies."""

    after = 2

    def __eq__(self, other):
        return isinstance(other, Round) and len(self.steps) % self.after == (
            len(other.steps) % self.after
        )

    __hash__ = Walk.__hash__


class Stands(Round):
    after = 1


class RoundIn16(Round):
    after = 16


class RoundIn17(Round):
    after = 17


@pytest.mark.parametrize(
    ('state', 'plies', 'words'),
    [
        (EqualTo(), 0, 'the state equals None'),
        (EqualToText(), 0, "the state equals 'a state'"),
        (
            Compares(),
            0,
            (
                'comparing the state with None raised AttributeError: '
                "'NoneType' object has no attribute 'steps'"
            ),
        ),
        (Stands(), 1, 'the state equals the one before it'),
        (Round(), 1, None),
        (Round(), 2, 'the state equals the one 2 plies before it'),
        (Round(), 3, 'the state equals the one 2 plies before it'),
        (RoundIn16(), 15, None),
        (RoundIn16(), 16, 'the state equals the one 16 plies before it'),
        (RoundIn17(), 17, None),  # beyond what is looked at
        (Walk(), 20, None),
    ],
    ids=count(),
)
def test_different_states_must_differ(state, plies, words):
    assert found(DIFFER, state, *[1] * plies) == words


class Sum(Walk):
    """Equal where the steps add to the same; `over` by one of two ways, if so told."""

    kept = False

    def __eq__(self, other):
        return isinstance(other, Sum) and sum(self.steps) == sum(other.steps)

    def __hash__(self):
        return sum(self.steps)


class SumButEnd(Sum):
    over = property(lambda self: len(self.steps) == 2)


class SumButHash(Sum):
    """In a dictionary it is found all the same, as there is no other."""

    asked, more = 0, 1

    def __hash__(self):
        SumButHash.asked += 1
        return 0 if SumButHash.asked <= 2 else self.more * SumButHash.asked


class SumButLess(SumButHash):
    more = -1


@pytest.mark.parametrize(
    ('state', 'words'),
    [
        (Sum(), None),
        (SumButEnd(), 'the state equals that after [1, 1], but they have over False and over True'),
        (SumButHash(), 'the state equals that after [1, 1], but they have another hash'),
        (SumButLess(), 'the state equals that after [1, 1], but they have another hash'),
    ],
    ids=['alike', 'end', 'more', 'less'],
)
def test_equal_states_must_agree_whatever_led_to_them(state, words):
    SumButHash.asked = 0
    told = Description(state, SplitMix.from_seed(1))
    first = Case(told, told.fresh()).step(1)
    for _ in range(2):
        assert LAWS[ALIKE].found(first.step(1)) == Unchecked('no two lines led to equal states')
    SumButHash.asked = 1
    assert LAWS[ALIKE].found(Case(told, told.fresh(), met=first.met).step(2)) == words
