"""Searches whose moves are proposed, written naively from the papers.

A. Couëtoux, J.-B. Hoock, N. Sokolovska, O. Teytaud and N. Bonnard, "Continuous upper confidence
trees", 2011: progressive and double progressive widening; D. Auger, A. Couëtoux and O. Teytaud,
"Continuous upper confidence trees with polynomial exploration - consistency", 2013.
"""

from __future__ import annotations

import math
from typing import Any


class Place:
    """A node: a state, how it was reached, its generator, and the rewards of all players."""

    def __init__(self, state: Any, rng: Any, propose: Any, move: Any = None) -> None:
        self.state, self.rng, self.move = state, rng, move
        self.visits, self.sums = 0, [0.0] * len(state.players)
        self.moves: list[Any] = []
        self.children: dict[int, Place] = {}
        if not state.over:
            self.propose(propose, 0)

    def propose(self, propose: Any, index: int) -> int:
        """Make proposal number `index`; its place among the moves, where equal ones are one."""
        move, _ = propose(self.state, self.rng.child(2 * index))
        if move not in self.moves:
            self.moves.append(move)
        return self.moves.index(move)


def by_power(c: float, alpha: float) -> Any:
    """The rule of 2011: at visit t a node may have c * t**alpha moves, the next integer above."""

    def number(visits: int, made: int) -> bool:
        return made < math.ceil(c * (visits + 1) ** alpha)

    return number


def by_steps(alpha: float) -> Any:
    """The rule of 2013: another move whenever the integer part of n**alpha grows."""

    def number(visits: int, _made: int) -> bool:
        return math.floor(visits**alpha) > math.floor((visits - 1) ** alpha)

    return number


def chosen(node: Place, c: float) -> int:
    """Return the place of the move with the highest score for the player who moves."""
    mine = node.state.players.index(node.state.player)

    def score(place: int) -> float:
        child = node.children[place]
        bonus = c * math.sqrt(math.log(1 + node.visits) / child.visits)
        return child.sums[mine] / child.visits + bonus

    return max(sorted(node.children), key=score)


def factor(state: Any, discount: float) -> float:
    """Return the factor of what follows a state: time passes with moves alone."""
    return 1.0 if state.chances or state.over else discount


def worth(state: Any, following: list[float], discount: float) -> list[float]:
    """Return what a state is worth to who comes there: what it gives, and later what follows."""
    if not hasattr(state, 'gained'):
        return following
    by = factor(state, discount)
    return [now + by * more for now, more in zip(state.gained, following, strict=True)]


def summed(states: list[Any], discount: float) -> list[float]:
    """Return what follows the first of the states of a playout, added up on the way."""
    if not hasattr(states[0], 'gained'):
        return list(states[-1].rewards)
    total, weight = [0.0] * len(states[0].players), 1.0
    for state in states[1:]:
        total = [one + weight * more for one, more in zip(total, state.gained, strict=True)]
        weight *= factor(state, discount)
    return [one + weight * more for one, more in zip(total, states[-1].rewards, strict=True)]


def playout(node: Place, propose: Any, rng: Any) -> tuple[list[Any], Any]:
    """Return the states of a playout; moves are proposed where none are listed."""
    end, stream, states = node.state, node.rng, [node.state]
    while not end.over:
        if callable(end.chances):
            move, stream = end.chances(stream)
        elif end.chances:
            drawn, rng = rng.uniform(0, sum(weight for _, weight in end.chances) - 1)
            move = [it for it, weight in end.chances for _ in range(weight)][drawn]
        elif end.moves:
            drawn, rng = rng.uniform(0, len(end.moves) - 1)
            move = end.moves[drawn]
        else:
            move, stream = propose(end, stream)
        end = end.play(move)
        states.append(end)
    return states, rng


def credit(path: list[Place], following: list[float], discount: float) -> None:
    """Add a visit to each node of a path, and what it is worth to come there."""
    for place in reversed(path):
        if place is not path[0]:
            following = worth(place.state, following, discount)
        place.visits += 1
        place.sums = [old + new for old, new in zip(place.sums, following, strict=True)]


def search(  # noqa: PLR0913 - what the papers leave open
    state: Any,
    rng: Any,
    iterations: int,
    c: float,
    propose: Any,
    rules: Any,
    discount: float = 1.0,
    *,
    least: bool = False,
) -> tuple[Place, Any]:
    """Return the root after so many iterations, and the generator to use next.

    `rules` are two functions, for nodes where a player moves and where chance does: whether a node
    with these visits, for which so many proposals were made, gets another. `least`: else chance
    goes to the outcome with the least visits (2013), and not to one drawn by visits (2011).
    """
    own, rng = rng.split()
    root = Place(state, own, propose)
    made: dict[int, int] = {}
    for _ in range(iterations):
        node, path = root, [root]
        while not node.state.over:
            rule = rules[bool(node.state.chances)]
            count = made.setdefault(id(node), 1)
            if node.visits and rule(node.visits, count):
                place = node.propose(propose, count)
                made[id(node)] += 1
            elif len(node.children) < len(node.moves):
                place = next(it for it in range(len(node.moves)) if it not in node.children)
                if node.state.chances:
                    _, rng = rng.uniform(0, 0)
            elif node.state.chances and least:
                place = min(sorted(node.children), key=lambda at: node.children[at].visits)
                _, rng = rng.uniform(0, 0)
            elif node.state.chances:  # in proportion to the visits
                urn = [at for at in sorted(node.children) for _ in range(node.children[at].visits)]
                drawn, rng = rng.uniform(0, len(urn) - 1)
                place = urn[drawn]
            else:
                place = chosen(node, c)
            new = place not in node.children
            if new:
                move = node.moves[place]
                below = node.rng.child(2 * place + 1)
                node.children[place] = Place(node.state.play(move), below, propose, move)
            node = node.children[place]
            path.append(node)
            if new:
                break
        states, rng = playout(node, propose, rng)
        credit(path, summed(states, discount), discount)
    return root, rng


def rows(node: Place, seat: int) -> list[tuple[Any, ...]]:
    """Return the move, all moves, the visits and the mover's reward of each node, in preorder."""
    found = [(node.move, tuple(node.moves), node.visits, node.sums[seat])]
    for place in sorted(node.children):
        found += rows(node.children[place], node.state.players.index(node.state.player))
    return found
