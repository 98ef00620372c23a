"""Closing: fully explored branches are left out."""

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import walk
from fmcts.search.resolution import RESOLUTIONS
from fmcts.testing import generators
from toy_games import drawn_trees, play_line
from transcription import matches_french, play_out

RNG = SplitMix.from_seed(1)
NEAR_THE_END = play_line(tictactoe.start, (4, 0, 2, 6))


def positions_below(state):
    return 1 + sum(positions_below(state.play(move)) for move in state.moves)


def test_the_search_ends_when_every_line_is_explored(engine):
    """Each iteration makes one node, and none is made twice: so they are as many as positions."""
    search = Search(100_000, closing=True)
    analysis, _ = analyse(NEAR_THE_END, RNG, search, engine=engine)
    assert analysis.nodes == positions_below(NEAR_THE_END)
    assert analysis.iterations == analysis.nodes - 1
    assert all(node.columns.own == (1.0,) for node in walk(analysis.tree))
    again, rng = analyse(NEAR_THE_END, RNG, search, engine=engine, tree=analysis)
    assert (again, rng) == (analysis, RNG)


@given(drawn_trees(), generators())
@settings(max_examples=60)
def test_every_game_closes_within_as_many_iterations_as_positions(game, rng):
    analysis, _ = analyse(game, rng, Search(100_000, closing=True), engine='inplace')
    assert analysis.iterations + 1 == analysis.nodes == positions_below(game)


def descend(root, rng):
    path = [root]
    while len((node := path[-1]).children) == len(node.state.moves):
        path.append(node.best_open())
    path.append(node.child(len(node.children)))
    end, rng = play_out(path[-1].state, rng)
    return path, end, rng


@pytest.mark.parametrize('start', [tictactoe.start, connect4.start])
@given(st.data(), generators(), st.integers(1, 150))
@settings(max_examples=20)
def test_matches_the_french_text_s_program(start, data, rng, iterations):
    matches_french(start, data, rng, iterations, descend)


def test_a_closed_child_can_still_be_chosen():
    """A win at once has one visit, and is closed by it; by the highest mean it is played."""
    state = play_line(connect4.start, (3, 0, 3, 0, 3, 1))
    analysis, _ = analyse(state, RNG, Search(500, closing=True, final='max'))
    assert analysis.move == 3
    assert analysis.stats[3].visits == 1
    assert analysis.stats[3].value == 1.0


def test_closed_does_not_mean_proven():
    """The columns have names of their own, which the digest of a tree holds."""
    assert {*RESOLUTIONS} == {'proof', 'bounds', 'exact', 'closed'}
    state = tictactoe.parse('XO.OX....').unwrap()
    found, _ = analyse(state, SplitMix.from_seed(1), Search(50, closing=True), engine='inplace')
    assert found.tree.columns.names.own == ('closed',)
    assert (found.proof, {row.proof for row in found.stats}) == (None, {None})
