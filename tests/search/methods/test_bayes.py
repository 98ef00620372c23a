"""Bayesian UCT: its normal distribution, the greater of two, the transcription, and faults."""

import math

import pytest
from hypothesis import given, settings, strategies as st

import naive
from fmcts._arithmetic import logarithm_of
from fmcts.search.methods.bayes import density, greater, share_below
from transcription import ROOT_OF_2

means, variances = st.floats(0.0, 1.0), st.floats(0.0, 0.25)


def bayes_uct1(node, index, *, c=ROOT_OF_2):
    child = node.children[index]
    bonus = c * math.sqrt(logarithm_of(1 + node.visits) / child.visits)
    return child.derived['mean'] + bonus


def bayes_uct2(node, index, *, c=ROOT_OF_2):
    child = node.children[index]
    width = c * math.sqrt(logarithm_of(1 + node.visits))
    return child.derived['mean'] + width * math.sqrt(child.derived['variance'])


def highest(node, worth):
    """Distributions as Bayesian UCT has them; the normal one is the library's, tested by itself."""
    if worth is not None and node.state.over:
        return {'mean': worth, 'variance': 0.0}
    if worth is not None:  # Beta(a, b)
        a, b = 1.0 + worth, 2.0 - worth
        return {'mean': a / 3.0, 'variance': a * b / 36.0}
    mean = variance = None
    for _, child in sorted(node.children.items()):
        m, v = child.derived['mean'], child.derived['variance']
        mean, variance = (m, v) if mean is None else clark(mean, variance, m, v)
    return {
        'mean': mean if node.mover is node.state.player else 1.0 - mean,
        'variance': variance,
    }


def clark(m, v, m2, v2):
    """The first two moments of the greater of two normal variables, in Clark's notation."""
    if v + v2 == 0.0:
        return max(m, m2), 0.0
    a = math.sqrt(v + v2)
    alpha = (m - m2) / a
    phi = density(alpha)
    big_phi = share_below(alpha, phi)
    rest = 1.0 - big_phi
    nu1 = m * big_phi + m2 * rest + a * phi
    nu2 = (m * m + v) * big_phi + (m2 * m2 + v2) * rest + (m + m2) * a * phi
    return nu1, max(nu2 - nu1 * nu1, 0.0)


test_first_matches_the_transcription = naive.law(bayes_uct1, derive=highest)
test_second_matches_the_transcription = naive.law(bayes_uct2, derive=highest)


# ---- the normal distribution ----


@given(st.floats(-9.0, 9.0))
def test_density_and_distribution_have_the_stated_accuracy(x):
    exact = math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    assert math.isclose(density(x), exact, rel_tol=1e-9)
    assert math.isclose(
        share_below(x, density(x)), 0.5 * math.erfc(-x / math.sqrt(2.0)), rel_tol=0, abs_tol=1e-7
    )


@pytest.mark.parametrize('x', [10.0, 1e9, 1e300, math.inf])
def test_density_far_out_is_negligible(x):
    assert density(x) == density(-x) == density(9.0) < 1e-17
    assert share_below(x, density(x)) == 1.0
    assert 0.0 <= share_below(-x, density(-x)) < 1e-17


@given(means, st.floats(1e-4, 0.25), means, st.floats(1e-4, 0.25))
@settings(max_examples=50)
def test_greater_of_two_matches_integration(m, v, m2, v2):
    """Over the density of the maximum, which is f F2 + f2 F."""

    def bell(x, mean, variance):
        return math.exp(-((x - mean) ** 2) / (2 * variance)) / math.sqrt(2 * math.pi * variance)

    def below(x, mean, variance):
        return 0.5 * math.erfc((mean - x) / math.sqrt(2 * variance))

    widest, step = 8 * math.sqrt(max(v, v2)), 1e-3
    points = [-widest + step * place for place in range(int((1 + 2 * widest) / step) + 1)]
    weights = [bell(x, m, v) * below(x, m2, v2) + bell(x, m2, v2) * below(x, m, v) for x in points]
    mean = math.fsum(x * weight for x, weight in zip(points, weights, strict=True)) * step
    square = math.fsum(x * x * weight for x, weight in zip(points, weights, strict=True)) * step
    found, variance = greater(m, v, m2, v2)
    assert math.isclose(found, mean, abs_tol=1e-6)
    assert math.isclose(variance, square - mean * mean, abs_tol=1e-6)


@given(means, variances, means)
def test_greater_of_two_without_variance(m, v, m2):
    assert greater(m, 0.0, m2, 0.0) == (max(m, m2), 0.0)
    found, variance = greater(m, v, m2, 0.0)
    assert found >= max(m, m2) - 1e-6
    assert 0.0 <= variance <= v + 1e-6
