"""Logarithm and exponential from IEEE operations, within one ulp."""

import decimal
import math

import pytest
from hypothesis import example, given, strategies as st

from fmcts._arithmetic import exponential, logarithm

EXACT = decimal.Context(prec=60)


def error(found, true):
    """How far it is from the true value, in units in the last place."""
    unit = decimal.Decimal(math.ulp(float(true)))
    return abs(EXACT.subtract(decimal.Decimal(found), true)) / unit


@given(st.floats(0.0, exclude_min=True, allow_infinity=False) | st.floats(0.5, 2.0))
@example(5e-324)
@example(1.7976931348623157e308)
@example(math.nextafter(1.0, 0.0))
@example(math.nextafter(1.0, 2.0))
def test_logarithm_is_within_one_ulp(x):
    true = EXACT.ln(decimal.Decimal(x))
    assert error(logarithm(x), true) <= 1 if true else logarithm(x) == 0.0


@given(st.floats(-700.0, 709.0) | st.floats(-1.0, 1.0))
@example(0.0)
@example(1e-300)
def test_exponential_is_within_one_ulp(x):
    assert error(exponential(x), EXACT.exp(decimal.Decimal(x))) <= 1


def test_extreme_arguments():
    assert exponential(-1e300) == 0.0
    assert exponential(-math.inf) == 0.0
    with pytest.raises(OverflowError):
        exponential(1000.0)


def test_golden_digest_of_many_values():
    """One sum over bits: that of another machine is this number too."""
    bits = 0
    for n in range(1, 2000):
        x = n * n / 777.0
        for found in (logarithm(x), exponential(logarithm(x) / 3.0), exponential(-x / 900.0)):
            mantissa, exponent = math.frexp(found)
            bits = (bits * 31 + int(mantissa * 2**53) + exponent) % (2**61 - 1)
    assert bits == BITS


BITS = 850_632_138_920_622_417
