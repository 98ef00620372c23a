"""UCB1-Tuned against the article's formula."""

import math

import naive
from fmcts._arithmetic import logarithm_of


def ucb1_tuned(node, index, *, c=1.0):
    child = node.children[index]
    ratio = logarithm_of(1 + node.visits) / child.visits
    mean = child.reward / child.visits
    bound = child.kept['squares'] / child.visits - mean * mean + math.sqrt(2.0 * ratio)
    return mean + c * math.sqrt(ratio * (min(bound, 0.25)))


test_matches_the_transcription = naive.law(ucb1_tuned, update=naive.squares)
