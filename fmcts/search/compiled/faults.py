"""Which function is at fault when no machine code can be made: one of the rules, or of the search.

Each is compiled by itself, as the engine uses it; the first that cannot be is to blame.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

import attrs
from attrs import frozen
from numba import njit, types

from fmcts.rules import IntegerRules, OnPositions
from fmcts.search.compiled.backup import tracing, updating
from fmcts.search.compiled.cache.jit import CompilationError, Jitted, registered
from fmcts.search.compiled.numba_support.intrinsics import address, inlined, int64
from fmcts.search.compiled.numba_support.menus import menus_of, normalised_menu
from fmcts.search.compiled.numba_support.positions import normalised
from fmcts.search.compiled.policies import narrowing
from fmcts.search.compiled.selection import parameters_of, selection, summing
from fmcts.search.compiled.simulation import checked
from fmcts.search.compiled.structure import Structure
from fmcts.search.compiled.tree.columns import first_numbers
from fmcts.search.methods import Method, Parent, Rule
from fmcts.search.policies import Mixture, Narrowing, Policy

__all__ = ['RULES', 'Fault', 'Part', 'find_fault', 'who_raised']

RULES: Final = ('menu', 'count', 'pick', 'play', 'side', 'winner')

NUMBER: Final = types.int64
REAL: Final = types.float64
PARENT: Final = types.UniTuple(REAL, len(Parent._fields))
WORDS: Final = types.Array(types.int32, 1, 'C')

Probe: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function to compile, and the types of its arguments."""


@frozen
class Fault:
    """What is at fault, in words; the function itself; and what numba raised."""

    what: str
    function: Any
    refusal: BaseException


@frozen
class Part:
    """A function that a search is made of: in words, itself, and how to compile it by itself."""

    what: str
    function: Any
    probe: Callable[[IntegerRules, Any], Probe]


def find_fault(
    state: object, rules: IntegerRules, position: Any, structure: Structure | None
) -> Fault | None:
    """The first function that cannot be compiled by itself; `None` where that is not the cause."""
    said = f'the rules on integers of {type(state).__name__} cannot be compiled: '
    try:
        probes = _probes_of_rules(rules, position)
    except Exception:  # noqa: BLE001 - whatever it was, it is in the report already
        return None
    refused = {name: _refusal(*probes[name]) for name in RULES}
    found = {name: refusal for name, refusal in refused.items() if refusal}
    if len(found) == len(RULES):  # then it is no fault of one of them
        return None
    for name, refusal in found.items():
        return Fault(f'{said}{name}', getattr(rules, name), refusal)
    for part in parts_of(structure):
        why = _refusal(*part.probe(rules, type(position)))
        if why is not None:
            return Fault(f'{part.what} cannot be compiled', part.function, why)
    return None


def who_raised(
    error: BaseException, rules: IntegerRules, structure: Structure | None
) -> Part | None:
    """The function of a search that raised an error as machine code, when it alone has the name.

    numba says in the traceback which function it was; its line may be that of an earlier version.
    """
    last = [None, *traceback.walk_tb(error.__traceback__)][-1]
    if last is None:
        return None
    name = last[0].f_code.co_name.rpartition('.')[2]
    if name in {_name(getattr(rules, rule)) for rule in RULES}:
        return None
    found = [part for part in parts_of(structure) if _name(part.function) == name]
    return found[0] if len(found) == 1 else None


def _refusal(probe: Callable[..., Any], given: tuple[Any, ...]) -> BaseException | None:
    try:
        Jitted(njit(probe, error_model='numpy', nogil=True)).compile(*given)
    except CompilationError as error:
        return error.__cause__ or error
    return None


# ---- the rules ----


def _probes_of_rules(rules: IntegerRules, position: Any) -> dict[str, Probe]:
    menu, count, pick, play, side, winner = registered(rules)
    make, fields = type(position), types.UniTuple(NUMBER, len(position))
    made, options = _menu_of(rules, position)
    return {
        'menu': (lambda p: normalised_menu(menu(make(*p))), (fields,)),
        'count': (lambda m: int64(count(made(m))), (options,)),
        'pick': (lambda m, index: int64(pick(made(m), index)), (options, NUMBER)),
        'play': (lambda p, move: normalised(play(make(*p), move)), (fields, NUMBER)),
        'side': (lambda p: int64(side(make(*p))), (fields,)),
        'winner': (lambda p: int64(winner(make(*p))), (fields,)),
    }


def _menu_of(rules: IntegerRules, position: Any) -> tuple[Any, Any]:
    """`made(numbers)`, the menu that these are, and their type; an integer, if it is not known."""
    try:
        kind: Any = type(rules.menu(position))
    except Exception:  # noqa: BLE001 - of any type; it is told elsewhere
        kind = int
    if not issubclass(kind, tuple):
        return inlined(lambda number: number), NUMBER
    width = len(getattr(kind, '_fields', ()))
    return inlined(lambda numbers: kind(*numbers)), types.UniTuple(NUMBER, width)


# ---- the functions of a search ----


def parts_of(structure: Structure | None) -> list[Part]:
    """The functions of users that a search of this structure may have."""
    if structure is None or (structure.plain and not [*_functions_in(structure.policy)]):
        return []
    method = structure.method
    kind, name = type(method), type(method).__name__
    score = f'score of {name}'
    if isinstance(method, Rule):
        score = f'the selection rule {_name(structure.score)}'
    parts = [Part(score, structure.score, _score_of(structure))]
    if method.sums:  # before the score, whose probe needs it
        parts.insert(0, Part(f'summed of {name}', kind.summed, _summed_of(structure)))
    if method.columns:
        parts.append(Part(f'update of {name}', kind.update, _update_of(structure)))
    if structure.traces:
        parts.append(Part(f'update_move of {name}', kind.update_move, _update_moves_of(structure)))
    if method.move_columns:
        parts.append(_first_numbers_of(method))
    for what, function, probe_of in (
        *(('the playout policy', given, _policy_of) for given in _functions_in(structure.policy)),
        ('the evaluator', structure.evaluate, _worth_of),
        ('the reward', structure.reward, _worth_of),
    ):
        if function is not None:
            parts.append(Part(f'{what} {_name(function)}', function, probe_of(function)))
    return parts


def _functions_in(policy: Policy) -> Iterator[Any]:
    """The users' functions in a playout policy."""
    if isinstance(policy, Narrowing) and isinstance(policy.function, OnPositions):
        yield policy.function.function
    for part in policy.policies if isinstance(policy, Mixture) else ():
        yield from _functions_in(part)


def _score_of(structure: Structure) -> Callable[..., Probe]:
    def probe(_rules: IntegerRules, _position: Any) -> Probe:
        select, parameters = selection(structure), parameters_of(structure.method)

        def choose(words: Any, total: Any, parent: Any, numbers: Any) -> Any:  # compiled
            return select(address(words), 0, total, Parent(*parent), parameters(*numbers))

        return choose, (WORDS, NUMBER, PARENT, _parameters(structure))

    return probe


def _summed_of(structure: Structure) -> Callable[..., Probe]:
    def probe(_rules: IntegerRules, _position: Any) -> Probe:
        with_total, parameters = summing(structure), parameters_of(structure.method)

        def add(words: Any, total: Any, parent: Any, numbers: Any) -> Any:  # compiled
            return with_total(address(words), 0, total, Parent(*parent), parameters(*numbers)).total

        return add, (WORDS, NUMBER, PARENT, _parameters(structure))

    return probe


def _update_of(structure: Structure) -> Callable[..., Probe]:
    def probe(_rules: IntegerRules, _position: Any) -> Probe:
        update, parameters = updating(structure), parameters_of(structure.method)

        def write(words: Any, reward: Any, numbers: Any) -> None:  # compiled
            update(address(words), 0, 1, 0, reward, parameters(*numbers))

        return write, (WORDS, REAL, _parameters(structure))

    return probe


def _update_moves_of(structure: Structure) -> Callable[..., Probe]:
    def probe(rules: IntegerRules, _position: Any) -> Probe:
        update, parameters = tracing(structure, rules.keys), parameters_of(structure.method)

        def write(words: Any, reward: Any, numbers: Any) -> None:  # compiled
            update(address(words), 0, 0, reward, parameters(*numbers), address(words), 1)

        return write, (WORDS, REAL, _parameters(structure))

    return probe


def _first_numbers_of(method: Method) -> Part:
    """The functions of the first numbers; the user's own behind them, when it is a field."""

    def probe(_rules: IntegerRules, position: Any) -> Probe:
        (first, *others) = first_numbers(method)

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

    for field in attrs.fields(type(method)):
        given = getattr(method, field.name)
        if isinstance(given, OnPositions):
            return Part(f'the {field.name} {_name(given.function)}', given.function, probe)
    return Part(f'first_numbers of {type(method).__name__}', type(method).first_numbers, probe)


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
    return types.BaseTuple.from_types((REAL,) * len(structure.method.parameters))


def _name(function: Any) -> str:
    return getattr(function, '__name__', None) or type(function).__name__
