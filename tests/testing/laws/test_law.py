"""Laws, and one-line reports of breaches and of passed checks."""

from itertools import count

import pytest

from fmcts.testing._laws.cases import Description, Seen, differences, look, same
from fmcts.testing._laws.law import Breach, Law, OtherwiseError, Passed, found_by


def law(found):
    return Law('a law', 'It is kept.', found)


class SilentError(Exception):
    def __str__(self):
        raise ValueError


def fails_silently(_case):
    raise SilentError


def otherwise(_case):
    raise OtherwiseError('it is not so')


@pytest.mark.parametrize(
    ('found', 'words'),
    [
        (lambda _: None, None),
        (lambda _: 'something', 'something'),
        (lambda _: 1 // 0, 'raised ZeroDivisionError: integer division or modulo by zero'),
        (look, '3 has no player'),
        (fails_silently, 'raised SilentError'),
        (otherwise, 'it is not so'),
    ],
    ids=count(),
)
def test_an_error_counts_as_a_violation(found, words):
    assert found_by(law(found), 3) == words


def test_a_memory_error_is_not_reported_as_a_violation():
    def greedy(_):
        raise MemoryError

    with pytest.raises(MemoryError):
        found_by(law(greedy), 3)


class Silent:
    """It cannot be written in the usual way."""

    def __str__(self):
        raise ValueError

    def __repr__(self):
        return 'silent'


class Lines:
    def __str__(self):
        return ' a\n  b '


@pytest.mark.parametrize(
    ('line', 'where'),
    [
        ((), 'at the start'),
        ((3,), 'after 3'),
        ((3, 'a b', Lines(), Silent()), 'after 3, a b, a b, silent'),
        (range(2024), f'after {", ".join(map(str, range(24)))} and 2,000 more'),
    ],
    ids=count(),
)
def test_the_place_of_a_breach(line, where):
    breach = Breach('a law', 'It is kept.', 'something', tuple(line))
    assert str(breach) == f'a law, {where}: something. Expected: It is kept.'


@pytest.mark.parametrize(
    ('cases', 'left_out', 'words'),
    [
        ((), (), '0 laws kept in 0 cases'),
        ((('one', 1), ('two', 0), ('three', 2000)), (), '2 laws kept in 2,001 cases'),
        (
            (('one', 1),),
            (('two', 'no text'), ('three', 'no key')),
            '1 law kept in 1 case; not looked at: two (no text); three (no key)',
        ),
    ],
    ids=count(),
)
def test_passed_laws_as_text(cases, left_out, words):
    assert str(Passed(cases, left_out)) == words
    assert Passed(cases, left_out).total == sum(number for _, number in cases)


# ---- cases ----


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
