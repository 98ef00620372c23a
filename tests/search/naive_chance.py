"""A search of games with chance, rewards and any number of players, written naively.

What follows a state is added up from the end back; the library's playouts add it up on the way.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

from attrs import frozen

from fmcts._arithmetic import logarithm_of
from fmcts.game import Player


class Naive:
    """A node: a state, how it was reached, and the rewards of all players, summed."""

    def __init__(self, state: Any, move: Any = None) -> None:
        self.state, self.move = state, move
        self.visits, self.sums, self.children = 0, None, {}
        self.scale = []  # at the root: all means seen


def players_in(state: Any) -> tuple[Any, ...]:
    """Return the players of a game."""
    return getattr(state, 'players', (Player.X, Player.O))


def rewards_at(state: Any) -> tuple[float, ...]:
    """Return what each player gets at the end of a game."""
    players = players_in(state)
    if hasattr(state, 'rewards'):
        return state.rewards
    if hasattr(state, 'gained'):
        return (0.0,) * len(players)
    if state.winner is None:
        return (0.0,) if len(players) == 1 else (1 / len(players),) * len(players)
    return tuple(float(player == state.winner) for player in players)


def outcome(state: Any, rng: Any) -> tuple[Any, Any]:
    """Draw an outcome by weight: one number below the sum of the weights."""
    urn = [result for result, weight in state.chances for _ in range(weight)]
    index, rng = rng.uniform(0, len(urn) - 1)
    return urn[index], rng


def returned(state: Any, following: tuple[float, ...], discount: float) -> tuple[float, ...]:
    """Return the return of a state for each player, from that of what follows it."""
    players = players_in(state)
    given = getattr(state, 'gained', (0.0,) * len(players))
    gained = given if isinstance(given, tuple) else (given,)
    factor = discount if state.moves else 1.0
    return tuple(now + factor * later for now, later in zip(gained, following, strict=True))


def playout(
    state: Any, rng: Any, discount: float = 1.0, left: float = math.inf
) -> tuple[tuple[float, ...], Any]:
    """Play at random to the end, or for so many moves; what follows, and the generator after it."""
    if state.over:
        return rewards_at(state), rng
    if getattr(state, 'chances', ()):
        move, rng = outcome(state, rng)
    else:
        if left == 0:
            return (0.0,) * len(players_in(state)), rng
        index, rng = rng.uniform(0, len(state.moves) - 1)
        move, left = state.moves[index], left - 1
    after = state.play(move)
    following, rng = playout(after, rng, discount, left)
    return returned(after, following, discount), rng


def search(  # noqa: C901, PLR0912, PLR0913 - in one piece
    state: Any,
    rng: Any,
    iterations: int,
    c: float,
    discount: float = 1.0,
    horizon: float = math.inf,
    *,
    normalised: bool = False,
    judge: Any = None,
) -> tuple[Naive, Any]:
    """Return the root after so many iterations of UCT, and the generator to use next.

    `judge`: what follows a state, in place of a playout, unless nothing does after the horizon.
    `normalised`: values are mapped to [0, 1] as MuZero does, by the least and the highest mean that
    any move of the tree has had so far; 1/2 while these are the same.
    """
    root, count = Naive(state), len(players_in(state))
    root.sums = [0.0] * count
    for _ in range(iterations):
        node, path, left = root, [root], horizon
        while not node.state.over:
            here = node.state
            if not getattr(here, 'chances', ()):
                if left == 0:
                    break
                left -= 1
            if getattr(here, 'chances', ()):
                move, rng = outcome(here, rng)
            else:
                untried = [move for move in here.moves if move not in node.children]
                scale = root.scale if normalised else None
                move = untried[0] if untried else best(node, c, scale)
            new = move not in node.children
            if new:
                node.children[move] = Naive(here.play(move), move)
                node.children[move].sums = [0.0] * count
            node = node.children[move]
            path.append(node)
            if new:
                break
        if judge is not None and left > 0 and not node.state.over:
            found = judge(node.state)
        else:
            found, rng = playout(node.state, rng, discount, left)
        for passed in reversed(path):
            if passed is not root:
                found = returned(passed.state, found, discount)
            passed.visits += 1
            passed.sums = [old + new for old, new in zip(passed.sums, found, strict=True)]
        for above, passed in itertools.pairwise(path):
            mine = players_in(above.state).index(above.state.player)
            root.scale.append(passed.sums[mine] / passed.visits)
    return root, rng


def best(node: Naive, c: float, scale: list[float] | None) -> Any:
    """Return the first move with the highest score for the player who moves."""
    mine = players_in(node.state).index(node.state.player)

    def score(move: Any) -> float:
        child = node.children[move]
        value = child.sums[mine] / child.visits
        if scale is not None:
            least, most = min(scale), max(scale)
            value = (value - least) / (most - least) if most > least else 0.5
        return value + c * math.sqrt(logarithm_of(1 + node.visits) / child.visits)

    return max(node.state.moves, key=score)


def rows(node: Naive, mover: Any) -> list[tuple[Any, ...]]:
    """Return move, visits and the mover's reward of every node, in preorder."""
    place = players_in(node.state).index(mover)
    chances = getattr(node.state, 'chances', ())
    order = [result for result, _ in chances] or node.state.moves
    found = [(node.move, node.visits, node.sums[place])]
    for move in order:
        if move in node.children:
            found += rows(node.children[move], node.state.player)
    return found


def rows_of(node: Any) -> list[tuple[Any, ...]]:
    """Return move, visits and reward of every node of a tree of the library, in preorder."""
    found = [(node.move, node.visits, node.reward)]
    for child in node.children:
        found += rows_of(child)
    return found


@frozen
class Rewarded:
    """A game between X and O, told by the rewards of its ends in place of a winner."""

    inner: Any
    player = property(lambda self: self.inner.player)
    moves = property(lambda self: self.inner.moves)
    over = property(lambda self: self.inner.over)

    @property
    def rewards(self) -> tuple[float, ...]:
        """What X and O get at the end."""
        if not self.over:
            return ()
        winner = self.inner.winner
        return (
            (0.5, 0.5)
            if winner is None
            else (1.0 * (winner is Player.X), 1.0 * (winner is Player.O))
        )

    def play(self, move: Any) -> Rewarded:
        """Return the state after a move."""
        return Rewarded(self.inner.play(move))
