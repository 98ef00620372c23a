"""UCT against the C text's formula."""

import math

import naive
from fmcts._arithmetic import logarithm_of
from transcription import ROOT_OF_2


def uct(node, index, *, c=ROOT_OF_2):
    child = node.children[index]
    return child.reward / child.visits + c * math.sqrt(logarithm_of(node.visits) / child.visits)


test_matches_the_formula = naive.law(uct)
