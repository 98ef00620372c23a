"""Check a proof by the rules of the game alone.

The checker shares no code with what finds proofs, and is short enough to be read whole.
"""

from __future__ import annotations

from math import inf
from typing import Any

from returns.result import Failure, Result, Success

from fmcts.game import MAX_PLIES, GameState, reward
from fmcts.solve._proof import Proof


def rank(value: float, plies: float) -> tuple[float, float]:
    """Return a key that is greater for better ends: short wins best, short losses worst."""
    return value, -plies if value == 1 else plies if value == 0 else 0


def check_proof(
    state: GameState[Any], proof: Proof[Any], *, max_plies: int = MAX_PLIES
) -> Result[None, str]:
    """Return `Success` if the proof's player gets what it claims against every reply.

    Every line is followed to its end, visiting each position once. A failure says why in one line.
    """
    worst: dict[Any, tuple[float, int]] = {}  # the worst value and plies from here
    line = {state: None}  # the current position is the last
    while line:
        here = next(reversed(line))
        mine = here.player is proof.player
        if here.over:
            ends = [(reward(here.winner, proof.player), 0)]
        elif mine and here not in proof.moves:
            return Failure(f'the proof has no move for {proof.player} in {here}')
        elif mine and proof.moves[here] not in here.moves:
            return Failure(f'the move {proof.moves[here]} is not legal in {here}')
        else:
            children = [here.play(it) for it in ([proof.moves[here]] if mine else here.moves)]
            unseen = [child for child in children if child not in worst]
            if unseen and (unseen[0] in line or len(line) > max_plies):
                return Failure(f'a line does not end: it continues from {here}')
            if unseen:
                line[unseen[0]] = None
                continue
            ends = [(worst[child][0], worst[child][1] + 1) for child in children]
        worst[here] = min(ends, key=lambda end: rank(*end))
        line.popitem()
    # A claim without a number of plies is the weakest: a win at any time, a loss at once.
    unlimited = inf if proof.value == 1 else 0
    if rank(*worst[state]) < rank(proof.value, unlimited if proof.plies is None else proof.plies):
        value, plies = worst[state]
        return Failure(
            f'the proof claims {proof.claim}; a line ends with {value} after {plies} plies'
        )
    return Success(None)
