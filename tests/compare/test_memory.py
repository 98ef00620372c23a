"""Comparisons release what they no longer need."""

import gc
import weakref

import pytest
from returns.unsafe import unsafe_perform_io

from fmcts import Search, SplitMix
from fmcts._running.registry import ENGINES
from fmcts.compare import compare_designs
from fmcts.games import tictactoe
from fmcts.search._tree import freeze_in_place


class Token:
    """Lives as long as the tree that it is the move of. Any is equal to any other.

    (Frozen nodes take no weak references.)
    """

    def __eq__(self, other):
        return isinstance(other, Token)

    def __hash__(self):
        return 0


def counting(run, alive, most):
    """The design, with the trees it has handed back counted each time it begins anew."""

    def run_and_count(root, rng, search, watch):
        most.append(count(alive))  # whoever measures has collected garbage just now
        tree, rng = run(root, rng, search, watch)
        counted = tree.mutable_copy(tree.children)
        counted.move = Token()
        alive.append(weakref.ref(counted.move))
        return freeze_in_place(counted), rng

    return run_and_count


def count(alive):
    return sum(token() is not None for token in alive)


@pytest.mark.parametrize('repeats', [1, 2, 7])
def test_memory_does_not_grow_with_the_repeats(repeats):
    alive, most = [], []
    engines = {
        'persistent': counting(ENGINES['persistent'], alive, most),
        'inplace': counting(ENGINES['inplace'], alive, most),
    }
    comparison = unsafe_perform_io(
        compare_designs(
            tictactoe.start, SplitMix.from_seed(1), Search(20), engines=engines, repeats=repeats
        )
    )
    assert len(most) == 2 * (1 + repeats + 2)
    # One of each design is in the answer; a run may begin while the one before is looked at.
    assert max(most) <= 2
    gc.collect()
    assert count(alive) == len(comparison.designs) == 2
