"""The content of values and functions, written into one hash; `fingerprint` is built on it.

Nothing here needs numba. What is named is what lies in memory: byte code as it was loaded, with all
that it reaches. No file is read. A value of which it is not known what about it may change has no
name, and nothing about a value is believed that its class could make up, such as its `repr`.
"""

from __future__ import annotations

import enum
import hashlib
import inspect
import struct
import sys
import types
from collections.abc import Iterable
from typing import Any, ClassVar, Final

from fmcts.bits import Table
from fmcts.reached import OWN, found_in_known, known, reached

__all__ = ['Naming', 'UnknownValueError', 'content']

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


def content(*values: object) -> str:
    """Return a hash of values and of all that they reach, the same in every process.

    :raises UnknownValueError: something reached has no sound name.

    >>> content(1, lambda x: x + 1) == content(1, lambda y: y + 1)
    False
    >>> content(1, '1') == content(1, '1')
    True
    """
    naming = Naming()
    naming.visit(values)
    return naming.sum.hexdigest()


class Naming:
    """A walk over values that are written into one hash, `sum`.

    `KINDS` has the method by which a value of each kind is named, the first that fits.
    """

    KINDS: ClassVar[tuple[tuple[Any, str], ...]] = (
        (enum.Enum, 'visit_member'),  # before the integer or tuple that it may also be
        (types.FunctionType, 'visit_function'),
        (type, 'visit_type'),
        (tuple, 'visit_tuple'),
        (frozenset, 'visit_set'),
        (slice, 'visit_slice'),
        (types.ModuleType, 'visit_module'),
    )

    def __init__(self) -> None:
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
        for kind, visit in self.KINDS:
            if isinstance(value, kind):
                getattr(self, visit)(value)
                return
        if _is_of_numpy(value):
            self._visit_of_numpy(value)
            return
        raise UnknownValueError(f'a value of {type(value).__name__}')

    def apart(self) -> Naming:
        """Return a walk of the same kind that begins anew."""
        return type(self)()

    def unordered(self, values: Iterable[object]) -> None:
        """Write values whose order means nothing, and may differ from process to process."""
        sums = []
        for value in values:
            apart = self.apart()
            apart.visit(value)
            sums.append(apart.sum.hexdigest())
        self.put(f'{len(sums)} in any order: {" ".join(sorted(sums))}')

    # ---- functions ----

    def visit_function(self, function: types.FunctionType) -> None:
        """Write a function: its code, and what it reaches."""
        if function in self.functions:  # recursion, or the second mention
            self.put(f'function number {self.functions[function]}')
            return
        self.functions[function] = len(self.functions)
        self.put('function')
        self.visit_code(function.__code__)
        try:
            values = [*reached(function)]
        except ValueError as error:  # an empty closure
            raise UnknownValueError(f'{function.__qualname__}: {error}') from error
        self.put(f'reaches {len(values)}')
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

    def visit_code(self, code: types.CodeType) -> None:
        """Write byte code with its constants, without lines and comments."""
        self.put(
            repr(
                (
                    (code.co_code, code.co_exceptiontable, code.co_flags),
                    (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars),
                    (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount),
                )
            )
        )
        self.put(f'constants {len(code.co_consts)}')
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.visit_code(constant)
            else:
                self.visit(constant)

    # ---- values made of others ----

    def visit_tuple(self, value: tuple[Any, ...]) -> None:
        """Write a tuple, a named tuple or a table."""
        kind: Any = type(value)
        if kind not in (tuple, Table):
            self.visit_named_tuple(kind)
        self.put(f'{kind.__name__} of {len(value)}')
        for item in value:
            self.visit(item)

    def visit_set(self, value: frozenset[Any]) -> None:
        """Write a frozen set, whose order means nothing."""
        self._only(value, frozenset)
        self.put('frozenset')
        self.unordered(value)

    def visit_slice(self, value: slice) -> None:
        """Write a slice."""
        self.put('slice')
        self.visit((value.start, value.stop, value.step))

    def _visit_of_numpy(self, value: Any) -> None:
        numpy: Any = sys.modules['numpy']
        dtype = value.dtype
        if dtype.kind not in SCALARS or dtype.metadata:
            raise UnknownValueError(f'an array of {dtype}')
        if isinstance(value, numpy.generic):
            self._only(value, dtype.type)
            self.put(f'scalar {dtype.str} {value.tobytes().hex()}')
            return
        self._only(value, numpy.ndarray)
        flags = value.flags
        self.put(f'array {dtype.str} {value.shape}')
        self.put(f'{flags.c_contiguous} {flags.f_contiguous} {flags.aligned}')
        self.put(hashlib.sha256(value.tobytes()).hexdigest())

    def visit_member(self, value: Any) -> None:
        """Write a member of an enumeration."""
        self.put(f'member {value.name!s}')
        self.visit(value.value)
        self.visit(type(value))

    def visit_module(self, module: types.ModuleType) -> None:
        """Write a module of a library whose version is in the name."""
        if not known(module):  # else `reached` gives its members
            raise UnknownValueError('a module by itself')
        self.put(f'module {module.__name__}')

    # ---- classes, and what describes them to the compiler ----

    def visit_type(self, value: Any) -> None:
        """Write a class."""
        if issubclass(value, enum.Enum):
            members = [(name, member.value) for name, member in value.__members__.items()]
            self.put(
                f'enumeration {value.__qualname__} {[base.__name__ for base in value.__mro__]}'
            )
            self.visit(tuple(members))
        elif issubclass(value, tuple) and hasattr(value, '_fields'):
            self.visit_named_tuple(value)
        elif value is Table:
            self.put('Table')
        elif value.__module__.partition('.')[0] == OWN:
            self.visit_own_class(value)
        else:
            raise UnknownValueError(f'the class {value.__name__}')

    def visit_named_tuple(self, kind: Any) -> None:
        """Write the class of a named tuple: its name, its fields and their defaults."""
        fields = getattr(kind, '_fields', None)
        if not isinstance(fields, tuple) or tuple(inspect.signature(kind).parameters) != fields:
            raise UnknownValueError(f'the class {kind.__name__}')
        self.put(f'named tuple {kind.__qualname__} {fields}')
        self.visit(tuple(sorted(kind._field_defaults.items())))

    def visit_own_class(self, value: Any) -> None:
        """Write a class of this library."""
        self.put(f'class {value.__qualname__}')
        for base in value.__bases__:
            self.visit(base)
        for name, member in sorted(vars(value).items()):
            if isinstance(member, types.FunctionType):
                self.put(name)
                self.visit(member)

    def _only(self, value: object, kind: type) -> None:
        """A subclass may mean anything by the same contents."""
        if type(value) is not kind:
            raise UnknownValueError(f'a value of {type(value).__name__}')


def _is_of_numpy(value: object) -> bool:
    numpy: Any = sys.modules.get('numpy')
    return numpy is not None and isinstance(value, numpy.ndarray | numpy.generic)
