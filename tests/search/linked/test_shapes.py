"""Machine code of every kind equals the reference, on new and on continued trees."""

from functools import partial

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from chained import chains, compare, mazes, processes
from drawn_games import WIDEST, Maze
from fmcts import SplitMix, analyse, reroot
from fmcts.errors import EndlessGameError, MethodError
from fmcts.testing._strategies import splitmixes
from shapes import BESIDE, ILLEGAL, OF_SETS, PLAIN, SHAPES, of_kinds
from tiers import usually

GROUPS = {name: (name,) for name in SHAPES}
GROUPS |= {
    'halving': ('halving', 'ucb1'),
    'plain and real': PLAIN,
    'rave, plain and real': ('rave', 'rave by ends'),
    'joined': ('joined', 'ucb1'),
    'graphs': ('graph', 'graph in full'),
}


@pytest.mark.parametrize(
    'group',
    usually(  # the others are among `PLAIN`, or like such
        lambda group: (
            group
            not in {
                *('evaluated', 'rewarded', 'rave by ends', 'rave, plain and real'),
                *('graph', 'graph in full'),
            }
        ),
        GROUPS,
    ),
)
@given(st.data(), splitmixes())
@settings(max_examples=50)
def test_chains_of_searches_equal_the_reference(group, data, rng):
    """Also with trees by wins and draws continued by any rewards, and the other way round."""
    state = data.draw(mazes())
    searches = partial(of_kinds, GROUPS[group])
    steps = data.draw(chains(state, lambda new: searches(new=new)))
    compare(state, rng, steps, 'compiled')


@given(st.data(), splitmixes())
@settings(max_examples=25)
def test_chains_with_rewards_on_the_way_equal_the_reference(data, rng):
    state = data.draw(processes())
    compare(state, rng, data.draw(chains(state)), 'compiled')


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


def test_a_parent_s_value_is_for_the_side_to_choose():
    """Where a side keeps the turn it is the value for that side, else one less it.

    The score of a move without visits depends on it in this search.
    """
    search, kept = evolve(SHAPES['puct'], iterations=150), 0
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


@pytest.mark.parametrize('engine', ['inplace', 'compiled'])
@pytest.mark.parametrize(
    ('start', 'search'),
    [(Maze(ILLEGAL, 20, 5), SHAPES['puct']), (BESIDE, OF_SETS)],
    ids=['menus of counts', 'menus of bits'],
)
def test_a_policy_with_an_illegal_move_is_refused(start, search, engine):
    """One more move behind all that are legal, or beside them."""
    with pytest.raises(MethodError, match='must return at least one of the legal moves'):
        analyse(start, SplitMix.from_seed(1), evolve(search, iterations=90), engine=engine)


@pytest.mark.parametrize('engine', ['inplace', 'compiled'])
def test_a_playout_may_not_exceed_max_plies_before_its_evaluation(engine):
    search = evolve(SHAPES['minimax'], iterations=50, evaluate_after=4, max_plies=4)
    with pytest.raises(EndlessGameError, match='not over after 4 plies'):
        analyse(Maze(7, 30, 5), SplitMix.from_seed(1), search, engine=engine)
