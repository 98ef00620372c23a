"""What numba was told in this process: what stands for which function in compiled code.

Such statements are found by types, not by names, so that no walk over names finds them.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from attrs import frozen
from numba.core import extending
from numba.core.typing.templates import builtin_registry

# All modules of this library that state something, so that it does not matter what is loaded when.
from fmcts.search.compiled import bounds, generators, lanes, menus, positions, words

__all__ = ['STATING', 'Statements']

STATING: Final = (bounds, generators, lanes, menus, positions, words)

OWN: Final = __name__.partition('.')[0]

Parts: TypeAlias = tuple[Any, ...]
"""A function that gives code for types of arguments, and numba's options for that code."""


@frozen
class Statements:
    """The statements of this library, and those for plain functions, by the function's identity."""

    own: tuple[tuple[object, Parts], ...]
    others: dict[int, list[Parts]]

    @classmethod
    def now(cls) -> Statements:
        """As numba has them at this moment."""
        own: list[tuple[object, Parts]] = []
        others: dict[int, list[Parts]] = {}
        for function, parts in _all():
            origin = parts[0].__module__
            if str(origin).partition('.')[0] == OWN:
                own.append((function, parts))
            elif isinstance(function, types.FunctionType) and origin != extending.__name__:
                others.setdefault(id(function), []).append(parts)  # it does not stand for itself
        return cls(tuple(own), others)

    def of(self, function: types.FunctionType) -> tuple[Parts, ...]:
        """What programs have stand for a plain function, in the order in which they said so."""
        return tuple(self.others.get(id(function), ()))


def _all() -> Iterator[tuple[object, Parts]]:
    for function, kind in builtin_registry.globals:
        for template in getattr(kind, 'templates', ()):
            statement = getattr(template, '_overload_func', None)
            if isinstance(statement, types.FunctionType):
                # numba shows these nowhere else.
                options = tuple(sorted(template._jit_options.items()))  # noqa: SLF001
                inline, strict = template._inline._inline, template._strict  # noqa: SLF001
                yield function, (statement, options, inline, strict, template.prefer_literal)
