"""`fmcts.bits` as machine code, against its Python source."""

import re

import numpy as np
from hypothesis import given, strategies as st
from numba import njit, typeof

from fmcts import bits
from fmcts._numba import bits as compiled_bits
from fmcts._numba.register import register
from fmcts.testing import words as drawn_words

WORDS = drawn_words()


def signed(word):
    return np.int64(word - (word >> 63 << 64))


@njit
def every_helper(word, condition, index):
    return (
        bits.popcount(word),
        bits.lowest_bit(word),
        bits.highest_bit(word),
        bits.keep_if(word, condition),
        bits.nth_bit(word, index) if index < bits.popcount(word) else -1,
    )


@given(word=WORDS, condition=WORDS, index=st.integers(0, 63))
def test_bit_helpers_agree_with_python(word, condition, index):
    found = every_helper(signed(word), signed(condition), index)
    expected = every_helper.py_func(word, condition, index)
    assert [number & bits.WORD for number in found] == [n & bits.WORD for n in expected]


@njit
def replaced(words, place, word):
    return bits.replaced(words, place, word)


@given(words=st.tuples(WORDS, WORDS, WORDS), place=st.integers(0, 2), word=WORDS)
def test_replacing_a_word_agrees_with_python(words, place, word):
    found = replaced(tuple(map(signed, words)), place, signed(word))
    assert [number & bits.WORD for number in found] == [*bits.replaced(words, place, word)]


by_clearing = njit(compiled_bits._by_clearing)


@given(word=WORDS.filter(bool), data=st.data())
def test_nth_bit_without_the_instruction_agrees_with_python(word, data):
    index = data.draw(st.integers(0, bits.popcount(word) - 1))
    assert by_clearing(signed(word), index) == bits.nth_bit(word, index)


def shifted(step, mask, one, other):
    up = mask & one << step
    up |= mask & (other >> step)
    return up * 3 & mask


@njit
def union(one, other, mask):
    return bits.union_of_four(shifted, (1, 7, 8, 9), (mask, 255, 65535, 1 << 40), one, other)


@given(one=WORDS, other=WORDS, mask=WORDS)
def test_shifts_of_four_words_at_once_agree_with_python(one, other, mask):
    register(shifted)
    found = union(signed(one), signed(other), signed(mask))
    assert found & bits.WORD == union.py_func(one, other, mask) & bits.WORD


TABLE = bits.Table([0, 1, bits.WORD, 1 << 63])


@njit
def looked_up(index):
    return TABLE[index]


def test_table_lookups_agree_with_python():
    for index in range(4):
        assert looked_up(index) & bits.WORD == TABLE[index]


OF_ONE_LENGTH = bits.Table([5, 6, 7]), bits.Table([8, 9, 1 << 63])
ONE, OTHER = OF_ONE_LENGTH


@njit
def both_looked_up(index):
    return ONE[index], OTHER[index], ONE[2 - index]


def test_tables_of_equal_length_are_distinguished():
    """Also in one function, where the data of both lie in one module of LLVM."""
    for index in range(3):
        expected = ONE[index], OTHER[index], ONE[2 - index]
        assert tuple(word & bits.WORD for word in both_looked_up(index)) == expected
    assert typeof(ONE) != typeof(OTHER)
    assert typeof(ONE) == typeof(bits.Table(ONE))
    (code,) = both_looked_up.inspect_llvm().values()
    assert set(re.findall(r'^@[^ ]+ = .*\[3 x i64\] \[(.*)\]', code, re.MULTILINE)) == {
        'i64 5, i64 6, i64 7',
        f'i64 8, i64 9, i64 {-1 << 63}',
    }
