"""Users' Python functions as LLVM code, by numba.

Functions are compiled as copies in which every function of Python that they call is a compiled copy
too, so that nothing is registered and nothing of the user's changes.
"""

from __future__ import annotations

import math
import operator
import re
import types
from collections.abc import Sequence
from typing import Any, Final

import numba
import numpy as np
from numba import types as kinds

from fmcts import bits, formulas
from fmcts._content import names_in
from fmcts._linked import numba_bits  # noqa: F401 - registers
from fmcts._linked.functions import Function, positions_of
from fmcts._linked.keys import is_known, is_own
from fmcts._linked.layout import LLVM, Shape, shape_of
from fmcts._linked.structure import FUNCTIONS
from fmcts._linked.tables import words_of
from fmcts.errors import RulesError

KINDS: Final = {
    'p': kinds.CPointer(kinds.int64),
    'd': kinds.CPointer(kinds.float64),
    'i': kinds.int64,
    'f': kinds.float64,
}
"""The kinds of arguments, by the letters of `layout.LETTERS`."""

KNOWN: Final = {
    id(each) for room in (bits, formulas) for each in vars(room).values() if callable(each)
}
"""The functions of this library for which numba has implementations."""


class Compiler:
    """Makes LLVM code of functions; those that several of them call are copied once.

    `ieee`: whether divisions by zero give what IEEE 754 defines, as formulas do, and not an error.
    `checked`: whether an index outside an array raises an error.
    `exact`: whether integers that leave 64 bits, a shift of a negative one to the right, or one by
    64 or more, count as a fault, so that Python computes what they should be.
    """

    def __init__(self, *, ieee: bool = False, checked: bool = True, exact: bool = True) -> None:
        self.exact = exact
        self.options: dict[str, Any] = {
            'error_model': 'numpy' if ieee else 'python',
            'boundscheck': checked,
            'forceinline': True,
            'no_cpython_wrapper': True,
            'no_cfunc_wrapper': True,
        }
        self.copies: dict[int, Any] = {}
        self.begun: list[int] = []  # functions whose copies are being made
        self.parts: list[str] = []

    def copied(self, value: Any) -> Any:
        """Return the compiled copy of a function, any other value as it is."""
        if isinstance(value, bits.Table):
            return words_of(value)  # which numba takes for a constant
        if any(value is each for each in RAISING):
            return self.copies.setdefault(id(value), numba.njit(**self.options)(raising(value)))
        if not isinstance(value, types.FunctionType) or id(value) in KNOWN:
            return value
        if id(value) in self.begun[:-1]:
            raise RulesError(
                f'{value.__qualname__} and other functions call each other: in machine code a '
                'function may call itself only'
            )
        if id(value) not in self.copies:
            self.begun.append(id(value))
            scope: dict[str, Any] = {
                '__builtins__': value.__globals__.get('__builtins__', __builtins__)
            }
            cells = tuple(types.CellType() for _ in value.__closure__ or ())
            code = value.__code__
            copy = types.FunctionType(code, scope, value.__name__, value.__defaults__, cells)
            copy.__kwdefaults__ = value.__kwdefaults__
            self.copies[id(value)] = numba.njit(**self.options)(copy)
            names = names_in(code)
            for name in names:
                if name in value.__globals__:
                    found = value.__globals__[name]
                    scope[name] = self.copied(found)
                    if found is math or (
                        isinstance(found, types.ModuleType) and not is_known(found)
                    ):
                        scope[name] = self._copied_module(found, names)
            for cell, given in zip(cells, value.__closure__ or (), strict=True):
                cell.cell_contents = self.copied(given.cell_contents)
            self.begun.pop()
        return self.copies[id(value)]

    def _copied_module(self, module: types.ModuleType, names: set[str]) -> types.ModuleType:
        """Return a module with compiled copies of the functions of these names."""
        copy = types.ModuleType(module.__name__)
        for name in names & vars(module).keys():
            setattr(copy, name, self.copied(vars(module)[name]))
        return copy

    def define(
        self, name: str, body: str, given: dict[str, Any], outs: Sequence[str] = (),
        *, what: str, fails: str = '',
    ) -> None:  # fmt: skip
        """Add the function of C called `name`; an error calls it `what`.

        `body` is Python that uses the function's arguments and the values `given`, functions of the
        user's among them. Its last line is the result or, if there are `outs`, a value `r`, of
        which these are the numbers to write behind the pointer `out`. A function that raises an
        error adds to the global `fault`, runs `fails`, LLVM code for what it did not write, which
        is usually 0, and returns 0.

        :raises RulesError: numba cannot compile it.
        """
        shape = shape_of(name)
        scope = {each: self.copied(value) for each, value in given.items()}
        scope |= {'int64': numba.int64, 'float64': numba.float64}
        exec(source_of(shape, body, outs), scope)  # noqa: S102 - from these constants
        entry = numba.njit(**self.options)(scope['entry'])
        signature = tuple(KINDS[kind] for kind in shape.arguments.values())
        try:
            entry.compile(signature)
        except Exception as error:
            raise RulesError(f'{what} cannot be compiled: {reason_of(error)}') from error
        reasons = map(self._inexact, (entry, *self.copies.values()))
        reason = _other_kind(entry) or next(filter(None, reasons), None)
        if reason is not None:
            raise RulesError(f'{what} cannot be compiled: {reason}')
        found = ADDRESS.sub('', entry.overloads[signature].fndesc.llvm_func_name)
        text = ADDRESS.sub('', entry.inspect_llvm(signature))
        self.parts.append(exact(text) if self.exact else text)
        if outs and not fails:
            fails = (
                f'  call void @llvm.memset.p0.i64(ptr %out, i8 0, i64 {8 * len(outs)}, i1 false)\n'
            )
        self.parts.append(shim(name, found, shape, fails))

    def _inexact(self, function: Any) -> str | None:
        """Return what of a compiled function gives other numbers than Python, or `None`.

        The results of all engines are equal to the bit; what would break that is refused by name.
        """
        for overload in function.overloads.values():
            typed = overload.type_annotation
            for step, signature in typed.calltypes.items():
                if signature is None or getattr(step, 'op', None) not in OPERATORS:
                    continue
                operation, given = getattr(step, OPERATORS[step.op]), signature.args
                if step.op == 'call':
                    kind = typed.typemap[operation.name]
                    operation, given = getattr(kind, 'typing_key', None), (*given, of_method(kind))
                given = (*given, signature.return_type)
                if any(isinstance(each, kinds.Float) for each in given):
                    reason = inexact_on_floats(operation, given)
                    if reason is not None:
                        return reason
                if self.exact and kinds.uint64 in given and operation in INEXACT:
                    return 'arithmetic on an integer of 2**63 or more'
                if self.exact and operation in SHIFTS:
                    by = getattr(typed.typemap[step.rhs.name], 'literal_value', 0)
                    if not 0 <= by <= FARTHEST:
                        return f'a shift by {by}: at most by {FARTHEST}'
        return None


def _other_kind(entry: Any) -> str | None:
    """Return what a function that `source_of` wrote casts to numbers, if it is of another kind."""
    (overload,) = entry.overloads.values()
    typed = overload.type_annotation
    for step, signature in typed.calltypes.items():
        to = typed.typemap[step.func.name] if getattr(step, 'op', None) == 'call' else None
        if isinstance(to, kinds.NumberClass):
            (given,) = signature.args
            if not isinstance(given, kinds.Number | kinds.Boolean):  # numba's casts take tuples
                return 'it does not return a number'
            if isinstance(given, kinds.Float) and isinstance(to.dtype, kinds.Integer):
                return 'it returns a float where a whole number is expected'
    return None


ADDRESS: Final = re.compile(r'_20at_200x[0-9a-f]+')
"""Where a function lay in memory, in names; without it the same rules give the same bytes."""

# numba names the step that failed, then says why; the innermost of nested reports comes last.
FAILED: Final = re.compile(r'Failed in .* pipeline.*')
RAISED_FROM: Final = re.compile(r'\.* Raised from .* \(\d+\)$')
NO_FIELD: Final = re.compile(r"Unknown attribute '(\w+)' of type (\w+)\(.*\)$")


def reason_of(error: Exception) -> str:
    """Return the decisive line of numba's report; other errors with their class."""
    lines = [line.strip() for line in str(error).splitlines()]
    failed = [place for place, line in enumerate(lines) if FAILED.search(line)]
    found = [line for line in lines[failed[-1] + 1 if failed else 0 :] if line]
    reason = ' '.join(found[: 2 if found and found[0].endswith(':') else 1]).replace(': >>>', ':')
    reason = RAISED_FROM.sub('', NO_FIELD.sub(r'\2 has no \1', reason))
    kind = type(error)
    if reason and kind.__module__.startswith('numba'):
        return reason
    return f'{kind.__name__}: {reason}' if reason else kind.__name__


INEXACT: Final = {
    *(operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.pow),
    *(operator.truediv, operator.lshift, operator.neg),
}
SHIFTS: Final = (operator.lshift, operator.rshift)
FARTHEST: Final = 63  # a shift of 64 bits that LLVM defines
OPERATORS: Final = {'binop': 'fn', 'inplace_binop': 'immutable_fn', 'unary': 'fn', 'call': 'func'}
POWERS: Final = (operator.pow, pow, math.pow, np.power)
RAISING: Final = (
    *(math.acos, math.acosh, math.asin, math.atanh, math.cos, math.cosh, math.exp, math.expm1),
    *(math.ldexp, math.log, math.log10, math.log1p, math.log2, math.sin, math.sinh, math.sqrt),
    *(math.tan, math.ceil, math.floor, math.trunc),
)
"""Functions of `math` that raise an error where C gives a NaN, an infinity or any integer."""
LARGEST: Final = 2.0**63
WHOLE: Final = (math.ceil, math.floor, math.trunc)
EQUAL: Final = (
    *(*RAISING, math.asinh, math.atan, math.atan2, math.copysign, math.degrees, math.erf),
    *(math.erfc, math.fabs, math.frexp, math.isfinite, math.isinf, math.isnan, math.radians),
    math.tanh,
    *(np.sqrt, np.absolute, np.floor, np.ceil, np.rint),
)
"""The functions of `math` and NumPy that give the same floats there, by the same C library."""


def raising(function: Any) -> Any:
    """Return the function of `math` as one that raises errors where Python does.

    Whole numbers that leave 64 bits count as an error, after which Python computes them.
    """
    isnan, isinf, whole = math.isnan, math.isinf, function in WHOLE

    def checked(number: Any, *more: Any) -> Any:
        found = function(number, *more)
        if isnan(found) > isnan(number) or isinf(found) > isinf(number):
            raise ValueError('outside the domain')
        if whole and not abs(number) < LARGEST:
            raise ValueError('outside the domain')
        return found

    return checked


def of_method(kind: Any) -> Any:
    """Return the type of what a call's method belongs to, if it is one."""
    return kind.this if isinstance(kind, kinds.BoundFunction) else None


def inexact_on_floats(operation: Any, given: Sequence[Any]) -> str | None:
    """Return why an operation on floats may have another last bit than in Python, or `None`.

    `given`: the types of operands and result.
    """
    # Python calls `pow` of the C library; numba multiplies, and where one of the two is a constant
    # LLVM does, or takes a root or `exp2`.
    if any(operation is each for each in POWERS):
        return 'a power of floats: write x * x, or exp(y * log(x))'
    if kinds.float32 in given:
        return 'a float of 32 bits'
    # Python may compensate for rounding, and NumPy adds in another order.
    among = isinstance(given[-1], kinds.Float) and operation is not operator.getitem
    if operation is sum or (among and any(isinstance(each, kinds.Array) for each in given)):
        return 'one call that makes a float of many: use a loop'
    room = 'numpy' if isinstance(operation, np.ufunc) else getattr(operation, '__module__', None)
    if room in ('math', 'numpy') and callable(operation) and operation not in EQUAL:
        return f'{operation.__name__} of {room}, which may give floats with another last bit'
    return None


STEP: Final = re.compile(
    r'= (add|sub|mul|shl|ashr|lshr)(?: nuw)?(?: nsw)?(?: exact)? i64 (.*)$', re.MULTILINE
)


def exact(text: str) -> str:
    """Return the LLVM code with calls in place of arithmetic that might differ from Python's.

    An overflow that is cheap to see ends the search in machine code (`exact_add` in `game.h`).
    """
    found = {it[1] for it in STEP.finditer(text)}
    text = STEP.sub(
        lambda it: f'= call i64 @exact_{it[1]}(i64 {it[2].replace(", ", ", i64 ", 1)})', text
    )
    return '\n'.join([text, *(f'declare i64 @exact_{name}(i64, i64)' for name in sorted(found))])


def source_of(shape: Shape, body: str, outs: Sequence[str]) -> str:
    """Return the source of a function `entry` with this body; see `Compiler.define`."""
    number = {'p': 'int64', 'd': 'float64', 'i': 'int64', 'f': 'float64'}
    *lines, last = body.split('\n')
    lines.append(f'r = {last}' if outs else f'return {number[shape.result]}({last})')
    lines += [f'out[{at}] = {number[shape.arguments["out"]]}({it})' for at, it in enumerate(outs)]
    return '\n    '.join([f'def entry({", ".join(shape.arguments)}):', *lines])


def shim(name: str, native: str, shape: Shape, fails: str) -> str:
    """Return the function of C that calls a function of numba, and notes its fault."""
    result = LLVM[shape.result]
    kind = result if shape.result else 'ptr'
    end = (
        f'  %value = load {kind}, ptr %r\n  ret {kind} %value\n' if shape.result else '  ret void\n'
    )
    return (
        f'@fault = external global i32\n'
        f'define {result} @{name}({shape.text}) alwaysinline {{\n'
        f'  %r = alloca {kind}\n  store {kind} zeroinitializer, ptr %r\n  %e = alloca ptr\n'
        f'  %s = call i32 @"{native}"(ptr %r, ptr %e, {shape.text})\n'
        '  %bad = icmp ne i32 %s, 0\n  br i1 %bad, label %fails, label %fine\n'
        f'fails:\n  atomicrmw add ptr @fault, i32 1 monotonic\n{fails}  br label %fine\n'
        f'fine:\n{end}}}\ndeclare i32 @"{native}"(ptr, ptr, {shape.text})\n'
        'declare void @copy_position(ptr, ptr)\n'
        'declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n'
    )


def load_helpers() -> None:
    """Let machine code call numba's functions for lists and texts, which a compilation loads."""
    numba.njit(lambda number: [number]).compile((kinds.int64,))


def rules_code(rules: Any, position: Any) -> list[str]:
    """Return the LLVM code of a game's rules, with functions for `search.c`.

    `position` is an example, which shows the number of fields.
    """
    # Rules wrap: sums and products under a mask are how tables of bits are addressed.
    compiler = Compiler(checked=not is_own(rules.play), exact=False)
    given, menu = positions_of(rules, position)
    # Those of which C has the usual case.
    left_out = {'winner'} if rules.rewards is not None else set()
    left_out |= {'weight'} if rules.chances is None else set()
    if given['menu'] is int and rules.count is bits.popcount and rules.pick is bits.nth_bit:
        left_out |= {'count', 'pick'}
    for each in FUNCTIONS:
        function = getattr(rules, each)
        if function is None or each in left_out:
            continue
        name, what, fails = f'rule_{each}', f'{each} of the rules', ''
        outs = menu if 'out' in shape_of(name).arguments else []
        if each == 'play':  # positions are always from the rules
            outs = [f'r.{field}' for field in position._fields]
            fails = '  call void @copy_position(ptr %out, ptr %p)\n'
        call = Function(name, function, kinds=given).call
        compiler.define(name, *call, outs, what=what, fails=fails)
    return compiler.parts
