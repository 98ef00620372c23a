"""Texts that identify values by their content: what they hold, and the code that they refer to.

Plain values, and values of this library, are written as their `repr`. Everything else is a name and
a hash: of functions, their byte code with what it refers to; of classes, their members; of other
values, what `pickle` would store. Python, this library and installed packages are identified by
their versions, so what they define is written by name. What a function reads while it runs, such as
a file, is not included.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import importlib.util
import sys
import types
from collections.abc import Iterator
from typing import Any, Final

import attrs

from fmcts._arguments import cut, shown
from fmcts._content.user_code import is_user_code

OWN: Final = __name__.partition('.')[0]
PLAIN: Final = (type(None), bool, int, float, complex, str, bytes, type(...))
LONGEST: Final = 1000  # characters; a longer text is replaced by its hash
HASHED: Final = 16  # hexadecimal digits

PARTS: Final[tuple[tuple[Any, tuple[str, ...]], ...]] = (
    (
        types.CodeType,
        (
            *('co_code', 'co_exceptiontable', 'co_flags', 'co_names', 'co_varnames', 'co_freevars'),
            *('co_cellvars', 'co_argcount', 'co_posonlyargcount', 'co_kwonlyargcount', 'co_consts'),
        ),
    ),
    (types.FunctionType, ('__code__', '__defaults__', '__kwdefaults__', '__dict__')),
    ((staticmethod, classmethod, type(functools.cache(repr))), ('__wrapped__',)),
    (property, ('fget', 'fset', 'fdel')),
    (functools.cached_property, ('func',)),
)
"""Kinds of values that `pickle` stores by name or not at all, with the attributes that count."""


class UnknownValueError(TypeError):
    """Raised for a value whose content cannot be determined."""


def content_of(value: object) -> str | dict[str, str]:
    """Return the text of a value, or why it has none.

    >>> from fmcts import Search
    >>> content_of((1, 'a', Search(50, c=0.25)))
    "(1, 'a', Search(iterations=50, c=0.25))"
    >>> content_of(len)
    'builtins.len'
    """
    try:
        return _text(value, {})
    except UnknownValueError as error:
        return {'unknown': str(error)}
    except RecursionError:
        return {'unknown': 'its values are nested too deeply'}


def _text(value: Any, seen: dict[int, tuple[int, object]], called: str = '') -> str:
    """Return the text of a value; `seen` are those above it, and `called` is its name in errors."""
    text = repr(value) if type(value) in PLAIN else _found(value) or _parts(value, seen, called)
    if len(text) <= LONGEST:
        return text
    content = _Content('tuple of 1', f'str {text}')  # as in files that exist
    return f'{text[:40]}...@{content.hash}'


def _parts(value: Any, seen: dict[int, tuple[int, object]], called: str) -> str:
    kind = type(value)
    if kind is tuple:
        return f'({", ".join(_text(each, seen, called) for each in value)})'
    if id(value) in seen:
        return f'#{seen[id(value)][0]}'
    if kind not in (list, dict) and not _is_own_attrs(kind):
        named = value if isinstance(value, type | types.FunctionType) else kind
        return f'{_path(named)}@{_hash(value, called)}'
    seen[id(value)] = len(seen), value  # alive, so that no other gets its identity
    if kind is list:
        return f'[{", ".join(_text(each, seen, called) for each in value)}]'
    if kind is dict:
        pairs = (f'{_text(key, seen)}: {_text(it, seen, called)}' for key, it in value.items())
        return f'{{{", ".join(pairs)}}}'
    fields = (
        f'{name}={_text(it, seen, f"{name} of {kind.__name__}")}' for name, it in _fields_of(value)
    )
    return f'{kind.__qualname__}({", ".join(fields)})'


def _path(named: Any) -> str:
    """Return the name of a class or function, the same in all processes of a program."""
    module = '__main__' if named.__module__ == '__mp_main__' else named.__module__
    return f'{module}.{named.__qualname__}'


def _is_own_attrs(kind: type) -> bool:
    return attrs.has(kind) and kind.__module__.partition('.')[0] == OWN


def _fields_of(value: Any) -> Iterator[tuple[str, object]]:
    """Yield the fields of a value of this library that differ from their defaults."""
    for field in attrs.fields(type(value)):
        it, usual = getattr(value, field.name), usual_option(value, field)
        same = type(it) is type(usual) and type(it) in PLAIN and repr(it) == repr(usual)
        if field.name != 'engine' and not same:  # all engines play the same
            yield field.name, it


def usual_option(value: Any, field: attrs.Attribute[Any]) -> Any:
    """Return the default of a field, which may depend on others, such as `network`."""
    default: Any = field.default
    return default.factory(value) if getattr(default, 'takes_self', False) else default


# ---- what is found by its name ----


def _found(value: Any) -> str | None:
    """Return the name of a module, function or class of Python, this library or a package."""
    if isinstance(value, types.ModuleType):
        return _versioned(value.__name__) if sys.modules.get(value.__name__) is value else None
    if not _versioned(type(value).__module__):  # user code may raise anything
        return None
    if isinstance(value, enum.Enum):
        kind = _found(type(value))
        return kind and f'{kind}.{value.name}'
    module = getattr(value, '__module__', None)
    path = getattr(value, '__qualname__', None) or getattr(value, '__name__', None)
    there: object = sys.modules.get(str(module))
    for name in str(path).split('.'):
        there = getattr(there, name, None)
    where = _versioned(str(module)) if there is value else None
    return where and f'{where}.{path}'


def _versioned(module: str) -> str | None:
    """Return the module's name with its package's version; `None` for one of the user's own."""
    version = _version(module.partition('.')[0])
    return None if version is None else f'{module}{version}'


@functools.cache
def _version(package: str) -> str | None:
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    if spec is None or (spec.has_location and is_user_code(str(spec.origin))):
        return None
    if package in sys.stdlib_module_names or package == OWN:
        return ''
    from importlib import metadata  # noqa: PLC0415 - it takes as long as a search to load

    found = sorted({*metadata.packages_distributions().get(package, ())})  # a namespace has several
    return f'-{"+".join(map(metadata.version, found))}' if found else None


# ---- hashes ----


def _hash(value: object, called: str) -> str:
    content = _Content(str(sys.implementation.cache_tag))  # byte code differs between versions
    content.write(value, called)
    return content.hash


class _Content:
    """The hash of a value and of all that it refers to, without line numbers and comments."""

    def __init__(self, *texts: str) -> None:
        self.sum = hashlib.sha256()
        self.seen: dict[int, tuple[int, object]] = {}
        for text in texts:
            self.put(text)

    @property
    def hash(self) -> str:
        """The hash of what was written."""
        return self.sum.hexdigest()[:HASHED]

    def put(self, text: str) -> None:
        """Write a text, apart from its neighbours."""
        encoded = text.encode('utf-8', 'surrogatepass')
        self.sum.update(len(encoded).to_bytes(8, 'little') + encoded)

    def write(self, value: Any, called: str) -> None:
        """Write a value; errors name it as `called`, such as `c of rule`."""
        kind = type(value)
        if kind in PLAIN:
            self.put(f'{kind.__name__} {value!r}')
            return
        name = _found(value)
        if name is not None or kind.__module__ == 'typing':
            self.put(f'known {name or repr(value)}')
        elif kind is tuple:  # whether two of them are one object depends on how Python compiles
            self.put(f'tuple {len(value)}')
            for each in value:
                self.write(each, called)
        elif id(value) in self.seen:
            self.put(f'again {self.seen[id(value)][0]}')
        else:
            self.seen[id(value)] = len(self.seen), value
            if isinstance(value, set | frozenset):
                self.put(f'{_path(kind)} {sorted(_hash(each, called) for each in value)}')
            else:
                self._write_parts(value, called)

    def _write_parts(self, value: Any, called: str) -> None:
        parts = [*_parts_of(value, called)]
        self.put(f'{_path(type(value))} {len(parts)}')
        named = isinstance(value, type | types.FunctionType)
        whole = value.__qualname__ if named else type(value).__name__
        for name, it in parts:
            self.put(name)
            self.write(it, f'{name} of {whole}')


def _parts_of(value: Any, called: str) -> Iterator[tuple[str, object]]:
    kind = type(value)
    for known, names in PARTS:
        if isinstance(value, known):
            yield from ((name, getattr(value, name, None)) for name in names)
            if isinstance(value, types.FunctionType):
                yield from _referred(value)
            return
    if isinstance(value, type):
        yield from _members(value)
    elif kind in (list, dict, types.MappingProxyType):
        yield 'items', tuple(value if kind is list else value.items())
    elif kind.__module__.startswith('numba.') and hasattr(value, 'py_func'):
        yield from (('function', value.py_func), ('options', value.targetoptions))
    else:
        yield 'class', kind
        yield from _fields_of(value) if _is_own_attrs(kind) else stored_of(value, called)


def _referred(function: types.FunctionType) -> Iterator[tuple[str, object]]:
    """Yield the closure and the globals of a function, by name; of a user's module, its members."""
    names = sorted(names_in(function.__code__))
    found = [(name, function.__globals__[name]) for name in names if name in function.__globals__]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found.append((name, cell.cell_contents))
        except ValueError:
            where = function.__qualname__
            raise UnknownValueError(f'{name}, which has no value yet, in {where}') from None
    modules: list[object] = []
    for name, value in found:  # which grows
        if not isinstance(value, types.ModuleType) or _found(value):
            yield name, value
        elif value not in modules:
            modules.append(value)
            found += [(f'{name}.{it}', vars(value)[it]) for it in names if it in vars(value)]


def names_in(code: types.CodeType) -> set[str]:
    """Return the names in the code and in the functions inside it; texts may be for `getattr`."""
    inner = (names_in(it) for it in code.co_consts if isinstance(it, types.CodeType))
    texts = {it for it in code.co_consts if isinstance(it, str) and it.isidentifier()}
    return texts.union(code.co_names, *inner)


def _members(kind: Any) -> Iterator[tuple[str, object]]:
    """Yield the name of a class, its bases, its members and its fields."""
    yield from (('name', _path(kind)), ('bases', kind.__bases__), ('class', type(kind)))
    members = dict(vars(kind))
    if issubclass(kind, enum.Enum):
        members |= {name: it.value for name, it in kind.__members__.items()}
    for name, it in sorted(members.items()):
        # Names such as `__doc__` and `_member_map_` are Python's, unless they are functions.
        of_python = name == '_abc_impl' or (name.startswith('_') and name.endswith('_'))
        functions = types.FunctionType, property, classmethod, staticmethod
        if (isinstance(it, functions) or not of_python) and not _is_of_attrs(name, it):
            yield name, it
    for it in attrs.fields(kind) if '__attrs_attrs__' in vars(kind) else ():
        yield it.name, (it.default, it.converter, it.validator, it.eq)


def _is_of_attrs(name: str, member: object) -> bool:
    """Return whether attrs made the method of the fields; `__getattr__` has cached properties."""
    code = member.__code__ if isinstance(member, types.FunctionType) else None
    generated = code is not None and code.co_filename.startswith('<attrs ')
    return generated and name != '__getattr__'


def stored_of(value: Any, called: str = '') -> list[tuple[str, object]]:
    """Return what `pickle` would store of a value besides its class."""
    kind = type(value)
    try:
        stored = value.__reduce_ex__(4)
    except Exception as error:
        what = f'{called} is ' * bool(called) + f'a value of type {kind.__name__}'
        raise UnknownValueError(f'{what} ({cut(str(error), 80)})') from error
    if isinstance(stored, str):
        raise UnknownValueError(f'{shown(value)}, which is stored as a name')
    made, given, state, items, pairs = (*stored, None, None, None)[:5]
    parts = list(state.items()) if isinstance(state, dict) else [('state', state)]
    parts += [('items', [*items] if items else None), ('pairs', [*pairs] if pairs else None)]
    parts = [(str(name), it) for name, it in parts if it is not None]
    if getattr(made, '__name__', '') != '__newobj__' or given != (kind,):
        parts = [('made', made), ('given', given), *parts]
    return parts
