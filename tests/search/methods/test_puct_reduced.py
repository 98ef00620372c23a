"""PUCT with a reduced value of untried moves against its formula."""

import math

import naive


def puct_reduced(node, index, *, c=1.25, reduction=0.33):
    tried = 0.0
    for other, prior in enumerate(node.priors):
        if other in node.children:
            tried += prior
    expected = value_for_the_side_to_move(node) - reduction * math.sqrt(tried)
    child = node.children.get(index)
    visits = child.visits if child else 0
    mean = child.reward / visits if visits else expected
    return mean + c * (node.priors[index] * math.sqrt(1.0 + node.visits) / (1.0 + visits))


def value_for_the_side_to_move(node):
    if not node.visits:
        return 0.0
    passed = node.mover is node.state.player
    return (node.reward if passed else node.visits - node.reward) / node.visits


test_matches_the_formula = naive.law(puct_reduced)
