"""Compiled draws equal the generators', draw for draw."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numba import njit

from fmcts import SplitMix, StdGen
from fmcts._numba.generators import draw, exact, kind_of, words_of
from fmcts.testing import words


def drawing(make):
    """`draw` from a generator of that kind, once for each count."""

    @njit
    def draws(words, counts, out):
        rng = make(words[0], words[1])
        for place, count in enumerate(counts):
            out[place], rng = draw(rng, count)
        return rng[0], rng[1]

    return draws


DRAWS = {kind: drawing(kind_of(kind.from_seed(1))) for kind in (SplitMix, StdGen)}


@given(
    seed=words(),
    counts=st.lists(
        st.one_of(st.integers(1, 20), st.integers(1, 2**31 - 1)), min_size=1, max_size=60
    ),
)
@pytest.mark.parametrize('kind', [SplitMix, StdGen])
def test_compiled_draws_equal_the_generators_draws(kind, seed, counts):
    rng = kind.from_seed(seed)
    out = np.zeros(len(counts), np.int64)
    after = DRAWS[kind](exact(words_of(rng)), np.array(counts), out)
    cursor = rng.thaw()
    assert out.tolist() == [cursor.draw(count) for count in counts]
    assert words_of(cursor.freeze()) == exact(after)
