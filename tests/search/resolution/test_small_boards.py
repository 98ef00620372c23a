"""The solver's proofs, against perfect play on small boards of other games."""

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts.games import find_game
from fmcts.search._tree import walk
from fmcts.search.resolution.solver import proof_number, proof_of
from fmcts.solve import solve
from tiers import in_turns

BOARDS = ('mnk:4,3,3', 'connect:4,4,3', 'othello:4', 'hex:3', 'nim:2,3,4', 'breakthrough:4,3')
WORTH = {'win': 1.0, 'draw': 0.5, 'loss': 0.0}


@pytest.mark.parametrize(('name', 'bounds'), in_turns(BOARDS, [False, True]))
def test_every_proof_equals_perfect_play(name, bounds):
    """Of every node of the trees, and how many plies a win takes at most."""
    proven = 0
    for seed in range(6):
        state, rng = find_game(name).unwrap().start, SplitMix.from_seed(seed)
        for _ in range(seed):
            index, rng = rng.uniform(0, len(state.moves) - 1)
            after = state.play(state.moves[index])
            state = state if after.over else after
        analysis, _ = analyse(state, rng, Search(300, solver=True, bounds=bounds))
        for node in walk(analysis.tree):
            proof = proof_of(proof_number(node))
            if proof is None or node.state.over or node is analysis.tree:
                continue
            proven += 1
            kind, *rest = str(proof).split()
            found = solve(node.state, engine='inplace')
            assert WORTH[kind] == (
                found.value if node.state.player is node.mover else 1.0 - found.value
            )
            if rest:  # `in n`, from before the move that led here
                assert int(rest[1]) - 1 >= found.plies
        if analysis.proof is not None:
            assert WORTH[str(analysis.proof).split()[0]] == solve(state, engine='inplace').value
    assert proven > 20
