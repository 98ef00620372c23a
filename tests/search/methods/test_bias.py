"""Progressive bias against the article's formula."""

import naive
from transcription import ROOT_OF_2, ucb1


def progressive_bias(node, index, *, c=ROOT_OF_2, weight=1.0):
    bias = weight * node.priors[index] / (1.0 + node.children[index].visits)
    return ucb1(node, index, c=c) + bias


test_matches_the_formula = naive.law(progressive_bias)
