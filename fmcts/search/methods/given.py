"""Numbers that a user gives for the moves of a position: a prior, a heuristic.

They are a function of a state that gives a number for each of its moves, in their order, or
`OnPositions` of one of a position and a move; left out, the moves are equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from fmcts.rules import OnPositions
from fmcts.search.errors import MethodError

__all__ = ['Given', 'number_of_a_move', 'numbers_of']

Given: TypeAlias = Callable[[Any], Sequence[float]] | OnPositions | None


def numbers_of(given: Given, state: Any, moves: Sequence[Any]) -> tuple[float, ...]:
    """A number for each of `moves`, which are the state's or some of them."""
    if given is None:
        return (1.0 / len(moves),) * len(moves) if moves else ()
    of_moves = given.of_moves if isinstance(given, OnPositions) else given
    numbers, legal = tuple(map(float, of_moves(state))), state.moves
    if len(moves) < len(legal) == len(numbers):  # a search that chooses among some
        return tuple(number for move, number in zip(legal, numbers, strict=True) if move in moves)
    return numbers


def number_of_a_move(what: str, given: Given) -> Callable[..., float]:
    """The same for compiled code, as `Method.first_numbers` has it.

    :raises MethodError: it is a function of states; `what` it is called.
    """
    if given is None:
        return _uniform
    if isinstance(given, OnPositions):
        function = given.function
        return lambda position, move, _count: function(position, move)
    name = getattr(given, '__name__', 'given')
    raise MethodError(f'the {what} {name}, which is a function of states: see OnPositions')


def _uniform(_position: Any, _move: Any, count: Any) -> float:
    return 1.0 / count  # type: ignore[no-any-return]
