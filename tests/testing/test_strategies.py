"""Strategies reach what they are for."""

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from fmcts import SplitMix, StdGen
from fmcts.testing import generators, words

WORD = 2**64 - 1
CERTAIN = settings(derandomize=True, database=None, max_examples=2000)

EDGES = [0, 1, 2, 3, 2**31, 2**32 - 1, 2**62, 2**63 - 1, 2**63, WORD - 1, WORD]


@pytest.mark.parametrize('edge', [*EDGES, WORD ^ 2**40, WORD ^ (2**40 - 1)])
def test_words_reach_the_edges(edge):
    assert find(words(), lambda word: word == edge, settings=CERTAIN) == edge


def test_words_shrink_to_small_ones():
    assert find(words(), lambda word: word > 1000, settings=CERTAIN) == 1001


def drawn(strategy):
    """A thousand values, the same ones every time."""
    values = []

    @settings(CERTAIN, max_examples=1000)
    @given(strategy)
    def draw(value):
        values.append(value)

    draw()
    return values


def share(values, condition):
    return sum(map(condition, values)) / len(values)


def test_every_bit_of_a_word_is_often_set_and_often_not():
    values = drawn(words())
    assert all(0 <= word <= WORD for word in values)
    for bit in range(64):
        assert 0.15 < share(values, lambda word, bit=bit: word >> bit & 1) < 0.85


def test_by_itself_hypothesis_rarely_draws_the_highest_bit():
    """What `words` is for; were it otherwise one day, plain integers would do."""
    assert share(drawn(st.integers(0, WORD)), lambda word: word >> 63) < 0.1


def test_generators_reach_the_edges():
    values = drawn(generators())
    states = [rng.state for rng in values if isinstance(rng, SplitMix)]
    assert {0, 2**63, WORD} <= set(states)
    assert share(states, lambda word: word >> 63) > 0.3
    assert {1, WORD} <= {rng.gamma for rng in values if isinstance(rng, SplitMix)}
    assert {1, 2147483562} <= {rng.s1 for rng in values if isinstance(rng, StdGen)}
    assert {1, 2147483398} <= {rng.s2 for rng in values if isinstance(rng, StdGen)}
