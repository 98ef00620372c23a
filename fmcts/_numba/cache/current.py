"""Immutable copies of users' functions as they are now, one copy per content.

numba compiles a function once and keeps using that code when globals, closures or helpers of the
function change later. The engine therefore compiles copies. Functions with the same content share
a copy, and so its machine code; a function that has changed gets a new copy. Functions of this
library never change, so they are not copied.
"""

from __future__ import annotations

import copy
import types
from typing import Any, Final, Literal, TypeAlias, TypeVar

import attrs

from fmcts._content.copies import Copies
from fmcts._content.reached import found_in_known, is_of_library
from fmcts._content.remembered import keep, remembered_while
from fmcts._content.stamps import Stamp, known_function
from fmcts._numba.cache.local import LocalNaming
from fmcts._numba.cache.registrations import Registrations
from fmcts._numba.checked_copies import CheckedCopies
from fmcts._numba.locks import registering
from fmcts._numba.register import EXACT, RAISING
from fmcts.rules import IntegerRules, OnPositions

F = TypeVar('F')
Kind: TypeAlias = Literal['exact', 'raising', 'rule']
"""How a copy is compiled: see the sets in the module `register`; `rule`: in neither of them."""

MOST: Final = 256  # copies of functions to keep; the oldest is dropped first

FUNCTIONS_OF_POSITIONS: Final = ('heuristic',)
"""Fields that hold functions of positions without `OnPositions`."""

_copies: Final[dict[tuple[str, Kind], tuple[types.FunctionType, list[object]]]] = {}


def current(value: F, *, positions: bool = False) -> F:
    """Return a copy of a function of a search, or of an object with such functions as fields.

    A function may be wrapped in `OnPositions`. Other values are returned unchanged. The copies are
    compiled so that no integer wraps. `positions`: these are functions of positions, as all in
    `OnPositions` are, whose divisions by zero raise errors; those of other functions do not.
    """
    if isinstance(value, types.FunctionType):
        kind: Kind = 'raising' if positions else 'exact'
        return _current_function(value, kind=kind)  # type: ignore[return-value]
    if isinstance(value, OnPositions):
        function = current(value.function, positions=True)
        return value if function is value.function else OnPositions(function)  # type: ignore[return-value]
    if attrs.has(type(value)):
        changed = value
        for field in attrs.fields(type(value)):  # type: ignore[arg-type]
            there = getattr(value, field.name)
            on = positions or field.name in FUNCTIONS_OF_POSITIONS
            now = (
                tuple(current(each, positions=on) for each in there)
                if type(there) is tuple
                else current(there, positions=on)
            )
            if now is not there and now != there:
                changed = copy.copy(value) if changed is value else changed
                object.__setattr__(changed, field.name, now)
        return changed
    return value


@remembered_while(lambda rules: Stamp(rules, compiled=True))
def current_rules(rules: IntegerRules) -> IntegerRules:
    """Return the rules with copies of their functions; `pack` is not compiled, so not copied.

    `rewards` are floats, and are compiled as other functions of positions that give floats are.
    """
    now = {
        field.name: _current_rule(
            getattr(rules, field.name), kind='raising' if field.name == 'rewards' else 'rule'
        )
        for field in attrs.fields(IntegerRules)
        if field.name != 'pack'
    }
    if all(getattr(rules, name) is value for name, value in now.items()):
        return rules
    return attrs.evolve(rules, **now)


def _current_rule(rule: F, kind: Kind) -> F:
    if not isinstance(rule, types.FunctionType):
        return rule
    return _current_function(rule, kind=kind)  # type: ignore[return-value]


@remembered_while(lambda function: Stamp(function, compiled=True))
def _current_function(function: types.FunctionType, *, kind: Kind) -> types.FunctionType:
    stays = _stays(function)
    if stays and not function.__closure__:
        return function
    with registering:
        naming = _named(function)
        name = naming.sum.hexdigest(), kind
        found = _copies.get(name)
        if found is not None:
            return found[0]
        if stays:  # an equal closure made later is this one, so that its code is loaded once
            keep(_copies, name, (function, naming.kept), MOST)
            return function
        copies = _Current if kind == 'rule' else _CurrentChecked
        return copies(Registrations.now(), kind).of(function)


def _named(function: types.FunctionType) -> LocalNaming:
    naming = LocalNaming()
    naming.visit(function)
    return naming


class _Current(Copies):
    """Copies by content: functions with the same content share one copy."""

    def __init__(self, registrations: Registrations, kind: Kind) -> None:
        super().__init__()
        self.registrations = registrations
        self.kind = kind

    def of(self, value: Any) -> Any:
        """Return the copy of a function, module or tuple; any other value itself."""
        if isinstance(value, types.FunctionType) and (
            _stays(value) or self.registrations.of(value) or found_in_known(value)
        ):
            return value
        return super().of(value)

    def function(self, function: types.FunctionType) -> types.FunctionType:
        """Return the copy for the function's current content."""
        naming = _named(function)
        name = naming.sum.hexdigest(), self.kind
        found = _copies.get(name)
        if found is not None:
            self.made[id(function)] = found[0]
            return found[0]
        copy = super().function(function)
        keep(_copies, name, (copy, naming.kept), MOST)
        return copy

    def finish(self, copy: types.FunctionType) -> None:
        """Record how to compile the copy."""
        if self.kind != 'rule':
            EXACT.add(copy)
        if self.kind == 'raising':
            RAISING.add(copy)


class _CurrentChecked(CheckedCopies, _Current):
    """Copies that are compiled with checks."""


def _stays(function: types.FunctionType) -> bool:
    """Return whether the function cannot change, because it belongs to this library throughout."""
    if known_function(function):
        return True
    if not is_of_library(function):
        return False
    try:
        return all(_is_fixed(cell.cell_contents) for cell in function.__closure__ or ())
    except ValueError:  # no value yet
        return False


def _is_fixed(value: object) -> bool:
    if isinstance(value, types.FunctionType):
        return _stays(value)
    if type(value) is tuple:
        return all(map(_is_fixed, value))
    return True
