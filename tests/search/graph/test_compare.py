"""Designs of a graph search are compared state by state, in time linear in the states."""

import pytest
from attrs import evolve
from returns.unsafe import unsafe_perform_io

from fmcts import Search, SplitMix, analyse
from fmcts._engines.graph.nodes import root_node
from fmcts._running.registry import ENGINES
from fmcts.compare import compare_designs, parting
from fmcts.games import tictactoe


@pytest.mark.exhaustive
def test_graphs_that_unfold_to_millions_of_nodes_are_compared():
    search, rng = Search(9000, transpositions='sound'), SplitMix.from_seed(1)
    found = analyse(tictactoe.start, rng, search, engine='inplace')
    again = analyse(tictactoe.start, rng, search, engine='inplace')
    ends = [(analysis.tree, after) for analysis, after in (found, again)]
    assert parting(*ends) is None


def test_a_difference_in_an_edge_is_detected():
    def tail(root, rng, search, watch):
        tree, rng = ENGINES['inplace'](root, rng, search, watch)
        *others, last = tree.graph.entries
        wrong = last._replace(total=last.total + 0.5, mean=last.mean + 0.5)
        return root_node(evolve(tree.graph, entries=(*others, wrong))), rng

    search = Search(40, transpositions='sound')
    engines = {'persistent': ENGINES['persistent'], 'wrong': tail}
    found = compare_designs(tictactoe.start, SplitMix.from_seed(1), search, engines=engines)
    comparison = unsafe_perform_io(found)
    assert not comparison.agree
    assert comparison.difference.engines == ('persistent', 'wrong')
    assert comparison.difference.field == 'reward'
