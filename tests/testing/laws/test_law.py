"""Laws, and one-line reports of breaches and of passed checks."""

from itertools import count

import pytest

from fmcts.testing._laws.cases import look
from fmcts.testing._laws.law import Breach, Law, OtherwiseError, Passed, found_by, raised


def law(found):
    return Law('a law', 'It is kept.', found)


@pytest.mark.parametrize(
    ('found', 'words'),
    [
        (lambda _: None, None),
        (lambda _: 'something', 'something'),
        (lambda _: 1 // 0, 'raised ZeroDivisionError: integer division or modulo by zero'),
        (look, '3 has no player'),
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


def test_an_error_that_does_not_print_is_named():
    class SilentError(Exception):
        def __str__(self):
            raise ValueError

    assert raised(SilentError()) == 'raised SilentError'


def test_long_lines_are_truncated_in_messages():
    breach = Breach('a law', 'It is kept.', 'something', tuple(range(1030)))
    assert '22, 23 and 1,006 more: something.' in str(breach)
    assert str(Passed((('a law', 3), ('another', 0)))) == '1 law kept in 3 cases'


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
        (range(24), f'after {", ".join(map(str, range(24)))}'),
        (range(25), f'after {", ".join(map(str, range(24)))} and 1 more'),
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


@pytest.mark.parametrize(
    ('error', 'words'),
    [
        (ValueError(), 'raised ValueError'),
        (ValueError('  '), 'raised ValueError'),
        (ValueError(' one\ntwo'), 'raised ValueError: one'),
    ],
    ids=count(),
)
def test_the_first_line_of_an_error_is_reported(error, words):
    assert raised(error) == words


def test_a_breach_raised_inside_a_law_is_reported_in_its_words():
    def otherwise(_):
        raise OtherwiseError('it is not so')

    assert found_by(law(otherwise), 3) == 'it is not so'
