"""The smallest case that still shows a difference, greedily."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from attrs import evolve, fields

from campaign.cases import Case, Step, line_of
from fmcts import Search
from fmcts.testing import Formula

__all__ = ['shrunk']

DEFAULT = Search()


def shrunk(case: Case, differs: Callable[[Case], bool]) -> Case:
    """The first simpler case that still `differs`, and again from there until there is none."""
    while True:
        simpler = next((other for other in simpler_cases(case) if differs(other)), None)
        if simpler is None:
            return case
        case = simpler


def simpler_cases(case: Case) -> Iterator[Case]:
    """Cases that are simpler by one thing, those that leave out most first."""
    steps = case.steps
    if len(steps) > 1:
        for number in range(len(steps)):
            yield evolve(case, steps=steps[:number] + steps[number + 1 :])
        yield from (evolve(case, steps=others) for others in simpler_at_once(steps))
    for number, step in enumerate(steps):
        for other in simpler_steps(step):
            yield evolve(case, steps=(*steps[:number], other, *steps[number + 1 :]))
    yield from shorter_lines(case)
    for moves in lower_at_one_place(case.moves, 0):
        yield evolve(case, moves=moves)
    for sizes in lower_at_one_place(case.sizes, 1):
        yield evolve(case, sizes=sizes)
    for rng in ('splitmix:0:1', 'stdgen:1:1'):
        if len(rng) < len(case.rng):
            yield evolve(case, rng=rng)


def shorter_lines(case: Case) -> Iterator[Case]:
    """The case with fewer moves before it; or with those that it has as moves from the start."""
    if case.from_end is not None:
        yield evolve(case, from_end=None, moves=())
        line = len(line_of(case)[1])  # as moves from the start, which can be left out
        yield evolve(case, from_end=None, moves=((case.moves or (0,)) * line)[:line])
    for length in lower_than(len(case.moves), 0):
        yield evolve(case, moves=case.moves[:length])


def lower_than(number: int, least: int) -> Iterator[int]:
    """Some lower numbers, the lowest first."""
    for lower in dict.fromkeys((least, number // 2, number - 1)):
        if least <= lower < number:
            yield lower


def lower_at_one_place(numbers: tuple[int, ...], least: int) -> Iterator[tuple[int, ...]]:
    """The same numbers with a lower one in one place."""
    for place, number in enumerate(numbers):
        for lower in lower_than(number, least):
            yield (*numbers[:place], lower, *numbers[place + 1 :])


def simpler_at_once(steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    """Steps with one field of all searches as usual: what decides the columns changes so only."""
    for name in named_fields():
        usual = tuple(
            evolve(step, search=other)
            for step in steps
            for other in with_default(step.search, name)
        )
        if len(usual) == len(steps) and usual != steps:
            yield usual


def named_fields() -> Iterator[str]:
    """The fields of a search that have a default."""
    return (field.name for field in fields(Search) if field.name != 'iterations')


def with_default(search: Search, name: str) -> Iterator[Search]:
    """The search with the default of that field, if there is such a search."""
    with suppress(ValueError):  # as of an expansion that needs another method
        yield evolve(search, **{name: getattr(DEFAULT, name)})


def simpler_searches(search: Search) -> Iterator[Search]:
    """Searches that are simpler by one thing."""
    for iterations in lower_than(search.iterations, 1):
        yield evolve(search, iterations=iterations)
    for name in named_fields():
        if getattr(search, name) != getattr(DEFAULT, name):
            yield from with_default(search, name)
    for bound in lower_than(search.max_nodes or 1, 1):
        yield evolve(search, max_nodes=bound)
    if isinstance(search.selection, Formula):
        for part in search.selection.parts:
            yield evolve(search, selection=part)


def simpler_steps(step: Step) -> Iterator[Step]:
    """Steps that are simpler by one thing."""
    search = step.search
    for other in simpler_searches(search):
        yield evolve(step, search=other)
    plain = Step(search)
    for field in fields(Step):
        value = getattr(plain, field.name)
        if getattr(step, field.name) != value:
            yield evolve(step, **{field.name: value})
    if step.back > 1:
        yield evolve(step, back=step.back - 1)
    if step.reroot:
        yield evolve(step, reroot=0)
