"""The engine in `State`: its verbs are those of the reference, step by step and as a whole.

That it finds what the others find is shown for all engines in `test_engines.py`.
"""

import math
import operator

import pytest
from attrs import frozen
from hypothesis import given, strategies as st

from fmcts import Search, StdGen
from fmcts._engines import monadic
from fmcts._engines.plan import plan_of
from fmcts._running.registry import ENGINES
from fmcts.games import connect4, tictactoe
from fmcts.search._digest import digest
from fmcts.search._tree import plant, walk
from fmcts.state import State, from_state
from fmcts.testing import generators, positions, searches
from small_positions import mazes

# Short enough that no game is over.
running = st.one_of(
    positions(tictactoe.start, max_plies=4), positions(connect4.start, max_plies=6), mazes
)


@frozen
class Counter:
    """A user's generator, not random at all: the three methods of the protocol, nothing else."""

    at: int

    def uniform(self, low, high):
        return low + self.at % (high - low + 1), Counter(self.at + 1)

    def split(self):
        return Counter(self.at + 1000), Counter(self.at + 2001)

    def child(self, index):
        return Counter(self.at + 7919 * index + 1)


any_generator = st.one_of(generators(), st.integers(0, 10**6).map(Counter))


@given(running, any_generator, searches(max_iterations=60))
def test_equals_the_reference(state, rng, search):
    expected, expected_rng = ENGINES['persistent'](plant(state), rng, search, lambda _: None)
    found, found_rng = ENGINES['monadic'](plant(state), rng, search, lambda _: None)
    assert (found, found_rng) == (expected, expected_rng)
    assert digest(found) == digest(expected)


def grow(root, search, iterations, room=math.inf):
    """The tree only."""
    plan = plan_of(search, root.state)
    return monadic.grow(root, room, plan, iterations, None).map(operator.itemgetter(0))


@given(running, any_generator, searches(max_iterations=30), st.integers(0, 30))
def test_growing_twice_equals_growing_once(state, rng, search, more):
    root = plant(state)
    twice = grow(root, search, search.iterations).bind(lambda tree: grow(tree, search, more))
    once = grow(root, search, search.iterations + more)
    assert isinstance(once, State)
    assert twice.run(rng) == once.run(rng) == once.run(rng)


@given(running, any_generator, searches(max_iterations=30), st.integers(-3, 40))
def test_max_nodes_is_respected(state, rng, search, room):
    action = monadic.grow(plant(state), room, plan_of(search, state), search.iterations, None)
    tree, left, ended = action.eval_state(rng)
    nodes = sum(1 for _ in walk(tree))
    assert ended == (tree.visits < search.iterations)
    assert nodes == 1 + room - left
    assert left >= min(room, 0)


def test_an_unrun_action_draws_nothing():
    class Untouchable:
        def __getattr__(self, name):
            raise AssertionError(name)

    action = grow(plant(connect4.start), Search(), 10)
    with pytest.raises(AssertionError, match='thaw'):
        action.run(Untouchable())


def test_an_action_converts_to_a_pure_function():
    root, rng = plant(tictactoe.start), StdGen(43, 1)
    pure = from_state(lambda root: grow(root, Search(), 50))
    assert pure(root, rng) == ENGINES['persistent'](root, rng, Search(50), lambda _: None)
