"""The solver on every position of tic-tac-toe, against exhaustive values."""

import pytest

from fmcts import Player, Search, SplitMix, analyse
from fmcts.games import tictactoe
from toy_games import solved


def positions():
    """Every unfinished position, in an order that is always the same."""
    found, unseen = {tictactoe.start: None}, [tictactoe.start]
    while unseen:
        state = unseen.pop()
        for after in map(state.play, state.moves):
            if not after.over and after not in found:
                found[after] = None
                unseen.append(after)
    return [*found]


@pytest.mark.exhaustive  # all positions; drawn ones are in test_proofs
@pytest.mark.needs_numba
def test_no_false_proof_and_no_misplay_in_any_position():
    """In 20,000 iterations each; few positions near the start stay open."""
    every = positions()
    assert len(every) == 4520
    unproven = []
    for state in every:
        search = Search(20_000, solver=True)
        analysis, _ = analyse(state, SplitMix.from_seed(3), search, engine='compiled')
        for_x, plies = solved(state)
        assert solved(state.play(analysis.move))[0] == for_x
        proof = analysis.proof
        if proof is None:
            unproven.append(state)
            continue
        assert proof.reward == (for_x if state.player is Player.X else 1.0 - for_x)
        assert proof.plies is None or proof.plies >= plies
    assert len(unproven) < 20
    assert all(len(state.moves) >= 7 for state in unproven)
