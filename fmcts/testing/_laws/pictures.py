"""Pictures of values with all their parts, to notice any change.

Equality and pickles are not enough: both leave out what follows from the rest, such as moves that a
state caches, where faults are hard to find.
"""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from typing import Any, Final, TypeAlias

from fmcts._arguments import shown
from fmcts.game import equal

PLAIN: Final = (str, bytes, int, float, complex, type(None), type, types.ModuleType, Enum)
SLOTS: Final = (types.MemberDescriptorType, types.GetSetDescriptorType)
ELEMENT: Final = ' element '
"""The prefix of the place of a set's element, which has no position."""

Picture: TypeAlias = list[tuple[Any, dict[str, Any], str]]
"""Every object that can be reached from a value, each with its parts and the path to it."""


def fields_of(thing: Any) -> dict[str, Any]:
    """Return an object's values by name: in its `__dict__`, and in slots of its class and bases.

    An empty slot is left out, after a subclass has had the chance to fill it on access. If a slot
    hides one of the same name in a base, both are included.
    """
    places = [*_slots_of(type(thing))]
    for name, _, place in places:
        if getattr(type(thing), name, None) is not place:
            with suppress(Exception):  # of the user's own
                getattr(thing, name)
    held = dict(getattr(thing, '__dict__', {}))
    for name, kind, place in places:
        with suppress(AttributeError):
            held[f'{kind}.{name}' if name in held else name] = place.__get__(thing)
    return held


def _slots_of(kind: type) -> Iterator[tuple[str, str, Any]]:
    """Yield the slots of a class and its bases: the name as set, the class's name, and the slot."""
    for each in kind.__mro__:
        slots = vars(each).get('__slots__', ())
        for given in (slots,) if isinstance(slots, str) else slots:
            hidden = given.startswith('__') and not given.endswith('__')
            name = f'_{each.__name__.lstrip("_")}{given}' if hidden else given
            place = vars(each).get(name)
            if isinstance(place, SLOTS) and name not in {'__weakref__', '__dict__'}:
                yield name, each.__name__, place


def parts_of(thing: Any, memos: frozenset[str]) -> dict[str, Any]:
    """Return the parts of an object that is not plain, by name or index; arrays as bytes.

    The parts of a function are its closure and defaults; the parts of a partial are its arguments.
    """
    named = fields_of(thing) | _bound_by(thing)
    parts = {f'.{name}': part for name, part in named.items() if name not in memos}
    if isinstance(thing, dict | types.MappingProxyType):
        for number, (key, value) in enumerate(thing.items()):
            parts |= {f'[{shown(key)}]': value, f' key {number}': key}
    elif isinstance(thing, list | tuple | deque):
        parts |= {f'[{number}]': part for number, part in enumerate(thing)}
    elif isinstance(thing, set | frozenset):
        parts |= {f'{ELEMENT}{id(part)}': part for part in thing}
    elif isinstance(thing, bytearray):
        parts[' as bytes'] = bytes(thing)
    elif hasattr(thing, 'tobytes'):
        parts['.tobytes()'] = thing.tobytes()
    return parts


def _bound_by(function: Any) -> dict[str, Any]:
    """Return what a function holds besides its fields, by name; empty for anything else."""
    if isinstance(function, functools.partial):
        return {name: getattr(function, name) for name in ('func', 'args', 'keywords')}
    if isinstance(function, types.MethodType):
        return {name: getattr(function, name) for name in ('__func__', '__self__')}
    if not isinstance(function, types.FunctionType):
        return {}
    held = {name: getattr(function, name) for name in ('__defaults__', '__kwdefaults__')}
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    for name, cell in cells:
        with suppress(ValueError):  # it is empty yet
            held[name] = cell.cell_contents
    return held


def picture(thing: Any, name: str, memos: frozenset[str]) -> Picture:
    """Return the picture of an object, called `name`, with all its parts as they are now."""
    seen: dict[int, tuple[Any, dict[str, Any], str]] = {}
    left = [(thing, name)]
    while left:
        part, way = left.pop()
        if id(part) not in seen and not isinstance(part, PLAIN):
            parts = parts_of(part, memos)
            seen[id(part)] = (part, parts, way)
            left += [(inner, way + place) for place, inner in parts.items()]
    return [*seen.values()]


def changes(before: Picture, memos: frozenset[str], *, strict: bool = False) -> Iterator[str]:
    """Yield how the objects of a picture have changed, in words.

    An empty slot may have been filled, and a `cached_property` set, to cache a value. A filled slot
    may not change.

    :param strict: forbid replacing a part by an equal one, unless it is plain, and adding anything
        outside slots.
    """
    for thing, parts, way in before:
        now = parts_of(thing, memos)
        if any(place.startswith(ELEMENT) for place in parts.keys() ^ now.keys()):
            yield f'{way} has other elements'
            continue
        for place, part in parts.items():
            if place not in now:
                yield f'{way}{place} is gone'
            elif not _unchanged(part, now[place], strict=strict):
                yield f'{way}{place} was {shown(part)} and is {shown(now[place])}'
        for place in now:
            if place not in parts and not _may_be_filled(thing, place, strict=strict):
                yield f'{way}{place} is new'


def _unchanged(one: Any, two: Any, *, strict: bool) -> bool:
    """Return whether a part is still the same object, or was replaced by an equal one."""
    if one is two:
        return True
    if type(one) is not type(two):
        return False
    return repr(one) == repr(two) if isinstance(one, PLAIN) else not strict and equal(one, two)


def _may_be_filled(thing: Any, place: str, *, strict: bool) -> bool:
    name = place.removeprefix('.')
    if name == place:  # an element, and no field
        return False
    if name not in getattr(thing, '__dict__', ()):  # so it is a slot
        return True
    member = getattr(type(thing), name, None)
    return not strict and isinstance(member, functools.cached_property)


def unlike(one: Any, two: Any, name: str, memos: frozenset[str]) -> str | None:
    """Return the first plain part in which two values called `name` differ, in words.

    What only one of them has yet, such as a slot filled on access, is left out.
    """
    left = deque([(one, two, name)])
    met: dict[
        tuple[int, int], tuple[Any, Any]
    ] = {}  # keeps the objects alive, so that `id` stays unique
    while left:
        one, two, way = left.popleft()
        if one is two or (id(one), id(two)) in met:
            continue
        met[id(one), id(two)] = one, two
        kinds = type(one).__name__, type(two).__name__
        if kinds[0] != kinds[1]:
            return f'{way} is of type {kinds[0]}, and of type {kinds[1]}'
        if isinstance(one, PLAIN):
            if repr(one) != repr(two):
                return f'{way} is {shown(one)}, and {shown(two)}'
        elif isinstance(one, set | frozenset):
            if one != two:
                return f'{way} is {shown(one, 80)}, and {shown(two, 80)}'
        else:
            parts, others = parts_of(one, memos), parts_of(two, memos)
            if any(not place.startswith('.') for place in parts.keys() ^ others.keys()):
                return f'{way} is {shown(one, 80)}, and {shown(two, 80)}'
            left += [
                (part, others[place], way + place)
                for place, part in parts.items()
                if place in others
            ]
    return None
