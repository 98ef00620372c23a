"""Graphs of games with dice: the same in every engine, in a tree, and written naively."""

import pytest
from attrs import frozen
from hypothesis import given, strategies as st

import naive_graph as naive
from fmcts import Player, Search, SplitMix, analyse
from fmcts.solve import expectation
from fmcts.testing import generators

ENGINES = 'persistent', 'monadic', 'inplace'


@frozen
class Steps:
    """Each side in turn throws a small die or a large one, whose high faces weigh more.

    Who first has `goal` points wins. With `path` a state knows how it was reached.
    """

    goal: int = 5
    points: tuple[int, int] = (0, 0)
    turn: int = 0
    die: int = 0
    path: tuple[int, ...] | None = None

    player = property(lambda self: tuple(Player)[self.turn])
    over = property(lambda self: max(self.points) >= self.goal)
    moves = property(lambda self: () if self.over or self.die else (2, 3))
    chances = property(lambda self: tuple((face, face) for face in range(1, self.die + 1)))

    @property
    def winner(self):
        return tuple(Player)[self.points[1] >= self.goal] if self.over else None

    def play(self, move):
        path = None if self.path is None else (*self.path, move)
        if not self.die:
            return Steps(self.goal, self.points, self.turn, move, path)
        points = [*self.points]
        points[self.turn] += move
        return Steps(self.goal, tuple(points), 1 - self.turn, 0, path)


@given(st.integers(2, 7), generators(), st.integers(1, 150))
def test_the_sound_rule_is_that_of_the_documentation(goal, rng, iterations):
    nodes, after = naive.sound(Steps(goal), rng, iterations)
    for engine in ENGINES:
        search = Search(iterations, transpositions='sound')
        analysis, left = analyse(Steps(goal), rng, search, engine=engine)
        found = {entry.state: entry for entry in analysis.tree.graph.entries}
        assert {state: (it.own, it.visits, it.total) for state, it in found.items()} == {
            state: (node.own, node.visits, node.total) for state, node in nodes.items()
        }
        assert left == after


@given(
    st.integers(2, 7),
    generators(),
    st.integers(1, 100),
    st.sampled_from(['sound', 'naive']),
    st.sampled_from(['in-order', 'random', 'full', 'jump']),
)
def test_where_nothing_comes_twice_it_is_the_tree(goal, rng, iterations, rule, expansion):
    plain = Search(iterations, expansion=expansion)
    tree, after = analyse(Steps(goal, path=()), rng, plain, engine='inplace')
    for engine in ENGINES:
        search = Search(iterations, expansion=expansion, transpositions=rule)
        graph, left = analyse(Steps(goal, path=()), rng, search, engine=engine)
        assert (graph.move, graph.stats, left) == (tree.move, tree.stats, after)


def test_a_graph_needs_fewer_states_and_finds_the_value():
    graph, _ = analyse(Steps(6), SplitMix.from_seed(1), Search(2000, transpositions='sound'))
    tree, _ = analyse(Steps(6), SplitMix.from_seed(1), Search(2000), engine='inplace')
    exact = expectation(Steps(6))
    assert 4 * graph.tree.count() < tree.tree.count()
    assert graph.move == exact.move
    assert graph.value == pytest.approx(float(exact.values[0]), abs=0.03)
