"""Minimax written as plainly as can be."""

import math
from functools import cache, lru_cache

from fmcts import Player

LONG = math.inf


def rank(line, distance):
    """The better for whoever has the line `(value, plies)`, the greater: what was seen to its end
    counts for more than what was only thought to be worth as much.
    """
    value, plies = line
    if plies is None:
        return value, 0, 0
    return value, 1 if value else -1, (-plies if value else plies) if distance else 0


def turned(line, again):
    """A line one ply earlier, for who moved there; `again`: the same side moves after."""
    value, plies = line
    return value if again else 1 - value, None if plies is None else plies + 1


def minimax(state, depth=LONG, evaluate=lambda _state: 0.5, *, distance=True):
    """`(value, plies, move)` for the side to move; of a finished game without a move."""
    return searcher(evaluate, distance)(state, depth)


@lru_cache(maxsize=4)
def searcher(evaluate, distance):
    """The function that searches; it remembers the positions of earlier calls."""

    @cache
    def best(state, depth):
        if state.over:
            won = state.winner
            return (0.5, None) if won is None else (float(won is state.player), 0)
        if depth == 0:
            worth = evaluate(state)
            return (worth if state.player is Player.X else 1 - worth), None
        return max(map(rows(state, depth), state.moves), key=lambda line: rank(line, distance))

    def rows(state, depth):
        def row(move):
            child = state.play(move)
            return turned(best(child, depth - 1), child.player is state.player)

        return row

    def search(state, depth):
        value, plies = best(state, depth)
        if state.over:
            return value, plies, None
        row = rows(state, depth)
        move = max(state.moves, key=lambda move: rank(row(move), distance))
        return value, plies if distance else None, move

    return search


def min_ab(state, alpha, beta):
    """The worth to X of a position in which O moves, as in the C text: -1, 0 or 1."""
    if state.over:
        return 0 if state.winner is None else 1 if state.winner is Player.X else -1
    for move in state.moves:
        beta = min(beta, max_ab(state.play(move), alpha, beta))
        if beta <= alpha:
            break
    return beta


def max_ab(state, alpha, beta):
    """The same where X moves."""
    if state.over:
        return 0 if state.winner is None else 1 if state.winner is Player.X else -1
    for move in state.moves:
        alpha = max(alpha, min_ab(state.play(move), alpha, beta))
        if beta <= alpha:
            break
    return alpha


def text_player(state):
    """The first of the moves that those two give the best worth."""
    if state.player is Player.X:
        return max(state.moves, key=lambda move: min_ab(state.play(move), -1, 1))
    return min(state.moves, key=lambda move: max_ab(state.play(move), -1, 1))
