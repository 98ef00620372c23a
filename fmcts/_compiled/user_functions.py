"""The users' functions in a search, each with a way to compile it by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, TypeAlias

import attrs
from attrs import frozen
from numba import types

from fmcts._compiled.backup import tracing, updating
from fmcts._compiled.deriving import as_reals
from fmcts._compiled.memory import storing
from fmcts._compiled.parameters import parameters_of
from fmcts._compiled.policies import narrowing
from fmcts._compiled.selection import owning, selection, summing
from fmcts._compiled.simulation import checked
from fmcts._compiled.structure import Structure, weighing
from fmcts._compiled.tables import is_reference
from fmcts._compiled.tree.columns import first_numbers
from fmcts._compiled.visit_tables import filling
from fmcts._numba.intrinsics import address, inlined
from fmcts._numba.positions import menus_of
from fmcts._numba.register import register
from fmcts._numba.whole import plain
from fmcts.rules import IntegerRules, OnPositions
from fmcts.search._columns import ColumnNames
from fmcts.search._functions import Parametric
from fmcts.search.derived import Place
from fmcts.search.methods import ParentNumbers, Rule
from fmcts.search.methods.method import edge_type
from fmcts.search.policies import Narrowing, Policy

NUMBER: Final = types.int64
REAL: Final = types.float64
PARENT: Final = types.UniTuple(REAL, len(ParentNumbers._fields))
WORDS: Final = types.Array(types.int32, 1, 'C')
REALS: Final = types.Array(types.float64, 1, 'C')

Probe: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function to compile, and the types of its arguments."""


@frozen
class Probed:
    """A function of a search: its description, the function, and a way to compile it by itself."""

    what: str
    function: Any
    probe: Callable[[IntegerRules, Any], Probe]


def user_functions_of(structure: Structure | None) -> list[Probed]:
    """Return the users' functions in a search of this structure."""
    own = structure and (structure.weighs or [*_functions_in(structure.policy)])
    if structure is None or (structure.plain and not own):
        return []
    method, functions = structure.method, structure.functions
    name = type(method).__name__
    score = f'{"scores" if method.together else "score"} of {name}'
    if isinstance(method, Rule):
        score = f'the selection rule {name_of(method.function)}'
    found = [Probed(score, functions.score, _score_of(structure))]
    if method.sums:  # before the score, whose probe calls it
        found.insert(0, Probed(f'summed of {name}', functions.summed, _summed_of(structure)))
    if method.counts:  # likewise
        found.insert(
            0, Probed(f'by_visits of {name}', functions.by_visits, _by_visits_of(structure))
        )
    if method.columns:
        found.append(Probed(f'update of {name}', functions.update, _update_of(structure, 'update')))
    if structure.updates_above_ends:
        above = 'update_above_end'
        found.append(
            Probed(f'{above} of {name}', functions.update_above_end, _update_of(structure, above))
        )
    found.extend(_derived_of(structure))
    found.extend(_of_moves(structure))
    found.extend(_of_memory(structure))
    if method.move_columns:
        found.append(_first_numbers_of(structure))
    for what, function, probe_of in (
        *(('the playout policy', given, _policy_of) for given in _functions_in(structure.policy)),
        *(('the heuristic', each.heuristic, _worth_of) for each, _ in structure.derived),
        ('the evaluator', structure.evaluate, _worth_of),
        ('the reward', structure.reward, _worth_of),
    ):
        if function is not None:
            found.append(Probed(f'{what} {name_of(function)}', function, probe_of(function)))
    return found


def _functions_in(policy: Policy) -> Iterator[Any]:
    """Yield the users' functions in a playout policy."""
    for leaf in policy.leaves:
        if isinstance(leaf, Narrowing) and isinstance(leaf.function, OnPositions):
            yield leaf.function.function


def _score_of(structure: Structure) -> Callable[..., Probe]:
    def probe(_rules: IntegerRules, _position: Any) -> Probe:
        select, own_of = selection(structure), owning(structure)
        parameters = parameters_of(structure.method)

        def choose(
            words: Any, total: Any, parent: Any, numbers: Any, table: Any
        ) -> Any:  # compiled
            above, known, at = ParentNumbers(*parent), address(table), address(words)
            own = own_of(at, 0, 1, 0, True)  # noqa: FBT003 - as the engine calls it
            return select(at, 0, total, above, parameters(*numbers), known, own)

        return choose, (WORDS, NUMBER, PARENT, _parameters(structure), REALS)

    return probe


def _summed_of(structure: Structure) -> Callable[..., Probe]:
    def probe(_rules: IntegerRules, _position: Any) -> Probe:
        with_total, parameters = summing(structure), parameters_of(structure.method)

        def add(words: Any, total: Any, parent: Any, numbers: Any, table: Any) -> Any:  # compiled
            above, known = ParentNumbers(*parent), address(table)
            return with_total(address(words), 0, total, above, parameters(*numbers), known).total

        return add, (WORDS, NUMBER, PARENT, _parameters(structure), REALS)

    return probe


def _by_visits_of(structure: Structure) -> Callable[..., Probe]:
    def probe(_rules: IntegerRules, _position: Any) -> Probe:
        fill, parameters = filling(structure), parameters_of(structure.method)

        def write(table: Any, numbers: Any) -> None:  # compiled
            fill(address(table), len(table), 0, parameters(*numbers))

        return write, (REALS, _parameters(structure))

    return probe


def _update_of(structure: Structure, function: str) -> Callable[..., Probe]:
    def probe(_rules: IntegerRules, _position: Any) -> Probe:
        update, parameters = updating(structure, function), parameters_of(structure.method)

        def write(words: Any, reward: Any, numbers: Any) -> None:  # compiled
            update(address(words), 0, 1, 0, reward, parameters(*numbers))

        return write, (WORDS, REAL, _parameters(structure))

    return probe


def _derived_of(structure: Structure) -> Iterator[Probed]:
    for given, described in zip(structure.functions.derived, structure.method.derived, strict=True):
        derived: Any = given
        seen, count = _reals(len(derived.first)), len(derived.names)
        edge = edge_type(ColumnNames((*structure.method.columns, *derived.names)))
        for function, shape, argument, width in (
            ('end', (REAL,), None, count),
            ('leaf', (REAL,), None, count),
            ('fold', (seen, _reals(len(edge._fields))), edge, len(derived.first)),
            ('node', (seen, types.UniTuple(types.boolean, 2)), Place, count),
        ):
            called = getattr(derived, function)
            if called is not None:
                register(called)
                call = _call_of(called, parameters_of(derived), as_reals(width), argument)
                probe = call, (*shape, _reals(len(derived.parameters)))
                name = f'{function} of {type(described).__name__}'
                yield Probed(name, called, partial(_probe_itself, probe))


def _call_of(function: Any, parameters: Any, reals: Any, argument: Any) -> Any:
    if argument is None:
        return lambda reward, own: reals(function(parameters(*own), reward))
    return lambda seen, row, own: reals(function(parameters(*own), seen, argument(*row)))


def _probe_itself(probe: Probe, _rules: IntegerRules, _position: Any) -> Probe:
    return probe


def _of_moves(structure: Structure) -> Iterator[Probed]:
    name, functions = f'the table {type(structure.method.table).__name__}', structure.functions
    if structure.traces:
        yield Probed(f'update of {name}', functions.update_table, _update_moves_of(structure))
    if structure.refers:
        yield Probed(f'refers of {name}', functions.refers, _refers_of(structure))


def _update_moves_of(structure: Structure) -> Callable[..., Probe]:
    def probe(rules: IntegerRules, _position: Any) -> Probe:
        update, parameters = tracing(structure, rules.keys), _of_table(structure)[0]
        real = structure.real

        def write(words: Any, reward: Any, numbers: Any) -> None:  # compiled
            worth = reward if real else 0
            update(address(words), 0, 0, worth, parameters(*numbers), address(words), 1)

        return write, (WORDS, REAL, _of_table(structure)[1])

    return probe


def _of_table(structure: Structure) -> tuple[Any, Any]:
    """Return what replaces `self` in the functions of a method's table, and its numbers' types."""
    table: Any = structure.method.table
    return parameters_of(table), _reals(len(table.parameters))


def _refers_of(structure: Structure) -> Callable[..., Probe]:
    def probe(_rules: IntegerRules, _position: Any) -> Probe:
        refers, (parameters, numbers) = is_reference(structure), _of_table(structure)
        shape = REAL, numbers
        return lambda visits, numbers: bool(refers(parameters(*numbers), visits)), shape

    return probe


def _of_memory(structure: Structure) -> Iterator[Probed]:
    """Yield the functions that weigh moves in a policy, and those that update its tables."""
    policy = structure.policy
    for leaf, weigh in zip(weighing(policy), structure.weighs, strict=True):
        probe = _formula_of(leaf, leaf.row, weigh, inlined(lambda weight: float(plain(weight))))
        yield Probed(f'weigh of {type(leaf).__name__}', weigh, probe)
    for table, update in zip(policy.memories, structure.updates, strict=True):
        probe = _formula_of(table, table.row, update, storing(table.absent), 1.0)
        yield Probed(f'update of the table {type(table).__name__}', update, probe)


def _formula_of(
    owner: Parametric, row: Any, formula: Any, as_doubles: Any, *more: float
) -> Callable[..., Probe]:
    def probe(_rules: IntegerRules, _position: Any) -> Probe:
        register(formula)
        parameters = parameters_of(owner)

        def found(statistics: Any, numbers: Any) -> Any:  # compiled
            return as_doubles(formula(parameters(*numbers), row(*statistics), *more))

        widths = len(row._fields), len(owner.parameters)
        return found, tuple(types.BaseTuple.from_types((REAL,) * width) for width in widths)

    return probe


def _first_numbers_of(structure: Structure) -> Probed:
    """Return the functions of the first numbers, with the user's function if it is a field."""

    def probe(rules: IntegerRules, position: Any) -> Probe:
        (first, *others) = first_numbers(structure, rules)

        @inlined
        def every(here: Any, move: Any, count: Any) -> Any:
            return float(first(here, move, count))

        for other in others:
            every = _sum(every, other)
        fields = types.UniTuple(NUMBER, len(position._fields))
        return (
            lambda p, move, count: every(position(*p), move, count),
            (fields, NUMBER, NUMBER),
        )

    method = structure.functions.method
    for field in attrs.fields(type(method)):
        given = getattr(method, field.name)
        if isinstance(given, OnPositions):
            return Probed(f'the {field.name} {name_of(given.function)}', given.function, probe)
    return Probed(f'first_numbers of {type(method).__name__}', type(method).first_numbers, probe)


def _sum(before: Any, function: Any) -> Any:
    return inlined(
        lambda here, move, count: before(here, move, count) + float(function(here, move, count))
    )


def _policy_of(policy: Any) -> Callable[..., Probe]:
    def probe(rules: IntegerRules, position: Any) -> Probe:
        narrow, see = narrowing(rules, policy), menus_of(rules).see
        fields = types.UniTuple(NUMBER, len(position._fields))

        def narrowed(p: Any) -> Any:  # compiled
            here = position(*p)
            return narrow(here, see(here))[1]

        return narrowed, (fields,)

    return probe


def _worth_of(function: Any) -> Callable[..., Probe]:
    def probe(_rules: IntegerRules, position: Any) -> Probe:
        worth = checked(function)
        fields = types.UniTuple(NUMBER, len(position._fields))
        return lambda p: worth(position(*p)), (fields,)

    return probe


def _parameters(structure: Structure) -> Any:
    return _reals(len(structure.method.parameters))


def _reals(count: int) -> Any:
    return types.BaseTuple.from_types((REAL,) * count)


def name_of(function: Any) -> str:
    """Return the name of a user's function."""
    return getattr(function, '__name__', None) or type(function).__name__
