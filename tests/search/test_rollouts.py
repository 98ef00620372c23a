"""Playouts whose states join the tree: "Rollout - Expand" of the French series' second part."""

import sys

import pytest
from attrs import frozen
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.games import connect4, tictactoe
from fmcts.testing import generators
from toy_games import Long, play_line
from transcription import matches_french


def descend(root, rng):
    """The text's loop with its `rollout_expand`, a node without visits having its own turn."""
    path = [root]
    while path[-1].state.moves and (len(path) == 1 or path[-1].visits):
        node = path[-1]
        untried = [it for it in range(len(node.state.moves)) if it not in node.children]
        if untried:
            path.append(node.child(untried[0]))
            break
        path.append(node.best_open())
    below = path[-1]  # rollout_expand
    while below.state.moves:
        index, rng = rng.uniform(0, len(below.state.moves) - 1)
        below = below.child(index)
    return path, below.state, rng


@pytest.mark.parametrize('start', [tictactoe.start, connect4.start])
@given(st.data(), generators(), st.integers(1, 100))
@settings(max_examples=25)
def test_matches_the_french_text_s_program(start, data, rng, iterations):
    matches_french(start, data, rng, iterations, descend, rollout_expand=True)


RNG = SplitMix.from_seed(1)
PYTHON = ['persistent', 'monadic', 'inplace']
ENGINES = [*PYTHON, 'compiled']


@pytest.mark.parametrize('engine', ENGINES)
def test_max_nodes_counts_every_state_and_iterations_are_atomic(engine):
    for bound in (5, 10, 11, 12, 13, 20, 50, 51, 52, 53, 54, 55, 56, 57, 58):
        search = Search(500, rollout_expand=True, max_nodes=bound)
        if bound == 5:  # the first playout has more states
            with pytest.raises(ValueError, match='max_nodes 5 leaves no room for the first'):
                analyse(tictactoe.start, RNG, search, engine=engine)
            continue
        analysis, rng = analyse(tictactoe.start, RNG, search, engine=engine)
        assert bound - 9 < analysis.nodes <= bound
        unbounded = Search(analysis.iterations, rollout_expand=True)
        assert analyse(tictactoe.start, RNG, unbounded) == (analysis, rng)
        following, _ = analyse(
            tictactoe.start, rng, Search(1, rollout_expand=True), tree=analysis.tree
        )
        assert following.nodes > bound


CALLS = []


@frozen
class Counted:
    """Tic-tac-toe that notes every call of its rules."""

    inner: tictactoe.TicTacToe

    player = property(lambda self: self.inner.player)
    moves = property(lambda self: self.inner.moves)
    over = property(lambda self: self.inner.over)
    winner = property(lambda self: self.inner.winner)

    def play(self, move):
        CALLS.append(move)
        return Counted(self.inner.play(move))


@pytest.mark.parametrize('engine', PYTHON)
def test_no_state_is_computed_twice(engine):
    """The rules are called once for each node but the root: that is what it is for.

    Without it, each ply of a playout and each child is a call. (It saves a third here, in a small
    game; one call in a hundred from the start of tic-tac-toe, one in a thousand of Connect Four.)
    """
    state = Counted(play_line(tictactoe.start, (4, 0, 8)))
    CALLS.clear()
    found, _ = analyse(state, RNG, Search(3000, rollout_expand=True), engine=engine)
    joined = len(CALLS)
    assert joined == found.nodes - 1
    CALLS.clear()
    analyse(state, RNG, Search(3000), engine=engine)
    assert len(CALLS) > joined


def test_games_deeper_than_the_recursion_limit():
    state = Long(5 * sys.getrecursionlimit(), ways=1)
    expected = None
    for engine in ENGINES:
        found = analyse(state, RNG, Search(3, rollout_expand=True), engine=engine)
        assert found[0].nodes == state.left + 1
        expected = expected or found
        assert found == expected
