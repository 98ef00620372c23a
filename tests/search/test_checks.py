"""Validators: what they accept, and their one-line messages."""

import math
import re
from fractions import Fraction
from types import SimpleNamespace

import pytest

from fmcts.search._checks import as_float, did_you_mean, finite, one_of, positive_count, share

NAME = SimpleNamespace(name='c')
LARGEST = int(1e300)  # as large as the float is, to the last digit


@pytest.mark.parametrize('value', [0, -3, 7, LARGEST, -LARGEST])
def test_integers_become_floats(value):
    assert as_float(value) == value
    assert isinstance(as_float(value), float)


@pytest.mark.parametrize(
    ('value', 'infinity'), [(LARGEST + 1, math.inf), (10**400, math.inf), (-(10**400), -math.inf)]
)
def test_numbers_too_large_for_a_float_become_infinite(value, infinity):
    assert as_float(value) == infinity


@pytest.mark.parametrize('value', [True, False, '1', None, 0.5])
def test_other_values_are_left_to_the_validator(value):
    assert as_float(value) is value


@pytest.mark.parametrize('value', [0.0, -0.0, 5e-324, 1.0, 1e300])
def test_finite_numbers_are_accepted(value):
    finite(None, NAME, value)


@pytest.mark.parametrize('value', [-5e-324, -1.0, math.inf, -math.inf, math.nan, 1, '1', None])
def test_negative_and_infinite_numbers_are_refused(value):
    with pytest.raises(ValueError, match=f'must be a finite number of at least 0, not {value!r}$'):
        finite(None, NAME, value)


@pytest.mark.parametrize(
    ('check', 'accepted'),
    [(finite, 'a finite number of at least 0'), (share, 'a number from 0 to 1')],
)
def test_kinds_of_numbers_are_named_to_who_gives_another(check, accepted):
    expected = f'c must be {accepted} (a float or an int), not Fraction(1, 2)'
    with pytest.raises(ValueError, match=f'^{re.escape(expected)}$'):
        check(None, NAME, Fraction(1, 2))


def test_numbers_near_infinity_are_refused():
    with pytest.raises(ValueError, match=r'^c must be at most 1e\+300, not 1\.0*2e\+300$'):
        finite(None, NAME, math.nextafter(1e300, math.inf))


@pytest.mark.parametrize('value', [0.0, -0.0, 5e-324, 0.5, 1.0])
def test_numbers_from_0_to_1_are_accepted(value):
    share(None, NAME, value)


@pytest.mark.parametrize('value', [-5e-324, -0.5, 1.0000000000000002, 1.5, math.nan, 1, '1', None])
def test_numbers_outside_0_to_1_are_refused(value):
    with pytest.raises(ValueError, match=f'^c must be a number from 0 to 1, not {value!r}$'):
        share(None, NAME, value)


def test_a_count_is_at_least_1():
    positive_count(None, NAME, 1)
    with pytest.raises(ValueError, match=r'^c must be a whole number of at least 1, not 0$'):
        positive_count(None, NAME, 0)


def test_words_are_accepted_or_listed():
    validate = one_of('robust', 'max')
    validate(None, NAME, 'robust')
    with pytest.raises(ValueError, match=r"^c must be one of robust, max, not 'ucb'$"):
        validate(None, NAME, 'ucb')
    with pytest.raises(ValueError, match=r"not 'robus' \(did you mean robust\?\)$"):
        validate(None, NAME, 'robus')
    with pytest.raises(ValueError, match=r'^c must be one of robust, max, not 3$'):
        validate(None, NAME, 3)
    assert did_you_mean('robus', ('robust', 'max')) == ' (did you mean robust?)'
    assert did_you_mean('robus', ()) == did_you_mean(3, ('robust',)) == ''
