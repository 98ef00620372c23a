"""A search that continues a tree modifies none of its arguments."""

from itertools import product

import pytest
from attrs import evolve

from fmcts import Search, SplitMix, StdGen, analyse
from fmcts._running.registry import ENGINES
from fmcts.games import tictactoe
from maze import Maze
from shapes import SHAPES
from tiers import usually
from unmodified import verify_inputs_unmodified

CONTINUED = {
    'plain': (tictactoe.start, Search(30), SplitMix.from_seed(1)),
    'stdgen': (tictactoe.start, Search(30), StdGen(1, 1)),
    'grave': (Maze(7, 30, 5), evolve(SHAPES['grave'], iterations=30), SplitMix.from_seed(1)),
}


@pytest.mark.parametrize(
    ('name', 'other', 'engine'),
    usually(
        # By the other searches each engine continues its own tree, and that of the reference.
        lambda case: case[0] == 'plain' or case[1] in ('persistent', case[2]),
        product(CONTINUED, ENGINES, ENGINES),
    ),
)
def test_continuing_a_tree_does_not_change_it(name, other, engine):
    """Nodes that are made when they are looked at are all made before."""
    state, search, rng = CONTINUED[name]
    pure = verify_inputs_unmodified(analyse)
    analysis, after = analyse(state, rng, search, engine=other)
    more, _ = pure(state, after, search, engine=engine, tree=analysis)
    assert more.iterations == 60
