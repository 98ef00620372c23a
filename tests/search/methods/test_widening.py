"""Progressive widening against its formula, and a known fault."""

import math

import naive
from fmcts.search.methods import Widening
from naive import ROOT_OF_2, ucb1


def widening(node, index, *, c=ROOT_OF_2, k=2.0):
    if index in node.children:
        return ucb1(node, index, c=c)
    if len(node.children) + 1 > k * math.sqrt(node.visits) + 1:
        return -math.inf
    left = [other for other in range(len(node.priors)) if other not in node.children]
    highest = max(node.priors[other] for other in left)
    return math.inf if node.priors[index] == highest else -math.inf


test_matches_the_formula = naive.law(widening)


class OneTooMany(Widening):
    """Moves are counted before the one to come, which is so one too many."""

    def score(self, edge, parent):
        return Widening.score(self, edge, parent._replace(total=parent.total - 1.0))


test_faulty_formulas_are_detected = naive.faults(widening, OneTooMany)
