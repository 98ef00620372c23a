"""Proofs are true in games of any shape, and faulty solvers are detected."""

import math

import pytest
from hypothesis import given, settings, strategies as st

from drawn import games, solved
from fmcts import Player, Search, SplitMix, analyse
from fmcts._arithmetic import logarithm_of
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import walk
from fmcts.search.methods import METHODS
from fmcts.search.resolution.bounds import AT_LEAST, AT_MOST
from fmcts.search.resolution.solver import proof_at, proof_number
from fmcts.testing import generators, positions

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
    games(),
    generators(),
    st.integers(1, 300),
    st.sampled_from([*METHODS]),
    st.booleans(),
    st.data(),
)
@settings(max_examples=150)
def test_every_proof_is_true(game, rng, iterations, name, bounds, data):
    """In games of any shape, with sides that move twice; and the winner needs no more plies.

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


@given(games(), generators(), st.booleans())
@settings(max_examples=60)
def test_every_game_is_eventually_solved(game, rng, bounds):
    """Each iteration that proves nothing makes a node, or is a draw known before."""
    search = Search(100_000, solver=True, bounds=bounds)
    analysis, _ = analyse(game, rng, search, engine='inplace')
    assert analysis.iterations < 100_000
    assert analysis.proof is not None


ROOT_OF_2 = math.sqrt(2)


def naive(state, rng, iterations):  # noqa: C901 - in one piece
    """UCT with a solver, in one piece: after each iteration the whole tree is judged anew.

    A node is a list: state, mover, visits, reward, children by index of the move.
    """

    def proof(node):  # for the mover: 0, 1/2, n or -n
        state, mover, visits, _, children = node
        if state.over:
            return (
                0
                if not visits
                else 0.5
                if state.winner is None
                else 1
                if state.winner is mover
                else -1
            )
        found = [proof(child) for child in children.values()]
        sign = 1 if mover is state.player else -1
        if any(number >= 1 for number in found):
            return sign * (min(number for number in found if number >= 1) + 1)
        if len(found) < len(state.moves) or 0 in found:
            return 0
        return 0.5 if 0.5 in found else -sign * (max(-number for number in found) + 1)

    def score(node, child):
        if proof(child) < 0:
            return -math.inf
        return child[3] / child[2] + ROOT_OF_2 * math.sqrt(logarithm_of(1 + node[2]) / child[2])

    root = [state, state.player.other, 0, 0.0, {}]
    for _ in range(iterations):
        if proof(root):
            break
        path = [root]
        while not path[-1][0].over:
            node = path[-1]
            state, children = node[0], node[4]
            if len(children) < len(state.moves):
                move = len(children)
                children[move] = [state.play(state.moves[move]), state.player, 0, 0.0, {}]
                path.append(children[move])
                break
            path.append(max(children.values(), key=lambda child: score(node, child)))
        state = path[-1][0]
        while not state.over:
            index, rng = rng.uniform(0, len(state.moves) - 1)
            state = state.play(state.moves[index])
        for node in path:
            node[2] += 1
            node[3] += 0.5 if state.winner is None else state.winner is node[1]
    return root, rng, proof


@pytest.mark.parametrize('drawn', [True, False])
@given(st.data(), generators(), st.integers(1, 60))
@settings(max_examples=25)
def test_matches_a_naive_transcription(drawn, data, rng, iterations):
    ends = [positions(it, running=True) for it in (tictactoe.start, connect4.start)]
    state = data.draw(games() if drawn else st.one_of(*ends))
    expected, rng_after, proof = naive(state, rng, iterations)
    analysis, after = analyse(state, rng, Search(iterations, solver=True), engine='persistent')
    assert after == rng_after
    pairs = [(analysis.tree, expected)]
    while pairs:
        node, plain = pairs.pop()
        assert (node.visits, node.reward, node.columns.own) == (plain[2], plain[3], (proof(plain),))
        assert len(node.children) == len(plain[4])
        pairs += zip(node.children, plain[4].values(), strict=True)
