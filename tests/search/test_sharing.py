"""Old versions of a tree are cheap: successive versions share all but a path."""

import itertools
import sys

from fmcts import Search, SplitMix, trees
from fmcts.games import connect4


def retained(versions):
    """Bytes of all nodes, tuples of children and states that the versions hold, each once.

    On a Python that knows no sizes, such as PyPy, each counts the same.
    """
    seen = {}
    stack = list(versions)
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen[id(node)] = sys.getsizeof(node, 1)
        for part in (node.children, node.state, node.moves):
            seen[id(part)] = sys.getsizeof(part, 1)
        stack.extend(node.children)
    return sum(seen.values())


def test_a_thousand_versions_cost_at_most_three_trees():
    stream = trees(connect4.start, SplitMix.from_seed(1), Search())
    versions = [tree for tree, _ in itertools.islice(stream, 19_000, 20_000)]
    assert len(versions) == 1000
    assert versions[-1].visits == 20_000
    last, together = retained(versions[-1:]), retained(versions)
    assert last < together <= 3 * last
