"""Positions and menus in compiled code, and passing them between it and Python.

A menu represents all legal moves of a position: an integer, or a `NamedTuple` of integers if one
integer is too narrow (see `fmcts.rules.IntegerRules`). All code that gets moves from rules uses the
functions here. numba chooses the implementation by the menu's type.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.core.errors import TypingError

from fmcts._numba.intrinsics import Verb, compiled_only, inlined, int64, overload_for
from fmcts._numba.register import register
from fmcts.rules import IntegerRules, fields_of as integers_of


def fields_of(position: Any) -> tuple[Any, ...]:
    """Return the fields of a position as signed 64-bit integers with the same bits.

    They are passed as a plain tuple, so that machine code on disk does not name a user's class.

    :raises RulesError: the position is not a `NamedTuple` of integers of up to 64 bits.
    """
    return tuple(map(signed, integers_of(position)))


def signed(number: int) -> int:
    """Return the signed 64-bit integer with the same bits."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def normalised(position: Any) -> Any:
    """Return the position with every field converted to a signed 64-bit integer."""
    return position


@overload_for(normalised)
def _normalised(position: Any) -> Any:
    if not isinstance(position, types.BaseNamedTuple):
        raise TypingError(f'a position must be a NamedTuple of integers, not {position}')
    kinds = list(position.types)
    for field, kind in zip(position.fields, kinds, strict=True):
        if not isinstance(kind, types.Integer | types.Boolean):
            raise TypingError(f'field {field!r} of a position must be an integer, not {kind}')
    if all(kind == types.int64 for kind in kinds):
        return lambda position: position
    make = position.instance_class
    # One source for each number of fields, as numba types each field of a mixed tuple separately.
    fields = ', '.join(f'int64(position[{place}])' for place in range(len(kinds)))
    names: dict[str, Any] = {'make': make, 'int64': np.int64}
    exec(f'def convert(position):\n    return make({fields})', names)  # noqa: S102 - see above
    return names['convert']


class Menus(NamedTuple):
    """The rules about menus for compiled code.

    - `see(position)`: the menu of a position; `normalise(menu)`: a menu from a user's function.
    - `over(menu)`: whether the menu has no moves.
    - `count(menu)`: the number of moves of a menu that has some; `pick(menu, index)`: a move.
    """

    see: Verb
    normalise: Verb
    over: Verb
    count: Verb
    pick: Verb


def menus_of(rules: IntegerRules) -> Menus:
    """Return the rules about menus, registered with numba."""
    menu, counted, picked = rules.menu, rules.count, rules.pick
    register(menu, counted, picked)

    @inlined
    def see(position: Any) -> Any:
        return normalised_menu(menu(position))

    @inlined
    def count(menu: Any) -> Any:
        return int64(counted(menu))

    @inlined
    def pick(menu: Any, index: Any) -> Any:
        return int64(picked(menu, index))

    @inlined
    def over(menu: Any) -> Any:
        return without_moves(menu, count)

    return Menus(see, inlined(lambda menu: normalised_menu(menu)), over, count, pick)


@compiled_only
def normalised_menu(menu: Any) -> Any:
    """Return the menu with every integer converted to a signed 64-bit integer."""
    if isinstance(menu, types.Integer | types.Boolean):
        return lambda menu: np.int64(menu)
    if isinstance(menu, types.BaseNamedTuple):
        return lambda menu: normalised(menu)
    raise TypingError(f'a menu must be an integer or a NamedTuple of integers, not {menu}')


@compiled_only
def without_moves(menu: Any, count: Any) -> Any:
    """Return whether a menu has no moves: it is 0, or a `NamedTuple` with count 0."""

    def zero(menu: Any, count: Any) -> Any:  # compiled
        return menu == 0

    def none_counted(menu: Any, count: Any) -> Any:  # compiled
        return count(menu) == 0

    return zero if isinstance(menu, types.Integer) else none_counted


# ---- passing menus from Python, for callers of single compiled rules ----


def numbers_of(menu: Any) -> tuple[int, ...]:
    """Return the integers in a menu that Python's rules returned."""
    return tuple(menu) if isinstance(menu, tuple) else (menu,)


def maker_of(kind: Any) -> tuple[int, Verb]:
    """Return the number of integers in such menus, and `make(numbers)`, which makes one."""
    if not issubclass(kind, tuple):
        return 1, inlined(lambda numbers: numbers[0])
    return len(kind._fields), inlined(lambda numbers: kind(*numbers))


@compiled_only
def numbers_in(menu: Any) -> Any:
    """Return the integers of a menu."""
    return (lambda menu: (menu,)) if isinstance(menu, types.Integer) else lambda menu: menu
