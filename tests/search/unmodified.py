"""A decorator that checks that a function leaves its arguments as they were, to the last slot.

Pickles and equality would not do: both leave out what follows from the rest, such as the `value` of
a node and the words that a generator has computed ahead, and there a fault hides best.
"""

import functools
import types
from enum import Enum

from fmcts.search.tree import Node

PLAIN = (str, bytes, int, float, complex, type(None), type, types.ModuleType, Enum)
SLOTS = (types.MemberDescriptorType, types.GetSetDescriptorType)


def fields_of(thing):
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
                try:
                    held[f'{kind.__name__}.{name}'] = place.__get__(thing)
                except AttributeError:
                    continue
    return held


def parts_of(thing):
    """Everything that an object is made of, by name or place; arrays by their bytes."""
    if isinstance(thing, PLAIN):
        return {}
    if isinstance(thing, Node):
        thing.children  # noqa: B018 - those of a lazy node are made when they are looked at: now
    parts = fields_of(thing)
    if isinstance(thing, dict | types.MappingProxyType):
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
    elif hasattr(thing, 'tobytes'):
        return {'bytes': thing.tobytes()}
    return parts


def picture(*things):
    """Every object that can be reached from these, each with its parts, and how it was reached."""
    seen = {}
    left = [(thing, f'argument {number}') for number, thing in enumerate(things)]
    while left:
        thing, way = left.pop()
        if id(thing) not in seen:
            parts = parts_of(thing)
            seen[id(thing)] = (thing, parts, way)
            left += [(part, f'{way} {name}') for name, part in parts.items()]
    return [*seen.values()]


def same(one, two):
    """Whether a part is still the same object, or an equal plain value."""
    return one is two or (
        type(one) is type(two) and isinstance(one, PLAIN) and repr(one) == repr(two)
    )


def changes(before):
    """How the objects of a picture differ now from what they were.

    A slot that was empty may have been filled: that is how a value is remembered when it is asked
    for the first time. What is filled may not change.
    """
    for thing, parts, way in before:
        now = parts_of(thing)
        for name, part in parts.items():
            if name not in now:
                yield f'{way} {name} is gone'
            elif not same(part, now[name]):
                yield f'{way} {name}: {part!r} is now {now[name]!r}'
        for name in now.keys() - parts.keys():
            if '.' not in name:
                yield f'{way} {name} is new'


def verify_inputs_unmodified(function):
    """The function, which fails where it changes anything that its arguments are made of."""

    @functools.wraps(function)
    def checked(*arguments, **options):
        before = picture(*arguments, *options.values())
        result = function(*arguments, **options)
        assert not (found := [*changes(before)]), '\n'.join(found)
        return result

    return checked
