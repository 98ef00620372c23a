"""Proofs from searched trees, verified by the checker."""

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from returns.result import Failure, Success

from fmcts import Player, Search, SplitMix, analyse
from fmcts.games import tictactoe
from fmcts.solve import check_proof, searched_proofs
from fmcts.testing import generators, positions
from tiers import usually
from toy_games import drawn_trees, solved


def verified(state, analysis):
    """The proofs, which hold, and say together what the position is worth."""
    proofs = searched_proofs(analysis)
    assert [check_proof(state, proof) for proof in proofs] == [Success(None)] * len(proofs)
    for_x, _ = solved(state)
    for proof in proofs:
        assert proof.value == (for_x if proof.player is Player.X else 1.0 - for_x)
    assert len(proofs) == (2 if for_x == 0.5 else 1)
    return proofs


@pytest.mark.parametrize('bounds', [False, True])
@given(drawn_trees(), generators())
@settings(max_examples=80)
def test_every_proof_holds(bounds, game, rng):
    """In trees of any shape, with equal positions in several places."""
    search = Search(100_000, solver=True, bounds=bounds)
    analysis, _ = analyse(game, rng, search, engine='inplace')
    for proof in verified(game, analysis):
        for state in proof.moves:
            rest = {other: move for other, move in proof.moves.items() if other != state}
            assert isinstance(check_proof(game, evolve(proof, moves=rest)), Failure)


@pytest.mark.parametrize('bounds', usually([True], [False, True]))
@given(positions(tictactoe.start, running=True), generators())
@settings(max_examples=30)
def test_proofs_of_tictactoe(bounds, state, rng):
    analysis, _ = analyse(state, rng, Search(1000, solver=True, bounds=bounds), engine='inplace')
    assume(analysis.proof is not None)
    verified(state, analysis)


def test_a_stronger_claim_than_proven_fails():
    state = tictactoe.parse('X.O.O..X.').unwrap()
    analysis, _ = analyse(state, SplitMix.from_seed(1), Search(1000, solver=True))
    (proof,) = searched_proofs(analysis)
    assert proof.plies == 3
    assert isinstance(check_proof(state, evolve(proof, plies=2)), Failure)


@pytest.mark.parametrize('search', [Search(3), Search(3, solver=True)])
def test_unproven_searches_have_no_proof(search):
    analysis, _ = analyse(tictactoe.start, SplitMix.from_seed(1), search)
    with pytest.raises(ValueError, match='nothing is proven of the root'):
        searched_proofs(analysis)
