"""Snapshots of values with all their parts, to notice any change.

Equality and pickles are not enough: both leave out what follows from the rest, such as moves that a
state caches, where faults are hard to find.
"""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Iterable, Iterator, Set as AbstractSet
from contextlib import suppress
from enum import Enum
from typing import Any, Final, TypeAlias

from fmcts._arguments import cut, shown

PLAIN: Final = (str, bytes, int, float, complex, type(None), type, types.ModuleType, Enum, range)
SEQUENCES: Final = (list, tuple, deque, bytearray)
MAPPINGS: Final = (dict, types.MappingProxyType)

LEAD: Final = 40
"""The number of equal characters that are left out before a difference, at a time."""

NONE: Final = frozenset[str]()

Snapshot: TypeAlias = dict[str, str]
"""A description of each part of a value, by the path to it."""


def parts(value: Any, name: str, memos: AbstractSet[str] = NONE) -> Iterator[tuple[str, Any]]:
    """Yield every object that can be reached from a value called `name`, with the path to it.

    :param memos: the names of attributes that are left out.
    """
    waiting, met = deque([(name, value)]), dict[int, Any]()
    while waiting:
        path, thing = waiting.popleft()
        yield path, thing
        if not isinstance(thing, PLAIN) and id(thing) not in met:
            met[id(thing)] = thing  # kept alive, so that `id` stays unique
            waiting += [(path + step, inner) for step, inner in _inner(thing, memos)]


def _inner(thing: Any, memos: AbstractSet[str]) -> Iterator[tuple[str, Any]]:
    """Yield the parts of an object: attributes, items, and what a function holds."""
    if isinstance(thing, types.FunctionType):
        yield '.__defaults__', (thing.__defaults__, thing.__kwdefaults__)
        yield from (('.__closure__', cell) for cell in thing.__closure__ or ())
    elif isinstance(thing, types.CellType):
        with suppress(ValueError):  # it is empty yet
            yield '', thing.cell_contents
    elif isinstance(thing, types.MethodType):
        yield '.__self__', thing.__self__
    elif isinstance(thing, functools.partial):
        yield from (('.func', thing.func), ('.args', thing.args), ('.keywords', thing.keywords))
    elif isinstance(thing, MAPPINGS):
        yield from ((f'[{shown(key)}]', inner) for key, inner in thing.items())
    elif isinstance(thing, SEQUENCES) and not _are_plain(thing):
        yield from ((f'[{place}]', inner) for place, inner in enumerate(thing))
    held = attributes(thing).items()
    yield from ((f'.{name}', inner) for name, inner in held if name not in memos)


def _are_plain(things: Iterable[Any]) -> bool:
    return all(isinstance(thing, PLAIN) for thing in things)


def attributes(thing: Any) -> dict[str, Any]:
    """Return the values of an object's attributes, by name: in its `__dict__` and in slots."""
    try:
        held = object.__getstate__(thing)
    except TypeError:
        return {}
    both = held if isinstance(held, tuple) else (held,)
    return {name: value for each in both if each for name, value in each.items()}


def snapshot(value: Any, name: str, memos: AbstractSet[str] = NONE) -> Snapshot:
    """Return a description of everything that can be reached from a value."""
    return {path: _described(thing, memos) for path, thing in parts(value, name, memos)}


def _described(thing: Any, memos: AbstractSet[str] = NONE) -> str:
    kind = type(thing)
    if isinstance(thing, PLAIN) or (kind in SEQUENCES and _are_plain(thing)):
        return repr(thing)
    if isinstance(thing, AbstractSet):
        return f'the {kind.__name__} {sorted(map(_described, thing))}'
    if isinstance(thing, SEQUENCES) and _are_plain(thing):
        return f'the {kind.__name__} {[*thing]}'
    if isinstance(thing, MAPPINGS + SEQUENCES):
        return f'a {kind.__name__} of {len(thing)}'
    if hasattr(thing, 'tobytes'):  # an array; NaN and -0.0 differ from others in texts too
        return repr(thing.tolist() if hasattr(thing, 'tolist') else thing.tobytes())
    cached = functools.cached_property
    names = getattr(thing, '__dict__', {}).keys() - memos
    own = sorted(name for name in names if not isinstance(getattr(kind, name, None), cached))
    return f'a {kind.__name__}' + (f' with {", ".join(own)}' if own else '')


def changed(before: Snapshot, now: Snapshot) -> str | None:
    """Return the first part that is gone or another now, in words.

    New parts alone are caches, slots or cached properties that are filled when they are asked for.
    A new item makes its list another, and a new attribute its object.
    """
    for path, was in before.items():
        if now.get(path) != was:
            found = f'is {_cut(now[path])}' if path in now else 'is gone'
            return f'{path} was {_cut(was)} and {found}'
    return None


def unlike(one: Any, two: Any, name: str, memos: AbstractSet[str] = NONE) -> str | None:
    """Return the first part in which two values called `name` differ, in words.

    What only one of them has yet, such as a cache filled on access, is left out.
    """
    first, second = snapshot(one, name, memos), snapshot(two, name, memos)
    for path in first:
        if path in second and first[path] != second[path]:
            left, right = first[path], second[path]
            while left[:LEAD] == right[:LEAD] and len(left) > LEAD:
                left, right = f'...{left[LEAD:]}', f'...{right[LEAD:]}'
            return f'{path} is {_cut(left)}, and {_cut(right)}'
    return None


def _cut(text: str) -> str:
    return cut(text, 60)
