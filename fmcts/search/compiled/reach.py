"""What a function may reach by name: all that numba may take into the machine code made of it."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Final

from fmcts import bits

__all__ = ['KNOWN', 'reached']

# Modules whose members mean the same in every process with the same versions.
KNOWN: Final = ('math', 'operator', 'numpy', bits.__name__)


def reached(function: types.FunctionType) -> Iterator[tuple[str, object]]:
    """Names and values of globals, closures and defaults, in an order that is always the same.

    Rather too many than too few: `a.b` counts as reaching `b` in every module that is reached.

    :raises ValueError: a closure whose variable has no value yet.
    """
    names = sorted(set(_names(function.__code__)))
    seen: list[types.ModuleType] = []
    for name in names:
        if name in function.__globals__:
            yield from _with_members(name, function.__globals__[name], names, seen)
    yield 'defaults', function.__defaults__
    yield 'keyword defaults', tuple(sorted((function.__kwdefaults__ or {}).items()))
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    for name, cell in cells:
        yield from _with_members(name, cell.cell_contents, names, seen)


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _with_members(
    name: str, value: object, names: list[str], seen: list[types.ModuleType]
) -> Iterator[tuple[str, object]]:
    if not isinstance(value, types.ModuleType) or value.__name__ in KNOWN:
        yield name, value
    elif value not in seen:
        seen.append(value)
        for member in names:
            if hasattr(value, member):
                yield from _with_members(f'{name}.{member}', getattr(value, member), names, seen)
