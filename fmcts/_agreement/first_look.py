"""A first look at a game before a search: nothing is drawn inside `play`, and players are players.

A search requires `play` to be a function. If it drew dice, the statistics of a node would mix
several positions, and a proof would be wrong. So moves are played twice: one at the root of each
search, and more along a line of some plies for the first search of a class. States with rules on
integers, which are compared with the states, are checked once per class.
"""

from __future__ import annotations

from typing import Any, Final

from fmcts._agreement.findings import Findings
from fmcts._arguments import shown
from fmcts.errors import GameError
from fmcts.game import (
    GameState,
    chances_of,
    checked_chances,
    checked_moves,
    checked_player,
    checked_players,
    equal,
    is_plain,
    rewards_of,
)
from fmcts.rules import rules_of

PLIES: Final = 12
"""The length of the line. A die rolled at every move stays undetected in one game of 6**12."""


def check_play(state: GameState[Any]) -> None:
    """Raise `GameError` if a move that is played twice leads to two different states.

    It takes some milliseconds for the first state of a class, and then two moves.

    :raises GameError: so it is; or a player is not a `Player`, or the moves are not as promised.
    """
    if not is_plain(state):
        _check_general(state)
        return
    checked_player(state)
    moves = checked_moves(state)
    complaint = _complaints.of(state)
    if complaint is None and moves and rules_of(state) is None:
        _, complaint = _played_twice(state, moves[-1])
    if complaint is not None:
        raise GameError(complaint)


def _check_general(state: GameState[Any]) -> None:
    """Look at a game with chance, rewards or other players, along the line of first moves.

    :raises GameError: it breaks a promise of `GameState` or `ChanceState`.
    """
    players = checked_players(state)
    for _ in range(PLIES):
        chances = checked_chances(state)
        moves = tuple(outcome for outcome, _ in chances) or checked_moves(state)
        if not moves:
            rewards_of(state)
            return
        for move in (moves[-1], moves[0]) if len(moves) > 1 else moves:
            after, complaint = _played_twice(state, move)
            if complaint is not None:
                raise GameError(complaint)
            if checked_players(after) != players:
                raise GameError(
                    f'the game {type(state).__name__} has the players {shown(players)} and, after '
                    f'{shown(move)}, {shown(after.players)}: all states have the same'
                )
        state = after


def _complaint(state: GameState[Any]) -> str | None:
    """Return what is wrong along the line of first moves and of last moves, or `None`."""
    for _ in range(PLIES):
        moves = checked_moves(state)
        if not moves:
            return None
        for move in (moves[-1], moves[0]) if len(moves) > 1 else moves:
            after, complaint = _played_twice(state, move)
            if complaint is not None:
                return complaint
        state = after
    return None


_complaints: Final = Findings(_complaint, by=lambda _state: True)


def _played_twice(state: GameState[Any], move: Any) -> tuple[Any, str | None]:
    """Return the state after a move, and a complaint if it is another when it is played again."""
    one, two = state.play(move), state.play(move)
    if is_plain(one):
        checked_player(one)
    if one is two or _are_alike(one, two):
        return one, None
    return one, (
        f'the game {type(state).__name__} has chance: the move {shown(move)}, played twice, gives '
        'two different states; expected a game whose play draws nothing, and whose states are '
        'equal after the same moves'
    )


def _are_alike(one: Any, two: Any) -> bool:
    """Return whether two states say the same, and are equal if their class can compare them."""
    if (
        not equal(one.player, two.player)
        or one.over != two.over
        or not equal(getattr(one, 'winner', None), getattr(two, 'winner', None))
        or not equal(chances_of(one), chances_of(two))
        or not (one.moves is two.moves or equal(one.moves, two.moves))
    ):
        return False
    kind: Any = type(one)
    if kind.__eq__ is object.__eq__:
        return True
    try:
        return bool(one == two)
    except Exception:  # noqa: BLE001 - states need not be comparable in every search
        return True
