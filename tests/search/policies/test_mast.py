"""MAST against a naive transcription, in every engine, and where it is uniform."""

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import freeze_in_place
from fmcts.search.policies import MAST, HighestMean, Uniform, epsilon
from fmcts.search.policies.mast import Means
from fmcts.search.policies.mixture import SCALE
from fmcts.testing import generators
from naive_mast import Naive, Watching, agrees
from remembering import PYTHON, Stairs, running, search as naive_search

RNG = SplitMix.from_seed(1)
# ---- the transcription ----


@pytest.mark.parametrize('name', PYTHON)
@given(running, generators(), st.integers(1, 60), st.sampled_from([0.0, 0.1, 0.25, 0.75]))
@settings(max_examples=40)
def test_matches_the_transcription(name, state, rng, iterations, share):
    search = Search(iterations, playout=MAST(share))
    found, after = analyse(state, rng, search, engine=name)
    assert agrees(found, after, naive_search(state, rng, iterations, Naive(share)))


@pytest.mark.needs_numba
@pytest.mark.parametrize('start', [tictactoe.start, Stairs(300)])
def test_compiled_code_matches_the_transcription(start):
    """Stairs of so many steps have playouts of more moves than there is room for at first."""
    for seed, iterations in enumerate((1, 2, 30, 150)):
        rng = SplitMix.from_seed(seed)
        found, after = analyse(start, rng, Search(iterations, playout='mast'), engine='compiled')
        assert agrees(found, after, naive_search(start, rng, iterations, Naive(0.1)))


# ---- where it is another search ----


@given(running, generators(), st.integers(1, 40), st.sampled_from(PYTHON))
@settings(max_examples=30)
def test_an_unused_memory_changes_nothing_else(state, rng, iterations, name):
    watched, after = analyse(state, rng, Search(iterations, playout=Watching()), engine=name)
    plain, other_after = analyse(state, rng, Search(iterations), engine=name)
    draft = watched.tree.mutable_copy(watched.tree.places)
    draft.columns = draft.columns._replace(memory=())
    assert (freeze_in_place(draft), after) == (plain.tree, other_after)
    assert watched.digest != plain.digest
    assert watched.tree != plain.tree


@pytest.mark.parametrize('start', [tictactoe.start, connect4.start, Stairs(20)])
def test_epsilon_0_draws_nothing(start):
    for engine in PYTHON:
        analysis, after = analyse(start, RNG, Search(50, playout=MAST(0)), engine=engine)
        assert after == RNG
        search = Search(50, playout=HighestMean())
        assert analysis.digest == analyse(start, RNG, search, engine=engine)[0].digest


def test_epsilon_makes_a_mixture():
    assert MAST(0.25).simplified == epsilon(HighestMean(), 0.25)
    assert MAST(0.25).simplified.limits == (SCALE // 4,)
    assert MAST(1).simplified == MAST(1 - 2**-30).simplified == Uniform()
    assert MAST(0).simplified == MAST(2**-30).simplified == HighestMean()
    assert MAST() == MAST(0.1)
    assert (MAST(1).memories, MAST().memories) == ((), (Means(),))
