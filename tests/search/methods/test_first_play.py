"""First-play urgency against the paper's formula."""

import naive
from transcription import ROOT_OF_2, ucb1


def ucb1_fpu(node, index, *, c=ROOT_OF_2, first_play=1.0):
    return ucb1(node, index, c=c) if index in node.children else first_play


test_matches_the_formula = naive.law(ucb1_fpu)
