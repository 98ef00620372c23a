"""Logarithms, exponentials, and how this machine rounds."""

import decimal
import hashlib
import math
import struct
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import example, given, strategies as st

from fmcts import Search, SplitMix, _arithmetic as arithmetic, analyse, trees
from fmcts._arithmetic import LN2, exponential, logarithm, logarithm_of, logarithms
from fmcts.games import tictactoe
from fmcts.notices import listening

RNG = SplitMix.from_seed(0)


@pytest.fixture(autouse=True)
def _as_in_a_new_process():
    memos = arithmetic.rounds_twice, arithmetic.notice_double_rounding
    for memo in memos:
        memo.cache_clear()
    yield
    for memo in memos:
        memo.cache_clear()


def rounded(exact, bits):
    """A positive number to so many significant bits, ties to even."""
    unit = Fraction(1)
    while exact / unit >= 2**bits:
        unit *= 2
    while exact / unit < 2 ** (bits - 1):
        unit /= 2
    return round(exact / unit) * unit


class Twice(float):
    """A double whose sums are rounded to 64 bits first, as by x87."""

    def __add__(self, other):
        return Twice(float(rounded(Fraction(self) + Fraction(other), 64)))

    __radd__ = __add__


def test_this_machine_rounds_once():
    assert (1.0 + (2**-53 + 2**-78) == 1.0) is arithmetic.rounds_twice()


def test_double_rounding_is_detected(monkeypatch):
    def ldexp(number, exponent):
        return Twice(number * 2.0**exponent)

    monkeypatch.setattr(arithmetic, 'math', SimpleNamespace(ldexp=ldexp))
    assert arithmetic.rounds_twice()


@pytest.mark.parametrize('engine', ['persistent', 'inplace', 'monadic'])
def test_double_rounding_is_reported_once(monkeypatch, engine):
    monkeypatch.setattr(arithmetic, 'rounds_twice', lambda: True)
    heard = []
    with listening(heard.append):
        analyse(tictactoe.start, RNG, Search(5), engine=engine)
        analyse(tictactoe.start, RNG, Search(5), engine=engine)
        next(trees(tictactoe.start, RNG, Search(5)))
    (notice,) = heard
    assert notice.startswith('floating-point arithmetic rounds twice on this machine (x87): ')


def test_correct_rounding_is_not_reported(monkeypatch):
    monkeypatch.setattr(arithmetic, 'rounds_twice', lambda: False)
    heard = []
    with listening(heard.append):
        analyse(tictactoe.start, RNG, Search(5), engine='persistent')
    assert heard == []


# ---- logarithms and exponentials, against decimal arithmetic of sixty digits ----

EXACT = decimal.Context(prec=60)


def error(found, true):
    """How far it is from the true value, in units in the last place."""
    unit = decimal.Decimal(math.ulp(float(true)))
    return abs(EXACT.subtract(decimal.Decimal(found), true)) / unit


def exact_logarithm(x):
    return EXACT.ln(decimal.Decimal(x))


@given(st.floats(0.0, exclude_min=True, allow_infinity=False) | st.floats(0.5, 2.0))
@example(5e-324)
@example(1.7976931348623157e308)
@example(math.nextafter(1.0, 0.0))
@example(math.nextafter(1.0, 2.0))
def test_logarithm_is_within_one_ulp(x):
    true = exact_logarithm(x)
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
    assert bits == 850_632_138_920_622_417


# ---- the table of logarithms that every engine shares ----


def test_logarithms_are_within_four_ulps_and_increase():
    table = logarithms(300_000)
    assert (table[1], LN2) == (0.0, float(exact_logarithm(2)))
    for n in [*range(2, 500), 65535, 65536, 99991, 131071, 199_999]:
        assert error(table[n], exact_logarithm(n)) <= 4, n
    assert all(table[n] < table[n + 1] for n in range(1, 300_000))


def test_golden_logarithms():
    """The same on every machine: pinned, since engines are compared by digest."""
    table = logarithms(1_000_000)
    assert [table[n].hex() for n in (3, 7, 100, 65_537, 999_999)] == [
        '0x1.193ea7aad030ap+0',
        '0x1.f2272ae325a57p+0',
        '0x1.26bb1bbb55516p+2',
        '0x1.62e44fef939f0p+3',
        '0x1.ba18a78020f47p+3',
    ]
    every_bit = hashlib.blake2b(struct.pack('<20000d', *table[1:20_001]), digest_size=16)
    assert every_bit.hexdigest() == '2905e7e480aa3b5070646bbec131a786'


def test_longer_tables_extend_shorter_ones_and_single_logarithms_equal_them():
    table = logarithms(70_000)
    assert all(logarithm_of(n) == table[n] for n in range(1, 70_000))
    assert table[: len(logarithms(100))] == logarithms(100)
    for limit in (0, 1, 1023, 1024, 5000):
        assert len(logarithms(limit)) > limit
