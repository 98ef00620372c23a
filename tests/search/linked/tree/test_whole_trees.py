"""What C does with whole trees, where a game's rules fail or machine code is dropped."""

import ctypes
import gc
import pickle

import numpy as np
import pytest
from attrs import evolve

from fmcts import Search, SplitMix, analyse
from fmcts._linked import flat
from fmcts._linked.link import Code
from fmcts._linked.tree.arena import Copy
from fmcts._running import playouts as played
from fmcts.game import MAX_PLIES
from fmcts.search import _digest as digests

RNG = SplitMix.from_seed(4)
MOST = [3]  # a list, which machine code cannot refer to


def test_machine_code_outlives_other_code():
    """LLVM deletes a machine with the code that was made for it."""
    kept = Code('tree', [], ['copy_subtree'])
    for _ in range(3):
        Code('tree', [], ['add_new'])
        gc.collect()
    words, out = np.array([2, 1, 5, -1, *[0] * 6], np.int32), np.zeros(16, np.int32)
    given = Copy(words=words.ctypes.data, out=out.ctypes.data)
    kept.functions['copy_subtree'](ctypes.byref(given))
    assert (given.nodes, given.used) == (2, 16)


RULES = {
    'raises': lambda p, taken: type(p)(p.left - taken + 1 // (p.left * 0), 1 - p.turn),
    'cannot be compiled': lambda p, taken: type(p)(p.left - taken * MOST[0] // 3, 1 - p.turn),
}


@pytest.mark.parametrize('why', RULES)
def test_digests_of_trees_whose_rules_fail_are_those_of_their_nodes(heap, why, monkeypatch):
    """As of a tree from a process in which the game's rules were others."""
    tree = analyse(heap(21), RNG, Search(300), engine='compiled')[0].tree
    expected = digests.name_of(digests.serialise(tree))
    assert digests.digest(tree) == expected
    again = pickle.loads(pickle.dumps(tree))  # noqa: S301 - our own bytes
    monkeypatch.setattr(heap, 'compiled', evolve(heap.compiled, play=RULES[why]))
    assert digests.digest(again) == expected


def test_playouts_whose_rules_raise_are_made_by_the_state(heap, with_rules):
    """The state raises the user's own error, or is right."""
    asked = []

    def instead(rng, times):
        asked.append(times)
        return played(heap(21), rng, times, engine='inplace')

    state = with_rules(play=RULES['raises'])(21)
    found = flat.playouts(state, RNG, MAX_PLIES, instead)(RNG, 50)
    assert found == played(heap(21), RNG, 50, engine='compiled')
    assert asked == [50]
