"""Texts that identify values by their content: what they hold, and the code they reach.

Plain values, and values of this library, are written as their `repr`. Everything else is a name and
a hash: of functions, the byte code in memory and everything it reaches (`fmcts._content.naming`);
of classes, the members; of other values, what `pickle` would store. No source file is read.

Python, this library and installed packages are identified by version, so their members are written
by name. What a function reads while it runs, such as a file, is not included.
"""

from __future__ import annotations

import enum
import functools
import importlib
import importlib.util
import sys
import types
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

import attrs

from fmcts._arguments import cut, shown
from fmcts._content.naming import Naming, UnknownValueError, content, imports_in, part
from fmcts._content.reached import OWN, names_in, with_members
from fmcts._content.user_code import is_user_code

PLAIN: Final = (type(None), bool, int, float, complex, str, bytes, type(...))
LONGEST: Final = 1000  # characters; a longer text is replaced by its hash
HASHED: Final = 16  # hexadecimal digits

# Parts of a class that do not affect its behaviour, or repeat other parts.
NOT_CODE: Final = frozenset(
    (
        *('__module__', '__qualname__', '__dict__', '__weakref__', '__slots__', '__doc__'),
        *('__annotations__', '__annotate__', '__annotate_func__', '__annotations_cache__'),
        '__slotnames__',
        *('__firstlineno__', '__static_attributes__', '__abstractmethods__', '_abc_impl'),
        *('__orig_bases__', '__parameters__', '__type_params__', '__attrs_attrs__'),
        *('__attrs_own_setattr__', '__attrs_props__'),
        *('__dataclass_fields__', '__dataclass_params__'),
    )
)


def content_of(value: object) -> str | dict[str, str]:
    """Return the text of a value, or why it has none."""
    try:
        return ContentNaming().text(value)
    except UnknownValueError as error:
        return {'unknown': str(error)}
    except RecursionError:
        return {'unknown': 'its values are nested too deeply'}


def comparison_of(value: object) -> str | None:
    """Return a text that differs in a process where the value is found to be different.

    What cannot be determined is not compared; `None` if that is all of it.
    """
    try:
        naming = Comparison()
        naming.visit(value)
    except RecursionError:
        return None
    return naming.sum.hexdigest()


@functools.cache
def _versioned(module: str) -> str | None:
    """Return the module's name with its package's version; `None` for one of the user's own."""
    top = module.partition('.')[0]
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None
    if spec is None or (spec.has_location and is_user_code(str(spec.origin))):
        return None
    if top in sys.stdlib_module_names or top == OWN:
        return module
    from importlib import metadata  # noqa: PLC0415 - it takes as long as a search to load

    try:
        # A namespace package may belong to several distributions.
        installed = sorted(set(_distributions()[top]))
        return f'{module}-{"+".join(map(metadata.version, installed))}'
    except (KeyError, metadata.PackageNotFoundError):
        return None


@functools.cache
def _distributions() -> Mapping[str, list[str]]:
    from importlib import metadata  # noqa: PLC0415 - the same

    return metadata.packages_distributions()


# Kinds of values, with the attributes that determine them.
PARTS: Final[tuple[tuple[Any, tuple[str, ...]], ...]] = (
    (types.MethodType, ('__func__', '__self__')),
    ((staticmethod, classmethod, type(functools.cache(repr))), ('__wrapped__',)),
    (property, ('fget', 'fset', 'fdel')),
    (functools.cached_property, ('func',)),
    ((types.MemberDescriptorType, types.GetSetDescriptorType), ('__name__',)),
)


class ContentNaming(Naming):
    """Names the content of bots and games, which includes values unknown to compiled code."""

    KINDS: ClassVar[tuple[tuple[Any, str], ...]] = (
        *Naming.KINDS,
        *((kind, 'visit_members') for kind, _ in PARTS),
        (set, 'visit_set'),
        ((list, dict, types.MappingProxyType), 'visit_container'),
    )

    def __init__(self, seen: dict[int, tuple[int, object]] | None = None) -> None:
        super().__init__()
        self.seen = {} if seen is None else seen
        self.put(str(sys.implementation.cache_tag))  # byte code differs between versions

    def known_by(self, module: str) -> str | None:
        """Return the module's name with its package's version."""
        return _versioned(module)

    def found(self, value: Any) -> str | None:
        """Return the name under which the value is found in Python or a package."""
        try:
            return super().found(value)
        except Exception:  # noqa: BLE001 - a value of the user's may answer anything
            return None

    # ---- texts ----

    def text(self, value: Any) -> str:
        """Return the text of a value.

        :raises UnknownValueError: it has none.
        """
        text = repr(value) if type(value) in PLAIN else (self.found(value) or '').replace(':', '.')
        text = text or self._text_of_parts(value)
        return text if len(text) <= LONGEST else f'{text[:40]}...@{content(text)[:HASHED]}'

    def _text_of_parts(self, value: Any) -> str:
        kind = type(value)
        if kind is tuple:
            return f'({", ".join(map(self.text, value))})'
        if id(value) in self.seen:
            return f'#{self.seen[id(value)][0]}'
        if kind in (list, dict) or _is_own_attrs(kind):
            self.again(value)
            if kind is list:
                return f'[{", ".join(map(self.text, value))}]'
            if kind is dict:
                pairs = (f'{self.text(key)}: {self.text(it)}' for key, it in value.items())
                return f'{{{", ".join(pairs)}}}'
            return f'{kind.__qualname__}({", ".join(self._fields(value))})'
        naming = ContentNaming(self.seen)
        naming.visit(value)
        named = value if isinstance(value, type | types.FunctionType) else kind
        return f'{_path(named)}@{naming.sum.hexdigest()[:HASHED]}'

    def _fields(self, value: Any) -> Iterator[str]:
        """Yield the fields of a value of this library that differ from their defaults."""
        for field in attrs.fields(type(value)):
            name, it = field.name, getattr(value, field.name)
            usual = usual_option(value, field)
            if name != 'engine' and not _same_plain(it, usual):  # all engines play the same
                with part(name, type(value).__name__):
                    yield f'{name}={self.text(it)}'

    # ---- what is written into the hash ----

    def visit_function(self, function: types.FunctionType) -> None:
        """Write a function, with its attributes."""
        first = id(function) not in self.seen
        super().visit_function(function)
        if first:
            self.visit_parts([('attributes', function.__dict__)], function.__qualname__)

    def visit_members(self, value: Any) -> None:
        """Write a method, a property or another value by its attributes in `PARTS`."""
        names = next(names for kind, names in PARTS if isinstance(value, kind))
        self.put(type(value).__name__)
        self.visit(tuple(getattr(value, name) for name in names))

    def visit_container(self, value: Any) -> None:
        """Write a list or dictionary, in its order."""
        if type(value) not in (list, dict, types.MappingProxyType):
            self.visit_other(value)
        elif not self.again(value):
            self.put(type(value).__name__)
            self.visit(tuple(value if isinstance(value, list) else value.items()))

    def visit_tuple(self, value: tuple[Any, ...]) -> None:
        """Write a tuple."""
        (super().visit_tuple if type(value) is tuple else self.visit_other)(value)

    def visit_type(self, value: Any) -> None:
        """Write a class: its bases, its members, and the fields that attrs knows."""
        if self.again(value):
            return
        members = [(name, it) for name, it in sorted(vars(value).items()) if name not in NOT_CODE]
        if issubclass(value, enum.Enum):
            kinds = (types.FunctionType, property, classmethod, staticmethod)
            own = [(name, it) for name, it in members if isinstance(it, kinds)]
            named = [(name, it.value) for name, it in value.__members__.items()]
            members = [*named, *own]
        described = [(name, it) for name, it in members if not _made_by_attrs(name, it)]
        if '__attrs_attrs__' in vars(value):
            described += [(it.name, it) for it in attrs.fields(value)]
        name = _path(value)
        self.put(f'class {name} of {len(described)}')
        self.visit_parts([('bases', value.__bases__), ('kind', type(value)), *described], name)

    def visit_other(self, value: Any) -> None:
        """Write a value of another class: what `pickle` would store of it."""
        kind = type(value)
        if kind.__module__ == 'typing':
            self.put(repr(value))
        elif _is_own_attrs(kind):
            self.put(self.text(value))
        elif kind.__module__.startswith('numba.') and hasattr(value, 'py_func'):
            self.visit((kind.__name__, value.py_func, value.targetoptions))
        elif not self.again(value):
            parts = stored_of(value)
            self.put(f'instance of {len(parts)}')
            self.visit_parts([('class', kind), *parts], kind.__name__)


class Comparison(ContentNaming):
    """Names what can be named; of anything else only the type is written.

    It compares values in two processes that have the same modules. A module that a function imports
    is imported, as the function would.
    """

    def visit(self, value: Any) -> None:
        """Write a value and all that it reaches, as far as it can be named."""
        try:
            super().visit(value)
        except UnknownValueError:
            self.put(f'unknown {type(value).__name__}')

    def visit_function(self, function: types.FunctionType) -> None:
        """Write a function, with the members it uses of the modules that it imports."""
        first = id(function) not in self.seen
        super().visit_function(function)
        if first:
            names = sorted(set(names_in(function.__code__)))
            seen: list[types.ModuleType] = []
            package = str(function.__globals__.get('__package__') or '')
            for module in self._imported(function.__code__, package):
                self.visit([*with_members(module.__name__, module, names, seen, self.known_by)])

    def _refuse_imports(self, code: types.CodeType) -> None:
        """Accept imports within functions."""

    def _imported(self, code: types.CodeType, package: str) -> Iterator[types.ModuleType]:
        """Yield the modules that code imports, without those known by a version."""
        for level, name in imports_in(code):
            try:
                whole = importlib.util.resolve_name('.' * level + name, package)
                if self.known_by(whole) is None:
                    yield importlib.import_module(whole)
            except Exception as error:  # noqa: BLE001 - the function will find it too
                self.put(f'{name} is not imported: {type(error).__name__}')
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                yield from self._imported(constant, package)


def _path(named: Any) -> str:
    """Return the name of a class or function; that of the program is the same in its processes."""
    module = '__main__' if named.__module__ == '__mp_main__' else named.__module__
    return f'{module}.{named.__qualname__}'


def _is_own_attrs(kind: type) -> bool:
    return attrs.has(kind) and kind.__module__.partition('.')[0] == OWN


def stored_of(value: Any) -> list[tuple[str, object]]:
    """Return what `pickle` would store of a value besides its class."""
    kind = type(value)
    try:
        stored = value.__reduce_ex__(4)
    except Exception as error:
        what = f'a value of type {kind.__name__}'
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


def _made_by_attrs(name: str, value: object) -> bool:
    """Return whether attrs generated the method; its `__hash__` differs between processes."""
    code = getattr(value, '__code__', None)
    return name.startswith('__') and str(getattr(code, 'co_filename', '')).startswith('<attrs ')


def usual_option(value: Any, field: attrs.Attribute[Any]) -> Any:
    """Return the default of a field, which may depend on others, such as `network`."""
    default: Any = field.default
    return default.factory(value) if getattr(default, 'takes_self', False) else default


def _same_plain(one: object, two: object) -> bool:
    return type(one) is type(two) and type(one) in PLAIN and repr(one) == repr(two)
