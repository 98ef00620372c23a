"""Keys of functions: their code with all that it refers to, compared when a search begins.

A key is a tuple of plain values, so that it is the same in every process of one Python. What a
function may refer to is stated in docs/compiled_games.md: numbers, texts, tuples of these, frozen
values of this library, classes, modules, and functions of the same kind. What can be changed in
place has no key.
"""

from __future__ import annotations

import enum
import sys
import types
from pathlib import Path
from typing import Any, Final, TypeAlias

import attrs

from fmcts.errors import RulesError

Key: TypeAlias = tuple[Any, ...]

SHIPPED: Final = Path(__file__).with_name('rules')
OWN: Final = __name__.partition('.')[0]
PLAIN: Final = (type(None), bool, int, str, bytes, type(...))


def key_of(  # noqa: C901, PLR0911 - a case for each kind
    value: Any, what: str = 'it', above: tuple[types.FunctionType, ...] = ()
) -> Key:
    """Return the key of a function, or of a value that one refers to; an error calls it `what`.

    `above` are the functions that lead to it, which may call themselves.

    :raises RulesError: it refers to something that can change in place.
    """
    if isinstance(value, PLAIN) and type(value) in PLAIN:
        return (type(value).__name__, value)
    if type(value) is float:
        return ('float', value.hex())
    if isinstance(value, types.FunctionType):
        return _key_of_function(value, above)
    if isinstance(value, tuple):
        kind = _key_of_class(type(value))
        return (*kind, *(key_of(each, what, above) for each in value))
    if isinstance(value, type):
        return _key_of_class(value)
    if isinstance(value, types.ModuleType):
        return ('module', value.__name__)
    if isinstance(value, enum.Enum):
        return (*_key_of_class(type(value)), value.name)
    function = getattr(value, 'py_func', None)  # compiled by the user
    if function is not None:
        return ('compiled', *key_of(function, what, above))
    if isinstance(value, types.BuiltinFunctionType):
        return ('builtin', str(value.__module__), value.__qualname__)
    if attrs.has(type(value)) and is_own(type(value)):  # frozen, as all values of this library
        fields = [getattr(value, field.name) for field in attrs.fields(type(value))]
        return (*_key_of_class(type(value)), *(key_of(each, what, above) for each in fields))
    package, _, _ = (type(value).__module__ or '').partition('.')
    if package in {'numpy', 'typing', 'functools', 'math'}:
        scalar = getattr(value, 'item', None)
        if scalar is None or getattr(value, 'ndim', 1) == 0:  # a number, or a function of numpy
            return (*_key_of_class(type(value)), repr(value))
    name = type(value).__name__
    article = 'an' if name[:1].lower() in 'aeiou' else 'a'
    raise RulesError(
        f'{what} is {article} {name}, which can change while its machine code cannot: use '
        'numbers, texts, tuples or fmcts.bits.Table'
    )


def _key_of_class(kind: type) -> Key:
    return ('class', str(kind.__module__), kind.__qualname__, *getattr(kind, '_fields', ()))


def _key_of_function(function: types.FunctionType, above: tuple[types.FunctionType, ...]) -> Key:
    if function in above:
        return ('above', above.index(function))
    name, above = function.__qualname__, (*above, function)
    closure = [cell.cell_contents for cell in function.__closure__ or ()]
    inside = [
        key_of(each, f'{label!r}, which {name} refers to,', above)
        for label, each in zip(function.__code__.co_freevars, closure, strict=True)
    ]
    given = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).items()]
    inside += [key_of(each, f'a default of {name}', above) for each in given]
    if is_own(function):
        return ('own', str(function.__module__), name, *inside)
    code = _key_of_code(function.__code__, function.__globals__, above)
    return ('function', name, *code, *inside)


def _key_of_code(
    code: types.CodeType, scope: dict[str, Any], above: tuple[types.FunctionType, ...]
) -> Key:
    """Return the key of byte code, with the globals that it names and members of modules."""
    name = above[-1].__qualname__
    found: list[Any] = [code.co_code, code.co_varnames, code.co_freevars, code.co_cellvars]
    found += [code.co_argcount, code.co_kwonlyargcount, code.co_flags, code.co_names]
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found.append(_key_of_code(constant, scope, above))
        elif not isinstance(constant, frozenset):
            found.append(key_of(constant, f'a constant of {name}', above))
        else:
            found.append(tuple(sorted(map(repr, constant))))
    for label in code.co_names:
        if label not in scope:
            continue
        value = scope[label]
        found.append((label, *key_of(value, f'{label!r}, which {name} refers to,', above)))
        if isinstance(value, types.ModuleType) and not is_known(value):
            members = [each for each in code.co_names if each in vars(value)]
            found += [key_of(vars(value)[it], f'{label}.{it}', above) for it in members]
    return tuple(found)


def is_own(function: object) -> bool:
    """Return whether a module of this library defines the function, so that it never changes."""
    module = sys.modules.get(str(getattr(function, '__module__', '')))
    return module is not None and module.__name__.partition('.')[0] == OWN


KNOWN: Final = {*sys.stdlib_module_names, 'numpy', 'numba', OWN}
"""The packages whose members mean the same as long as their version is the same."""


def is_known(module: types.ModuleType) -> bool:
    """Return whether a module is of such a package."""
    return module.__name__.partition('.')[0] in KNOWN
