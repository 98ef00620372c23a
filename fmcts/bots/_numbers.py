"""The numeric parameters of methods as options of bots: `mcts:1000,selection=rave,k=500`.

They are read from the methods' fields, so a new parameter of a method needs no change here. The
constant `c` is an option of every search.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

from fmcts.search._description import Search
from fmcts.search.methods import METHODS


def numbers_of(selection: str) -> tuple[str, ...]:
    """Return the names of a method's numeric parameters, except `c`.

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
"""The selections that have a parameter, by the parameter's name."""


def with_numbers(search: Search, numbers: Mapping[str, float]) -> Search:
    """Return the search, selected by name, with these values of its method's parameters.

    :raises ValueError: its selection has no such parameter, or refuses the value.

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
