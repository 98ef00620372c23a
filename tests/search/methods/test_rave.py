"""RAVE against the paper's formula."""

import math

import pytest
from hypothesis import strategies as st

import naive
from fmcts import Search, SplitMix, analyse
from fmcts.games import tictactoe


def rave(node, index, *, c=0.2, k=1000.0):
    visits = node.children[index].visits if index in node.children else 0
    return naive.mixed(node, index, c, math.sqrt(k / (3 * visits + k)) if visits or k else 0.0)


test_matches_the_formula = naive.law(rave, k=st.just(0.0) | st.floats(1e-3, 1e4))


@pytest.mark.needs_numba
def test_lanes_past_the_last_move_change_nothing():
    """Of nine moves eight are updated at once, then one; in the other lanes key 0 would be read."""
    search = Search(300, selection='rave')
    one, two = (
        analyse(tictactoe.start, SplitMix.from_seed(1), search, engine=engine)[0].digest
        for engine in ('persistent', 'compiled')
    )
    assert one == two
