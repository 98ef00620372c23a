"""UCB1 and its variants against the articles' formulas."""

import math

import naive
from fmcts._arithmetic import logarithm_of
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
