"""Games drawn as data: their members."""

from attrs import evolve

from fmcts import Player
from fmcts.testing._drawn import Drawn, Graph

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
