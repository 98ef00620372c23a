"""Formulas and constants as LLVM code: the same operations for one number and for eight lanes.

IEEE 754 defines each operation for every element, so that the results equal Python's floats to the
bit (see `fmcts.formulas`).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from fmcts._expressions import LEAVES, TRUTHS, Formula, Step
from fmcts._linked.layout import LLVM, shape_of

LANES: Final = '<8 x double>'
INSTRUCTIONS: Final = {'+': 'fadd', '-': 'fsub', '*': 'fmul', '/': 'fdiv'}
COMPARISONS: Final = {
    '<': 'fcmp olt', '<=': 'fcmp ole', '>': 'fcmp ogt', '>=': 'fcmp oge', '==': 'fcmp oeq',
    '!=': 'fcmp une',  # as in Python, only this one is true of a NaN
}  # fmt: skip


def double(number: float) -> str:
    """Return a double as LLVM writes it, to the bit.

    >>> double(0.5), double(-0.0)
    ('0x3FE0000000000000', '0x8000000000000000')
    """
    return f'0x{struct.pack(">d", number).hex().upper()}'


class Value(NamedTuple):
    """A value of LLVM code: its text; whether it is lanes; whether it is a truth."""

    text: str
    lanes: bool = False
    truth: bool = False

    @property
    def kind(self) -> str:
        """The type."""
        element = 'i1' if self.truth else 'double'
        return f'<8 x {element}>' if self.lanes else element


class Body:
    """The instructions of one function with these arguments, as they are written."""

    def __init__(self, arguments: Mapping[str, str]) -> None:
        self.arguments = arguments
        self.lines: list[str] = []

    def add(self, text: str) -> str:
        """Add an instruction; return the name of its result."""
        name = f'%v{len(self.lines)}'
        self.lines.append(f'  {name} = {text}')
        return name

    def read(self, symbol: str) -> Value:
        """Return the number of a symbol: an argument or, as in `edge[2]`, what a pointer has."""
        pointer, _, index = symbol.rstrip(']').partition('[')
        if not index:
            return Value(f'%{symbol}')
        lanes = self.arguments[pointer] == 'v'
        kind, align = (LANES, 64) if lanes else ('double', 8)
        place = self.add(f'getelementptr {kind}, ptr %{pointer}, i64 {index}')
        return Value(self.add(f'load {kind}, ptr {place}, align {align}'), lanes)

    def splat(self, value: Value) -> Value:
        """Return the value in eight lanes."""
        if value.lanes:
            return value
        kind = value.kind
        first = self.add(f'insertelement <8 x {kind}> poison, {kind} {value.text}, i64 0')
        zeros = '<8 x i32> zeroinitializer'
        text = f'shufflevector <8 x {kind}> {first}, <8 x {kind}> poison, {zeros}'
        return Value(self.add(text), lanes=True, truth=value.truth)

    def alike(self, values: Iterable[Value]) -> list[Value]:
        """Return the values, all as lanes if one of them is."""
        found = [*values]
        return [*map(self.splat, found)] if any(each.lanes for each in found) else found

    def number(self, value: Value) -> Value:
        """Return a number; a truth becomes 1 or 0."""
        if not value.truth:
            return value
        kind = Value('', value.lanes).kind
        return Value(self.add(f'uitofp {value.kind} {value.text} to {kind}'), value.lanes)

    def truth(self, value: Value) -> Value:
        """Return a truth; a number is true if it is not zero."""
        if value.truth:
            return value
        zero = 'zeroinitializer' if value.lanes else double(0.0)
        return Value(
            self.add(f'fcmp une {value.kind} {value.text}, {zero}'), value.lanes, truth=True
        )

    def operation(self, operator: str, operands: Sequence[Value]) -> Value:
        """Return the result of an operation of formulas."""
        if operator == 'where':
            holds, *numbers = operands
            holds, yes, no = self.alike([self.truth(holds), *map(self.number, numbers)])
            text = f'select {holds.kind} {holds.text}, {yes.kind} {yes.text}, {no.kind} {no.text}'
            return Value(self.add(text), yes.lanes)
        if operator in '&|':
            one, two = self.alike(operands)
            name = 'and' if operator == '&' else 'or'
            return Value(
                self.add(f'{name} {one.kind} {one.text}, {two.text}'), one.lanes, truth=True
            )
        one, *others = self.alike(map(self.number, operands))
        if operator == 'neg':
            if operands[0].truth:  # negated as an integer, and integers have one zero only
                zero = 'zeroinitializer' if one.lanes else double(0.0)
                return Value(self.add(f'fsub {one.kind} {zero}, {one.text}'), one.lanes)
            return Value(self.add(f'fneg {one.kind} {one.text}'), one.lanes)
        if operator == 'sqrt':
            name = f'@llvm.sqrt.{"v8" if one.lanes else ""}f64'
            return Value(self.add(f'call {one.kind} {name}({one.kind} {one.text})'), one.lanes)
        name = INSTRUCTIONS.get(operator) or COMPARISONS[operator]
        text = f'{name} {one.kind} {one.text}, {others[0].text}'
        return Value(self.add(text), one.lanes, operator in COMPARISONS)

    def results(self, formula: Formula) -> list[Value]:
        """Return the numbers of a formula."""
        values: list[Value] = []
        for kind, *rest in formula.steps:
            if kind == 'symbol':
                values.append(self.read(rest[0]))
            elif kind == 'number':
                values.append(Value(double(formula.numbers[rest[0]])))
            elif kind == 'truth':
                values.append(Value('true' if rest[0] else 'false', truth=True))
            else:
                values.append(self.operation(kind, [values[place] for place in rest]))
        return [self.number(values[place]) for place in formula.results]


DECLARED: Final = (
    f'declare double @llvm.sqrt.f64(double)\ndeclare {LANES} @llvm.sqrt.v8f64({LANES})\n'
)


def function_of(name: str, formula: Formula) -> str:
    """Return the function of C called `name`, which computes a formula.

    It returns the only result, or writes all of them behind its pointer `out`.
    """
    shape = shape_of(name)
    body, out = Body(shape.arguments), shape.arguments.get('out')
    found = body.results(formula)
    for place, each in enumerate(found if out else ()):
        value, align = (body.splat(each), 64) if out == 'v' else (each, 8)
        where = body.add(f'getelementptr {value.kind}, ptr %out, i64 {place}')
        body.lines.append(f'  store {value.kind} {value.text}, ptr {where}, align {align}')
    lines, kind = '\n'.join(body.lines), LLVM[shape.result]
    end = '' if out else found[0].text
    return f'define {kind} @{name}({shape.text}) alwaysinline {{\n{lines}\n  ret {kind} {end}\n}}\n'


def constant(name: str, value: Any, kind: str = 'i32', shape: tuple[int, ...] = ()) -> str:
    r"""Return a constant, or an array of the shape, or longer, whose last numbers are 0.

    >>> constant('ROWS', 2), constant('COUNT', (1,), shape=(2,))
    ('@ROWS = constant i32 2\n', '@COUNT = constant [2 x i32] [i32 1, i32 0]\n')
    """
    kinds, text = _array(value, kind, shape)
    return f'@{name} = constant {kinds} {text}\n'


def _array(value: Any, kind: str, shape: tuple[int, ...]) -> tuple[str, str]:
    if not shape:
        return kind, double(float(value)) if kind == 'double' else str(int(value))
    count, *inner = shape
    zero: Any = 0 if not inner else ()
    items = [_array(each, kind, tuple(inner)) for each in (*value, *[zero] * (count - len(value)))]
    return f'[{len(items)} x {items[0][0]}]', f'[{", ".join(f"{a} {b}" for a, b in items)}]'


def can_be_written(formula: Formula) -> bool:
    """Return whether the formula means the same as LLVM code, where every number is a double.

    It does not if it combines numbers by `&` or `|`, which are defined for truths only, or adds or
    multiplies integers, which Python does not round.
    """
    return all(_is_alike(step, formula.steps) for step in formula.steps)


def _is_alike(step: Step, steps: tuple[Step, ...]) -> bool:
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
