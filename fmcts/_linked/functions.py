"""The functions of numbers that a search is made of: their arguments and formulas.

A function is called once with symbols for all numbers; what it gives is a formula
(`fmcts._expressions`). Parameters of its `self` are symbols too, so that a formula does not depend
on their values.
"""

from __future__ import annotations

import copy
import math
from collections import namedtuple
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, Final

from attrs import field, frozen

from fmcts._expressions import Expression, Formula, formula_of, symbols, trace
from fmcts._linked.keys import Key, key_of
from fmcts._linked.layout import shape_of
from fmcts._linked.structure import FUNCTIONS, Structure
from fmcts._linked.text import can_be_written
from fmcts.formulas import where, with_sqrt
from fmcts.rules import IntegerRules
from fmcts.search import ColumnNames
from fmcts.search.derived import Place
from fmcts.search.methods import Method, Parent, Rule
from fmcts.search.methods.method import edge_type
from fmcts.search.policies import Mixture, Policy, Recalling


@frozen
class Function:
    """A function that machine code calls by a name; `function` is `None` if a search has none.

    `owner` is what its `self` is, or `None`. `kinds` has the arguments that are no numbers: the
    class of the named tuple behind the pointer, or `int` for the word there. `places`: where the
    fields lie, if not in their order. It returns a number, or a tuple of `count` numbers.
    """

    name: str
    function: Any
    owner: Any = None
    kinds: Mapping[str, Any] = field(factory=dict)
    count: int = 0
    places: Sequence[int] = ()

    @property
    def arguments(self) -> dict[str, Any]:
        """Its arguments after `self`, with their kinds; `None` for numbers."""
        return {name: self.kinds.get(name) for name in shape_of(self.name).taken}

    def called(self, **known: Any) -> Any:
        """Return what it gives for symbols in place of numbers, but for `known` arguments."""
        given = [] if self.owner is None else [symbolic(self.owner)]
        for name, kind in self.arguments.items():
            number: Any = Expression(name)
            fields = number if kind is None else kind(*symbols(read(name, kind, self.places)))
            given.append(known.get(name, fields))
        try:
            return self.function(*given)
        except Exception:  # noqa: BLE001 - `math.sqrt` takes no symbols; others raise it again
            return with_sqrt(self.function)(*given)

    @cached_property
    def formula(self) -> Formula | None:
        """The formula, with symbols for parameters; `None` if there is none."""
        found = trace(self.called, count=self.count) if self.function else None
        return found if found is not None and can_be_written(found) else None

    @property
    def call(self) -> tuple[str, dict[str, Any]]:
        """The call of it as Python, for numba, and what that uses."""
        scope, words = {'function': self.function}, []
        if self.owner is not None:
            word, scope['Self'] = as_self(self.owner)
            words.append(word)
        for name, kind in self.arguments.items():
            words.append(as_python(name, kind, self.places))
            scope |= {name.title(): kind} if kind not in {None, int} else {}
        return f'function({", ".join(words)})', scope


def read(pointer: str, kind: Any, places: Iterable[Any] = ()) -> list[str]:
    """Return how the fields of a named tuple behind a pointer are read, in symbols and Python."""
    return [f'{pointer}[{place}]' for place in places or range(len(kind._fields))]


def as_python(name: str, kind: Any, places: Iterable[Any] = ()) -> str:
    """Return an argument of C as Python; `Name` is the class of the named tuple `name`."""
    if kind is None:
        return name
    if kind is int:
        return f'{name}[0]'
    test = ' != 0.0' if kind is Place else ''
    return f'{name.title()}({", ".join(each + test for each in read(name, kind, places))})'


def positions_of(rules: IntegerRules, position: Any) -> tuple[dict[str, Any], list[str]]:
    """Return the kinds of positions and menus, and what of a menu `r` is written behind `out`."""
    menu = rules.menu(position)
    if not isinstance(menu, tuple):
        return {'p': type(position), 'menu': int}, ['r']
    return {'p': type(position), 'menu': type(menu)}, [f'r[{at}]' for at in range(len(menu))]


def as_self(owner: Any) -> tuple[str, Any]:
    """Return what replaces `self` in a call by numba as Python, and the class `Self` there."""
    fields = [
        f'int(numbers[{place}])' if name in owner.integers else f'numbers[{place}]'
        for place, name in enumerate(owner.parameters)
    ]
    kind: Any = namedtuple  # noqa: PYI024 - the names are known only now
    return f'Self({", ".join(fields)})', kind('Self', tuple(owner.parameters))


def symbolic(owner: Any) -> Any:
    """Return a method, table, statistic or policy with a symbol for each of its numbers."""
    given = copy.copy(owner)
    for place, name in enumerate(owner.parameters):
        symbol = Expression(f'numbers[{place}]', whole=name in owner.integers)
        object.__setattr__(given, name, symbol)
    return given


def functions_of(structure: Structure) -> Iterator[Function]:
    """Yield the functions of numbers of a search."""
    method: Any = structure.method
    kind, table = type(method), method.table
    edge, row = {'edge': method.edge}, {'row': edge_type(method.own_names)}
    rule = isinstance(method, Rule)
    score: Any = None if method.together else method.function if rule else kind.score
    yield Function('score', score, None if rule else method, {**edge, 'parent': Parent})
    yield Function('summed', kind.summed if method.sums else None, method, edge)
    yield Function('by_visits', kind.by_visits if method.counts else None, method)
    count = len(method.columns)
    update = kind.update if count else None
    above = kind.update_above_end if structure.updates_above_ends else None
    yield Function('update_columns', update, method, row, max(1, count))
    yield Function('update_above_end', above, method, row, max(1, count))
    if table is not None:
        row = {'row': table.row}
        yield Function('update_table', type(table).update, table, row, len(table.columns))
        yield Function('refers', type(table).refers if structure.refers else None, table)
    for which, each in enumerate(structure.statistics):
        kind, names, first = type(each), len(each.names), len(each.first)
        seen = {'seen': namedtuple('Seen', map('number{}'.format, range(first)))}  # noqa: PYI024 - the names are known only now
        child = edge_type(ColumnNames((*method.columns, *each.names)))
        judged = kind.leaf if each.knows_leaves else None
        yield Function(f'derived_end_{which}', kind.end, each, count=names)
        yield Function(f'derived_leaf_{which}', judged, each, count=names)
        yield Function(f'derived_fold_{which}', kind.fold, each, {**seen, 'child': child}, first)
        yield Function(f'derived_node_{which}', kind.node, each, {**seen, 'node': Place}, names)
    for name in ('leaves_out', 'ends'):
        yield Function(name, getattr(structure.resolution, name, None))
    memories = structure.policy.memories
    for which, (leaf, _) in enumerate(parts_of(structure.policy)):
        if not isinstance(leaf, Recalling):
            continue
        # The row has the columns of its tables in the order of the search's tables.
        there = ['key', *(it for each in memories if each in leaf.memories for it in each.columns)]
        places, row = [there.index(field) for field in leaf.row._fields], {'row': leaf.row}
        yield Function(f'weigh_{which}', type(leaf).weigh, leaf, row, places=places)
    for which, table in enumerate(memories):
        row, count = {'row': table.row}, len(table.columns)
        yield Function(f'update_memory_{which}', type(table).update, table, row, count)


def parts_of(policy: Policy) -> list[tuple[Any, int]]:
    """Return a playout policy and the parts of its mixtures, with the place of their first number.

    The parts of one mixture are side by side.
    """
    found: list[tuple[Any, int]] = [(policy, 0)]
    for each, first in found:  # the list grows in the loop
        if isinstance(each, Mixture):
            numbers = (len(each.limits), *(len(part.numbers) for part in each.policies[:-1]))
            found += zip(each.policies, [*accumulate(numbers, initial=first)][1:], strict=True)
    return found


def formula_of_method(method: Method, name: str) -> Formula | None:
    """Return the formula of a method's `score`, `summed` or `by_visits`, if it has one.

    Its symbols are called as in Python, such as `edge.visits` and `self.c`.
    """
    function = next(each for each in functions_of(Structure(method)) if each.name == name)
    parameters = {} if function.owner is None else method.parameters
    names = {f'numbers[{place}]': f'self.{name}' for place, name in enumerate(parameters)}
    for argument, kind in function.arguments.items():
        fields = kind._fields if kind else ()
        names |= {f'{argument}[{place}]': f'{argument}.{it}' for place, it in enumerate(fields)}
    return function.formula and function.formula.renamed(names)


# ---- eight at once ----

LEFT_OUT: Final = -0.5  # below all scores of UCB1, above those of unused lanes


def score_in_lanes(structure: Structure, score: Function) -> Formula:
    """Return the formula of the scores of eight moves at once.

    Those left out score least.

    The rows are those of `lanes_of`, of which the first `count` lanes count. Each lane computes as
    `score` does, so the choice is the same to the bit.
    """
    method = structure.method
    fields = [field for field in method.edge._fields if structure.graph or field != 'value']
    row: dict[str, Any] = {field: Expression(f'row[{place}]') for place, field in enumerate(fields)}
    visits, reward = row['visits'], row['reward']
    if not structure.real:
        reward = 0.5 * reward
    unvisited = structure.unvisited or structure.expansion == 'jump'
    seen: Any = where(visits > 0.0, visits, 0.0) if unvisited else visits
    value: Any = where(visits > 0.0, reward / visits, 0.0) if unvisited else reward / visits
    edge = {'value': value, **row, 'visits': seen, 'reward': reward}
    found: Any = score.called(edge=method.edge(**edge))
    least = LEFT_OUT if structure.plain else -math.inf
    if structure.plain and structure.unvisited:
        found = where(found == found, found, math.inf)  # noqa: PLR0124 - 0/0 is NaN
    elif structure.unvisited and not method.scores_unvisited:
        found = where(seen > 0.0, found, math.inf)
    if structure.expansion == 'jump':
        found = where(visits < 0.0, least, found)
    if structure.resolution is not None:
        left_out = structure.resolution.leaves_out(Expression(f'row[{len(fields) + 1}]'))  # type: ignore[arg-type]
        found = where(left_out, least, found)
    is_there: Any = Expression(f'row[{len(fields)}]') < Expression('count')  # type: ignore[operator]
    found = where(is_there, found, -1.0 if structure.plain else -math.inf)
    return formula_of(found)


# ---- keys ----


def rules_key(rules: IntegerRules, position: Any) -> Key:
    """Return the key of a game's rules.

    :raises RulesError: a rule refers to something that can change in place.
    """
    parts = [key_of(getattr(rules, name), f'{name} of the rules') for name in FUNCTIONS]
    shapes = type(position)._fields, getattr(type(rules.menu(position)), '_fields', ())
    return (*parts, rules.keys, rules.players, *shapes)
