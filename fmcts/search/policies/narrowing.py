"""A user's function that narrows the moves of a playout: `Search(playout=my_policy)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from fmcts._arguments import is_sequence, shown
from fmcts.errors import MethodError
from fmcts.rules import OnPositions, rules_of
from fmcts.search.policies.policy import Draw, Policy


@frozen
class Narrowing(Policy):
    """A policy that draws among the legal moves that `function` returns.

    It is a function from a state to some of its moves, or `OnPositions` of one that narrows a menu,
    `(position, menu) -> menu`.
    """

    function: OnPositions | Callable[[Any], Sequence[Any]]

    def choose(self, state: Any, moves: Sequence[Any], draw: Draw) -> Any:
        """Return one of the moves that the function returns."""
        among = self._among(state, moves)
        return among[draw(len(among))]

    def _among(self, state: Any, moves: Sequence[Any]) -> Sequence[Any]:
        given = self.function
        if not isinstance(given, OnPositions):
            among: Any = given(state)
            if among is not None and not (is_sequence(among) and hasattr(among, 'index')):
                raise MethodError(
                    f'the playout policy {self.called} must return a list or tuple of legal moves, '
                    f'not {shown(among)}'
                )
            if not among or any(move not in moves for move in among):
                raise self._wrong(moves, among)
            return among
        rules: Any = rules_of(state)
        position = packed(state)
        menu = rules.menu(position)
        places = dict(zip(rules.listed(menu), moves, strict=False))
        narrowed = given.function(position, menu)
        wide = isinstance(menu, tuple)
        if isinstance(narrowed, tuple) is not wide or not (wide or hasattr(narrowed, '__index__')):
            kind = f'a tuple of {len(menu)} integers' if wide else 'an integer'
            raise MethodError(
                f'the playout policy {self.called} must return a menu, {kind}, '
                f'not {shown(narrowed)}'
            )
        picked = rules.listed(narrowed)
        if not picked or any(move not in places for move in picked):
            raise self._wrong(sorted(places), picked)
        return [places[move] for move in picked]

    def _wrong(self, legal: Sequence[Any], given: object) -> MethodError:
        return MethodError(
            f'the playout policy {self.called} must return at least one of the legal moves '
            f'{shown(legal)}, not {shown(given)}'
        )

    @property
    def called(self) -> str:
        """The name of the function in errors."""
        given = self.function
        function = given.function if isinstance(given, OnPositions) else given
        return getattr(function, '__name__', None) or type(function).__name__


def packed(state: Any) -> Any:
    """Return the position of a state.

    :raises MethodError: its class declares no rules on integers.
    """
    rules = rules_of(state)
    if rules is None:
        raise MethodError(f'{type(state).__name__} declares no rules on integers')
    return rules.pack(state)


def picked_moves(state: Any, moves: Sequence[Any], narrow: Callable[[Any, Any], Any]) -> list[Any]:
    """Return those of a state's moves that are in the menu `narrow(position, menu)`, in order."""
    rules: Any = rules_of(state)
    position = rules.pack(state)
    menu = rules.menu(position)
    kept = set(rules.listed(narrow(position, menu)))
    return [move for own, move in zip(rules.listed(menu), moves, strict=True) if own in kept]
