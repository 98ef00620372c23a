"""Formulas as machine code: the same instructions for one number and for eight lanes.

IEEE 754 defines each operation exactly for every element, so the results equal Python's floats to
the bit (see `fmcts.formulas`). LLVM maps eight lanes to the processor's vector registers (AVX-512,
AVX2, SSE2, NEON).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from fmcts._numba.intrinsics import splat
from fmcts._numba.simd import LANES, WIDTH
from fmcts._numba.traced import Traced

DOUBLE: Final = ir.DoubleType()
TRUTH: Final = ir.IntType(1)
INSTRUCTIONS: Final = (
    *(('+', 'fadd'), ('-', 'fsub'), ('*', 'fmul'), ('/', 'fdiv')),
    *(('&', 'and_'), ('|', 'or_')),
)
COMPARISONS: Final = ('<', '<=', '>', '>=', '==', '!=')


@functools.lru_cache(maxsize=1 << 10)
def emitted(formula: Traced) -> Any:
    """Return the replacement that compiled code calls for the function.

    If an argument, or a field of one, is lanes, every result is lanes.
    """
    arguments, steps, results = formula.arguments, formula.steps, formula.results
    numbers, single = formula.numbers, formula.single

    def typed(*kinds: Any) -> Any:
        lanes = any(LANES in (kind, *getattr(kind, 'types', ())) for kind in kinds)
        number = LANES if lanes else types.float64

        def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
            given = dict(zip(arguments, zip(sig.args, args, strict=True), strict=True))
            values: list[Any] = []
            for kind, *rest in steps:
                if kind == 'symbol':
                    values.append(_symbol(context, build, *given[rest[0].partition('.')[0]], *rest))
                elif kind == 'number':
                    values.append(ir.Constant(DOUBLE, float.fromhex(numbers[rest[0]])))
                elif kind == 'truth':
                    values.append(ir.Constant(TRUTH, int(rest[0])))
                else:
                    values.append(_operation(build, kind, [values[place] for place in rest]))
            found = [_number(build, values[place]) for place in results]
            if lanes:
                found = _alike(build, [*found, ir.Constant(ir.VectorType(DOUBLE, WIDTH), None)])[
                    :-1
                ]
            return found[0] if single else context.make_tuple(build, sig.return_type, found)

        return (number if single else types.UniTuple(number, len(results)))(*kinds), generate

    arity: Any = {
        2: lambda _context, one, two: typed(one, two),
        3: lambda _context, one, two, three: typed(one, two, three),
    }
    return intrinsic(arity[len(arguments)])


def _symbol(context: Any, build: Any, kind: Any, value: Any, name: str, _whole: bool) -> Any:  # noqa: FBT001 - a step's own
    """Return the number that a symbol refers to, from the argument of this type and value."""
    _, dot, field = name.partition('.')
    if dot:
        place = int(field) if field.isdigit() else kind.fields.index(field)
        kind, value = kind.types[place], build.extract_value(value, place)
    if kind is LANES or isinstance(kind, types.Boolean):
        return value
    return context.cast(build, value, kind, types.float64)


def _operation(build: Any, operator: str, operands: Sequence[Any]) -> Any:
    """Return the instruction of an operation, on numbers and truths or on lanes of them."""
    instruction = dict(INSTRUCTIONS).get(operator)
    if operator in ('&', '|'):
        return getattr(build, str(instruction))(*_alike(build, operands))
    if operator == 'where':
        condition, *numbers = operands
        numbers = [_number(build, each) for each in numbers]
        return build.select(*_alike(build, [_truth(build, condition), *numbers]))
    first, *others = _alike(build, [_number(build, each) for each in operands])
    if operator == 'neg':
        # A truth value is negated as an integer, and integers have only one zero.
        zero = ir.Constant(first.type, None)
        return build.fneg(first) if operands[0].type == first.type else build.fsub(zero, first)
    if operator == 'sqrt':
        width = f'v{WIDTH}' if isinstance(first.type, ir.VectorType) else ''
        shape = ir.FunctionType(first.type, [first.type])
        name = f'llvm.sqrt.{width}f64'
        return build.call(cgutils.get_or_insert_function(build.module, shape, name), [first])
    if operator in COMPARISONS:  # as in Python, only `!=` is true of a NaN
        compare = build.fcmp_unordered if operator == '!=' else build.fcmp_ordered
        return compare(operator, first, *others)
    return getattr(build, str(instruction))(first, *others)


def _element(value: Any) -> Any:
    return value.type.element if isinstance(value.type, ir.VectorType) else value.type


def _number(build: Any, value: Any) -> Any:
    """Return a number or lanes; truth values become 1 and 0."""
    if _element(value) == DOUBLE:
        return value
    lanes = isinstance(value.type, ir.VectorType)
    return build.uitofp(value, ir.VectorType(DOUBLE, WIDTH) if lanes else DOUBLE)


def _truth(build: Any, value: Any) -> Any:
    """Return a truth value or lanes; a number becomes true if it is not zero."""
    if _element(value) == TRUTH:
        return value
    return build.fcmp_unordered('!=', value, ir.Constant(value.type, None))


def _alike(build: Any, values: Sequence[Any]) -> list[Any]:
    """Return the values, all converted to lanes if one of them is lanes."""
    if not any(isinstance(value.type, ir.VectorType) for value in values):
        return [*values]
    return [
        value
        if isinstance(value.type, ir.VectorType)
        else splat(build, value, ir.VectorType(value.type, WIDTH))
        for value in values
    ]
