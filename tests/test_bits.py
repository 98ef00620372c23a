"""Sets of bits against a naive implementation: a word as its 64 binary digits."""

from hypothesis import given, strategies as st

from fmcts import bits
from fmcts.testing import words


def places(word):
    """The places of the set bits, ascending."""
    return [place for place, digit in enumerate(reversed(f'{word:064b}')) if digit == '1']


@given(words())
def test_popcount(word):
    assert bits.popcount(word) == len(places(word))
    assert bits.popcount(word - 2**64) == len(places(word))  # the same bits, signed


@given(words().filter(bool), st.data())
def test_nth_bit(word, data):
    index = data.draw(st.integers(0, len(places(word)) - 1))
    assert bits.nth_bit(word, index) == places(word)[index]
    assert bits.nth_bit(word - 2**64, index) == places(word)[index]


@given(words())
def test_lowest_and_highest_bit(word):
    assert bits.lowest_bit(word) == sum(1 << place for place in places(word)[:1])
    assert bits.highest_bit(word) == sum(1 << place for place in places(word)[-1:])


@given(words(), words())
def test_keep_if(word, condition):
    assert bits.keep_if(word, condition) == (word if condition != 0 else 0)


@given(st.lists(st.integers(0, 2**60 - 1), min_size=1, max_size=6), st.data(), st.integers(0, 9))
def test_replaced(words, data, word):
    place = data.draw(st.integers(0, len(words) - 1))
    expected = [*words]
    expected[place] = word
    assert bits.replaced(tuple(words), place, word) == tuple(expected)
