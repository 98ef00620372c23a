"""Alpha-AMAF against its formula, and against UCB1 at the ends of alpha's range."""

import math

import pytest

import naive
from fmcts.search.methods import AMAF
from transcription import ROOT_OF_2


def amaf(node, index, *, alpha=0.5, c=ROOT_OF_2):
    visits, reward = node.amaf[index]
    return alpha * (reward / visits) + (1.0 - alpha) * naive.ucb1(node, index, c=c)


test_matches_the_transcription = naive.law(amaf)


@pytest.mark.parametrize('alpha', [-0.1, 1.1, math.nan, 'x'])
def test_alpha_must_be_from_0_to_1(alpha):
    with pytest.raises(ValueError, match='alpha must be a number from 0 to 1, not '):
        AMAF(alpha)
