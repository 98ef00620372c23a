"""What values are made of, to the last slot, and whether they are still made of it.

Pickles and equality would not do: both leave out what follows from the rest, such as the `value` of
a node and the words that a generator has computed ahead, and there a fault hides best.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Final, TypeAlias

from fmcts.search.tree import Node

__all__ = ['Picture', 'changes', 'fields_of', 'picture']

PLAIN: Final = (str, bytes, int, float, complex, type(None), type, types.ModuleType, Enum)
SLOTS: Final = (types.MemberDescriptorType, types.GetSetDescriptorType)

Picture: TypeAlias = list[tuple[Any, dict[str, Any], str]]
"""Objects, each with its parts by name, and how it was reached."""


def fields_of(thing: Any) -> dict[str, Any]:
    """What an object holds by name: in its `__dict__`, and in slots of its class and those above.

    Slots are called `Class.slot`. Left out are slots that are not filled, and what a
    `functools.cached_property` keeps: it follows from the rest.
    """
    kinds = type(thing).__mro__
    held = {
        name: value
        for name, value in getattr(thing, '__dict__', {}).items()
        if not any(isinstance(vars(kind).get(name), functools.cached_property) for kind in kinds)
    }
    for kind in kinds:
        slots = vars(kind).get('__slots__', ())
        for name in (slots,) if isinstance(slots, str) else slots:
            hidden = name.startswith('__') and not name.endswith('__')
            place = vars(kind).get(f'_{kind.__name__.lstrip("_")}{name}' if hidden else name)
            if isinstance(place, SLOTS) and name not in {'__weakref__', '__dict__'}:
                try:
                    held[f'{kind.__name__}.{name}'] = place.__get__(thing)
                except AttributeError:
                    continue
    return held


def parts_of(thing: Any) -> dict[str, Any]:
    """Everything that an object is made of, by name or place; arrays by their bytes."""
    if isinstance(thing, PLAIN):
        return {}
    if isinstance(thing, Node):
        thing.children  # noqa: B018 - those of a lazy node are made when they are looked at: now
    parts = fields_of(thing)
    if isinstance(thing, Mapping):
        for number, (key, value) in enumerate(thing.items()):
            parts |= {f'key {number}': key, f'[{key!r}]': value}
    elif isinstance(thing, list | tuple):
        parts |= {f'[{number}]': part for number, part in enumerate(thing)}
    elif isinstance(thing, set | frozenset):
        parts |= {f'element {id(part)}': part for part in thing}
    elif isinstance(thing, types.FunctionType):
        cells = zip(thing.__code__.co_freevars, thing.__closure__ or (), strict=True)
        parts |= {name: cell.cell_contents for name, cell in cells}
        parts['defaults'] = thing.__defaults__
    elif isinstance(thing, bytearray):
        parts['bytes'] = bytes(thing)
    elif hasattr(thing, 'tobytes'):
        return {'bytes': thing.tobytes()}
    return parts


def picture(*things: Any) -> Picture:
    """Every object that can be reached from these, each with its parts, and how it was reached."""
    return pictured({f'argument {number}': thing for number, thing in enumerate(things)})


def pictured(things: Mapping[str, Any]) -> Picture:
    """The same of things that have names."""
    seen: dict[int, tuple[Any, dict[str, Any], str]] = {}
    left = [(thing, name) for name, thing in things.items()]
    while left:
        thing, way = left.pop()
        if id(thing) not in seen:
            parts = parts_of(thing)
            seen[id(thing)] = (thing, parts, way)
            left += [(part, f'{way} {name}') for name, part in parts.items()]
    return [*seen.values()]


def _same(one: Any, two: Any) -> bool:
    """Whether a part is still the same object, or an equal plain value."""
    return one is two or (
        type(one) is type(two) and isinstance(one, PLAIN) and repr(one) == repr(two)
    )


def changes(before: Picture) -> Iterator[str]:
    """How the objects of a picture differ now from what they were.

    A slot that was empty may have been filled: that is how a value is remembered when it is asked
    for the first time. What is filled may not change.
    """
    for thing, parts, way in before:
        now = parts_of(thing)
        for name, part in parts.items():
            if name not in now:
                yield f'{way} {name} is gone'
            elif not _same(part, now[name]):
                yield f'{way} {name}: {part!r} is now {now[name]!r}'
        for name in now.keys() - parts.keys():
            if '.' not in name:
                yield f'{way} {name} is new'
