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


def key_of(value: object, what: str = 'it') -> Key:
    """Return the key of a function, or of a value that one refers to; an error calls it `what`.

    :raises RulesError: it refers to something that can change in place.
    """
    return _Keys().key(value, what)


def is_own(function: object) -> bool:
    """Return whether a module of this library defines the function, so that it never changes."""
    module = sys.modules.get(str(getattr(function, '__module__', '')))
    return module is not None and module.__name__.partition('.')[0] == OWN


class _Keys:
    """Makes the key of one value; `seen` are the functions above it, which may call themselves."""

    def __init__(self) -> None:
        self.seen: list[object] = []

    def key(self, value: Any, what: str) -> Key:  # noqa: C901, PLR0911 - a case for each kind
        """Return the key of a value."""
        if isinstance(value, PLAIN) and type(value) in PLAIN:
            return (type(value).__name__, value)
        if type(value) is float:
            return ('float', value.hex())
        if isinstance(value, types.FunctionType):
            return self._function(value)
        if isinstance(value, tuple):
            kind = self._class(type(value))
            return (*kind, *(self.key(each, what) for each in value))
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, types.ModuleType):
            return ('module', value.__name__)
        if isinstance(value, enum.Enum):
            return (*self._class(type(value)), value.name)
        function = getattr(value, 'py_func', None)  # compiled by the user
        if function is not None:
            return ('compiled', *self.key(function, what))
        if isinstance(value, types.BuiltinFunctionType):
            return ('builtin', str(value.__module__), value.__qualname__)
        if attrs.has(type(value)) and is_own(type(value)):  # frozen, as all values of this library
            fields = [getattr(value, field.name) for field in attrs.fields(type(value))]
            return (*self._class(type(value)), *(self.key(each, what) for each in fields))
        package, _, _ = (type(value).__module__ or '').partition('.')
        if package in {'numpy', 'typing', 'functools', 'math'}:
            scalar = getattr(value, 'item', None)
            if scalar is None or getattr(value, 'ndim', 1) == 0:  # a number, or a function of numpy
                return (*self._class(type(value)), repr(value))
        name = type(value).__name__
        article = 'an' if name[:1].lower() in 'aeiou' else 'a'
        raise RulesError(
            f'{what} is {article} {name}, which can change while its machine code cannot: use '
            'numbers, texts, tuples or fmcts.bits.Table'
        )

    def _class(self, kind: type) -> Key:
        return ('class', str(kind.__module__), kind.__qualname__, *getattr(kind, '_fields', ()))

    def _function(self, function: types.FunctionType) -> Key:
        if function in self.seen:
            return ('above', self.seen.index(function))
        name = function.__qualname__
        self.seen.append(function)
        try:
            closure = [cell.cell_contents for cell in function.__closure__ or ()]
            inside = [
                self.key(each, f'{label!r}, which {name} refers to,')
                for label, each in zip(function.__code__.co_freevars, closure, strict=True)
            ]
            given = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).items()]
            inside += [self.key(each, f'a default of {name}') for each in given]
            if is_own(function):
                return ('own', str(function.__module__), name, *inside)
            code = self._code(function.__code__, function.__globals__, name)
            return ('function', name, *code, *inside)
        finally:
            self.seen.pop()

    def _code(self, code: types.CodeType, scope: dict[str, Any], name: str) -> Key:
        """Return the key of byte code, with the globals that it names and members of modules."""
        found: list[Any] = [code.co_code, code.co_varnames, code.co_freevars, code.co_cellvars]
        found += [code.co_argcount, code.co_kwonlyargcount, code.co_flags, code.co_names]
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                found.append(self._code(constant, scope, name))
            elif not isinstance(constant, frozenset):
                found.append(self.key(constant, f'a constant of {name}'))
            else:
                found.append(tuple(sorted(map(repr, constant))))
        for label in code.co_names:
            if label not in scope:
                continue
            value = scope[label]
            found.append((label, *self.key(value, f'{label!r}, which {name} refers to,')))
            if isinstance(value, types.ModuleType) and not is_known(value):
                members = [each for each in code.co_names if each in vars(value)]
                found += [self.key(vars(value)[it], f'{label}.{it}') for it in members]
        return tuple(found)


KNOWN: Final = {*sys.stdlib_module_names, 'numpy', 'numba', OWN}
"""The packages whose members mean the same as long as their version is the same."""


def is_known(module: types.ModuleType) -> bool:
    """Return whether a module is of such a package."""
    return module.__name__.partition('.')[0] in KNOWN
