"""What bots and games are made of, as text: the values they hold, and the code they reach.

A match file keeps these texts, so that an interrupted run is not resumed with a bot of the same
name that has changed since. A value is written as Python writes it; a function or class of the
user's own as its name and a hash of its byte code in memory, with everything that the code names:
globals, closures, defaults, other functions. Values of other classes are written as `pickle` would
store them. No source file is read.

Python, this library and installed packages are known by their versions, so what is found in them by
its name is written as that name. What a bot reads while it plays (a file, say) is not seen.

A value that cannot be described so gets no text but the reason, `{'unknown': why}`.
"""

from __future__ import annotations

import dis
import enum
import functools
import hashlib
import importlib.util
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import Any, Final, TypeAlias, cast

import attrs

from fmcts.arguments import cut, shown
from fmcts.games import GameModule, find_game
from fmcts.matches.description import Match
from fmcts.own_code import is_own

__all__ = ['Contents', 'content_of', 'contents_of']

Contents: TypeAlias = dict[str, 'str | dict[str, str]']
"""The texts of the game and of both bots; `{'unknown': why}` where there is none."""

PLAIN: Final = (type(None), bool, int, float, complex, str, bytes, type(...))
LONGEST: Final = 1000  # characters; a longer text is replaced by its hash
HASHED: Final = 16  # hexadecimal digits
OWN_PACKAGE: Final = __name__.partition('.')[0]
GAME_MEMBERS: Final = ('start', 'parse', 'format', 'parse_move', 'format_move', 'read_move')

# Parts of a class that say nothing about what it does, or repeat what other parts say.
NOT_CODE: Final = frozenset(
    (
        *('__module__', '__qualname__', '__dict__', '__weakref__', '__slots__', '__doc__'),
        *('__annotations__', '__annotate__', '__annotate_func__', '__annotations_cache__'),
        *('__firstlineno__', '__static_attributes__', '__abstractmethods__', '_abc_impl'),
        *('__orig_bases__', '__parameters__', '__type_params__', '__attrs_attrs__'),
        *('__attrs_own_setattr__', '__attrs_props__'),
        *('__dataclass_fields__', '__dataclass_params__'),
    )
)
FIELD_PARTS: Final = ('default', 'validator', 'converter', 'init', 'kw_only', 'eq', 'order', 'hash')


class UnknownContentError(TypeError):
    """A value that has no text which would change whenever the value does something else."""


def contents_of(described: Match, game: GameModule) -> Contents:
    """Return the texts of a match's game and bots."""
    members = {name: getattr(game, name) for name in GAME_MEMBERS if hasattr(game, name)}
    own = find_game(game.name).map(lambda found: found != game).value_or(True)  # noqa: FBT003
    return {
        'game': content_of(members) if own else game.name,
        'first': content_of(described.first),
        'second': content_of(described.second),
    }


def content_of(value: object) -> str | dict[str, str]:
    """Return the text of a value, or why it has none."""
    try:
        return _Walk().text(value)
    except UnknownContentError as error:
        return {'unknown': str(error)}
    except RecursionError:
        return {'unknown': 'it consists of values within values, too deep to follow'}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:HASHED]


# ---- what is known by a version ----


def _named(value: Any) -> str | None:
    """Return the name of what is found by it in Python or a package, with the package's version."""
    if isinstance(value, types.ModuleType):
        return _versioned(value.__name__) if sys.modules.get(value.__name__) is value else None
    try:
        path = getattr(value, '__qualname__', None) or value.__name__
        module = getattr(value, '__module__', None) or value.__self__.__name__
        found: object = sys.modules[module]
        for step in path.split('.'):  # what an object says of its origin is not believed
            found = getattr(found, step)
    except Exception:  # noqa: BLE001 - a value of the user's may answer anything
        return None
    name = _versioned(module) if found is value else None
    return None if name is None else f'{name}.{path}'


@functools.cache
def _versioned(module: str) -> str | None:
    """Return the module's name with its package's version; `None` for one of the user's own."""
    top = module.partition('.')[0]
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None
    if spec is None or (spec.has_location and is_own(str(spec.origin))):
        return None
    if top in sys.stdlib_module_names or top == OWN_PACKAGE:
        return module
    try:
        installed = sorted(set(_distributions()[top]))  # a namespace may be of several
        return f'{module}-{"+".join(map(version, installed))}'
    except (KeyError, PackageNotFoundError):
        return None


_distributions: Final = functools.cache(packages_distributions)


# ---- texts ----


class _Dispatcher(type):
    """Tells what numba makes of a function, without loading numba."""

    def __instancecheck__(cls, value: object) -> bool:
        return type(value).__module__.startswith('numba.') and hasattr(value, 'py_func')


class _Compiled(metaclass=_Dispatcher):
    """What numba makes of a function."""


_LRU: Final[Any] = type(functools.cache(repr))


class _Walk:
    """One description of a value and all that it reaches."""

    def __init__(self) -> None:
        self.seen: dict[int, int] = {}
        self.alive: list[object] = []  # so that no identity is used twice

    def text(self, value: Any) -> str:
        """Return the text of a value.

        :raises UnknownContentError: it has none.
        """
        return _short(self._plain(value) or _named(value) or self._other(value))

    def _plain(self, value: Any) -> str | None:
        """A value without an identity that matters; `None` if it is not one."""
        kind = type(value)
        if kind in PLAIN or kind is range:
            return repr(value)
        if kind is tuple:
            return f'({self._texts(value)})'
        if kind is slice:
            return f'slice({self._texts((value.start, value.stop, value.step))})'
        if kind in (frozenset, set):  # whose order means nothing
            return f'{kind.__name__}({", ".join(sorted(_Walk().text(it) for it in value))})'
        return f'{self.text(kind)}.{value.name}' if isinstance(value, enum.Enum) else None

    def _other(self, value: Any) -> str:
        if id(value) in self.seen:  # recursion, or another mention
            return f'#{self.seen[id(value)]}'
        self.seen[id(value)] = len(self.seen)
        self.alive.append(value)
        for kinds, write in self._KINDS:
            if isinstance(value, kinds):
                return write(self, value)
        return self._instance(value)

    def _texts(self, values: Iterable[object]) -> str:
        return ', '.join(map(self.text, values))

    def _named_texts(self, values: Iterable[tuple[str, object]], where: str = '') -> str:
        found = []
        for name, value in values:
            try:
                found.append(f'{name}={self.text(value)}')
            except UnknownContentError as error:
                if ', as ' in str(error):
                    raise
                raise UnknownContentError(f'{error}, as {name}{where}') from error
        return ', '.join(found)

    # ---- values made of others ----

    def _list(self, value: list[Any]) -> str:
        return f'[{self._texts(value)}]' if type(value) is list else self._instance(value)

    def _mapping(self, value: Any) -> str:
        if type(value) not in (dict, types.MappingProxyType):
            return self._instance(value)
        pairs = (f'{self.text(key)}: {self.text(it)}' for key, it in value.items())
        return f'{{{", ".join(pairs)}}}'

    def _module(self, value: types.ModuleType) -> str:
        raise UnknownContentError(f'the module {value.__name__} by itself')

    def _instance(self, value: Any) -> str:
        """A value of another class: what `pickle` would store of it."""
        kind = type(value)
        if kind.__module__ == 'typing':
            return repr(value)
        if attrs.has(kind) and kind.__module__.partition('.')[0] == OWN_PACKAGE:
            fields = [it for it in attrs.fields(kind) if it.name != 'engine']  # all play the same
            found = ((it.name, getattr(value, it.name), it.default) for it in fields)
            values = ((name, it) for name, it, usual in found if not _same_plain(it, usual))
            return f'{kind.__qualname__}({self._named_texts(values, f" of {kind.__name__}")})'
        try:
            stored = value.__reduce_ex__(4)
        except Exception as error:
            what = f'a value of type {kind.__name__}'
            raise UnknownContentError(f'{what} ({cut(str(error), 80)})') from error
        if isinstance(stored, str):
            raise UnknownContentError(f'{shown(value)}, which is stored as a name')
        made, given, state, items, pairs = (*stored, None, None, None)[:5]
        parts = list(state.items()) if isinstance(state, dict) else [('state', state)]
        parts += [('items', [*items] if items else None), ('pairs', [*pairs] if pairs else None)]
        parts = [(str(name), it) for name, it in parts if it is not None]
        where = f' of {kind.__name__}'
        if getattr(made, '__name__', '') != '__newobj__' or given != (kind,):
            parts = [('made', made), ('given', given), *parts]
        return f'{self.text(kind)}({self._named_texts(parts, where)})'

    # ---- functions ----

    def _function(self, value: types.FunctionType) -> str:
        name = f'{value.__module__}.{value.__qualname__}'
        parts = self._named_texts(_reached(value), f' of {name}')
        return f'{name}@{_hash(f"{_code(self, value.__code__)} {parts}")}'

    def _method(self, value: types.MethodType) -> str:
        return f'method({self._texts((value.__func__, value.__self__))})'

    def _wrapper(self, value: Any) -> str:
        """A static or class method, or a cached function: all that counts is within."""
        return f'{type(value).__name__}({self.text(value.__wrapped__)})'

    def _property(self, value: property) -> str:
        return f'property({self._texts((value.fget, value.fset, value.fdel))})'

    def _cached_property(self, value: functools.cached_property[Any]) -> str:
        return f'cached_property({self.text(value.func)})'

    def _slot(self, value: Any) -> str:
        return f'slot {value.__name__}'

    # ---- classes ----

    def _class(self, value: type) -> str:
        members = [(name, it) for name, it in sorted(vars(value).items()) if name not in NOT_CODE]
        if issubclass(value, enum.Enum):
            kinds = (types.FunctionType, property, classmethod, staticmethod)
            own = [(name, it) for name, it in members if isinstance(it, kinds)]
            named = [(name, it.value) for name, it in value.__members__.items()]
            members = [*named, *own]
        described = [(name, it) for name, it in members if not _made_by_attrs(name, it)]
        if '__attrs_attrs__' in vars(value):
            described += [
                (f'{it.name}.{part}', getattr(it, part))
                for it in attrs.fields(value)
                for part in FIELD_PARTS
            ]
        name = f'{value.__module__}.{value.__qualname__}'
        parts = [('bases', value.__bases__), ('kind', type(value)), *described]
        return f'{name}@{_hash(self._named_texts(parts, f" of {name}"))}'

    def _dispatcher(self, value: Any) -> str:
        """A function that numba compiles: the plain one within, and how it is compiled."""
        return f'compiled({self._texts((value.py_func, value.targetoptions))})'

    _KINDS: Final[tuple[tuple[Any, Callable[..., str]], ...]] = (
        (types.FunctionType, _function),
        (types.MethodType, _method),
        ((staticmethod, classmethod, _LRU), _wrapper),
        (property, _property),
        (functools.cached_property, _cached_property),
        ((types.MemberDescriptorType, types.GetSetDescriptorType), _slot),
        (_Compiled, _dispatcher),
        (type, _class),
        (list, _list),
        ((dict, types.MappingProxyType), _mapping),
        (types.ModuleType, _module),
    )


def _made_by_attrs(name: str, value: object) -> bool:
    """Whether attrs wrote the method, out of the fields; its `__hash__` differs by process."""
    code = getattr(value, '__code__', None)
    return name.startswith('__') and str(getattr(code, 'co_filename', '')).startswith('<attrs ')


def _same_plain(one: object, two: object) -> bool:
    return type(one) is type(two) and type(one) in PLAIN and repr(one) == repr(two)


def _short(text: str) -> str:
    """Return the text, or a hash in place of a long one."""
    return text if len(text) <= LONGEST else f'{text[:40]}...@{_hash(text)}'


# ---- code ----


def _code(walk: _Walk, code: types.CodeType) -> str:
    """Return byte code as text; it differs between versions of Python."""
    constants = [
        _code(walk, it) if isinstance(it, types.CodeType) else walk.text(it)
        for it in code.co_consts
    ]
    parts = (
        (sys.implementation.cache_tag, code.co_code.hex(), code.co_flags),
        (getattr(code, 'co_exceptiontable', b'').hex(), code.co_names),
        (code.co_varnames, code.co_freevars, code.co_cellvars),
        (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount),
    )
    return f'{parts!r} {constants}'


def _reached(function: types.FunctionType) -> Iterator[tuple[str, object]]:
    """Yield the values that a function names: globals, members of modules, closure, defaults.

    Rather too many than too few: `a.b` counts as reaching `b` in every module that is reached.

    :raises UnknownContentError: a module of the user's own is imported within, or a variable of the
        closure has no value yet.
    """
    names = sorted(set(_names(function.__code__)))
    yield 'defaults', function.__defaults__
    yield 'keyword_defaults', function.__kwdefaults__
    yield 'attributes', function.__dict__
    for name in names:
        if name in function.__globals__:
            yield from _with_members(name, function.__globals__[name], names, [])
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    for name, cell in cells:
        try:
            yield from _with_members(name, cell.cell_contents, names, [])
        except ValueError as error:
            raise UnknownContentError(f'{name}, which has no value yet') from error


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    before: list[object] = []
    for step in dis.get_instructions(code):
        if step.opname == 'IMPORT_NAME' and (before[-2] or _versioned(step.argval) is None):
            module = '.' * cast('int', before[-2]) + step.argval
            raise UnknownContentError(f'{module}, imported within {code.co_name}')
        if step.opname != 'EXTENDED_ARG':
            before.append(step.argval)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _with_members(
    name: str, value: object, names: list[str], before: list[object]
) -> Iterator[tuple[str, object]]:
    """Yield a value, or those of a module's members whose names occur."""
    if not isinstance(value, types.ModuleType) or _named(value) is not None:
        yield name, value
    elif not any(value is it for it in before):
        for member in names:
            if member in vars(value):
                yield from _with_members(
                    f'{name}.{member}', vars(value)[member], names, [*before, value]
                )
