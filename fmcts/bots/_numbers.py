"""The numbers of methods as options of bots: `mcts:1000,selection=rave,k=500`.

They are the methods' own fields, so that a method which gets another number needs no line here. The
constant `c` is an option of every search.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

from fmcts.search._description import Search
from fmcts.search.methods import METHODS

__all__ = ['SELECTIONS_WITH', 'numbers_of', 'with_numbers']


def numbers_of(selection: str) -> tuple[str, ...]:
    """The numbers of a method, by its name, but for `c`.

    >>> numbers_of('rave')
    ('k',)
    """
    return tuple(name for name in METHODS[selection]().parameters if name != 'c')


def _selections_with() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for selection in METHODS:
        for name in numbers_of(selection):
            found[name] = (*found.get(name, ()), selection)
    return found


SELECTIONS_WITH: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_selections_with())
"""The selections that have a number of each name."""


def with_numbers(search: Search, numbers: Mapping[str, float]) -> Search:
    """The search, whose selection is given by name, with these numbers of its method.

    :raises ValueError: its selection has no such number, or refuses the value.

    >>> with_numbers(Search(selection='rave'), {'k': 500.0}).method
    RAVE(c=0.2, k=500.0)
    >>> with_numbers(Search(), {'k': 500.0})
    Traceback (most recent call last):
    ValueError: k belongs to selection widening or rave, not to ucb1
    """
    name = str(search.selection)
    for key in numbers:
        if name not in SELECTIONS_WITH[key]:
            having = ' or '.join(SELECTIONS_WITH[key])
            raise ValueError(f'{key} belongs to selection {having}, not to {name}')
    if not numbers:
        return search
    kind = METHODS[name]
    given = {**numbers} if search.c is None else {**numbers, 'c': search.c}
    return attrs.evolve(search, selection=kind(**given), c=None)
