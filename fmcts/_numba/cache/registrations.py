"""numba's registrations in this process: replacements of functions in compiled code.

They are looked up by type, so a walk over the names in a function does not find them.
"""

from __future__ import annotations

import types
from typing import Any, Final, TypeAlias

from attrs import frozen

# All modules of this library that register something: the order of loading must not matter.
from fmcts._numba import (
    bits,
    checked_copies,
    generators,
    operators,
    positions,
    private,
    reals,
    simd,
    whole,
)

MODULES: Final = (checked_copies, generators, simd, positions, bits, whole, reals, operators)

OWN: Final = __name__.partition('.')[0]

Overload: TypeAlias = tuple[Any, ...]
"""A function that gives code for types of arguments, and numba's options for that code."""


@frozen
class Registrations:
    """The registrations of this library, and those for plain functions by their identity."""

    own: tuple[tuple[object, Overload], ...]
    others: dict[int, list[Overload]]

    @classmethod
    def now(cls) -> Registrations:
        """Return numba's current registrations."""
        own: list[tuple[object, Overload]] = []
        others: dict[int, list[Overload]] = {}
        for function, overload in private.overloads():
            origin = overload[0].__module__
            if str(origin).partition('.')[0] == OWN:
                own.append((function, overload))
            elif isinstance(function, types.FunctionType) and not private.stands_for_itself(
                overload[0]
            ):
                others.setdefault(id(function), []).append(overload)
        return cls(tuple(own), others)

    @property
    def count(self) -> int:
        """The number of registrations that are not of this library."""
        return sum(map(len, self.others.values()))

    def of(self, function: types.FunctionType) -> tuple[Overload, ...]:
        """Return the registered replacements of a plain function, in order of registration."""
        return tuple(self.others.get(id(function), ()))
