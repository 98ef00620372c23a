"""The solver: wins, losses and draws that are proven by the ends of games.

M. H. M. Winands, Y. Björnsson and J.-T. Saito, "Monte-Carlo tree search solver", Computers and
Games 2008. There only wins and losses are proven; here a draw is proven when every move leads to a
proven draw or loss, and one to a draw. An untried move proves nothing.

The column `proof` has, for the player who moved to the node:

- 0: not proven;
- n, from 1 on: a win, n plies after the position it was played in (1: this move ends the game);
- -n: a loss, n plies after it;
- 1/2: a draw.

The winner needs at most this many plies, and perhaps fewer: a shorter win may exist among untried
moves. If all moves lose, the number is that of the longest line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar, Final, NamedTuple

from attrs import frozen

from fmcts.formulas import maximum, minimum, where
from fmcts.search.derived import Place
from fmcts.search.resolution.resolution import Resolution

DRAWN: Final = 0.5
AT_MOST: Final = 0.25
AT_LEAST: Final = 0.75

ZERO: Final = 5e-324
"""An exact value of 0: in the column, 0 says that nothing is known."""


class Proven(NamedTuple):
    """A proof about a move or a position, for the side to move.

    `reward`: 1 a win, 1/2 a draw, 0 a loss. `plies`: how many the winner needs at most, the move
    itself included; `None` for a draw.
    """

    reward: float
    plies: int | None

    @property
    def outcome(self) -> str:
        """`win`, `draw` or `loss`."""
        return 'win' if self.reward > DRAWN else 'loss' if self.reward < DRAWN else 'draw'

    def __str__(self) -> str:
        """Return the proof in words, such as `win in 3`."""
        return self.outcome if self.plies is None else f'{self.outcome} in {self.plies}'


def proof_of(number: float) -> Proven | None:
    """Return the proof that a number of the column means; `None` if nothing is proven.

    >>> proof_of(3.0), proof_of(-2.0), proof_of(0.5), proof_of(0.0)
    (Proven(reward=1.0, plies=3), Proven(reward=0.0, plies=2), Proven(reward=0.5, plies=None), None)
    """
    if number in (0.0, AT_MOST, AT_LEAST):
        return None
    if number == DRAWN:
        return Proven(DRAWN, None)
    return Proven(1.0 if number > 0 else 0.0, int(abs(number)))


def proof_number(node: Any) -> float:
    """Return the number of a node; 0 in a tree without the column."""
    return _number(node, 'proof', 'bounds')


def _number(node: Any, *names: str) -> float:
    """Return the number of the first of these columns that the tree has, else 0."""
    columns = node.columns
    kept = columns.names.own
    for name in names if kept else ():
        if name in kept:
            return columns.of(name)  # type: ignore[no-any-return]
    return 0.0


class Worth(Proven):
    """The best reward for a single player: `reward` is any number."""

    @property
    def outcome(self) -> str:
        """The number in words, such as `worth -11`."""
        return f'worth {self.reward:g}'


def worth_of(node: Any) -> Worth | None:
    """Return the exact value of a node, if it has one (see `Exact`)."""
    number = _number(node, 'exact')
    return Worth(0.0 if number == ZERO else number, None) if number else None


def proof_of_move(node: Any) -> Proven | None:
    """Return the proof about the move that leads to a node, for the side that played it."""
    return worth_of(node) or proof_of(proof_number(node))


def proof_at(node: Any) -> Proven | None:
    """Return the proof about a node's position, for the side to move there."""
    worth, number = worth_of(node), proof_number(node)
    if worth:
        return worth
    if abs(number) < 1.0:
        return proof_of(number)
    # The number is for who moved here, which is the other side unless the turn was kept.
    won = (number > 0) == (node.mover is node.state.player)
    return Proven(1.0 if won else 0.0, int(abs(number)) - 1)  # without the move that led to it


@frozen
class Solver(Resolution):
    """The column `proof`; see the module."""

    names = ('proof',)
    first: ClassVar[tuple[float, ...]] = (math.inf, 0.0, 0.0)  # shortest win, longest loss, draws

    def end(self, reward: float) -> tuple[float]:
        """Return the number of a finished node: a win, a loss or a draw."""
        return (where(reward == 0.5, DRAWN, where(reward > 0.5, 1.0, -1.0)),)

    def fold(self, seen: tuple[float, ...], child: Any) -> tuple[float, ...]:
        """Return the numbers after one more child, by its proof."""
        (win, loss, draws), proof = seen, child.proof
        return (
            where(proof >= 1.0, minimum(proof, win), win),
            # Of what is no loss this is at most 0, so the longest loss stays.
            maximum(-proof, loss),
            draws + where(proof == DRAWN, 1.0, 0.0),
        )

    def node(self, seen: tuple[float, ...], node: Place) -> tuple[float]:
        """Return a win if one child is; else 0 until all are proven."""
        win, loss, draws = seen
        for_mover = where(node.same, 1.0, -1.0)
        # Who has lost holds out as long as possible: the longest line counts.
        lost = where(draws > 0.0, DRAWN, -for_mover * (loss + 1.0))
        otherwise = where(node.complete, lost, 0.0)
        return (where(win < math.inf, for_mover * (win + 1.0), otherwise),)

    @staticmethod
    def leaves_out(proof: float) -> bool:
        """Return whether the number is a proven loss."""
        return proof < 0.0

    @staticmethod
    def preferred(numbers: Sequence[float], values: Sequence[float] = ()) -> list[int]:  # noqa: ARG004
        """Return the shortest win, else what is not lost, else the longest loss."""
        shortest = min((proof for proof in numbers if proof >= 1.0), default=None)
        if shortest is not None:
            return [numbers.index(shortest)]
        kept = [index for index, proof in enumerate(numbers) if proof >= 0.0]
        return kept or [numbers.index(min(numbers))]


SOLVER: Final = Solver()


@frozen
class Bounds(Solver):
    """The solver with score bounds: also what is at least or at most a draw.

    T. Cazenave and A. Saffidine, "Score bounded Monte-Carlo tree search", Computers and Games 2010.
    With three outcomes, two more facts about a node are useful: that it is at least a draw, because
    one move is, and that it is at most a draw, because no move is more. So a draw is proven sooner,
    when its alternatives are only known not to win.

    The column `bounds` has the numbers of the solver's column `proof`, and between them, for the
    player who moved to the node:

    - 1/4: at most a draw;
    - 3/4: at least a draw.

    Only proven losses are left out of selection: the article's cuts (a move that is at most what
    another is at least) are not made.
    """

    names = ('bounds',)
    first = (math.inf, 0.0, 0.0, 0.0)  # shortest win, longest loss, greatest lower and upper bound

    def fold(self, seen: tuple[float, ...], child: Any) -> tuple[float, ...]:
        """Return the bounds after one more child."""
        (win, loss, lower, upper), proof = seen, child.bounds
        least = where((proof == DRAWN) | (proof == AT_LEAST), DRAWN, 0.0)
        # A proven win needs no bound, as `node` looks for it first.
        most = where(proof == AT_LEAST, 1.0, where(proof < 0.0, 0.0, DRAWN))
        return (
            where(proof >= 1.0, minimum(proof, win), win),
            maximum(-proof, loss),
            maximum(least, lower),
            maximum(most, upper),
        )

    def node(self, seen: tuple[float, ...], node: Place) -> tuple[float]:
        """Return a win if one child is; else the bounds of all children."""
        win, loss, lower, upper = seen
        for_mover = where(node.same, 1.0, -1.0)
        # Seen from the other side "at least a draw" is "at most": the two numbers add up to 1.
        at_least = where(node.same, AT_LEAST, AT_MOST)
        # An untried move may still win.
        most = where(node.complete, upper, 1.0)
        bounded = where(lower == DRAWN, at_least, where(most == DRAWN, 1.0 - at_least, 0.0))
        undecided = where(lower == most, DRAWN, bounded)
        otherwise = where(most == 0.0, -for_mover * (loss + 1.0), undecided)
        return (where(win < math.inf, for_mover * (win + 1.0), otherwise),)

    @staticmethod
    def ends(proof: float) -> bool:
        """Return whether the number is a proof."""
        return proof == DRAWN or abs(proof) >= 1.0

    @staticmethod
    def preferred(numbers: Sequence[float], values: Sequence[float] = ()) -> list[int]:  # noqa: ARG004
        """Return the solver's choice, ignoring bounds; beside a sure draw nothing less."""
        kept = SOLVER.preferred([proof if Bounds.ends(proof) else 0.0 for proof in numbers])
        if any(numbers[index] in (DRAWN, AT_LEAST) for index in kept):
            kept = [index for index in kept if numbers[index] != AT_MOST]
        return kept


BOUNDS: Final = Bounds()


@frozen
class Exact(Resolution):
    """The column `exact`: what a position is worth to a single player, once all below it is known.

    T. Cazenave and A. Saffidine, "Score bounded Monte-Carlo tree search", Computers and Games 2010,
    with bounds that are the same: of a finished game, of a node whose moves have all been followed
    to exact values, and of one with a move that is worth the most that there is (`most`: 1, where
    rewards come at the end alone). With rewards on the way a value is the return from there, as the
    mean of a node is.

    Departs from the article: a node has no bounds before its value is known, as rewards on the way
    have none, and a move is not cut for being at most what another is at least.
    """

    names = ('exact',)
    first = (-math.inf,)
    averaged = True  # it is a value, and so has what is gained on the way
    most: float = math.inf

    def end(self, reward: float) -> tuple[float]:
        """Return what the end of the game is worth."""
        return (where(reward == 0.0, ZERO, reward),)

    def fold(self, seen: tuple[float, ...], child: Any) -> tuple[float]:
        """Return the highest value known."""
        return (maximum(seen[0], child.exact),)

    def node(self, seen: tuple[float, ...], node: Place) -> tuple[float]:
        """Return the highest value, if no other move can be worth more."""
        # Nothing beats the most that can be gained, whatever the untried moves are worth.
        return (where(node.complete, seen[0], where(seen[0] >= self.most, seen[0], 0.0)),)

    @staticmethod
    def preferred(numbers: Sequence[float], values: Sequence[float]) -> list[int]:
        """Return the highest exact value, or those without one if the mean of one is higher."""
        known = [index for index, number in enumerate(numbers) if number]
        others = [index for index, number in enumerate(numbers) if not number]
        if not known:
            return others
        best = max(known, key=lambda index: numbers[index])
        # A mean is no proof, but to play the lower exact value would pass over what is likely more.
        better = any(values[index] > numbers[best] for index in others)
        return others if better else [best]


EXACT: Final = Exact()
