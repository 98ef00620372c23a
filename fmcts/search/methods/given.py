"""Numbers that a user gives for the moves of a position: a prior, a heuristic.

They are `f(state)`, which returns a number for each of the state's moves, in order, or
`OnPositions(f)` of `f(position, move)`, which returns the number of one move. By default, the moves
are equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, ClassVar, TypeAlias

from attrs import Attribute, frozen

from fmcts._arguments import is_row, shown, takes
from fmcts.errors import MethodError
from fmcts.rules import OnPositions
from fmcts.search.methods.method import Method

__all__ = ['Given', 'of_moves']

Given: TypeAlias = Callable[[Any], Sequence[float]] | OnPositions | None


def _floats(given: Any, numbers: Any) -> tuple[float, ...]:
    if is_row(numbers):
        values = tuple(numbers)
        with suppress(TypeError, ValueError, OverflowError):
            return tuple(map(float, values))
    name = getattr(getattr(given, 'function', given), '__name__', 'given')
    raise MethodError(
        f'the function {name} must return a number for each of the moves of a state, '
        f'in their order, not {shown(numbers)}'
    )


def of_moves(_instance: object, attribute: Attribute[Any], value: object) -> None:
    """Accept `None`, a function of a state, and `OnPositions` of one of a position and a move.

    :raises ValueError: anything else.
    """
    on_positions = isinstance(value, OnPositions)
    function = value.function if isinstance(value, OnPositions) else value
    if value is None or (callable(function) and takes(function, 2 if on_positions else 1)):
        return
    wrong = getattr(function, '__name__', None) or shown(value)
    raise ValueError(
        f'{attribute.name} must be a function {attribute.name}(state) that gives a number for each '
        f'of the moves, or OnPositions of a function (position, move) that gives the number of one '
        f'move, not {"OnPositions of " * on_positions}{wrong}'
    )


def uniform(_position: Any, _move: Any, count: Any) -> float:
    return 1.0 / count  # type: ignore[no-any-return]


@frozen
class GivenNumbers(Method):
    """A method with a column of moves whose first numbers are a field `Given`, named by `given`."""

    given: ClassVar[str] = 'prior'

    def first_rows(self, state: Any, moves: Sequence[Any]) -> tuple[Sequence[float], ...]:
        """Return the numbers given for the moves, which are the state's or some of them."""
        given = getattr(self, self.given)
        if given is None:
            return ((1.0 / len(moves),) * len(moves) if moves else (),)
        of_moves = given.of_moves if isinstance(given, OnPositions) else given
        numbers, legal = _floats(given, of_moves(state)), state.moves
        if len(moves) < len(legal) == len(numbers):  # a search that chooses among some
            pairs = zip(legal, numbers, strict=True)
            numbers = tuple(number for move, number in pairs if move in moves)
        return (numbers,)

    def first_numbers(self) -> tuple[Callable[..., float], ...]:
        """Return the number of a move, if it is a function of positions.

        :raises MethodError: it is a function of states.
        """
        given = getattr(self, self.given)
        if given is None:
            return (uniform,)
        if isinstance(given, OnPositions):
            function = given.function
            return (lambda position, move, _count: function(position, move),)
        name = f'{self.given} {getattr(given, "__name__", "given")}'
        raise MethodError(f'the {name}, which is a function of states: see OnPositions')
