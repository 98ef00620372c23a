"""Laws, and one-line reports of breaches and of passed checks."""

from itertools import count

import pytest

from fmcts.testing._laws.cases import look
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
