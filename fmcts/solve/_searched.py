"""Proofs from a tree that was searched with a solver."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, Final

from fmcts.game import Player
from fmcts.search._analysis import Analysis
from fmcts.search._tree import Node, root_of, walk
from fmcts.search.resolution.bounds import AT_LEAST
from fmcts.search.resolution.solver import DRAWN, proof_at, proof_number
from fmcts.solve._proof import Proof, gather
from fmcts.solve._scores import WIN, Score, plies_of, value_of

STEP: Final = 1


def searched_proofs(tree: Node | Analysis[Any]) -> tuple[Proof[Any], ...]:
    """Return what a search with a solver has proven of the root, for `check_proof` to verify.

    `tree` is an analysis or the root of its tree, searched with `solver=True`. A win is one proof,
    by its player; a draw is two, one for each player. There may be a shorter win than the search
    has found.

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
    """Return the best known move of each position, with the score that it is sure to get.

    A position that occurs in several places may be resolved in one of them only, or by a shorter
    win in one.
    """
    found: dict[Any, tuple[Score, Any]] = {}
    for node in walk(root):
        state = node.state
        if state.over:
            continue
        rated = [(_least_of(proof_number(child)), child.move) for child in node.children]
        sure = [(score, move) for score, move in rated if score is not None]
        if not sure:
            continue
        score, move = max(sure, key=itemgetter(0))
        if state not in found or score > found[state][0]:
            found[state] = score, move
    return found


def _least_of(number: float) -> Score | None:
    """Return the score that a move gets at least, by the number of the node it leads to."""
    if abs(number) >= 1.0:
        return WIN - int(number) if number > 0 else int(-number) - WIN
    return 0 if number in (DRAWN, AT_LEAST) else None
