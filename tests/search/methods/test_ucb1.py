"""UCB1, its variants and Power-UCT against the articles' formulas."""

import math

import pytest
from hypothesis import strategies as st

import naive
from fmcts._arithmetic import logarithm_of
from fmcts.search.methods import PowerMean
from fmcts.search.methods.power_mean import POWERS
from transcription import ROOT_OF_2, ucb1


def uct(node, index, *, c=ROOT_OF_2):
    child = node.children[index]
    return child.reward / child.visits + c * math.sqrt(logarithm_of(node.visits) / child.visits)


def ucb1_fpu(node, index, *, c=ROOT_OF_2, first_play=1.0):
    return ucb1(node, index, c=c) if index in node.children else first_play


def ucb1_tuned(node, index, *, c=1.0):
    child = node.children[index]
    ratio = logarithm_of(1 + node.visits) / child.visits
    mean = child.reward / child.visits
    bound = child.kept['squares'] / child.visits - mean * mean + math.sqrt(2.0 * ratio)
    return mean + c * math.sqrt(ratio * (min(bound, 0.25)))


def ucb_v(node, index, *, c=1.0, zeta=1.2):
    child = node.children[index]
    mean = child.reward / child.visits
    variance = max(0.0, child.kept['squares'] / child.visits - mean * mean)
    explored = zeta * logarithm_of(1 + node.visits) / child.visits
    return mean + math.sqrt(2.0 * variance * explored) + 3.0 * c * explored


test_ucb1 = naive.law(naive.ucb1)
test_uct = naive.law(uct)
test_first_play = naive.law(ucb1_fpu)
test_tuned = naive.law(ucb1_tuned, update=naive.squares)
test_ucb_v = naive.law(ucb_v, update=naive.squares)


# ---- power-uct: the transcription at every exponent, the limits of the mean, and faults ----


def power_mean(node, index, *, c=ROOT_OF_2):
    child = node.children[index]
    bonus = c * math.sqrt(logarithm_of(1 + node.visits) / child.visits)
    return child.derived['power_mean'] + bonus


def powers(node, worth, *, p=2):
    if worth is not None:
        return {'power_mean': worth}
    total, squarings = 0.0, int(p).bit_length() - 1
    for _, child in sorted(node.children.items()):
        power = child.derived['power_mean']
        for _ in range(squarings):
            power *= power
        total += child.visits * power
    mean = total / sum(child.visits for child in node.children.values())
    for _ in range(squarings):
        mean = math.sqrt(mean)
    return {'power_mean': mean if node.mover is node.state.player else 1.0 - mean}


test_matches_the_transcription = naive.law(power_mean, derive=powers, p=st.sampled_from(POWERS))


@pytest.mark.parametrize('p', [0, 3, 32, -2, 1.5])
def test_other_exponents_are_refused(p):
    with pytest.raises(ValueError, match='p must be one of 1, 2, 4, 8, 16, not '):
        PowerMean(p)
