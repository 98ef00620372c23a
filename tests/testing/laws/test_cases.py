"""A position under test: what is compared, and copies of the start."""

from itertools import count

import pytest

from fmcts.testing._laws.cases import Description, Seen, differences, same


class Kept:
    """A position that has these moves, and makes copies as it is told."""

    def __init__(self, moves, copied=None):
        self.moves, self.copied = moves, copied

    def __deepcopy__(self, _memo):
        return self.copied(self) if self.copied else Kept(self.moves)


def test_games_are_played_from_a_copy_of_the_start():
    start = Kept((1, 2))
    made = Description(start).fresh()
    assert made is not start
    assert (type(made), made.moves) == (Kept, (1, 2))


def no_copy(_start):
    raise ValueError('no')


@pytest.mark.parametrize('copied', [lambda _: Kept((2, 1)), lambda _: (1, 2), no_copy])
def test_an_unfaithful_copy_is_not_used(copied):
    start = Kept((1, 2), copied)
    assert Description(start).fresh() is start


@pytest.mark.parametrize(
    ('one', 'two', 'is_same'),
    [
        (1, 1.0, True),
        ((1, [2]), [1.0, (2,)], True),
        ((1, 2), (2, 1), False),
        ((1, 2), (1, 2, 3), False),
        ((1,), 1, False),
        ({1, 2}, {2, 1}, True),
        ((float('nan'),), (float('nan'),), False),
    ],
    ids=count(),
)
def test_same_compares_part_by_part(one, two, is_same):
    assert same(one, two) is same(two, one) is is_same


SEEN = Seen('X', (1, 2), over=False, winner=None)


@pytest.mark.parametrize(
    ('two', 'words'),
    [
        (Seen('X', [1, 2], 0, None), None),
        (Seen('O', (1,), over=True, winner='X'), "player 'X' and player 'O'"),
        (Seen('X', (2, 1), over=True, winner='X'), 'moves (1, 2) and moves (2, 1)'),
        (Seen('X', (1, 2), over=False, winner='X'), "winner None and winner 'X'"),
    ],
    ids=count(),
)
def test_the_first_difference_is_reported(two, words):
    assert differences(SEEN, two) == words
