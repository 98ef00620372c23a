"""Rewards on the way: the return of a node, from what follows it up to what its parent sees.

A node's return is `gained + discount * what follows`, for each player. What follows the end of a
game is its rewards, which the last move brings, and what follows chance is its outcome: neither is
discounted, so that time passes with the moves of players alone. A horizon counts these as well:
nothing follows a state that so many moves of players lead to from the root, but an outcome that is
still to be drawn.

In a playout the same numbers are added up on the way down, with one product of discounts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from attrs import define, field, frozen

from fmcts._promises import gained_of
from fmcts.game import Player, chances_of, gains, has_rewards, players_of
from fmcts.search import Search

Worth: TypeAlias = tuple[float, ...]


@frozen
class Returns:
    """The way a search counts rewards before the end, in a game for `count` players.

    `gives`: whether the states of the game have `gained`. `most`: the horizon, perhaps infinite.
    """

    count: int
    gives: bool
    discount: float
    most: float

    def gained(self, state: Any) -> Worth:
        """Return what each player got when this state was reached."""
        return gained_of(state, self.count) if self.gives else self.nothing

    @property
    def nothing(self) -> Worth:
        """Return a zero for each player."""
        return (0.0,) * self.count

    def factor(self, state: Any) -> float:
        """Return the factor of what follows a state."""
        return 1.0 if chances_of(state) or state.over else self.discount

    def of(self, state: Any, following: Worth) -> Worth:
        """Return the return of a state, from the return of the state after it."""
        factor = self.factor(state)
        return tuple(
            [one + factor * more for one, more in zip(self.gained(state), following, strict=True)]
        )

    def stops(self, path: Any, node: Any) -> bool:
        """Return whether nothing follows a node, which the path leads to."""
        return moves_of(path) >= self.most and not chances_of(node.state)

    def way(self, path: Any) -> Way:
        """Return what a playout adds up, from the node that the path leads to."""
        return Way(self, self.most - moves_of(path), [0.0] * self.count)


def moves_of(path: Any) -> int:
    """Return how many moves of players a path has."""
    return sum(not chances_of(node.state) for node, _, _ in path)


@define
class Way:
    """Gains of a playout so far; `left` moves may follow."""

    returns: Returns
    left: float
    total: list[float]
    weight: float = field(default=1.0)

    def reach(self, state: Any) -> None:
        """Add what was gained by reaching a state."""
        self.add(self.returns.gained(state))
        self.weight *= self.returns.factor(state)

    def add(self, worth: Worth) -> Worth:
        """Add what is worth something now, and return the whole."""
        self.total = [one + self.weight * more for one, more in zip(self.total, worth, strict=True)]
        return tuple(self.total)


def returns_of(search: Search, root: Any) -> Returns | None:
    """Return how a search of this game counts rewards on the way; `None` if there are none."""
    most = math.inf if search.horizon is None else search.horizon
    if not gains(root) and search.discount == 1.0 and most == math.inf:
        return None
    return Returns(len(players_of(root)), gains(root), search.discount, most)


Gain: TypeAlias = Callable[[Any, Any], float]
"""`gain(worth, player)`: what an iteration gives one player."""


def seats_of(root: Any) -> dict[Any, int] | None:
    """Return the place of each player in rewards; `None` if a reward is one number, for X."""
    if not has_rewards(root):
        return None
    return {player: number for number, player in enumerate(players_of(root))}


def own_players(root: Any) -> tuple[Any, ...]:
    """Return the players of a game, if they are others than X and O; else nothing."""
    players = players_of(root)
    return () if players == tuple(Player) else players


def rewards_by_player(root: Any) -> Callable[[Any], dict[Any, float]]:
    """Return a function from what an iteration gave to the reward of each player."""
    players = players_of(root)
    if has_rewards(root):
        return lambda worth: dict(zip(players, worth, strict=True))
    return lambda worth: {Player.X: worth, Player.O: 1.0 - worth}


def gain_of(root: Any) -> Gain:
    """Return what an iteration gives a player: his own number, or X's, or for O the rest of 1."""
    seats = seats_of(root)
    if seats is not None:
        return lambda worth, player: worth[seats[player]]
    return lambda worth, player: worth if player is Player.X else 1.0 - worth
