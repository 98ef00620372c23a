"""Progressive widening against its formula."""

import math

import naive
from transcription import ROOT_OF_2, ucb1


def widening(node, index, *, c=ROOT_OF_2, k=2.0):
    if index in node.children:
        return ucb1(node, index, c=c)
    if len(node.children) + 1 > k * math.sqrt(node.visits) + 1:
        return -math.inf
    left = [other for other in range(len(node.priors)) if other not in node.children]
    highest = max(node.priors[other] for other in left)
    return math.inf if node.priors[index] == highest else -math.inf


test_matches_the_formula = naive.law(widening)
