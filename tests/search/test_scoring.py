"""The logarithms that every engine shares."""

import hashlib
import math
import struct
from fractions import Fraction

import pytest

from fmcts._arithmetic import LN2, logarithm_of, logarithms


def exact_logarithm(n: int) -> Fraction:
    """`ln n` to 40 digits in exact arithmetic: ln n = ln 2 * k + 2 artanh((m - 1) / (m + 1))."""
    k = n.bit_length() - 1

    def twice_artanh(x: Fraction) -> Fraction:
        total, power, odd = Fraction(0), x, 1
        while power > Fraction(1, 10**42):
            total += power / odd
            # Rounded to 45 digits, or the fractions would grow without end.
            power = Fraction(round(power * x * x * 10**45), 10**45)
            odd += 2
        return 2 * total

    m = Fraction(n, 1 << k)
    return k * twice_artanh(Fraction(1, 3)) + twice_artanh((m - 1) / (m + 1))


def test_ln_2_is_the_nearest_double():
    assert float(exact_logarithm(2)) == LN2


def test_logarithms_are_within_four_ulps():
    table = logarithms(200_000)
    assert table[1] == 0.0
    for n in [*range(2, 500), 65535, 65536, 99991, 131071, 199_999]:
        exact = exact_logarithm(n)
        assert abs(Fraction(table[n]) - exact) <= 4 * Fraction(math.ulp(float(exact))), n


def test_logarithms_increase():
    table = logarithms(300_000)
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


def test_a_single_logarithm_equals_the_table():
    table = logarithms(70_000)
    assert all(logarithm_of(n) == table[n] for n in range(1, 70_000))


def test_longer_tables_extend_shorter_ones():
    assert logarithms(5000)[: len(logarithms(100))] == logarithms(100)


@pytest.mark.parametrize('limit', [0, 1, 1023, 1024, 5000])
def test_the_table_reaches_the_limit(limit):
    assert len(logarithms(limit)) > limit
