"""What a value is made of, to the last slot, so that a change of it is seen.

Equality and pickles would not do: both leave out what follows from the rest, such as moves that a
state remembers, and there a fault hides best.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from typing import Any, Final, TypeAlias

from fmcts.arguments import shown
from fmcts.game import equal

__all__ = ['Picture', 'changes', 'picture']

PLAIN: Final = (str, bytes, int, float, complex, type(None), type, types.ModuleType, Enum)
SLOTS: Final = (types.MemberDescriptorType, types.GetSetDescriptorType)

Picture: TypeAlias = list[tuple[Any, dict[str, Any], str]]
"""Every object that can be reached from some, each with its parts, and how it was reached."""


def fields_of(thing: Any) -> dict[str, Any]:
    """What an object holds by name: in its `__dict__`, and in slots of its class and those above.

    A slot that is not filled is left out.
    """
    held = dict(getattr(thing, '__dict__', {}))
    for kind in type(thing).__mro__:
        slots = vars(kind).get('__slots__', ())
        for name in (slots,) if isinstance(slots, str) else slots:
            hidden = name.startswith('__') and not name.endswith('__')
            place = vars(kind).get(f'_{kind.__name__.lstrip("_")}{name}' if hidden else name)
            if isinstance(place, SLOTS) and name not in {'__weakref__', '__dict__'}:
                with suppress(AttributeError):
                    held[name] = place.__get__(thing)
    return held


def parts_of(thing: Any, memos: frozenset[str]) -> dict[str, Any]:
    """Everything that an object is made of, by name or place; arrays by their bytes."""
    if isinstance(thing, PLAIN):
        return {}
    parts = {f'.{name}': part for name, part in fields_of(thing).items() if name not in memos}
    if isinstance(thing, dict | types.MappingProxyType):
        for number, (key, value) in enumerate(thing.items()):
            parts |= {f' key {number}': key, f'[{shown(key)}]': value}
    elif isinstance(thing, list | tuple):
        parts |= {f'[{number}]': part for number, part in enumerate(thing)}
    elif isinstance(thing, set | frozenset):
        parts |= {f' element {id(part)}': part for part in thing}
    elif hasattr(thing, 'tobytes'):
        parts['.tobytes()'] = thing.tobytes()
    return parts


def picture(thing: Any, name: str, memos: frozenset[str]) -> Picture:
    """The thing, called `name`, and all that it is made of, as it is now."""
    seen: dict[int, tuple[Any, dict[str, Any], str]] = {}
    left = [(thing, name)]
    while left:
        part, way = left.pop()
        if id(part) not in seen and not isinstance(part, PLAIN):
            parts = parts_of(part, memos)
            seen[id(part)] = (part, parts, way)
            left += [(inner, way + place) for place, inner in parts.items()]
    return [*seen.values()]


def changes(before: Picture, memos: frozenset[str]) -> Iterator[str]:
    """How the objects of a picture differ now from what they were, in words.

    A slot that was empty may have been filled, and a `cached_property` kept: that is how a value is
    remembered when it is asked for the first time. What is filled may not change.
    """
    for thing, parts, way in before:
        now = parts_of(thing, memos)
        if ' element ' in ''.join([*parts.keys() ^ now.keys()]):
            yield f'{way} has other elements'
            continue
        for place, part in parts.items():
            if place not in now:
                yield f'{way}{place} is gone'
            elif not _unchanged(part, now[place]):
                yield f'{way}{place} was {shown(part)} and is {shown(now[place])}'
        for place in now.keys() - parts.keys():
            if not _may_be_filled(thing, place):
                yield f'{way}{place} is new'


def _unchanged(one: Any, two: Any) -> bool:
    """Whether a part is still the same object, or was put there anew and equals it."""
    if one is two:
        return True
    if type(one) is not type(two):
        return False
    return repr(one) == repr(two) if isinstance(one, PLAIN) else equal(one, two)


def _may_be_filled(thing: Any, place: str) -> bool:
    name = place.removeprefix('.')
    if name == place:  # an element, and no field
        return False
    if name not in getattr(thing, '__dict__', ()):  # so it is a slot
        return True
    return isinstance(getattr(type(thing), name, None), functools.cached_property)
