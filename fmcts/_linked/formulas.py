"""Functions of numbers, as machine code calls them: their arguments, and their formulas.

A function is called once with symbols for all numbers; what it gives is a formula
(`fmcts._expressions`). Parameters of its `self` are symbols too, so that a formula does not depend
on their values.
"""

from __future__ import annotations

import copy
from collections import namedtuple
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from attrs import frozen

from fmcts._expressions import Expression, Formula, symbols, trace
from fmcts._linked.text import Source, can_be_written
from fmcts.formulas import with_sqrt
from fmcts.search.methods import Method, ParentNumbers, Rule


class Named(NamedTuple):
    """An argument of a function: a class of named tuples, whose fields lie behind a pointer.

    `places`: where each field lies, if not in their order.
    """

    name: str
    kind: Any
    truths: bool = False  # the fields are truths, 1.0 or 0.0 behind the pointer
    places: Sequence[int] | None = None

    def symbols(self) -> Any:
        """Return the argument with a symbol for each field."""
        return self.kind(*symbols(f'{self.name}.{field}' for field in self.kind._fields))

    def sources(self) -> dict[str, Source]:
        """Return where each symbol is read."""
        fields = self.kind._fields
        pairs = zip(self.places or range(len(fields)), fields, strict=True)
        return {f'{self.name}.{field}': Source(f'%{self.name}', place) for place, field in pairs}

    def source(self) -> str:
        """Return the argument as Python, for numba."""
        test = ' != 0.0' if self.truths else ''
        places = self.places or range(len(self.kind._fields))
        return f'{self.kind.__name__}({", ".join(f"{self.name}[{i}]{test}" for i in places)})'

    def sample(self) -> Any:
        """Return it with some numbers."""
        return self.kind(*([True if self.truths else 1.0] * len(self.kind._fields)))


class Number(NamedTuple):
    """An argument of a function that is one number."""

    name: str

    def symbols(self) -> Any:
        """Return its symbol."""
        return Expression(self.name)

    def sources(self) -> dict[str, Source]:
        """Return where it is read."""
        return {self.name: Source(f'%{self.name}')}

    def source(self) -> str:
        """Return it as Python."""
        return self.name

    def sample(self) -> Any:
        """Return some number."""
        return 1.0


@frozen
class Seen:
    """The argument `seen` of a fold: a tuple of numbers behind a pointer."""

    count: int

    def symbols(self) -> Any:
        """Return the tuple with a symbol for each number."""
        return symbols(f'seen.{place}' for place in range(self.count))

    def sources(self) -> dict[str, Source]:
        """Return where each symbol is read."""
        return {f'seen.{place}': Source('%seen', place) for place in range(self.count)}

    def source(self) -> str:
        """Return the tuple as Python."""
        return f'({"".join(f"seen[{place}], " for place in range(self.count))})'

    def sample(self) -> Any:
        """Return a tuple of some numbers."""
        return (1.0,) * self.count


Argument: TypeAlias = Named | Number | Seen


def traced(function: Any, owner: Any, arguments: Sequence[Argument], count: int) -> Formula | None:
    """Return the formula of a function, whose parameters are symbols; `None` if it has none."""
    given = [each.symbols() for each in arguments]
    selves = [] if owner is None else [symbolic(owner)]
    found = trace(function, *selves, *given, count=count)
    found = found or trace(with_sqrt(function), *selves, *given, count=count)
    return found if found is not None and can_be_written(found) else None


def symbolic(owner: Any) -> Any:
    """Return a method, table, statistic or policy with a symbol for each of its numbers."""
    given = copy.copy(owner)
    for name in owner.parameters:
        object.__setattr__(given, name, Expression(f'self.{name}', whole=name in owner.integers))
    return given


def numbers_of(owner: Any) -> dict[str, Source]:
    """Return where the parameters are read."""
    names = () if owner is None else owner.parameters
    return {f'self.{name}': Source('%numbers', place) for place, name in enumerate(names)}


def self_of(owner: Any) -> tuple[list[str], dict[str, Any]]:
    """Return what replaces `self` in a call by numba as Python, and what it uses."""
    if owner is None:
        return [], {}
    whole = owner.integers
    fields = [
        f'int64(numbers[{place}])' if name in whole else f'numbers[{place}]'
        for place, name in enumerate(owner.parameters)
    ]
    named: Any = namedtuple  # noqa: PYI024 - the names are known only now
    return [f'Self({", ".join(fields)})'], {'Self': named('Self', tuple(owner.parameters))}


def formula_of_method(method: Method, name: str) -> Formula | None:
    """Return the formula of a method's `score`, `summed` or `by_visits`; `None` if it has none."""
    arguments: dict[str, tuple[Argument, ...]] = {
        'score': (Named('edge', method.edge), Named('parent', ParentNumbers)),
        'summed': (Named('edge', method.edge),),
        'by_visits': (Number('visits'),),
    }
    if isinstance(method, Rule):
        return traced(method.function, None, arguments[name], 0)
    return traced(getattr(type(method), name), method, arguments[name], 0)
