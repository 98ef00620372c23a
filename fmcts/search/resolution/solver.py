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
from fmcts.search.resolution.exact import ZERO
from fmcts.search.resolution.resolution import Resolution

DRAWN: Final = 0.5


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
    if number in (0.0, 0.25, 0.75):  # see `bounds`
        return None
    if number == DRAWN:
        return Proven(DRAWN, None)
    return Proven(1.0 if number > 0 else 0.0, int(abs(number)))


def proof_number(node: Any) -> float:
    """Return the number of a node; 0 in a tree without the column."""
    columns = node.columns
    # By its name, because `closed` and `exact` stand in the same place and say something else.
    if columns.names.own[-1:] not in (('proof',), ('bounds',)):
        return 0.0
    return columns.own[-1]  # type: ignore[no-any-return]


class Worth(Proven):
    """The best reward for a single player: `reward` is any number."""

    @property
    def outcome(self) -> str:
        """The number in words, such as `worth -11`."""
        return f'worth {self.reward:g}'


def worth_of(node: Any) -> Worth | None:
    """Return the exact value of a node, if it has one (see `exact`)."""
    columns = node.columns
    if columns.names.own[-1:] != ('exact',) or not columns.own[-1]:
        return None
    return Worth(0.0 if columns.own[-1] == ZERO else columns.own[-1], None)


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
