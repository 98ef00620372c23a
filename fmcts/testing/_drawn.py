"""Small games drawn as data: positions by number, and the positions that each move leads to.

They have features that a user's games often lack: sides that move twice in a row, both winners,
draws, ends after different numbers of plies, and positions reached in several ways. They satisfy
all laws of games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from attrs import evolve, field, frozen

from fmcts._declared import drawn_by
from fmcts.game import Player, illegal, is_legal


@frozen(cache_hash=True)
class Graph:
    """The rules of a game of `len(after)` positions.

    :param after: for each position, the higher numbers that its moves lead to; empty at an end.
    :param players: the side to move in each.
    :param winners: the winner at each end, `None` for a draw; not used for other positions.
    """

    after: tuple[tuple[int, ...], ...]
    players: tuple[Player, ...]
    winners: tuple[Player | None, ...]


@drawn_by('games')
@frozen
class Drawn:
    """Position number `at` of a drawn game. Its moves are 0, 1, 2, ...

    >>> game = Drawn(Graph(((1, 2), (2,), ()), (Player.X, Player.X, Player.O), (None,) * 3))
    >>> game.moves, game.play(0).player, game.play(0).play(0) == game.play(1)
    ((0, 1), <Player.X: 'X'>, True)
    """

    graph: Graph
    at: int = 0
    moves: tuple[int, ...] = field(init=False, eq=False, repr=False)

    @moves.default
    def _moves(self) -> tuple[int, ...]:
        return tuple(range(len(self.graph.after[self.at])))

    @property
    def player(self) -> Player:
        """The side to move."""
        return self.graph.players[self.at]

    @property
    def over(self) -> bool:
        """True if the position has no moves."""
        return not self.moves

    @property
    def winner(self) -> Player | None:
        """The winner at this end."""
        return self.graph.winners[self.at] if self.over else None

    def play(self, move: int, /) -> Self:
        """Return the position that a move leads to.

        :raises IllegalMoveError: `move` is not one of `moves`.
        """
        if not is_legal(move, self.moves):
            raise illegal(self, move)
        return evolve(self, at=self.graph.after[self.at][move])


def game_by(draw: Callable[[int], int], most: int) -> Drawn:
    """Return a game of at most `most` positions; `draw(count)` gives a number below `count`."""
    size = 2 + draw(most - 1)
    ends = 1 + draw(size - 1)

    def among(options: Any) -> Any:
        return options[draw(len(options))]

    after = tuple(
        # Moves lead to later positions only, so every game ends.
        tuple(at + 1 + draw(size - at - 1) for _ in range(1 + draw(4))) if at < size - ends else ()
        for at in range(size)
    )
    players = tuple(among([*Player]) for _ in range(size))
    return Drawn(Graph(after, players, tuple(among([*Player, None]) for _ in range(size))))
