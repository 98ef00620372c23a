"""Names and stamps of a search's machine code, computed without loading numba."""

from __future__ import annotations

import hashlib
import sys
import types
from collections.abc import Iterator
from typing import Any

from attrs import fields, has

from fmcts._compiled.structure import structure_of
from fmcts._content.stamps import Stamp
from fmcts.game import GameState
from fmcts.rng import Rng
from fmcts.rules import IntegerRules, rules_of
from fmcts.search._description import Search


def stamp_of(search: Search) -> Stamp:
    """Return the stamp of the functions that machine code for a search is made of."""
    return Stamp(search.method, search.policy, search.evaluate, search.reward, compiled=True)


def name_of(state: GameState[Any], rng: Rng, search: Search) -> str:
    """Return a name for the machine code of a search of such states with such a generator.

    It is made from names and byte code only, which takes about 100 microseconds.
    """
    rules = rules_of(state)
    keys = rules.keys if isinstance(rules, IntegerRules) else 0
    structure = structure_of(search, keys, unvisited=search.expands in ('full', 'selected'))
    identity = (
        ('search', sys.version, type(state), type(rng), rules),
        structure.identity,
    )
    return hashlib.sha256('\n'.join(_words(identity)).encode()).hexdigest()


def _words(value: Any, seen: tuple[Any, ...] = ()) -> Iterator[str]:
    """Yield the names, numbers and byte code in a value, as far as they are plain."""
    if isinstance(value, types.FunctionType):
        code = value.__code__
        yield f'{value.__module__} {value.__qualname__} {code.co_code.hex()}'
        if value not in seen:
            cells = tuple(cell.cell_contents for cell in value.__closure__ or ())
            yield from _words((code.co_consts, value.__defaults__, cells), (*seen, value))
    elif isinstance(value, type):
        yield f'{value.__module__} {value.__qualname__}'
    elif isinstance(value, tuple):
        yield f'{len(value)} values'
        for each in value:
            yield from _words(each, seen)
    elif value is None or isinstance(value, str | int | float):
        yield repr(value)
    elif has(type(value)):
        yield type(value).__qualname__
        for each in fields(type(value)):
            yield from _words(getattr(value, each.name), seen)
    else:
        yield type(value).__qualname__
