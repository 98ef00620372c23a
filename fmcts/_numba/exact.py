"""Users' functions compiled to give what Python gives: see the modules `whole` and `reals`.

A compiler pass rewrites such a function before types are inferred. Integer operands of operators
become `Whole`; arguments of functions that accept only numba's integers are converted back. Powers,
divisions and functions of `math` become those of `reals`, and `refusals` lists what is refused.
"""

from __future__ import annotations

import math
import operator
import types
from typing import Any, Final

from numba import njit
from numba.core import ir
from numba.core.dispatcher import Dispatcher
from numba.extending import register_jitable

from fmcts import bits
from fmcts._content.reached import is_of_library
from fmcts._content.stamps import known_function
from fmcts._numba import reals, whole
from fmcts._numba.intrinsics import WITHIN
from fmcts._numba.operators import INPLACE
from fmcts._numba.private import compiler_with
from fmcts._numba.refusals import refuse_method, refuse_operator, refuse_rounding, refuse_value

ARITHMETIC: Final = (
    *(operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.pow),
    *(operator.truediv, operator.lshift, operator.rshift),
)
IN_PLACE: Final = (
    *(operator.iadd, operator.isub, operator.imul, operator.ifloordiv, operator.imod),
    *(operator.itruediv, operator.ilshift, operator.irshift, operator.ipow),
)
BITWISE: Final = (
    *(operator.and_, operator.or_, operator.xor, operator.iand, operator.ior, operator.ixor),
)
COMPARISONS: Final = (
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne),
)
UNARY: Final = (operator.neg, operator.pos, operator.invert)

ARGUMENTS: Final[tuple[tuple[Any, Any], ...]] = (
    (bool, whole.truth),
    (abs, whole.whole),
    (int, whole.rounded),
    *((function, whole.floored) for function in (round, math.floor, math.ceil, math.trunc)),
    *((function, whole.whole) for function in (*ARITHMETIC, *UNARY)),
    *((stand_in, whole.whole) for _, stand_in in (*reals.OPERATORS, *reals.DIVISIONS)),
)
"""The conversions of functions' arguments; those of other functions become numba's integers."""


class Rewriting:
    """The rewriting of one function by the pass.

    `raising`: `/` raises an error when it divides by zero, as in functions of positions.
    """

    def __init__(self, function: Any, *, raising: bool = False) -> None:
        self.function = function
        self.raising = raising
        self.operators = (*reals.OPERATORS, *reals.DIVISIONS * raising)
        self.body: list[Any] = []

    def rewrite(self) -> None:
        """Change the code of the whole function.

        :raises TypingError: it does what machine code may compute otherwise than Python.
        """
        refuse_value(self.function.func_id.func.__defaults__ or (), 'a default', self.function.loc)
        for block in self.function.blocks.values():
            for statement in block.body:
                if isinstance(statement, ir.Assign):
                    self.reference(statement)
        for block in self.function.blocks.values():
            self.body = []
            for statement in block.body:
                if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr):
                    self.expression(statement)
                elif isinstance(statement, ir.SetItem):
                    statement.index = self.through(whole.plain, statement.index, statement.loc)
                    statement.value = self.through(whole.plain, statement.value, statement.loc)
                elif isinstance(statement, ir.DynamicRaise | ir.DynamicTryRaise):
                    statement.exc_args = tuple(
                        self.through(whole.plain, each, statement.loc)
                        if isinstance(each, ir.Var)
                        else each
                        for each in statement.exc_args
                    )
                self.body.append(statement)
            block.body = self.body

    def put(self, value: Any, scope: Any, loc: Any) -> Any:
        """Return a new variable with this value."""
        target = scope.make_temp(loc)
        self.body.append(ir.Assign(value, target, loc))
        self.function._definitions[target.name].append(value)  # noqa: SLF001 - numba's way
        return target

    def constant(self, function: Any, scope: Any, loc: Any) -> Any:
        """Return a new variable that holds the function."""
        return self.put(ir.Global(function.__name__, function, loc), scope, loc)

    def through(self, function: Any, variable: Any, loc: Any) -> Any:
        """Return a new variable that holds `function(variable)`."""
        if function is whole.whole and self.is_large(variable):
            function = whole.from_word
        called = self.constant(function, variable.scope, loc)
        return self.put(ir.Expr.call(called, (variable,), (), loc), variable.scope, loc)

    def reference(self, statement: Any) -> None:
        """Replace or refuse the function or constant that is assigned."""
        target, loc = statement.target, statement.loc
        if isinstance(statement.value, ir.Const | ir.Global | ir.FreeVar):
            value, name = statement.value.value, getattr(statement.value, 'name', 'a constant')
        elif isinstance(statement.value, ir.Expr) and statement.value.op == 'getattr':
            value, name = self.value_of(target), statement.value.attr
        else:
            return
        refuse_value(value, name, loc)
        if self.is_inner(statement.value):
            made = njit(pipeline_class=RAISING if self.raising else EXACT, error_model='numpy')
            statement.value = ir.Global(name, made(value.py_func), loc)
            self.function._definitions[target.name] = [statement.value]  # noqa: SLF001 - as in `put`
        for function, stand_in in (*reals.REALS, *self.operators):
            if value is function:
                statement.value = ir.Global(stand_in.__name__, stand_in, loc)
                self.function._definitions[target.name] = [statement.value]  # noqa: SLF001 - as in `put`

    def is_inner(self, value: Any) -> bool:
        """Return whether this is an inner function, such as a lambda, that numba has jitted."""
        names = self.function.func_id.func.__globals__
        return (
            isinstance(value, ir.Global)
            and isinstance(value.value, Dispatcher)
            and names.get(value.name) is not value.value
        )

    def expression(self, statement: Any) -> None:
        """Rewrite the assigned expression."""
        expr, loc = statement.value, statement.loc
        if expr.op in ('binop', 'inplace_binop'):
            self.operation(statement)
        elif expr.op == 'unary':
            change = whole.whole if expr.fn in UNARY else whole.truth
            expr.value = self.through(change, expr.value, loc)
        elif expr.op == 'getitem':
            expr.index = self.through(whole.plain, expr.index, loc)
        elif expr.op == 'call':
            self.call(statement)

    def operation(self, statement: Any) -> None:
        """Rewrite the operands of an operator."""
        expr, loc = statement.value, statement.loc
        refuse_operator(expr.fn, loc)
        if expr.fn in ARITHMETIC or expr.fn in IN_PLACE:
            expr.lhs = self.through(whole.whole, expr.lhs, loc)
            if self.is_large(expr.rhs):
                expr.rhs = self.through(whole.whole, expr.rhs, loc)
        elif expr.fn in BITWISE:
            expr.lhs = self.through(whole.whole_or_truth, expr.lhs, loc)
        elif expr.fn in COMPARISONS:
            expr.lhs = self.through(whole.whole_or_truth, expr.lhs, loc)
            expr.rhs = self.through(whole.whole_or_truth, expr.rhs, loc)
        stand_ins = [stand_in for function, stand_in in self.operators if function is expr.fn]
        if stand_ins:
            called = self.constant(stand_ins[0], statement.target.scope, loc)
            statement.value = ir.Expr.call(called, (expr.lhs, expr.rhs), (), loc)
        elif expr.fn in INPLACE:
            called = self.constant(INPLACE[expr.fn], statement.target.scope, loc)
            statement.value = ir.Expr.call(called, (expr.lhs, expr.rhs), (), loc)

    def call(self, statement: Any) -> None:
        """Rewrite the arguments and the result of a call."""
        expr, loc, scope = statement.value, statement.loc, statement.target.scope
        called = self.value_of(expr.func)
        refuse_method(self.method_of(expr.func), loc)
        refuse_rounding(called, len(expr.args) + len(expr.kws), loc)
        if _is_users(called):
            return
        changes = [change for function, change in ARGUMENTS if function is called]
        of_bits = getattr(called, '__module__', None) == bits.__name__
        change = changes[0] if changes else whole.word if of_bits else whole.plain
        if isinstance(called, type) and issubclass(called, tuple):
            change = whole.whole  # so that such tuples have one type, whatever their fields were
        expr.args = tuple(self.through(change, each, loc) for each in expr.args)
        expr.kws = tuple((name, self.through(change, each, loc)) for name, each in expr.kws)
        if called is int and len(expr.args) == 1:
            statement.value = expr.args[0]
        elif of_bits:
            found = self.put(expr, scope, loc)
            known = self.constant(whole.from_word, scope, loc)
            statement.value = ir.Expr.call(known, (found,), (), loc)

    def is_large(self, variable: Any) -> bool:
        """Return whether a constant is a Python integer that numba would treat as unsigned."""
        value = self.value_of(variable)
        return type(value) is int and value >= 1 << 63

    def definition_of(self, variable: Any) -> Any:
        """Return the only expression that a variable is assigned; `None` if there are several."""
        found = self.function._definitions.get(variable.name, ())  # noqa: SLF001 - numba's way
        if len(found) != 1:
            return None
        (definition,) = found
        return self.definition_of(definition) if isinstance(definition, ir.Var) else definition

    def method_of(self, variable: Any) -> str:
        """Return the name of the attribute that a variable holds; '' if it holds no attribute."""
        definition = self.definition_of(variable)
        is_one = isinstance(definition, ir.Expr) and definition.op == 'getattr'
        return definition.attr if is_one and self.value_of(variable) is None else ''

    def value_of(self, variable: Any) -> Any:
        """Return the constant or function that a variable holds; `None` if that is not known."""
        definition = self.definition_of(variable)
        if isinstance(definition, ir.Const | ir.Global | ir.FreeVar):
            return definition.value
        if isinstance(definition, ir.Expr) and definition.op == 'getattr':
            owner = self.value_of(definition.value)
            if isinstance(owner, types.ModuleType):
                return getattr(owner, definition.attr, None)
        return None


def _is_users(called: Any) -> bool:
    """Return whether this is a user's function, whose arguments may be `Whole`."""
    return (
        isinstance(called, types.FunctionType)
        and not is_of_library(called)
        and not known_function(called)
    )


EXACT: Final = compiler_with(lambda function: Rewriting(function).rewrite())
RAISING: Final = compiler_with(lambda function: Rewriting(function, raising=True).rewrite())


def make_exact(function: types.FunctionType, *, raising: bool) -> None:
    """Register a plain function with numba, to be compiled so that it gives what Python gives.

    `raising`: its `/` raises an error when it divides by zero. An index outside an array raises
    `IndexError`.
    """
    kind = RAISING if raising else EXACT
    register_jitable(**WITHIN | {'pipeline_class': kind, 'boundscheck': True})(function)
