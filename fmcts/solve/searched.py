"""Proofs out of a tree that was searched with a solver."""

from __future__ import annotations

from typing import Any, Final

from fmcts.game import Player
from fmcts.search.analysis import Analysis
from fmcts.search.settling.solver import DRAWN, proof_at
from fmcts.search.tree import Node, root_of, walk
from fmcts.solve.proof import Proof, gather
from fmcts.solve.scores import WIN, Score, plies_of, value_of

__all__ = ['searched_proofs']

STEP: Final = 1


def searched_proofs(tree: Node | Analysis[Any]) -> tuple[Proof[Any], ...]:
    """What a search with a solver has proven of the root, for `check_proof` to verify.

    `tree` is its analysis, or its root. A win is one proof, by its player; a draw two, one for each
    player. The distances are those that the search knows: no shorter win need be looked for.

    :raises ValueError: nothing is proven of the root: the search had no solver, or was too short.

    >>> from fmcts import Search, SplitMix, analyse
    >>> from fmcts.games import tictactoe
    >>> from fmcts.solve import check_proof
    >>> state = tictactoe.parse('X.O.O..X.').unwrap()
    >>> analysis, _ = analyse(state, SplitMix.from_seed(1), Search(1000, solver=True))
    >>> (proof,) = searched_proofs(analysis)
    >>> proof.claim, check_proof(state, proof)
    ('X wins within 3 plies', <Success: None>)
    """
    root = root_of(tree)
    here = proof_at(root)
    if here is None:
        raise ValueError(
            'nothing is proven of the root: expected a tree that Search(solver=True) has solved'
        )
    best = _best_moves(root)
    if here.plies is None:
        players, least = tuple(Player), 0
    else:
        player = root.state.player
        players = (player if here.reward else player.other,)
        least = WIN - here.plies
    return tuple(_proof(root.state, player, least, best) for player in players)


def _proof(state: Any, player: Player, least: Score, best: dict[Any, tuple[Score, Any]]) -> Any:
    moves = gather(state, player, least, lambda here, _least: best[here][1], step=STEP)
    return Proof(player, value_of(least, player, evaluated=False), plies_of(least, STEP), moves)


def _best_moves(root: Node) -> dict[Any, tuple[Score, Any]]:
    """Of each position of which something is proven, the best that is, and the move to get it.

    A position that stands in several places may be proven in one only, or by a shorter win in one.
    """
    found: dict[Any, tuple[Score, Any]] = {}
    for node in walk(root):
        state = node.state
        if state.over or proof_at(node) is None:
            continue
        rated = [(_score_of(child, state.player), child.move) for child in node.children]
        score, move = max(((one, it) for one, it in rated if one is not None), key=_first)
        if state not in found or score > found[state][0]:
            found[state] = score, move
    return found


def _first(rated: tuple[Score, Any]) -> Score:
    return rated[0]


def _score_of(child: Node, player: Player) -> Score | None:
    """What is proven of a child, as a score of `player` in the position before it."""
    proven = proof_at(child)
    if proven is None:
        return None
    if proven.reward == DRAWN:
        return 0
    distance = 1 + (proven.plies or 0)
    won = (proven.reward == 1.0) == (child.state.player is player)
    return WIN - distance if won else distance - WIN
