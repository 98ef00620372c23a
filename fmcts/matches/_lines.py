"""Follow lines of moves on the board, for openings, records and their texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeAlias

from attrs import evolve, frozen

from fmcts._arguments import shown, within
from fmcts.game import GameState, M, Player, S, equal, illegal, options_of
from fmcts.games import GameModule

Reading: TypeAlias = Callable[[GameState[Any], Any], Any]
"""A function from a state and a value to the legal move that is meant; it raises ValueError."""


@frozen
class Replay(Generic[S, M]):
    """A game as it was played.

    :param states: every state, from the start to the end.
    :param moves: the moves between them, one fewer.
    :param opening: how many of the moves belong to the opening.
    :param winner: `None` for a draw.
    """

    states: tuple[S, ...]
    moves: tuple[M, ...]
    opening: int = 0
    winner: Player | None = None

    def ended(self, opening: int, winner: Player | None) -> Replay[S, M]:
        """Return the line as a whole game with that winner.

        :raises ValueError: by the rules it is none.
        """
        ply, last = len(self.moves), self.states[-1]
        if not last.over:
            raise ValueError(f'after ply {ply}: the game is not over')
        there = getattr(last, 'winner', None)
        if there is not winner and (winner is None or winner != there):
            one, two = (
                'nobody' if it is None else getattr(it, 'name', it) for it in (winner, there)
            )
            raise ValueError(f'after ply {ply}: winner {one} recorded, {two} by the rules')
        return evolve(self, opening=opening, winner=winner)


def follow(start: S, given: Iterable[Any], read: Reading | None = None) -> Replay[S, Any]:
    """Return the line of these moves from `start`.

    :param read: finds the move that a value means; by default, the values are moves.
    :raises ValueError: a move is not legal; the message names its ply, from 1.
    """
    states, moves = [start], []
    for ply, move in enumerate(given, 1):
        with within(f'ply {ply}'):
            moves.append((read or _legal)(states[-1], move))
        states.append(states[-1].play(moves[-1]))
    return Replay(tuple(states), tuple(moves))


def _legal(state: GameState[Any], move: object) -> Any:
    for legal in options_of(state):
        if equal(move, legal):
            return legal
    raise ValueError(str(illegal(state, move)))


def in_text(game: GameModule) -> Reading:
    """Return a function that finds moves by the game's text."""

    def read(state: GameState[Any], text: object) -> Any:
        match [move for move in options_of(state) if game.format_move(move) == text]:
            case [move]:
                return move
        accepted = ', '.join(map(game.format_move, options_of(state))) or 'none'
        raise ValueError(f'{shown(text)} is not one of {accepted}')

    return read
