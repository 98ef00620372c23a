"""Find what a function reaches by name: everything that may change its result."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

# Modules and packages whose members mean the same in every process with the same versions.
OWN: Final = __name__.partition('.')[0]

KNOWN: Final = ('builtins', 'math', 'operator', 'typing', 'numpy', 'numba', 'llvmlite')


ByName: TypeAlias = Callable[[str], 'str | None']
"""A function from a module's name to a text that identifies it; `None`: its members may change."""


def by_name(module: str) -> str | None:
    """Return the name of one of the modules that machine code knows by their names."""
    return module if module.partition('.')[0] in KNOWN else None


def known(module: types.ModuleType, known_by: ByName = by_name) -> str | None:
    """Return a text that identifies the module, if its name does."""
    name = module.__name__
    return known_by(name) if sys.modules.get(name) is module else None


def is_of_library(function: types.FunctionType) -> bool:
    """Return whether a module of this library defines the function: its globals never change."""
    module = sys.modules.get(str(function.__module__))
    return (
        str(function.__module__).partition('.')[0] == OWN
        and module is not None
        and vars(module) is function.__globals__
    )


def found_in_known(value: object, known_by: ByName = by_name) -> str | None:
    """Return where in a known module this object is found, as `numpy:int64`, or `None`.

    An object's own statement of its origin is not trusted: anything may be called `numpy.add`.
    """
    name = getattr(value, '__module__', None) or ''
    path = getattr(value, '__qualname__', None) or getattr(value, '__name__', None)
    for place in (name, *KNOWN) if isinstance(value, _NAMELESS) else (name,):
        found: object = sys.modules.get(str(place))
        if not isinstance(found, types.ModuleType) or not isinstance(path, str):
            continue
        where = known(found, known_by)
        if where is not None:
            first, *rest = path.split('.')
            found = vars(found).get(first)
            for step in rest:
                found = getattr(found, step, None)
            if found is value:
                return f'{where}:{path}'
    return None


# These do not state their module (NumPy's functions on arrays), or state `_operator`.
_NAMELESS: Final = (types.BuiltinFunctionType, types.WrapperDescriptorType)


def reached(
    function: types.FunctionType, known_by: ByName = by_name
) -> Iterator[tuple[str, object]]:
    """Yield names and values of globals, closures and defaults, always in the same order.

    More may be yielded than is needed: `a.b` counts as reaching `b` in every module reached.

    :raises ValueError: a closure's variable has no value yet.
    """
    names = sorted(set(names_in(function.__code__)))
    seen: list[types.ModuleType] = []
    for name in names:
        if name in function.__globals__:
            yield from with_members(name, function.__globals__[name], names, seen, known_by)
    yield 'defaults', function.__defaults__
    yield 'keyword defaults', tuple(sorted((function.__kwdefaults__ or {}).items()))
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    for name, cell in cells:
        try:
            value = cell.cell_contents
        except ValueError as error:
            raise ValueError(f'{name}, which has no value yet') from error
        yield from with_members(name, value, names, seen, known_by)


def names_in(code: types.CodeType) -> Iterator[str]:
    """Yield the names in the code and in the functions inside it, some of them twice."""
    yield from code.co_names
    yield from _names_in(code.co_consts)


def _names_in(constants: tuple[object, ...]) -> Iterator[str]:
    for constant in constants:
        if isinstance(constant, types.CodeType):
            yield from names_in(constant)
        elif isinstance(constant, tuple):
            yield from _names_in(constant)
        elif isinstance(constant, str) and constant.isidentifier():
            yield constant  # perhaps for `getattr`, or in an annotation


def with_members(
    name: str, value: object, names: list[str], seen: list[types.ModuleType], known_by: ByName
) -> Iterator[tuple[str, object]]:
    """Yield a value, or the members of a module whose names are among `names`."""
    if not isinstance(value, types.ModuleType) or known(value, known_by) is not None:
        yield name, value
    elif value not in seen:
        seen.append(value)
        for member in names:
            if hasattr(value, member):
                path, found = f'{name}.{member}', getattr(value, member)
                yield from with_members(path, found, names, seen, known_by)


def is_of_numpy(value: object, *classes: str) -> bool:
    """Return whether a value is of one of these classes of NumPy, which may not be loaded yet.

    While another thread loads it, its module has not all names.
    """
    numpy = sys.modules.get('numpy')
    return any(isinstance(value, getattr(numpy, name, ())) for name in classes)
