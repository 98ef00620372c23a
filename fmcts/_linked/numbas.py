"""Users' Python functions as LLVM code, by numba.

Functions are compiled as copies in which every function of Python that they call is a compiled copy
too, so that nothing is registered and nothing of the user's changes.
"""

from __future__ import annotations

import operator
import re
import types
from collections.abc import Sequence
from typing import Any, Final

import numba
from numba import types as kinds

from fmcts import bits, formulas
from fmcts._content import names_in
from fmcts._linked import numba_bits  # noqa: F401 - registers
from fmcts._linked.keys import is_known, is_own
from fmcts._linked.tables import words_of
from fmcts._linked.text import zeros
from fmcts.errors import RulesError

INTEGERS: Final = kinds.CPointer(kinds.int64)
DOUBLES: Final = kinds.CPointer(kinds.float64)
C_KINDS: Final = {
    'p': (INTEGERS, 'ptr'),
    'd': (DOUBLES, 'ptr'),
    'i': (kinds.int64, 'i64'),
    'f': (kinds.float64, 'double'),
}
"""The kinds of arguments: pointers to integers and to doubles, an integer, a double."""

KNOWN: Final = {
    id(each) for room in (bits, formulas) for each in vars(room).values() if callable(each)
}
"""The functions of this library for which numba has implementations."""


class Compiler:
    """Makes LLVM code of functions; those that several of them call are copied once.

    `ieee`: whether divisions by zero give what IEEE 754 defines, as formulas do, and not an error.
    `checked`: whether an index outside an array raises an error.
    `exact`: whether integers that leave 64 bits, or a shift of a negative one to the right, count
    as a fault, so that Python computes what they should be.
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
                    if isinstance(found, types.ModuleType) and not is_known(found):
                        scope[name] = self._copied_module(found, names)
            for cell, given in zip(cells, value.__closure__ or (), strict=True):
                cell.cell_contents = self.copied(given.cell_contents)
            self.begun.pop()
        return self.copies[id(value)]

    def _copied_module(self, module: types.ModuleType, names: set[str]) -> types.ModuleType:
        """Return a module with compiled copies of the user's functions of these names."""
        copy = types.ModuleType(module.__name__)
        for name in names & vars(module).keys():
            setattr(copy, name, self.copied(vars(module)[name]))
        return copy

    def define(
        self, name: str, arguments: Sequence[tuple[str, str]], body: str, given: dict[str, Any],
        result: str = '', *, what: str, fails: str = '',
    ) -> None:  # fmt: skip
        """Add the function of C called `name`; an error calls it `what`.

        `arguments` are names with kinds of `C_KINDS`, `result` is such a kind or empty, and `body`
        is its source as lines of Python, which may use the values `given`, functions of the user's
        among them. A function that raises an error adds to the global `fault`, runs `fails`, LLVM
        code for what it did not write, and returns 0.

        :raises RulesError: numba cannot compile it.
        """
        scope = {each: self.copied(value) for each, value in given.items()}
        scope |= {'int64': numba.int64, 'float64': numba.float64}
        names = ', '.join(each for each, _ in arguments)
        lines = ''.join(f'    {line}\n' for line in body.splitlines())
        exec(f'def entry({names}):\n{lines}', scope)  # noqa: S102 - from these constants
        entry = numba.njit(**self.options)(scope['entry'])
        signature = tuple(C_KINDS[kind][0] for _, kind in arguments)
        try:
            entry.compile(signature)
        except Exception as error:
            if isinstance(error, MemoryError):
                raise
            raise RulesError(f'{what} cannot be compiled: {reason_of(error)}') from error
        reasons = map(self._inexact, (entry, *self.copies.values()))
        reason = next(filter(None, reasons), None)
        if reason is not None:
            raise RulesError(f'{what} cannot be compiled: {reason}')
        found = ADDRESS.sub('', entry.overloads[signature].fndesc.llvm_func_name)
        text = ADDRESS.sub('', entry.inspect_llvm(signature))
        self.parts.append(exact(text) if self.exact else text)
        self.parts.append(
            shim(name, found, [C_KINDS[kind][1] for _, kind in arguments], result, fails)
        )

    def _inexact(self, function: Any) -> str | None:
        """Return what of a compiled function gives other numbers than Python, or `None`.

        The results of all engines are equal to the bit; what would break that is refused by name.
        """
        for overload in function.overloads.values():
            for step, signature in overload.type_annotation.calltypes.items():
                if signature is None or getattr(step, 'op', None) not in OPERATORS:
                    continue
                operation, given = getattr(step, OPERATORS[step.op]), signature.args
                # Python calls `pow` of the C library, numba multiplies.
                powers = kinds.Float, kinds.Integer
                if operation is operator.pow and all(map(isinstance, given, powers)):
                    return 'a float to the power of an integer: write x ** 2.0, not x ** 2'
                if self.exact and kinds.uint64 in given and operation in INEXACT:
                    return 'arithmetic on an integer of 2**63 or more'
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
OPERATORS: Final = {'binop': 'fn', 'inplace_binop': 'immutable_fn', 'unary': 'fn'}


STEP: Final = re.compile(
    r'= (add|sub|mul|shl|ashr)(?: nuw)?(?: nsw)?(?: exact)? i64 (.*)$', re.MULTILINE
)


def exact(text: str) -> str:
    """Return the LLVM code with calls in place of arithmetic that might differ from Python's.

    An overflow that is cheap to see ends the search in machine code (`instructions.ll`).
    """
    found = {it[1] for it in STEP.finditer(text)}
    text = STEP.sub(
        lambda it: f'= call i64 @exact_{it[1]}(i64 {it[2].replace(", ", ", i64 ", 1)})', text
    )
    return '\n'.join([text, *(f'declare i64 @exact_{name}(i64, i64)' for name in sorted(found))])


def shim(name: str, native: str, arguments: Sequence[str], result: str, fails: str) -> str:
    """Return the function of C that calls a function of numba, and notes its fault."""
    kind = C_KINDS[result][1] if result else 'ptr'
    zero = {'i64': '0', 'double': '0.0', 'ptr': 'null'}[kind]
    given = ', '.join(f'{each} %a{place}' for place, each in enumerate(arguments))
    end = f'  %x = load {kind}, ptr %r\n  ret {kind} %x\n' if result else '  ret void\n'
    return (
        f'@fault = external global i32\n'
        f'define {kind if result else "void"} @{name}({given}) alwaysinline {{\n'
        f'  %r = alloca {kind}\n  store {kind} {zero}, ptr %r\n  %e = alloca ptr\n'
        f'  %s = call i32 @"{native}"(ptr %r, ptr %e{", " * bool(given)}{given})\n'
        '  %bad = icmp ne i32 %s, 0\n  br i1 %bad, label %fails, label %fine\n'
        f'fails:\n  atomicrmw add ptr @fault, i32 1 monotonic\n{fails}  br label %fine\n'
        f'fine:\n{end}}}\ndeclare i32 @"{native}"({", ".join(["ptr", "ptr", *arguments])})\n'
        'declare void @copy_position(ptr, ptr)\n'
        'declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n'
    )


def rules_code(rules: Any, position: Any, menu: Any) -> list[str]:
    """Return the LLVM code of a game's rules, with functions for `search.c`.

    `position` and `menu` are examples, which show the number of fields.
    """
    # Rules wrap: sums and products under a mask are how tables of bits are addressed.
    compiler = Compiler(checked=not is_own(rules.play), exact=False)
    kind, width = type(position), len(position)
    here = f'Position({", ".join(f"p[{each}]" for each in range(width))})'
    given: dict[str, Any] = {'Position': kind}
    word = not isinstance(menu, tuple)
    seen = 'menu[0]' if word else f'Menu({", ".join(f"menu[{each}]" for each in range(len(menu)))})'
    if not word:
        given['Menu'] = type(menu)

    def into(value: str, count: int, *, alone: bool = False) -> str:
        lines = [f'out[{each}] = int64(r[{each}])' for each in range(count)]
        return f'r = {value}\n' + ('out[0] = int64(r)' if alone else '\n'.join(lines))

    def add(
        name: str, function: Any, text: str, arguments: str, result: str = '', fails: str = ''
    ) -> None:
        names = {'p': 'p', 'move': 'i', 'menu': 'p', 'index': 'i', 'out': 'p', 'player': 'i'}
        pairs = [(each, names[each]) for each in arguments.split()]
        what = f'{name.removeprefix("rule_")} of the rules'
        scope = {**given, 'rule': function}
        compiler.define(name, pairs, text, scope, result, what=what, fails=fails)

    wide = 1 if word else len(menu)
    text = into(f'rule({here})', wide, alone=word)
    add('rule_menu', rules.menu, text, 'p out', fails=zeros(1, wide))
    fields = '\n'.join(
        f'out[{place}] = int64(r.{field})' for place, field in enumerate(kind._fields)
    )
    stays = '  call void @copy_position(ptr %a2, ptr %a0)\n'  # positions are always from the rules
    add('rule_play', rules.play, f'r = rule({here}, move)\n{fields}', 'p move out', fails=stays)
    add('rule_side', rules.side, f'return int64(rule({here}))', 'p', 'i')
    if not (word and rules.count is bits.popcount and rules.pick is bits.nth_bit):
        add('rule_count', rules.count, f'return int64(rule({seen}))', 'menu', 'i')
        add('rule_pick', rules.pick, f'return int64(rule({seen}, index))', 'menu index', 'i')
    if rules.rewards is None:
        add('rule_winner', rules.winner, f'return int64(rule({here}))', 'p', 'i')
    else:
        add('rule_rewards', rules.rewards, f'return float64(rule({here}, player))', 'p player', 'f')
    if rules.gained is not None:
        add('rule_gained', rules.gained, f'return float64(rule({here}, player))', 'p player', 'f')
    add('rule_key', rules.key, f'return int64(rule({here}, move))', 'p move', 'i')
    if rules.chances is not None:
        add('rule_chances', rules.chances, f'return int64(rule({here}))', 'p', 'i')
        add('rule_weight', rules.weight, f'return int64(rule({here}, move))', 'p move', 'i')
    for name in ('winning', 'safe', 'patient'):
        if getattr(rules, name) is not None:
            text = into(f'rule({here}, {seen})', wide, alone=word)
            add(f'rule_{name}', getattr(rules, name), text, 'p menu out', fails=zeros(2, wide))
    return compiler.parts
