"""Proofs are true in trees of any shape, and faulty solvers are detected."""

import math

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Player, Search, SplitMix, analyse
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import walk
from fmcts.search.methods import METHODS
from fmcts.search.resolution.solver import AT_LEAST, AT_MOST, proof_at, proof_number
from fmcts.testing import generators, positions
from toy_games import drawn_trees, solved
from transcription import Node, rows, rows_of, search as naive_search, ucb1

RNG = SplitMix.from_seed(1)


def breaches(tree):
    """The nodes of which something is claimed that is not so."""
    for node in walk(tree):
        proof = proof_at(node)
        for_x, plies = solved(node.state)
        number, mover = proof_number(node), for_x if node.mover is Player.X else 1.0 - for_x
        if (number == AT_LEAST and mover < 0.5) or (number == AT_MOST and mover > 0.5):
            yield node
        if proof is None:
            continue
        mine = for_x if node.state.player is Player.X else 1.0 - for_x
        if proof.reward != mine or (proof.plies is not None and proof.plies < plies):
            yield node


@given(
    drawn_trees(),
    generators(),
    st.integers(1, 300),
    st.sampled_from([*METHODS]),
    st.booleans(),
    st.data(),
)
@settings(max_examples=150)
def test_every_proof_is_true(game, rng, iterations, name, bounds, data):
    """In trees of any shape, with sides that move twice; and the winner needs no more plies.

    When all that can be proven is, the root is proven, and its value is exact.
    """
    full = data.draw(st.sampled_from([None, 'full', 'random']))
    search = Search(iterations, selection=name, solver=True, bounds=bounds, expansion=full)
    analysis, _ = analyse(game, rng, search, engine='persistent')
    assert [*breaches(analysis.tree)] == []
    if analysis.iterations < iterations:
        for_x, _ = solved(game)
        assert analysis.proof.reward == (for_x if game.player is Player.X else 1.0 - for_x)
        assert solved(game.play(analysis.move))[0] == for_x


@given(drawn_trees(), generators(), st.booleans())
@settings(max_examples=60)
def test_every_game_is_eventually_solved(game, rng, bounds):
    """Each iteration that proves nothing makes a node, or is a draw known before."""
    search = Search(100_000, solver=True, bounds=bounds)
    analysis, _ = analyse(game, rng, search, engine='inplace')
    assert analysis.iterations < 100_000
    assert analysis.proof is not None


def proof(node):
    """What is proven for the mover, from all that is below: 0, 1/2, n or -n."""
    state = node.state
    if state.over:
        number = 0.5 if state.winner is None else 1 if state.winner is node.mover else -1
        return number if node.visits else 0
    found = [proof(child) for child in node.children.values()]
    sign = 1 if node.mover is state.player else -1
    if any(number >= 1 for number in found):
        return sign * (min(number for number in found if number >= 1) + 1)
    if len(found) < len(state.moves) or 0 in found:
        return 0
    return 0.5 if 0.5 in found else -sign * (max(-number for number in found) + 1)


def unless_lost(node, index):
    return -math.inf if proof(node.children[index]) < 0 else ucb1(node, index)


@pytest.mark.parametrize('drawn', [True, False])
@given(st.data(), generators(), st.integers(1, 60))
@settings(max_examples=25)
def test_matches_a_naive_transcription(drawn, data, rng, iterations):
    ends = [positions(it, running=True) for it in (tictactoe.start, connect4.start)]
    state = data.draw(drawn_trees() if drawn else st.one_of(*ends))
    root, rng_after = naive_search(Node(state), rng, iterations, unless_lost, until=proof)
    analysis, after = analyse(state, rng, Search(iterations, solver=True), engine='persistent')
    assert after == rng_after
    assert rows_of(analysis.tree) == rows(root)
    assert [node.columns.own for node in walk(analysis.tree)] == [
        (proof(node),) for _, node in root.all()
    ]
