"""Games given as trees, with the result of each playout: the script of a search.

Whatever an implementation draws in a playout, here its result is known, so two implementations can
differ in selection, expansion and backup only. A position is evaluated once in a tree search, when
it joins the tree, so a result for each position is a result for each playout.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

from attrs import frozen

from fmcts.game import Player, illegal
from fmcts.rng import Rng

MOST_MOVES: Final = 4
RESULTS: Final = (0.0, 0.5, 1.0)


@frozen(slots=False)
class Tree:
    """A position of a game given as a tree, which is a state of that game.

    :param player: the side to move.
    :param result: the result of a playout from here, or of the finished game: 1 if X wins, 1/2 for
        a draw, 0 if O wins.
    :param moves_to: the moves, each with the position after it; none in a finished game.
    """

    player: Player
    result: float
    moves_to: tuple[tuple[str, Tree], ...] = ()

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The names of the moves, in order."""
        return tuple(move for move, _ in self.moves_to)

    @property
    def over(self) -> bool:
        """True if there are no moves."""
        return not self.moves_to

    @property
    def winner(self) -> Player | None:
        """The winner by the result of a finished game."""
        return {1.0: Player.X, 0.0: Player.O}.get(self.result) if self.over else None

    @property
    def size(self) -> int:
        """The number of positions from here on, this one included."""
        return 1 + sum(after.size for _, after in self.moves_to)

    def play(self, move: Any, /) -> Tree:
        """Return the position after a move.

        :raises IllegalMoveError: it is not one of `moves`.
        """
        for name, after in self.moves_to:
            if name == move:
                return after
        raise illegal(self, move)

    def at(self, path: tuple[str, ...]) -> Tree:
        """Return the position after these moves."""
        return self if not path else self.play(path[0]).at(path[1:])

    def to_json(self) -> dict[str, Any]:
        """Return the tree as values for JSON."""
        moves = {move: after.to_json() for move, after in self.moves_to}
        return {'player': str(self.player), 'result': self.result, 'moves': moves}


def tree_of(given: Any) -> Tree:
    """Return the tree of values that `Tree.to_json` gives.

    >>> end = {'player': 'O', 'result': 1, 'moves': {}}
    >>> tree_of({'player': 'X', 'result': 0.5, 'moves': {'a': end}}).play('a').winner
    <Player.X: 'X'>
    """
    moves = tuple((move, tree_of(after)) for move, after in given['moves'].items())
    return Tree(Player(given['player']), float(given['result']), moves)


def drawn(rng: Rng, size: int) -> tuple[Tree, Rng]:
    """Draw a tree of `size` positions, of up to four moves each; return it and the next generator.

    Mostly the sides take turns; one position in four has the side to move of the one before.
    """
    players, results, below = [Player.X], [0.5], [list[int]()]
    while len(players) < size:
        open_nodes = [number for number, its in enumerate(below) if len(its) < MOST_MOVES]
        place, rng = rng.uniform(0, len(open_nodes) - 1)
        result, rng = rng.uniform(0, 2)
        stays, rng = rng.uniform(0, 3)
        above = open_nodes[place]
        below[above].append(len(players))
        # Now and then the same player moves again, which tells signs by player from signs by depth.
        players.append(players[above] if stays == 0 else players[above].other)
        results.append(RESULTS[result])
        below.append([])

    def tree(number: int) -> Tree:
        moves = tuple((name, tree(it)) for name, it in zip('abcd', below[number], strict=False))
        return Tree(players[number], results[number], moves)

    return tree(0), rng


def trees(rng: Rng, count: int, *, least: int = 2, each: int = 20) -> Iterator[Tree]:
    """Yield `count` drawn trees, the smallest first: `each` of every size from `least` on."""
    for number in range(count):
        tree, _ = drawn(rng.child(number), least + number // each)
        yield tree
