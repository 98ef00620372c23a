"""Graphs of games with dice that are won or lost: the tree, where no state comes twice."""

from attrs import frozen
from hypothesis import given, strategies as st

from fmcts import Player, Search, analyse
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
