"""Machine code of every kind equals the reference, on new and on continued trees."""

from functools import partial

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from chained import chains, compare, mazes
from fmcts import Search, SplitMix, analyse, reroot
from fmcts.errors import MethodError
from fmcts.formulas import sqrt
from fmcts.games import tictactoe
from fmcts.rules import OnPositions
from fmcts.testing._strategies import splitmixes
from maze import PASSING, WIDEST, Maze
from shapes import PLAIN, SHAPES, of_kinds
from tiers import usually

GROUPS = {name: (name,) for name in SHAPES}
GROUPS |= {
    'halving': ('halving', 'ucb1'),
    'plain and real': PLAIN,
    'rave, plain and real': ('rave', 'rave by ends'),
}


@pytest.mark.parametrize(
    'group', usually(lambda group: 'rave, ' not in group and 'ends' not in group, GROUPS)
)
@given(st.data(), splitmixes())
@settings(max_examples=50)
def test_chains_of_searches_equal_the_reference(group, data, rng):
    """Also with trees by wins and draws continued by any rewards, and the other way round."""
    state = data.draw(mazes())
    searches = partial(of_kinds, GROUPS[group])
    steps = data.draw(chains(state, lambda new: searches(new=new)))
    compare(state, rng, steps, 'compiled')


def test_a_root_reached_by_the_same_side_is_proven_for_that_side():
    """After re-rooting; the column of a root speaks for who moved there."""
    proven = 0
    for seed in range(60):
        start = Maze(seed, 6, 4)
        for move in start.moves:
            state = start.play(move)
            if state.over or state.player is not start.player:
                continue
            found = set()
            for engine in ('compiled', 'inplace'):
                brief = evolve(SHAPES['solver'], iterations=4)
                grown, rng = analyse(start, SplitMix.from_seed(seed), brief, engine=engine)
                tree = reroot(grown, move)
                search = evolve(brief, iterations=200)
                after, _ = analyse(state, rng, search, engine=engine, tree=tree)
                found.add((after.proof, after.tree.columns.own, after.digest))
                proven += tree.mover is state.player and after.proof is not None
            assert len(found) == 1
    assert proven > 20


def near_the_parent(edge, parent):
    """Weigh the mean by that of the parent, which is for the side that chooses."""
    return edge.value * parent.value + 0.7 * sqrt(parent.log_visits / edge.visits)


def test_a_parent_s_value_is_for_the_side_to_choose():
    """Where a side keeps the turn it is the value for that side, else one less it."""
    search, kept = Search(150, selection=near_the_parent), 0
    for seed in range(40):
        start = Maze(seed, 6, 4)
        one, two = (
            analyse(start, SplitMix.from_seed(seed), search, engine=engine)
            for engine in ('compiled', 'inplace')
        )
        assert one == two
        kept += any(child.state.player is start.player for child in one[0].tree.children)
    assert kept > 10


@pytest.mark.parametrize('kind', ['minimax', 'puct'])
def test_resolved_moves_are_skipped_in_wide_positions(kind):
    """Of nine moves and more, each by its own number."""
    wide = 0
    for seed in range(120):
        start = Maze(seed, 3 + seed % 4, WIDEST)
        if len(start.moves) > 8:
            search = evolve(SHAPES[kind], iterations=150)
            one, two = (
                analyse(start, SplitMix.from_seed(seed), search, engine=engine)
                for engine in ('compiled', 'inplace')
            )
            assert one == two
            wide += one[0].iterations > len(start.moves)
    assert wide > 20


def one_too_many(_position, menu):
    """A menu with a move more behind all that are legal; a pass stays alone."""
    return menu if menu == PASSING else menu + 1


def a_bit_too_many(_position, menu):
    return menu | 1 << 9


@pytest.mark.parametrize('engine', ['inplace', 'compiled'])
@pytest.mark.parametrize(
    ('start', 'policy'), [(Maze(7, 20, 5), one_too_many), (tictactoe.start, a_bit_too_many)]
)
def test_a_policy_with_an_illegal_move_is_refused(start, policy, engine):
    with pytest.raises(MethodError, match='must return at least one of the legal moves'):
        analyse(start, SplitMix.from_seed(1), Search(9, playout=OnPositions(policy)), engine=engine)
