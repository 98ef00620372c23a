"""Stamps: what functions reached at one moment, to notice cheaply that any of it has changed.

A notebook changes globals, helpers, defaults and closures while functions stay the same objects.
Whatever is cached or compiled from a function is stored with a stamp and dropped when the stamp no
longer holds.
"""

from __future__ import annotations

import builtins
import functools
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Mapping
from itertools import repeat
from operator import is_
from typing import Any, Final

import attrs

from fmcts._content.reached import KNOWN, OWN, is_of_library, is_of_numpy, known, names_in

ABSENT: Final = object()
PLAIN: Final = (bool, int, float, complex, str, bytes, type(None), type(...), types.CodeType)
CONTAINERS: Final = (list, set, dict)


class Stamp:
    """A snapshot of everything that values reach: code, defaults, closures, and values of names.

    Whatever may change is compared by identity and kept alive, so that no other object takes its
    place (but not the values themselves, which need not outlive whoever asks). Arrays are compared
    by their contents, and so are lists, dicts, sets and attributes of objects unless `compiled` is
    set: numba takes none of these into machine code. What this library, Python and installed
    packages define does not change.

    >>> K = 1
    >>> def rule(): return K
    >>> stamp = Stamp(rule)
    >>> stamp.holds()
    True
    >>> K = 2
    >>> stamp.holds()
    False
    """

    __slots__ = ('_arrays', '_asked', '_cells', '_compiled', '_functions', '_members', '_names')

    def __init__(self, *values: object, compiled: bool = False) -> None:
        self._compiled = compiled
        self._functions: list[tuple[Any, ...]] = []
        self._names: list[tuple[Callable[..., Any], tuple[Any, ...], tuple[Any, ...]]] = []
        self._cells: list[tuple[types.CellType, object]] = []
        self._members: list[tuple[object, str, object]] = []
        self._arrays: list[tuple[Any, object]] = []
        self._asked = frozenset(map(id, values))
        seen: dict[int, object] = {}
        waiting = [*values]
        while waiting:
            value = waiting.pop()
            if type(value) in PLAIN or id(value) in seen:
                continue
            seen[id(value)] = value
            waiting.extend(self._reached(value))

    def holds(self) -> bool:
        """Return whether nothing has changed."""
        for function, code, defaults, named in self._functions:
            if (
                function.__code__ is not code
                or function.__defaults__ is not defaults
                or function.__kwdefaults__ is not named
            ):
                return False
        for get, names, values in self._names:
            if not all(map(is_, map(get, names, repeat(ABSENT)), values)):
                return False
        if self._cells:
            for cell, value in self._cells:
                if _contents(cell) is not value:
                    return False
        for owner, name, value in self._members:
            if _member(owner, name) is not value:
                return False
        return all(_stamp_of(it) == stamp for it, stamp in self._arrays)

    def __reduce__(self) -> tuple[type[Stamp], tuple[()]]:
        """Pickle no objects: the stamp of another process is that of nothing."""
        return Stamp, ()

    @property
    def fixed(self) -> bool:
        """True if everything reached belongs to this library or is constant."""
        return not (self._functions or self._names or self._cells or self._members or self._arrays)

    # ---- what a value reaches ----

    def _reached(self, value: Any) -> Iterable[object]:  # noqa: PLR0911 - one for each kind
        if isinstance(value, types.FunctionType):
            return self._function(value)
        if isinstance(value, types.ModuleType):
            return ()  # its members are looked at where a function names them
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, tuple | frozenset):
            return value
        if isinstance(value, property):
            return value.fget, value.fset
        if isinstance(value, staticmethod | classmethod | types.MethodType):
            return value.__func__, getattr(value, '__self__', None)
        if is_of_numpy(value, 'ndarray') or isinstance(value, bytearray):
            self._arrays.append((value, _stamp_of(value)))
            return ()
        if type(value).__module__.partition('.')[0] in KNOWN and type(value) not in CONTAINERS:
            return ()
        if attrs.has(type(value)) and (self._compiled or _is_own_class(type(value))):
            fields = [getattr(value, field.name) for field in attrs.fields(type(value))]
            return type(value), *fields
        return self._object(value)

    def _function(self, function: types.FunctionType) -> Iterable[object]:
        if _does_not_change(function):
            return
        if not is_of_library(function):
            code, named = function.__code__, function.__kwdefaults__
            asked = id(function) in self._asked
            held = weakref.proxy(function) if asked else function
            self._functions.append((held, code, function.__defaults__, named))
            yield from function.__defaults__ or ()
            if named:
                yield from self._entries(named, tuple(named))
            names = tuple(dict.fromkeys(names_in(code)))
            there = function.__globals__
            looked_up = tuple(it for it in names if it in there or hasattr(builtins, it))
            for value in self._entries(there, looked_up):
                yield from self._with_members(value, names)
        for cell in function.__closure__ or ():
            value = _contents(cell)
            if not is_of_library(function):
                self._cells.append((cell, value))
                yield from self._with_members(value, names)
            else:
                yield value

    def _entries(self, mapping: Mapping[Any, Any], names: tuple[Any, ...]) -> tuple[Any, ...]:
        values = tuple([mapping.get(name, ABSENT) for name in names])
        if names:
            self._names.append((mapping.get, names, values))
        return tuple(value for value in values if value is not ABSENT)

    def _with_members(self, value: object, names: tuple[str, ...]) -> Iterable[object]:
        """Return a value; for a module, those of its members that the code may name."""
        seen: list[types.ModuleType] = []
        waiting = [value]
        while waiting:
            value = waiting.pop()
            if not isinstance(value, types.ModuleType):
                yield value
            elif value not in seen and not _is_fixed(value):
                seen.append(value)
                for name in names:
                    member = _member(value, name)
                    if member is not ABSENT:
                        self._members.append((value, name, member))
                        waiting.append(member)

    def _class(self, kind: type) -> Iterable[object]:
        for each in kind.__mro__:
            if each.__module__.partition('.')[0] in (*KNOWN, OWN) or _is_installed(each.__module__):
                continue
            named = [
                name
                for name, value in vars(each).items()
                if isinstance(value, types.FunctionType | property | staticmethod | classmethod)
                or not name.startswith('__')
            ]
            yield from self._entries(vars(each), tuple(named))
            self._arrays.append((vars(each), _stamp_of(vars(each))))

    def _object(self, value: Any) -> Iterable[object]:
        if self._compiled:
            return
        kind = type(value)
        if kind in CONTAINERS:
            self._arrays.append((value, _stamp_of(value)))
            yield from (*value, *value.values()) if kind is dict else value
            return
        yield kind
        if hasattr(value, '__dict__'):
            yield vars(value)
        slots = [name for each in kind.__mro__ for name in vars(each).get('__slots__', ())]
        for name in slots:
            if name not in ('__weakref__', '__dict__'):
                member = _member(value, name)
                self._members.append((value, name, member))
                yield member


class _Items(tuple[Any, ...]):
    """Items that equal others only if each is the same object."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Items) and len(self) == len(other) and all(map(is_, self, other))

    __hash__ = None  # type: ignore[assignment]


def _stamp_of(value: Any) -> object:
    """Return the contents of something that may change, to be compared by `==`."""
    if isinstance(value, dict):
        return _Items((*value, *value.values()))
    if isinstance(value, list):
        return _Items(value)
    if isinstance(value, set):
        return frozenset(map(id, value))
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, types.MappingProxyType):  # of a class: whether it has members more
        return len(value)
    return value.dtype, value.shape, value.strides, value.tobytes()


def _member(owner: object, name: str) -> object:
    try:
        return getattr(owner, name, ABSENT)
    except Exception:  # noqa: BLE001 - whatever a module's or a class's own `__getattr__` raises
        return ABSENT


def _is_fixed(module: types.ModuleType) -> bool:
    """Return whether a module is of this library, of Python or of an installed package."""
    name = module.__name__
    if sys.modules.get(name) is not module:
        return False
    return name.partition('.')[0] == OWN or known(module) is not None or _is_installed(name)


@functools.lru_cache(maxsize=1 << 12)
def _is_installed(name: str) -> bool:
    """Return whether the module of that name is Python's or an installed package's."""
    module = sys.modules.get(name)
    if module is None or name == '__main__':
        return False
    file = getattr(module, '__file__', None)
    if file is None:
        return name.partition('.')[0] in sys.stdlib_module_names
    from fmcts._content import user_code  # noqa: PLC0415 - it loads what a plain search does not need

    return not user_code.is_user_code(str(file))


def _does_not_change(function: types.FunctionType) -> bool:
    """Return whether Python, an installed package or attrs (out of fields) wrote the function."""
    if function.__code__.co_filename.startswith('<attrs '):
        return True
    module = sys.modules.get(str(function.__module__))
    return (
        module is not None
        and vars(module) is function.__globals__
        and (known(module) is not None or _is_installed(module.__name__))
    )


def _is_own_class(kind: type) -> bool:
    return kind.__module__.partition('.')[0] == OWN


def known_function(function: types.FunctionType) -> bool:
    """Return whether a library that `fmcts._content.reached` knows defines the function."""
    module = sys.modules.get(str(function.__module__))
    return module is not None and known(module) is not None and vars(module) is function.__globals__


def _contents(cell: types.CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # no value yet
        return ABSENT
