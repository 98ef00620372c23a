"""UCB1 and the logarithms that every engine shares."""

import hashlib
import math
import struct
from fractions import Fraction

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from fmcts.search.scoring import LN2, logarithm_of, logarithms, ucb1, ucb1_value


@frozen
class Arm:
    visits: int
    value: float


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


def test_logarithms_are_within_four_units_in_the_last_place():
    table = logarithms(200_000)
    assert table[1] == 0.0
    for n in [*range(2, 2000), 65535, 65536, 99991, 131071, 199_999]:
        exact = exact_logarithm(n)
        assert abs(Fraction(table[n]) - exact) <= 4 * Fraction(math.ulp(float(exact))), n


def test_logarithms_rise():
    table = logarithms(300_000)
    assert all(table[n] < table[n + 1] for n in range(1, 300_000))


def test_logarithms_to_the_bit():
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


def test_one_logarithm_is_that_of_the_table():
    table = logarithms(70_000)
    assert all(logarithm_of(n) == table[n] for n in range(1, 70_000))


def test_a_longer_table_begins_like_a_shorter_one():
    assert logarithms(5000)[: len(logarithms(100))] == logarithms(100)


@pytest.mark.parametrize('limit', [0, 1, 1023, 1024, 5000])
def test_the_table_reaches_the_limit(limit):
    assert len(logarithms(limit)) > limit


def test_a_longer_table_is_made_from_the_shorter():
    """They share their entries, and a table is made once."""
    short, long = logarithms(100), logarithms(5000)
    assert all(short[n] is long[n] for n in range(2, len(short)))
    assert logarithms(5000) is long


def test_the_table_grows_by_doubling():
    limits = [0, 1022, 1023, 2046, 2047, 100_000]
    assert [len(logarithms(limit)) for limit in limits] == [1024, 1024, 2048, 2048, 4096, 2**17]


def test_ucb1_value_is_mean_plus_bound():
    assert ucb1_value(0.5, 4, 9.0, 2.0) == 0.5 + 2.0 * 1.5
    assert ucb1_value(0.25, 9, 1.0, 1.5) == 0.25 + 1.5 / 3


arms = st.lists(st.builds(Arm, st.integers(1, 10**6), st.floats(0, 1)), min_size=1, max_size=12)


@given(arms, st.floats(0, 20), st.floats(0, 10))
def test_ucb1_takes_the_first_of_the_highest(children, log_total, c):
    values = [arm.value + c * math.sqrt(log_total / arm.visits) for arm in children]
    assert values == [ucb1_value(arm.value, arm.visits, log_total, c) for arm in children]
    assert ucb1(children, log_total, c) == values.index(max(values))


@pytest.mark.parametrize('c', [0.0, 1.4])
def test_of_equals_the_first_is_taken(c):
    low, high = Arm(4, 0.25), Arm(4, 0.75)
    assert ucb1([high, high, low], 1.0, c) == 0
    assert ucb1([low, high, low, high], 1.0, c) == 1
    assert ucb1([Arm(3, 0.0), Arm(3, 0.0)], 1.0, 0.0) == 0


@given(arms, arms)
def test_an_unvisited_child_comes_first(before, after):
    children = [*before, Arm(0, 0.0), *after, Arm(0, 0.0)]
    assert ucb1(children, 1.0, 1.4) == len(before)
