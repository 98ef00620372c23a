"""RAVE with the weight of Gelly and Silver 2011 against the article's formula."""

import naive
from naive import mixed


def rave_silver(node, index, *, c=0.2, bias=0.02):
    n = node.children[index].visits if index in node.children else 0
    m, _ = node.amaf[index]
    return mixed(node, index, c, m / (n + m + 4 * bias * bias * n * m) if m else 1.0)


test_matches_the_formula = naive.law(rave_silver)
