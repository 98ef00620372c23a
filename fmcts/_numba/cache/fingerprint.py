"""The name of machine code: a hash of everything that it is compiled from.

numba's own disk cache checks one source file, and would keep serving the code of rules after a
change in another file. This hash covers the byte code in memory of every function reached, with its
constants and the values that it names. It ignores comments and line numbers, and reads no file.
"""

from __future__ import annotations

import platform
import sys
import types
from typing import Any, ClassVar, Final

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba.core import config
from numba.core.types import Type

from fmcts import __version__
from fmcts._content.naming import Naming
from fmcts._numba import private
from fmcts._numba.cache.registrations import Overload, Registrations
from fmcts._numba.exact import Rewriting
from fmcts._numba.register import EXACT, RAISING


def _surroundings() -> str:
    """Return the versions, the processor and numba's settings as text."""
    config.reload_config()  # as numba does when it compiles
    settings = [
        (name, value)
        for name, value in sorted(vars(config).items())
        if name.isupper() and isinstance(value, str | int | float | None)
        # The number of processors that a process may use does not affect its machine code.
        if not name.endswith('NUM_THREADS')
    ]
    return repr(
        (
            (sys.implementation.cache_tag, sys.version, platform.machine()),
            (__version__, numba.__version__, llvmlite.__version__, np.__version__),
            (llvm.get_process_triple(), llvm.get_host_cpu_name()),
            llvm.get_host_cpu_features().flatten(),
            settings,
        )
    )


class CodeNaming(Naming):
    """Names values that numba knows besides Python's own; `registrations` are its registrations."""

    KINDS: ClassVar[tuple[tuple[Any, str], ...]] = (
        *Naming.KINDS,
        (private.Intrinsic, 'visit_intrinsic'),
        ((Type, ir.Type, ir.Constant), 'visit_named'),
    )

    def __init__(self, registrations: Registrations) -> None:
        super().__init__()
        self.registrations = registrations

    def apart(self) -> Naming:
        """Return a new, empty walk of the same kind."""
        return type(self)(self.registrations)

    def visit_function(self, function: types.FunctionType) -> None:
        """Write a function, how it is compiled, and its registered replacements."""
        first = id(function) not in self.seen
        super().visit_function(function)
        if first:
            self.put('exact' if function in EXACT else 'as it is')
            self.put('raising' if function in RAISING else 'IEEE 754')
            self.visit(self.registrations.of(function))

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
        """Write a numba type, or an LLVM type or constant; their text describes them fully."""
        self.put(f'{type(value).__name__} {value}')
        self.visit(type(value))


_own_names: Final[dict[tuple[int, int], tuple[object, int, str]]] = {}


def _own_name(naming: CodeNaming, registration: tuple[object, Overload]) -> str:
    """Return the name of a registration of this library, whose functions do not change.

    It is computed once for each, and again where something else was registered meanwhile, which may
    stand for a function that they call.
    """
    key = id(registration[0]), id(registration[1][0])
    others = naming.registrations.count
    found = _own_names.get(key)
    if found is not None and found[:2] == (registration, others):
        return found[2]
    apart = naming.apart()
    apart.visit(registration)
    name = apart.sum.hexdigest()
    _own_names[key] = registration, others, name
    return name


def fingerprint(function: types.FunctionType, *options: object) -> str:
    """Return a hash of a function and `options`, of everything they reach, and of the compiler.

    :raises UnknownValueError: a value that they reach has no reliable name.
    """
    registrations = Registrations.now()
    naming = CodeNaming(registrations)
    naming.put(_surroundings())
    naming.put(' '.join(sorted(_own_name(naming, each) for each in registrations.own)))
    naming.visit_methods(Rewriting)
    naming.visit(function)
    naming.visit(options)
    return naming.sum.hexdigest()
