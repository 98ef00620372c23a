"""Games of 50,000 plies: no engine depends on the recursion limit."""

import pickle

import pytest

from fmcts import Player, Search, SplitMix, analyse, playout
from fmcts._running.registry import ENGINES
from fmcts.search._digest import digest
from fmcts.search._tree import MutableNode, freeze_in_place, principal_variation
from long_games import Long
from tiers import usually

PLIES = 50_000
START = Long(PLIES, ways=1)


def ladder(nodes):
    """The tree that `nodes` iterations would make: one path, every playout won by O."""
    children = ()
    for steps in range(nodes, -1, -1):
        state = Long(PLIES - steps, ways=1)
        visits = nodes - max(steps - 1, 0)
        mover = state.player.other
        reward = float(visits) if mover is Player.O else 0.0
        draft = MutableNode(
            0 if steps else None, mover, state, state.moves, visits, reward, reward / visits,
            children,
        )  # fmt: skip
        children = (freeze_in_place(draft),)
    return children[0]


@pytest.fixture(scope='module', params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture(scope='module')
def deep():
    """A path one node short of the end of the game."""
    return ladder(PLIES - 1)


@pytest.mark.exhaustive
def test_the_expected_tree_equals_an_engine_s():
    analysis, _ = analyse(START, SplitMix.from_seed(1), Search(30), engine='persistent')
    assert analysis.tree == ladder(30)


def test_a_playout_of_50_000_plies(engine):
    assert playout(START, SplitMix.from_seed(1))[0] is Player.O
    analysis, _ = analyse(START, SplitMix.from_seed(1), Search(3), engine=engine)
    assert analysis.tree == ladder(3)


@pytest.mark.parametrize('engine', usually(['inplace', 'compiled'], ENGINES))
def test_a_tree_50_000_nodes_deep(engine, deep):
    """From a path one short of the end: the last node is made, then visited again."""
    analysis, _ = analyse(START, SplitMix.from_seed(1), Search(3), engine=engine, tree=deep)
    assert analysis.tree.visits == PLIES + 2
    line = principal_variation(analysis.tree)
    assert len(line) == PLIES
    again = pickle.loads(pickle.dumps(analysis.tree))  # noqa: S301 - our own bytes
    assert again == analysis.tree
    assert digest(again) == analysis.digest
    assert 'children=1/1' in repr(again)
