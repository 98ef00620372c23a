"""Users' derived statistics: the same in every engine, and refusals."""

import math

import pytest
from attrs import field, frozen
from hypothesis import given, settings, strategies as st

from drawn_games import Maze
from fmcts import Search, SplitMix, analyse, reroot
from fmcts.errors import MethodError
from fmcts.formulas import maximum, minimum, sqrt, where
from fmcts.games import connect4, tictactoe
from fmcts.rules import OnPositions
from fmcts.search._tree import walk
from fmcts.search.derived import Derived
from fmcts.search.methods import UCB1, Method
from fmcts.testing import generators, positions
from tiers import usually

RNG = SplitMix.from_seed(1)
PYTHON = ('persistent', 'monadic', 'inplace')
small = st.one_of(positions(tictactoe.start, running=True), positions(connect4.start, running=True))


WRONG = 10**6  # the seed of mazes of which the heuristic is wrong; no board of another game


def shape(position):
    """A heuristic of positions."""
    return 2.0 if position[0] == WRONG else ((position[0] * 5 ^ position[1]) & 15) / 16.0


@frozen
class Range(Derived):
    """The lowest and highest number that a leaf below has, by a heuristic, all for X's opponent."""

    names = ('low', 'high')
    first = (math.inf, -math.inf)

    def end(self, reward):
        return reward, reward

    def leaf(self, reward):
        return 0.5 * reward, 0.5 * reward + 0.25

    def fold(self, seen, child):
        return minimum(seen[0], child.low), maximum(seen[1], child.high)

    def node(self, seen, node):
        return where(node.same, seen[0], 1.0 - seen[1]), where(node.same, seen[1], 1.0 - seen[0])


@frozen
class Certain(Derived):
    """How many ends are known below, at most `most`; it says nothing of leaves, and branches."""

    names = ('ends',)
    first = (0.0,)

    most: int = 3

    def end(self, _reward):
        return (1,)

    def fold(self, seen, child):
        if seen[0] + child.ends > self.most:
            return (self.most,)
        return (seen[0] + child.ends,)

    def node(self, seen, node):
        return (seen[0] if node.complete else 0.5 * seen[0],)


@frozen
class Squared(Derived):
    """The mean of a column of the method, by the visits, so it changes at every visit."""

    names = ('spread',)
    first = (0.0, 0.0)

    def end(self, reward):
        return (reward,)

    def leaf(self, reward):
        return (reward,)

    def fold(self, seen, child):
        return seen[0] + child.squares + child.spread * child.value, seen[1] + child.visits

    def node(self, seen, _node):
        return (seen[0] / seen[1],)


@frozen
class Three(Method):
    """A method with a column of its own and three statistics side by side."""

    columns = ('squares',)

    most: int = 3
    weight: float = 0.25

    @property
    def derived(self):
        return Range(heuristic=OnPositions(shape)), Certain(self.most), Squared()

    def score(self, edge, parent):
        known = edge.low + edge.high - 0.01 * edge.ends + edge.spread
        return edge.value + sqrt(parent.log_visits / edge.visits) + self.weight * known

    def update(self, edge, reward):
        return (edge.squares + reward * reward,)


def by_hand(node, heuristic):
    """The numbers of a node from those of its children, written out."""
    kept = [child for child in node.children if child.visits]
    mine = node.mover is node.state.player
    if not node.moves:
        reward = node.value
        return reward, reward, 1.0, reward
    if not kept:
        worth = heuristic(node.state.compiled.pack(node.state))
        worth = worth if node.mover.value == 'X' else 1.0 - worth
        return 0.5 * worth, 0.5 * worth + 0.25, 0.0, node.value
    low = min(child.columns.own[1] for child in kept)
    high = max(child.columns.own[2] for child in kept)
    known = [child.columns.own[3] for child in kept if child.columns.own[3]]
    ends = min(3.0, sum(known))
    total = 0.0
    for child in kept:
        total = total + child.columns.own[0] + child.columns.own[4] * child.value
    spread = total / sum(child.visits for child in kept)
    low, high = (low, high) if mine else (1.0 - high, 1.0 - low)
    return low, high, ends if len(known) == len(node.moves) else 0.5 * ends, spread


@pytest.mark.parametrize('engine', PYTHON)
@given(small, generators(), st.integers(1, 150))
@settings(max_examples=15)
def test_every_statistic_follows_from_the_children(engine, state, rng, iterations):
    found, _ = analyse(state, rng, Search(iterations, selection=Three()), engine=engine)
    for node in walk(found.tree):
        assert node.columns.own[1:] == by_hand(node, shape)


OPTIONS = (
    {},
    {'solver': True, 'expansion': 'full'},
    {'closing': True, 'expansion': 'jump'},
    {'solver': True, 'bounds': True, 'expansion': 'random', 'playout': 'mast'},
)


@pytest.mark.needs_numba
@pytest.mark.parametrize(
    'options', usually(OPTIONS[1:2], OPTIONS), ids=lambda options: '-'.join(options) or 'plain'
)
def test_all_engines_agree_also_when_continued(options):
    search = Search(150, selection=Three(most=4, weight=0.5), **options)
    for start in (Maze(4, 7, 5), Maze(18, 30, 17)):
        found = []
        for name in (*PYTHON, 'compiled'):
            one, rng = analyse(start, RNG, search, engine=name)
            two, after = analyse(start, rng, search, engine=name, tree=one)
            below = reroot(two, two.move)
            three, last = analyse(below.state, after, search, engine=name, tree=below)
            found.append((one.digest, two.digest, three.digest, three.tree, last))
        assert found == found[:1] * 4


# ---- what is refused ----


def search_with(*derived):
    kind = type('Mine', (UCB1,), {'derived': derived})
    return Search(20, selection=kind())


@pytest.mark.parametrize('engine', ['inplace', 'compiled'])
def test_invalid_heuristics_are_reported(engine):
    search = Search(9, selection=Three(), **OPTIONS[1])
    with pytest.raises(MethodError, match='the heuristic shape must return a number from 0 '):
        analyse(Maze(WRONG, 7, 5), RNG, search, engine=engine)


def test_columns_named_like_resolutions_are_refused():
    named = type('Named', (Certain,), {'names': ('proof',)})()
    with pytest.raises(
        ValueError, match='selection and a column called proof, bounds, exact or closed'
    ):
        search_with(named)


def test_a_field_may_hold_any_statistic():
    @frozen
    class Given(Method):
        statistic: Derived = field()

        derived = property(lambda self: (self.statistic,))

        def score(self, edge, parent):
            return UCB1.score(UCB1(), edge, parent) + edge.ends

    found, _ = analyse(tictactoe.start, RNG, Search(200, selection=Given(Certain(9))))
    assert found.tree.columns.names.own == ('ends',)
