"""Whether a proof holds: by the rules of the game alone.

It shares nothing with what finds proofs, and is short, so that it can be read to its end.
"""

from __future__ import annotations

from math import inf
from typing import Any

from returns.result import Failure, Result, Success

from fmcts.game import MAX_PLIES, GameState, reward
from fmcts.solve.proof import Proof

__all__ = ['check_proof']


def rank(value: float, plies: float) -> tuple[float, float]:
    """The better for a player, the greater: wins count more when short, losses when long."""
    return value, -plies if value == 1 else plies if value == 0 else 0


def check_proof(
    state: GameState[Any], proof: Proof[Any], *, max_plies: int = MAX_PLIES
) -> Result[None, str]:
    """`Success` when the proof's player, by its moves, gets what it claims, whatever is replied.

    Every line is followed to its end, each position once. A failure is one line that says why not.
    """
    worst: dict[Any, tuple[float, int]] = {}  # what is got at least from here, after how many plies
    line = {state: None}  # in order, the position that is looked at being the last
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
                return Failure(f'a line does not end: it goes on from {here}')
            if unseen:
                line[unseen[0]] = None
                continue
            ends = [(worst[child][0], worst[child][1] + 1) for child in children]
        worst[here] = min(ends, key=lambda end: rank(*end))
        line.popitem()
    unlimited = inf if proof.value == 1 else 0
    if rank(*worst[state]) < rank(proof.value, unlimited if proof.plies is None else proof.plies):
        value, plies = worst[state]
        return Failure(
            f'the proof claims {proof.claim}; a line ends with {value} after {plies} plies'
        )
    return Success(None)
