"""Validators: what they accept, and their one-line messages."""

import math
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from fmcts._arguments import is_number, whole_number
from fmcts._validators import (
    as_count,
    as_float,
    did_you_mean,
    finite,
    one_of,
    positive_count,
    share,
)

NAME = SimpleNamespace(name='c')
LARGEST = int(1e300)  # as large as the float is, to the last digit


@pytest.mark.parametrize(
    ('value', 'number'),
    [
        *((value, value) for value in (0, -3, 7, LARGEST, -LARGEST)),
        *((LARGEST + 1, math.inf), (10**400, math.inf), (-(10**400), -math.inf)),
    ],
)
def test_integers_become_floats(value, number):
    assert as_float(value) == number
    assert isinstance(as_float(value), float)


@pytest.mark.parametrize('value', [True, False, '1', None, 0.5])
def test_other_values_are_left_to_the_validator(value):
    assert as_float(value) is value


@pytest.mark.parametrize(
    ('validate', 'most', 'beyond', 'accepted'),
    [
        (finite, 1e300, math.inf, 'a finite number of at least 0'),
        (share, 1.0, 1.0000000000000002, 'a number from 0 to 1'),
    ],
)
def test_numbers_of_a_range(validate, most, beyond, accepted):
    for value in (0.0, -0.0, 5e-324, 0.5, 1.0, most):
        validate(None, NAME, value)
    for value in (-5e-324, -1.0, beyond, -math.inf, math.nan, 1, '1', None):
        with pytest.raises(ValueError, match=f'^c must be {accepted}, not {value!r}$'):
            validate(None, NAME, value)


@pytest.mark.parametrize('value', [Fraction(1, 2), Decimal('0.5'), np.float32(0.5), np.array(0.5)])
def test_float_decides_what_a_number_is(value):
    assert (as_float(value), type(as_float(value))) == (0.5, float)
    assert is_number(value)


@pytest.mark.parametrize('value', [3, np.int8(3), np.uint64(3), np.array(3)])
def test_index_decides_what_a_whole_number_is(value):
    assert (as_count(value), type(as_count(value))) == (3, int)
    assert (as_float(value), type(as_float(value))) == (3.0, float)
    assert whole_number('it', value) == 3


def test_numbers_near_infinity_are_refused():
    with pytest.raises(ValueError, match=r'^c must be at most 1e\+300, not 1\.0*2e\+300$'):
        finite(None, NAME, math.nextafter(1e300, math.inf))


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
