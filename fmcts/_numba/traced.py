"""Traced formulas, from which machine code is made; nothing here needs numba."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from fmcts._expressions import LEAVES, TRUTHS, Expression, Formula, Step


@frozen
class Traced:
    """A formula that replaces a function with these `arguments`.

    A symbol is, for example, `visits` for an argument, `edge.visits` for a field of one, or `row.0`
    for an item of a tuple. `numbers` are the formula's constants in hexadecimal, because 0.0 and
    -0.0 are equal but compile differently. `single`: the result is one number, not a tuple.
    """

    arguments: tuple[str, ...]
    steps: tuple[Step, ...]
    results: tuple[int, ...]
    numbers: tuple[str, ...]
    single: bool = True

    def expression(self, known: dict[str, Expression]) -> Any:
        """Return the first result, with the symbols in `known` replaced by their expressions."""
        made: list[Any] = []
        for kind, *rest in self.steps:
            if kind == 'symbol':
                name, whole = rest
                made.append(known[name] if name in known else Expression(name, whole=whole))
            elif kind == 'number':
                made.append(float.fromhex(self.numbers[rest[0]]))
            elif kind == 'truth':
                made.append(rest[0])
            else:
                made.append(Expression(kind, *(made[place] for place in rest)))
        return made[self.results[0]]


def without_function(
    formula: Formula | None, arguments: tuple[str, ...], *, single: bool = True
) -> Traced | None:
    """Return a formula for machine code; `None` if there is none.

    There is none if tracing fails, if the formula combines numbers by `&` or `|`, which are defined
    for comparisons only, or if it adds or multiplies integers, which machine code would round.
    """
    if formula is None or not all(_can_be_emitted(step, formula.steps) for step in formula.steps):
        return None
    numbers = tuple(number.hex() for number in formula.numbers)
    return Traced(arguments, formula.steps, formula.results, numbers, single)


def _can_be_emitted(step: Step, steps: tuple[Step, ...]) -> bool:
    kind, *rest = step
    if kind in LEAVES:
        return True
    operands = [steps[place] for place in rest]
    if kind in ('&', '|'):
        return all(operand[0] in TRUTHS for operand in operands)
    integers = [operand[0] == 'symbol' and operand[2] for operand in operands]
    if kind == 'where':  # it could return an integer as a float
        return not any(integers[1:])
    # Of integers and constants alone, Python might not round the result.
    others = [operand[0] == 'number' for operand in operands]
    return not any(integers) or sum(integers) + sum(others) < len(operands)
