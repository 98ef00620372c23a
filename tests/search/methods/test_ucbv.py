"""UCB-V against the article's formula."""

import math

import naive
from fmcts._arithmetic import logarithm_of


def ucb_v(node, index, *, c=1.0, zeta=1.2):
    child = node.children[index]
    mean = child.reward / child.visits
    variance = max(0.0, child.kept['squares'] / child.visits - mean * mean)
    explored = zeta * logarithm_of(1 + node.visits) / child.visits
    return mean + math.sqrt(2.0 * variance * explored) + 3.0 * c * explored


test_matches_the_formula = naive.law(ucb_v, update=naive.squares)
