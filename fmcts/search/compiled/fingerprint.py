"""The name of machine code: a hash of everything that it is made of.

numba's own disk cache looks at one source file and would go on serving the code of rules that have
since changed elsewhere. Here the byte code of every function reached counts, with its constants and
the values that it names; comments and line numbers do not.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import sys
import types
from pathlib import Path
from typing import Any, Final

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np

from fmcts import bits, rng
from fmcts.search import scoring
from fmcts.search.compiled.reach import KNOWN, reached

__all__ = ['UnknownValueError', 'fingerprint']

SOURCES: Final = (Path(__file__).parent, Path(rng.__file__).parent, bits, scoring)


class UnknownValueError(TypeError):
    """A value that rules use and of which it is not known what may change about it."""


@functools.cache
def _surroundings() -> str:
    """The versions, the processor, numba's settings and this library's own sources."""
    files = [
        path
        for source in SOURCES
        for path in (
            sorted(source.glob('*.py'))
            if isinstance(source, Path)
            else [Path(str(source.__file__))]
        )
    ]
    return repr(
        (
            (sys.implementation.cache_tag, sys.version, platform.machine()),
            (numba.__version__, llvmlite.__version__, np.__version__),
            (llvm.get_process_triple(), llvm.get_host_cpu_name()),
            llvm.get_host_cpu_features().flatten(),
            sorted(item for item in os.environ.items() if item[0].startswith('NUMBA_')),
            [hashlib.sha256(path.read_bytes()).hexdigest() for path in files],
        )
    )


def fingerprint(*parts: object) -> str:
    """A hash of functions and values, of all that they name, and of what compiles them.

    :raises UnknownValueError: something named has no sound fingerprint.
    """
    hasher = _Hasher()
    hasher.put(_surroundings())
    for part in parts:
        hasher.visit(part)
    return hasher.sum.hexdigest()


class _Hasher:
    """A walk over values that are written into one hash."""

    def __init__(self) -> None:
        self.sum = hashlib.sha256()
        self.functions: dict[types.FunctionType, int] = {}

    def put(self, text: str) -> None:
        encoded = text.encode('utf-8', 'surrogatepass')
        self.sum.update(len(encoded).to_bytes(8, 'little') + encoded)

    def visit(self, value: Any) -> None:
        if value is None or isinstance(value, bool | int | float | str | bytes):
            # An enumeration's member or another subclass may hide behind the same digits.
            self.put(f'{type(value).__qualname__} {value!r}')
        elif isinstance(value, types.FunctionType):
            self._visit_function(value)
        elif isinstance(value, tuple | frozenset):
            items = value if isinstance(value, tuple) else sorted(value, key=repr)
            self.put(f'{type(value).__qualname__} {len(value)}')
            for item in items:
                self.visit(item)
        elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
            self.put(f'array {value.dtype.str} {value.shape} {value.flags.c_contiguous}')
            self.put(hashlib.sha256(value.tobytes()).hexdigest())
        elif isinstance(value, np.generic) and not value.dtype.hasobject:
            self.put(f'scalar {value.dtype.str} {value.tobytes().hex()}')
        elif isinstance(value, types.BuiltinFunctionType):
            self.put(f'builtin {value.__module__} {value.__qualname__}')
        elif isinstance(value, types.ModuleType) and value.__name__ in KNOWN:
            self.put(f'module {value.__name__}')
        elif isinstance(value, type):
            self._visit_type(value)
        else:
            raise UnknownValueError(f'{value!r} of {type(value)}')

    def _visit_type(self, value: Any) -> None:
        if issubclass(value, tuple) and hasattr(value, '_fields'):
            self.put(f'named tuple {value.__qualname__} {value._fields}')
            self.visit(tuple(sorted(value._field_defaults.items())))
        elif value.__module__ in ('builtins', 'numpy'):
            self.put(f'type {value.__module__} {value.__qualname__}')
        else:
            raise UnknownValueError(f'{value!r}')

    def _visit_function(self, function: types.FunctionType) -> None:
        if function in self.functions:  # recursion, or the second mention
            self.put(f'function number {self.functions[function]}')
            return
        self.functions[function] = len(self.functions)
        self._visit_code(function.__code__)
        try:
            for name, value in reached(function):
                self.put(name)
                self.visit(value)
        except ValueError as error:  # an empty closure
            raise UnknownValueError(f'{function.__qualname__}: {error}') from error

    def _visit_code(self, code: types.CodeType) -> None:
        self.put(
            repr(
                (
                    (code.co_code, code.co_exceptiontable, code.co_flags),
                    (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars),
                    (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount),
                )
            )
        )
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self._visit_code(constant)
            else:
                self.visit(constant)
