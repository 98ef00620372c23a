"""What values and functions are, written into one hash; the ground of `fingerprint`.

What is named is what lies in memory: byte code as it was loaded, with all that it reaches. No file
is read. A value of which it is not known what about it may change has no name, and nothing about a
value is believed that its class could make up, such as its `repr`.
"""

from __future__ import annotations

import enum
import hashlib
import inspect
import struct
import types
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.core.types import Type

from fmcts.bits import Table
from fmcts.search.compiled.cache.stated import Statements
from fmcts.search.compiled.numba_support import private
from fmcts.search.compiled.numba_support.dependencies import found_in_known, known, reached

__all__ = ['Naming', 'UnknownValueError']

OWN: Final = __name__.partition('.')[0]
SCALARS: Final = 'biufc'  # NumPy's kinds of booleans and numbers: no objects, no fields with names
NO_CODE: Final = ('__dict__', '__weakref__', '__doc__', '__module__', '__abstractmethods__')


class UnknownValueError(TypeError):
    """A value that rules use and of which it is not known what may change about it."""


def _plain(value: Any) -> str | None:
    """A value of one of Python's own plain types in text, exactly; `None`: it is none of them."""
    kind = type(value)
    if kind in (type(None), bool, type(...)):
        return repr(value)
    if kind is int:
        return hex(value)
    if kind is float:
        return struct.pack('>d', value).hex()  # -0.0 and each NaN too
    if kind is complex:
        return struct.pack('>dd', value.real, value.imag).hex()
    if kind is str:
        return str(value)
    return str(value.hex()) if kind is bytes else None


class Naming:
    """A walk over values that are written into one hash, `sum`."""

    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        self.sum = hashlib.sha256()
        self.functions: dict[types.FunctionType, int] = {}

    def put(self, text: str) -> None:
        """Write one text, apart from its neighbours."""
        encoded = text.encode('utf-8', 'surrogatepass')
        self.sum.update(len(encoded).to_bytes(8, 'little') + encoded)

    def visit(self, value: Any) -> None:
        """Write a value, and all that it reaches.

        :raises UnknownValueError: it has no sound name.
        """
        text = _plain(value)
        if text is not None:
            self.put(f'{type(value).__name__} {text}')
            return
        where = found_in_known(value)
        if where is not None:
            self.put(f'known {where}')
            return
        for kind, visit in self._KINDS:
            if isinstance(value, kind):
                visit(self, value)
                return
        raise UnknownValueError(f'a value of {type(value).__name__}')

    def unordered(self, values: Iterable[object]) -> None:
        """Write values whose order means nothing, and may differ from process to process."""
        sums = []
        for value in values:
            apart = Naming(self.statements)
            apart.visit(value)
            sums.append(apart.sum.hexdigest())
        self.put(f'{len(sums)} in any order: {" ".join(sorted(sums))}')

    # ---- functions ----

    def _visit_function(self, function: types.FunctionType) -> None:
        if function in self.functions:  # recursion, or the second mention
            self.put(f'function number {self.functions[function]}')
            return
        self.functions[function] = len(self.functions)
        self.put('function')
        self._visit_code(function.__code__)
        try:
            values = [*reached(function)]
        except ValueError as error:  # an empty closure
            raise UnknownValueError(f'{function.__qualname__}: {error}') from error
        for name, value in values:
            self.put(name)
            try:
                self.visit(value)
            except UnknownValueError as error:
                if ', as ' in str(error):
                    raise
                raise UnknownValueError(f'{error}, as {name} of {function.__qualname__} is') from (
                    error
                )
        self.visit(self.statements.of(function))

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

    def _visit_intrinsic(self, intrinsic: Any) -> None:
        self.put(f'intrinsic {intrinsic._prefer_literal}')  # noqa: SLF001 - numba shows it nowhere
        self.visit(tuple(sorted(intrinsic._ctor_kwargs.items())))  # noqa: SLF001 - the same
        self.visit(intrinsic._defn)  # noqa: SLF001 - the same

    # ---- values made of others ----

    def _visit_tuple(self, value: tuple[Any, ...]) -> None:
        kind: Any = type(value)
        if kind not in (tuple, Table):
            self._visit_named_tuple(kind)
        self.put(f'{kind.__name__} of {len(value)}')
        for item in value:
            self.visit(item)

    def _visit_set(self, value: frozenset[Any]) -> None:
        self._only(value, frozenset)
        self.put('frozenset')
        self.unordered(value)

    def _visit_slice(self, value: slice) -> None:
        self.put('slice')
        self.visit((value.start, value.stop, value.step))

    def _visit_array(self, value: Any) -> None:
        self._only(value, np.ndarray)
        self._number(value.dtype)
        flags = value.flags
        self.put(f'array {value.dtype.str} {value.shape}')
        self.put(f'{flags.c_contiguous} {flags.f_contiguous} {flags.aligned}')
        self.put(hashlib.sha256(value.tobytes()).hexdigest())

    def _visit_scalar(self, value: Any) -> None:
        self._number(value.dtype)
        self._only(value, value.dtype.type)
        self.put(f'scalar {value.dtype.str} {value.tobytes().hex()}')

    def _number(self, dtype: Any) -> None:
        if dtype.kind not in SCALARS or dtype.metadata:
            raise UnknownValueError(f'an array of {dtype}')

    def _visit_member(self, value: Any) -> None:
        self.put(f'member {value.name!s}')
        self.visit(value.value)
        self.visit(type(value))

    def _visit_module(self, module: types.ModuleType) -> None:
        if not known(module):  # else `reached` gives its members
            raise UnknownValueError('a module by itself')
        self.put(f'module {module.__name__}')

    # ---- classes, and what describes them to the compiler ----

    def _visit_type(self, value: Any) -> None:
        if issubclass(value, enum.Enum):
            members = [(name, member.value) for name, member in value.__members__.items()]
            self.put(
                f'enumeration {value.__qualname__} {[base.__name__ for base in value.__mro__]}'
            )
            self.visit(tuple(members))
        elif issubclass(value, tuple) and hasattr(value, '_fields'):
            self._visit_named_tuple(value)
        elif value is Table:
            self.put('Table')
        elif value.__module__.partition('.')[0] == OWN:
            self._visit_own_class(value)
        else:
            raise UnknownValueError(f'the class {value.__name__}')

    def _visit_named_tuple(self, kind: Any) -> None:
        fields = getattr(kind, '_fields', None)
        if not isinstance(fields, tuple) or tuple(inspect.signature(kind).parameters) != fields:
            raise UnknownValueError(f'the class {kind.__name__}')
        self.put(f'named tuple {kind.__qualname__} {fields}')
        self.visit(tuple(sorted(kind._field_defaults.items())))

    def _visit_own_class(self, value: Any) -> None:
        """A class of this library; numba may have a model of how its values lie in memory."""
        self.put(f'class {value.__qualname__}')
        for base in value.__bases__:
            self.visit(base)
        for name, member in sorted(vars(value).items()):
            if isinstance(member, types.FunctionType):
                self.put(name)
                self.visit(member)
        self.visit(private.model_of(value))

    def _visit_compiler_type(self, value: Any) -> None:
        self.put(f'type {value}')
        self.visit(type(value))

    def _visit_llvm(self, value: Any) -> None:
        self.put(f'LLVM {value}')
        self.visit(type(value))

    def _only(self, value: object, kind: type) -> None:
        """A subclass may mean anything by the same contents."""
        if type(value) is not kind:
            raise UnknownValueError(f'a value of {type(value).__name__}')

    _KINDS: Final[tuple[tuple[Any, Callable[..., None]], ...]] = (
        (enum.Enum, _visit_member),  # before the integer or tuple that it may also be
        (types.FunctionType, _visit_function),
        (private.Intrinsic, _visit_intrinsic),
        (type, _visit_type),
        (tuple, _visit_tuple),
        (frozenset, _visit_set),
        (slice, _visit_slice),
        (np.ndarray, _visit_array),
        (np.generic, _visit_scalar),
        (types.ModuleType, _visit_module),
        (Type, _visit_compiler_type),
        ((ir.Type, ir.Constant), _visit_llvm),
    )
