"""The scores of eight moves at once, from a traced formula.

Each lane computes as `score_one` does, so the choice is the same to the bit.
"""

from __future__ import annotations

import math
from typing import Any, Final

from fmcts._expressions import Expression, Formula, formula_of
from fmcts._linked.formulas import Named, numbers_of
from fmcts._linked.structure import Structure
from fmcts._linked.text import Source, function_of
from fmcts.formulas import where
from fmcts.search.methods import ParentNumbers

LEFT_OUT: Final = -0.5  # below all scores of UCB1, above what `keep_first` writes in unused lanes


def score_in_lanes(structure: Structure, formula: Formula) -> str:
    """Return `score_lanes`: the scores of eight moves at once; those left out score least.

    The rows are those of `lanes_of`: visits, halves or rewards, then columns.
    """
    method = structure.method
    fields = [field for field in method.edge._fields if field != 'value']
    row: dict[str, Any] = {field: Expression(f'row.{place}') for place, field in enumerate(fields)}
    visits, reward = row['visits'], row['reward']
    if not structure.real:
        reward = 0.5 * reward
    unvisited = structure.unvisited or structure.jumps
    seen: Any = where(visits > 0.0, visits, 0.0) if unvisited else visits
    value: Any = where(visits > 0.0, reward / visits, 0.0) if unvisited else reward / visits
    known = {f'edge.{field}': each for field, each in row.items()}
    known |= {'edge.visits': seen, 'edge.reward': reward, 'edge.value': value}
    found: Any = _substituted(formula, known)
    least = LEFT_OUT if structure.plain else -math.inf
    if structure.plain and structure.unvisited:
        found = where(found == found, found, math.inf)  # noqa: PLR0124 - 0/0 is NaN
    elif structure.unvisited and not method.scores_unvisited:
        found = where(seen > 0.0, found, math.inf)
    if structure.jumps:
        found = where(visits < 0.0, least, found)
    if structure.resolution is not None:
        left_out = structure.resolution.leaves_out(Expression(f'row.{len(fields)}'))  # type: ignore[arg-type]
        found = where(left_out, least, found)
    known_rows = {
        f'row.{place}': Source('%row', place, lanes=True) for place in range(len(fields) + 1)
    }
    known_rows |= Named('parent', ParentNumbers).sources() | numbers_of(structure.score[1])
    shape = 'ptr %row, ptr %parent, ptr %numbers, ptr %out'
    return function_of('score_lanes', shape, formula_of(found), known_rows, '%out', lanes=True)


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
