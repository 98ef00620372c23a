"""The name of machine code: a hash of everything that it is made of.

numba's own disk cache looks at one source file and would go on serving the code of rules that have
since changed elsewhere. Here the byte code in memory of every function reached counts, with its
constants and the values that it names; comments and line numbers do not, and no file is read.
"""

from __future__ import annotations

import functools
import platform
import sys
import types
from importlib.metadata import version
from typing import Any, ClassVar

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba.core import config
from numba.core.types import Type

from fmcts._content.naming import Naming, UnknownValueError
from fmcts._numba import private
from fmcts._numba.cache.stated import Statements
from fmcts._numba.exact import Rewriting
from fmcts._numba.register import EXACT

__all__ = ['UnknownValueError', 'fingerprint']


@functools.cache
def _own_version() -> str:
    return version('fmcts')


def _surroundings() -> str:
    """Return the versions, the processor and numba's settings as text."""
    config.reload_config()  # as numba does when it compiles
    settings = [
        (name, value)
        for name, value in sorted(vars(config).items())
        if name.isupper() and isinstance(value, str | int | float | None)
        # How many processors a process may use changes nothing in what is compiled for one.
        if not name.endswith('NUM_THREADS')
    ]
    return repr(
        (
            (sys.implementation.cache_tag, sys.version, platform.machine()),
            (_own_version(), numba.__version__, llvmlite.__version__, np.__version__),
            (llvm.get_process_triple(), llvm.get_host_cpu_name()),
            llvm.get_host_cpu_features().flatten(),
            settings,
        )
    )


class CodeNaming(Naming):
    """Names what numba knows besides Python's own values; `statements` are its registrations."""

    KINDS: ClassVar[tuple[tuple[Any, str], ...]] = (
        *Naming.KINDS,
        (private.Intrinsic, 'visit_intrinsic'),
        ((Type, ir.Type, ir.Constant), 'visit_named'),
    )

    def __init__(self, statements: Statements) -> None:
        super().__init__()
        self.statements = statements

    def apart(self) -> Naming:
        """Return a walk of the same kind that begins anew."""
        return type(self)(self.statements)

    def visit_function(self, function: types.FunctionType) -> None:
        """Write a function, how it is compiled, and its registered replacements."""
        first = id(function) not in self.seen
        super().visit_function(function)
        if first:
            self.put('exact' if function in EXACT else 'as it is')
            self.visit(self.statements.of(function))

    def visit_own_class(self, value: Any) -> None:
        """Write a class of this library, and how numba lays out its values in memory."""
        super().visit_own_class(value)
        self.visit(private.model_of(value))

    def visit_methods(self, kind: type) -> None:
        """Write the code of the methods of a class that changes what is compiled."""
        for name, member in sorted(vars(kind).items()):
            if isinstance(member, types.FunctionType):
                self.put(name)
                self.visit_code(member.__code__)

    def visit_intrinsic(self, intrinsic: Any) -> None:
        """Write an intrinsic: its options and its definition."""
        self.put(f'intrinsic {intrinsic._prefer_literal}')  # noqa: SLF001 - numba shows it nowhere
        self.visit(tuple(sorted(intrinsic._ctor_kwargs.items())))  # noqa: SLF001 - the same
        self.visit(intrinsic._defn)  # noqa: SLF001 - the same

    def visit_named(self, value: Any) -> None:
        """Write a type of numba's, or a type or constant of LLVM's, whose text says all."""
        self.put(f'{type(value).__name__} {value}')
        self.visit(type(value))


def fingerprint(function: types.FunctionType, *options: object) -> str:
    """Return a hash of a function and `options`, of everything they reach, and of the compiler.

    :raises UnknownValueError: something reached has no sound name.
    """
    statements = Statements.now()
    naming = CodeNaming(statements)
    naming.put(_surroundings())
    naming.unordered(statements.own)
    naming.visit_methods(Rewriting)
    naming.visit(function)
    naming.visit(options)
    return naming.sum.hexdigest()
