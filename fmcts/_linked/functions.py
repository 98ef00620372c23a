"""The functions of numbers that a search is made of: their arguments and formulas.

A function is called once with symbols for all numbers; what it gives is a formula
(`fmcts._expressions`). Parameters of its `self` are symbols too, so that a formula does not depend
on their values.
"""

from __future__ import annotations

import copy
import math
from collections import namedtuple
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, Final

from attrs import frozen

from fmcts._expressions import Expression, Formula, formula_of, symbols, trace
from fmcts._linked.keys import Key, key_of
from fmcts._linked.structure import FUNCTIONS, Structure
from fmcts._linked.text import Source, can_be_written
from fmcts.formulas import where, with_sqrt
from fmcts.rules import IntegerRules
from fmcts.search import ColumnNames
from fmcts.search.derived import Place
from fmcts.search.methods import Method, Parent, Rule
from fmcts.search.methods.method import edge_type
from fmcts.search.policies import Mixture, Policy, Recalling


@frozen
class Argument:
    """An argument: one number, or with a `kind`, named tuples, the fields behind a pointer.

    `truths`: the fields are truths, 1.0 or 0.0 behind the pointer. `places`: where each field lies,
    if not in their order.
    """

    name: str
    kind: Any = None
    truths: bool = False
    places: Sequence[int] | None = None

    def symbols(self) -> Any:
        """Return the argument with a symbol for each number."""
        if self.kind is None:
            return Expression(self.name)
        return self.kind(*symbols(f'{self.name}.{field}' for field in self.kind._fields))

    def sources(self) -> dict[str, Source]:
        """Return where each symbol is read."""
        if self.kind is None:
            return {self.name: Source(self.name)}
        fields = self.kind._fields
        pairs = zip(self.places or range(len(fields)), fields, strict=True)
        return {f'{self.name}.{field}': Source(self.name, place) for place, field in pairs}

    def source(self) -> str:
        """Return the argument as Python, for numba."""
        if self.kind is None:
            return self.name
        places = self.places or range(len(self.kind._fields))
        return rebuilt(self.kind.__name__, self.name, places, ' != 0.0' if self.truths else '')

    def sample(self) -> Any:
        """Return it with some numbers."""
        number = True if self.truths else 1.0
        return number if self.kind is None else self.kind(*[number] * len(self.kind._fields))


def rebuilt(kind: str, pointer: str, places: Iterable[Any], test: str = '') -> str:
    """Return a named tuple of what lies behind a pointer, as Python."""
    return f'{kind}({", ".join(f"{pointer}[{place}]{test}" for place in places)})'


VISITS: Final = Argument('visits')
REWARD: Final = Argument('reward')


@frozen
class Function:
    """A function that machine code calls by a name; `function` is `None` if a search has none.

    `owner` is what its `self` is, or `None`. It returns a number, or a tuple of `count` numbers.
    """

    name: str
    function: Any
    owner: Any
    arguments: tuple[Argument, ...]
    count: int = 0

    @cached_property
    def formula(self) -> Formula | None:
        """The formula, with symbols for parameters; `None` if there is none."""
        if self.function is None:
            return None
        given = [each.symbols() for each in self.arguments]
        selves = [] if self.owner is None else [symbolic(self.owner)]
        found = trace(self.function, *selves, *given, count=self.count)
        found = found or trace(with_sqrt(self.function), *selves, *given, count=self.count)
        return found if found is not None and can_be_written(found) else None

    @property
    def sources(self) -> dict[str, Source]:
        """Where each symbol of the formula is read."""
        known = {key: it for each in self.arguments for key, it in each.sources().items()}
        return known | numbers_of(self.owner)


def symbolic(owner: Any) -> Any:
    """Return a method, table, statistic or policy with a symbol for each of its numbers."""
    given = copy.copy(owner)
    for name in owner.parameters:
        object.__setattr__(given, name, Expression(f'self.{name}', whole=name in owner.integers))
    return given


def numbers_of(owner: Any) -> dict[str, Source]:
    """Return where the parameters are read."""
    names = () if owner is None else owner.parameters
    return {f'self.{name}': Source('numbers', place) for place, name in enumerate(names)}


def functions_of(structure: Structure) -> Iterator[Function]:
    """Yield the functions of numbers of a search."""
    method: Any = structure.method
    kind, table = type(method), method.table
    edge, parent = Argument('edge', method.edge), Argument('parent', Parent)
    row = Argument('row', edge_type(method.own_names))
    rule = isinstance(method, Rule)
    score: Any = None if method.together else method.function if rule else kind.score
    yield Function('score', score, None if rule else method, (edge, parent))
    yield Function('summed', kind.summed if method.sums else None, method, (edge,))
    yield Function('by_visits', kind.by_visits if method.counts else None, method, (VISITS,))
    count = len(method.columns)
    update = kind.update if count else None
    above = kind.update_above_end if structure.updates_above_ends else None
    yield Function('update_columns', update, method, (row, REWARD), max(1, count))
    yield Function('update_above_end', above, method, (row, REWARD), max(1, count))
    if table is not None:
        row = Argument('row', table.row)
        yield Function('update_table', type(table).update, table, (row, REWARD), len(table.columns))
        refers = type(table).refers if structure.refers else None
        yield Function('refers', refers, table, (VISITS,))
    for which, each in enumerate(structure.statistics):
        kind, names, first = type(each), len(each.names), len(each.first)
        seen = Argument('seen', _tuple_of(first))
        child = Argument('child', edge_type(ColumnNames((*method.columns, *each.names))))
        place = Argument('node', Place, truths=True)
        judged = kind.leaf if each.knows_leaves else None
        yield Function(f'derived_end_{which}', kind.end, each, (REWARD,), names)
        yield Function(f'derived_leaf_{which}', judged, each, (REWARD,), names)
        yield Function(f'derived_fold_{which}', kind.fold, each, (seen, child), first)
        yield Function(f'derived_node_{which}', kind.node, each, (seen, place), names)
    for name in ('leaves_out', 'ends'):
        its = getattr(structure.resolution, name, None)
        yield Function(name, its, None, (Argument('number'),))
    memories = structure.policy.memories
    for which, (leaf, _) in enumerate(parts_of(structure.policy)):
        if not isinstance(leaf, Recalling):
            continue
        # The row has the columns of its tables in the order of the search's tables.
        there = ['key', *(it for each in memories if each in leaf.memories for it in each.columns)]
        places = [there.index(field) for field in leaf.row._fields]
        argument = Argument('row', leaf.row, places=tuple(places))
        yield Function(f'weigh_{which}', type(leaf).weigh, leaf, (argument,))
    for which, table in enumerate(memories):
        row, count = Argument('row', table.row), len(table.columns)
        yield Function(f'update_memory_{which}', type(table).update, table, (row, REWARD), count)


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


def _tuple_of(count: int) -> Any:
    named: Any = namedtuple  # noqa: PYI024 - the names are known only now
    return named('Seen', [f'number{place}' for place in range(count)])


def formula_of_method(method: Method, name: str) -> Formula | None:
    """Return the formula of a method's `score`, `summed` or `by_visits`, if it has one."""
    found = (each for each in functions_of(Structure(method)) if each.name == name)
    return next(found).formula


# ---- eight at once ----

LEFT_OUT: Final = -0.5  # below all scores of UCB1, above those of unused lanes


def score_in_lanes(structure: Structure, formula: Formula, owner: Any) -> tuple[Any, ...]:
    """Return name, formula and sources of the scores of eight moves at once.

    Those left out score least.

    The rows are those of `lanes_of`, of which the first `count` lanes count. Each lane computes as
    `score` does, so the choice is the same to the bit.
    """
    method = structure.method
    fields = [field for field in method.edge._fields if structure.graph or field != 'value']
    row: dict[str, Any] = {field: Expression(f'row.{place}') for place, field in enumerate(fields)}
    visits, reward = row['visits'], row['reward']
    if not structure.real:
        reward = 0.5 * reward
    unvisited = structure.unvisited or structure.expansion == 'jump'
    seen: Any = where(visits > 0.0, visits, 0.0) if unvisited else visits
    value: Any = where(visits > 0.0, reward / visits, 0.0) if unvisited else reward / visits
    value = row.get('value', value)
    known = {f'edge.{field}': each for field, each in row.items()}
    known |= {'edge.visits': seen, 'edge.reward': reward, 'edge.value': value}
    found: Any = _substituted(formula, known)
    least = LEFT_OUT if structure.plain else -math.inf
    if structure.plain and structure.unvisited:
        found = where(found == found, found, math.inf)  # noqa: PLR0124 - 0/0 is NaN
    elif structure.unvisited and not method.scores_unvisited:
        found = where(seen > 0.0, found, math.inf)
    if structure.expansion == 'jump':
        found = where(visits < 0.0, least, found)
    if structure.resolution is not None:
        left_out = structure.resolution.leaves_out(Expression(f'row.{len(fields) + 1}'))  # type: ignore[arg-type]
        found = where(left_out, least, found)
    is_there: Any = Expression(f'row.{len(fields)}') < Expression('count')  # type: ignore[operator]
    found = where(is_there, found, -1.0 if structure.plain else -math.inf)
    rows = range(len(fields) + 2)
    sources = {f'row.{place}': Source('row', place) for place in rows}
    sources |= Argument('parent', Parent).sources() | Argument('count').sources()
    sources |= numbers_of(owner)
    return 'score_lanes', formula_of(found), sources


def _substituted(formula: Formula, known: dict[str, Any]) -> Any:
    """Return the first result of a formula, with expressions in place of some symbols."""
    made: list[Any] = []
    for kind, *rest in formula.steps:
        if kind == 'symbol':
            made.append(known[rest[0]] if rest[0] in known else Expression(rest[0]))
        elif kind == 'number':
            made.append(formula.numbers[rest[0]])
        elif kind == 'truth':
            made.append(rest[0])
        else:
            made.append(Expression(kind, *(made[place] for place in rest)))
    return made[formula.results[0]]


# ---- keys ----


def rules_key(rules: IntegerRules, position: Any) -> Key:
    """Return the key of a game's rules.

    :raises RulesError: a rule refers to something that can change in place.
    """
    parts = [key_of(getattr(rules, name), f'{name} of the rules') for name in FUNCTIONS]
    shapes = type(position)._fields, getattr(type(rules.menu(position)), '_fields', ())
    return (*parts, rules.keys, rules.players, *shapes)
