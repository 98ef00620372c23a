"""Follow lines of moves on the board, for openings, records and their texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeAlias

from attrs import frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.game import GameState, M, Player, S, equal, illegal, options_of
from fmcts.games import GameModule

Reading: TypeAlias = Callable[[GameState[Any], Any], Result[Any, str]]
"""A function from a state and a value to the legal move that is meant, or a reason."""


@frozen
class Followed(Generic[S, M]):
    """Moves, and every state from the first to the one after the last: one more than moves."""

    states: tuple[S, ...]
    moves: tuple[M, ...]


def follow(
    start: S, given: Iterable[Any], read: Reading | None = None
) -> Result[Followed[S, Any], str]:
    """Return the line of these moves from `start`, or the first ply, from 1, that is not legal.

    :param read: finds the move that a value means; by default, the values are moves.
    """
    read = _legal if read is None else read
    states, moves = [start], []
    for ply, move in enumerate(given, 1):
        found = read(states[-1], move)
        if not is_successful(found):
            return Failure(f'ply {ply}: {found.failure()}')
        moves.append(found.unwrap())
        states.append(states[-1].play(moves[-1]))
    return Success(Followed(tuple(states), tuple(moves)))


def ended(line: Followed[S, M], winner: Player | None) -> Result[Followed[S, M], str]:
    """Return the line of a whole game with that winner, or how it violates the rules."""
    ply, last = len(line.moves), line.states[-1]
    if not last.over:
        return Failure(f'after ply {ply}: the game is not over')
    there = getattr(last, 'winner', None)
    if there is not winner and (winner is None or winner != there):
        one, two = ('nobody' if it is None else getattr(it, 'name', it) for it in (winner, there))
        return Failure(f'after ply {ply}: winner {one} recorded, {two} by the rules')
    return Success(line)


def _legal(state: GameState[Any], move: object) -> Result[Any, str]:
    for legal in options_of(state):
        if equal(move, legal):
            return Success(legal)
    return Failure(str(illegal(state, move)))


def in_text(game: GameModule) -> Reading:
    """Return a function that finds moves by the game's text."""

    def read(state: GameState[Any], text: object) -> Result[Any, str]:
        match [move for move in options_of(state) if game.format_move(move) == text]:
            case [move]:
                return Success(move)
        accepted = ', '.join(map(game.format_move, options_of(state))) or 'none'
        return Failure(f'{shown(text)} is not one of {accepted}')

    return read
