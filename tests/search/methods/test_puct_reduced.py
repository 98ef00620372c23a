"""PUCT with a reduced value of untried moves against its formula, and known faults."""

import math

import naive
from fmcts.search.methods import ReducedPUCT


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


class Leaking(ReducedPUCT):
    """First-play urgency that leaks between siblings: from the last one that was scored."""

    last = [0.5]  # noqa: RUF012 - it is the fault

    def score(self, edge, parent):
        if edge.visits:
            self.last[0] = edge.value
        return ReducedPUCT.score(self, edge, parent._replace(value=self.last[0]))


class LeakingPositions(ReducedPUCT):
    """First-play urgency that leaks between positions: what it was at the first node scored."""

    first = {}  # noqa: RUF012 - it is the fault

    def score(self, edge, parent):
        value = self.first.setdefault('value', float(parent.value))
        return ReducedPUCT.score(self, edge, parent._replace(value=value))


class WrongMover(ReducedPUCT):
    """First-play urgency from what the parent is worth to the other side."""

    def score(self, edge, parent):
        return ReducedPUCT.score(self, edge, parent._replace(value=1.0 - parent.value))


class Unsummed(ReducedPUCT):
    """The priors of all moves are summed, tried or not."""

    def summed(self, edge):
        return edge.prior


test_faulty_formulas_are_detected = naive.faults(
    puct_reduced, Leaking, LeakingPositions, WrongMover, Unsummed
)
