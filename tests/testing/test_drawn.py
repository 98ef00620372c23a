"""Games drawn as data: their members, and that all numbers come from the generator."""

from attrs import evolve, field, frozen

from fmcts import Player
from fmcts.testing._drawn import Drawn, Graph, drawn_game

X, O = Player  # noqa: E741 - the player's name
GRAPH = Graph(((1, 2, 2), (2,), ()), (O, X, O), (X, O, X))
START = Drawn(GRAPH)


def test_a_position_follows_its_graph():
    said = [
        (state.at, state.player, state.moves, state.over, state.winner)
        for state in (START, START.play(0), START.play(1))
    ]
    assert said == [(0, O, (0, 1, 2), False, None), (1, X, (0,), False, None), (2, O, (), True, X)]


def test_positions_are_equal_by_graph_and_number():
    assert START.play(1) == START.play(2) == START.play(0).play(0)
    assert hash(START.play(1)) == hash(START.play(0).play(0))
    assert START.play(0) != START.play(1)
    assert Drawn(evolve(GRAPH, winners=(None,) * 3)) != START
    assert repr(START.play(1)).endswith('at=2)')
    assert repr(GRAPH) in repr(START)


def test_a_graph_remembers_its_hash():
    """Each position of a game is hashed with all of it."""
    graph = evolve(GRAPH)
    assert hash(graph) == hash(GRAPH)
    object.__setattr__(graph, 'winners', ())
    assert hash(graph) == hash(GRAPH)


@frozen
class Scripted:
    """A generator that draws what is written, and notes how many it is asked to draw among."""

    script: tuple
    asked: list = field(factory=list)

    def uniform(self, low, high):
        assert low == 0
        assert 0 <= self.script[0] <= high
        self.asked.append(high + 1)
        return self.script[0], evolve(self, script=self.script[1:])


def test_all_numbers_are_drawn_from_the_generator():
    """The size, how many ends, how many moves at each, what each leads to, players, winners."""
    of_moves = (1, 0, 3), (0, 2), (3, 0, 1, 0, 1)
    script = (3, 1, *sum(of_moves, ()), 0, 1, 1, 0, 1, 2, 0, 1, 2, 0)
    rng = Scripted(script)
    assert drawn_game(rng, 6) == Drawn(
        Graph(((1, 4), (4,), (3, 4, 3, 4), (), ()), (X, O, O, X, O), (None, X, O, None, X))
    )
    assert rng.asked == [5, 4, *(4, 4, 4), *(4, 3), *(4, 2, 2, 2, 2), *[2] * 5, *[3] * 5]


def test_a_game_has_at_most_sixteen_positions():
    rng = Scripted((0,) * 99)
    smallest = drawn_game(rng)
    assert smallest == Drawn(Graph(((1,), ()), (X, X), (X, X)))
    assert rng.asked[0] == 15
