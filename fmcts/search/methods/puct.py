"""PUCT: the mean, and a bonus in proportion to a prior.

C. D. Rosin, "Multi-armed bandits with episode context", Annals of Mathematics and Artificial
Intelligence 61, 2011; in the form of D. Silver and others, "Mastering the game of Go without human
knowledge", Nature 550, 2017.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from attrs import field, frozen

from fmcts.formulas import sqrt, where
from fmcts.rules import OnPositions
from fmcts.search.checks import as_float, finite
from fmcts.search.errors import MethodError
from fmcts.search.methods.method import Edge, Method, Parent

__all__ = ['PUCT']


@frozen
class PUCT(Method):
    """`value + c * prior * sqrt(1 + N) / (1 + visits)`, N being the parent's visits.

    `prior`: a function of a state that gives a number for each of its moves, in their order; left
    out, the moves are equally likely. (`1 + N`, so that the priors count from the first visit on:
    the square root of 0 would hide them.)
    `first_play`: the value of a move that was never tried ("first-play urgency"); 1/2 is a draw.
    """

    move_columns = ('prior',)
    scores_unvisited = True

    c: float = field(default=1.25, converter=as_float, validator=finite)
    first_play: float = field(default=0.5, converter=as_float, validator=finite)
    prior: Callable[[Any], Sequence[float]] | OnPositions | None = None

    def score(self, edge: Edge, parent: Parent) -> float:
        """The mean and the bonus."""
        value = where(edge.visits > 0.0, edge.value, self.first_play)
        bonus = edge.prior * sqrt(1.0 + parent.visits) / (1.0 + edge.visits)
        return value + self.c * bonus  # type: ignore[no-any-return]

    def first_rows(self, state: Any, moves: Sequence[Any]) -> tuple[Sequence[float], ...]:
        """The priors.

        :raises ValueError: `prior` gives another number of priors than there are moves.
        """
        if self.prior is None:
            return ((1.0 / len(moves),) * len(moves) if moves else (),)
        of_moves = self.prior.of_moves if isinstance(self.prior, OnPositions) else self.prior
        numbers, legal = tuple(map(float, of_moves(state))), state.moves
        if len(moves) < len(legal) == len(numbers):  # a search that chooses among some
            numbers = tuple(
                number for move, number in zip(legal, numbers, strict=True) if move in moves
            )
        return (numbers,)

    def first_numbers(self) -> tuple[Callable[..., float], ...]:
        """The prior, if it is a function of positions.

        :raises MethodError: it is a function of states.
        """
        if self.prior is None:
            return (_uniform,)
        if isinstance(self.prior, OnPositions):
            return (_of_a_move(self.prior.function),)
        name = getattr(self.prior, '__name__', 'given')
        raise MethodError(f'the prior {name}, which is a function of states: see OnPositions')


def _uniform(_position: Any, _move: Any, count: Any) -> float:
    return 1.0 / count  # type: ignore[no-any-return]


@functools.cache
def _of_a_move(prior: Callable[..., float]) -> Callable[..., float]:
    """The prior as `first_numbers` has it; always the same for one, or code would be made anew."""
    return lambda position, move, _count: prior(position, move)
