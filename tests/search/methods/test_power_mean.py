"""Power-UCT: the transcription at every exponent, the limits of the mean, and faults."""

import math

import pytest
from hypothesis import given, settings, strategies as st

import naive
from fmcts import Search, SplitMix, analyse
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import walk
from fmcts.search.methods import PowerMean
from fmcts.search.methods.method import ParentNumbers, edge_type
from fmcts.search.methods.power_mean import POWERS, Power
from fmcts.testing import generators
from small_positions import running

RNG = SplitMix.from_seed(1)


def holds(state, rng, iterations, p, c=1.0):
    """Whether a search is the transcription's."""
    expected, rng_after = naive.search(
        state,
        rng,
        iterations,
        lambda node, index: naive.power_mean(node, index, c=c),
        derive=naive.powers(p=p),
    )
    search = Search(iterations, selection=PowerMean(p, c))
    found, after = analyse(state, rng, search, engine='inplace')
    return after == rng_after and naive.agree(found, expected)


@given(running, generators(), st.integers(1, 120), st.sampled_from(POWERS), st.floats(0, 3))
@settings(max_examples=20)
def test_matches_the_transcription(state, rng, iterations, p, c):
    assert holds(state, rng, iterations, int(p), c)


@pytest.mark.parametrize('p', POWERS)
def test_a_value_lies_between_the_mean_and_the_highest_child(p):
    """And is that power mean: by logarithms, to twelve digits."""
    found, _ = analyse(connect4.start, RNG, Search(400, selection=PowerMean(p)))
    seen = 0
    for node in walk(found.tree):
        tried = [(child.visits, child.columns.own[0]) for child in node.children]
        if tried:
            mine = 1.0 - node.columns.own[0]
            mean = sum(visits * value for visits, value in tried) / sum(v for v, _ in tried)
            assert mean - 1e-12 <= mine <= max(value for _, value in tried) + 1e-12
            power = sum(visits * value**p for visits, value in tried) / sum(v for v, _ in tried)
            assert math.isclose(mine, power ** (1 / p), rel_tol=1e-12, abs_tol=1e-12)
            seen += len(tried) > 1
    assert seen > 20


def test_exact_scores():
    edge = edge_type(PowerMean().names)
    told, parent = edge(4.0, 2.0, 0.5, 0.75), ParentNumbers(20.0, 9.0, 0.5)
    assert PowerMean(c=2.0).score(told, parent) == 0.75 + 3.0
    assert Power(2.0).fold((1.0, 2.0), told) == (1.0 + 4.0 * 0.75**2, 6.0)
    assert Power(16.0).fold((0.0, 0.0), told) == (4.0 * 0.75**16, 4.0)


@pytest.mark.parametrize('p', [0, 3, 32, -2, 1.5])
def test_other_exponents_are_refused(p):
    with pytest.raises(ValueError, match='p must be one of 1, 2, 4, 8, 16, not '):
        PowerMean(p)


class Unweighted(Power):
    """Every child counts alike."""

    def fold(self, seen, child):
        return super().fold(seen, child._replace(visits=1.0))


class OfTheOpponent(Power):
    """The mean as it is, for the wrong side."""

    def node(self, seen, node):
        return super().node(seen, node._replace(same=not node.same))


class Mean(Power):
    """The power without the root of it."""

    def node(self, seen, node):
        return Power(1.0).node(seen, node)


@pytest.mark.parametrize('wrong', [Unweighted, OfTheOpponent, Mean])
def test_faulty_updates_are_detected(wrong, monkeypatch):
    assert all(holds(tictactoe.start, SplitMix.from_seed(seed), 60, 4) for seed in range(3))
    monkeypatch.setattr(PowerMean, 'derived', property(lambda self: (wrong(self.p),)))
    assert not any(holds(tictactoe.start, SplitMix.from_seed(seed), 60, 4) for seed in range(3))


@pytest.mark.exhaustive  # test_methods has one
@pytest.mark.needs_numba
def test_the_compiled_engine_agrees_for_every_exponent():
    """By the same machine code: `p` is a parameter."""
    for p in POWERS:
        search = Search(300, selection=PowerMean(p), expansion='random')
        one, rng = analyse(tictactoe.start, RNG, search, engine='compiled')
        two, other = analyse(tictactoe.start, RNG, search, engine='inplace')
        assert (one.digest, one.tree, rng) == (two.digest, two.tree, other)
