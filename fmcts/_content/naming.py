"""The content of values and functions, written into one hash.

The names of machine code and the texts of bots and games in match files are built on it.

Nothing here needs numba. The hash covers byte code in memory as it was loaded, with everything it
reaches. No file is read. A value that may change in unknown ways has no name, and nothing that a
value's class can forge, such as its `repr`, is trusted.
"""

from __future__ import annotations

import dis
import enum
import hashlib
import inspect
import struct
import sys
import types
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Final, cast

from fmcts._content.reached import OWN, by_name, found_in_known, is_of_numpy, known, reached
from fmcts.bits import Table

SCALARS: Final = 'biufc'  # NumPy's kinds of booleans and numbers: no objects, no fields with names
IMPORT: Final = dis.opmap['IMPORT_NAME']


def imports_in(code: types.CodeType) -> Iterator[tuple[int, str]]:
    """Yield what a function imports by itself: the leading dots of a relative name, and the rest.

    >>> def function():
    ...     import os.path
    >>> list(imports_in(function.__code__))
    [(0, 'os.path')]
    """
    if IMPORT not in code.co_code[::2]:
        return
    before: list[object] = []
    for step in dis.get_instructions(code):
        if step.opname == 'IMPORT_NAME':
            yield cast('int', before[-2]), step.argval
        if step.opname != 'EXTENDED_ARG':
            before.append(step.argval)


class UnknownValueError(TypeError):
    """Raised for a value that rules use and that may change in unknown ways."""

    placed = False  # whether the message says what has the value


@contextmanager
def part(name: str, whole: str) -> Iterator[None]:
    """Add to an error which part of a value was refused; if nested, the innermost part."""
    try:
        yield
    except UnknownValueError as error:
        if error.placed:
            raise
        found = UnknownValueError(f'{name} of {whole} is {error}')
        found.placed = True
        raise found from error


def _plain(value: Any) -> str | None:
    """Return a value of a plain Python type as exact text; `None` for other types."""
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

    `KINDS` has the method that writes values of each kind; the first that fits is used.
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
        self.seen: dict[int, tuple[int, object]] = {}  # alive, so that no identity is used twice

    def put(self, text: str) -> None:
        """Write one text, apart from its neighbours."""
        encoded = text.encode('utf-8', 'surrogatepass')
        self.sum.update(len(encoded).to_bytes(8, 'little') + encoded)

    def known_by(self, module: str) -> str | None:
        """Return a text that identifies the module of that name; `None` if it may change."""
        return by_name(module)

    def found(self, value: Any) -> str | None:
        """Return where in a known module this very object is found."""
        return found_in_known(value, self.known_by)

    def again(self, value: object) -> bool:
        """Return whether the value was met before, and if so write which: it may hold itself."""
        before = id(value) in self.seen
        number, _ = self.seen.setdefault(id(value), (len(self.seen), value))
        if before:
            self.put(f'{type(value).__name__} number {number}')
        return before

    def visit(self, value: Any) -> None:
        """Write a value, and all that it reaches.

        :raises UnknownValueError: it has no sound name.
        """
        text = _plain(value)
        if text is not None:
            self.put(f'{type(value).__name__} {text}')
            return
        where = self.found(value)
        if where is not None:
            self.put(f'known {where}')
            return
        for kind, visit in self.KINDS:
            if isinstance(value, kind):
                getattr(self, visit)(value)
                return
        if is_of_numpy(value, 'ndarray', 'generic'):
            self._visit_of_numpy(value)
            return
        self.visit_other(value)

    def visit_other(self, value: Any) -> None:
        """Refuse a value of another kind: a subclass may give the same contents another meaning."""
        raise UnknownValueError(f'a value of {type(value).__name__}')

    def visit_parts(self, parts: Iterable[tuple[str, object]], whole: str) -> None:
        """Write the parts of something, by name."""
        for name, value in parts:
            self.put(name)
            with part(name, whole):
                self.visit(value)

    def apart(self) -> Naming:
        """Return a new walk of the same kind."""
        return type(self)()

    def unordered(self, values: Iterable[object]) -> None:
        """Write values whose order has no meaning, and may differ between processes."""
        sums = []
        for value in values:
            apart = self.apart()
            apart.visit(value)
            sums.append(apart.sum.hexdigest())
        self.put(f'{len(sums)} in any order: {" ".join(sorted(sums))}')

    # ---- functions ----

    def visit_function(self, function: types.FunctionType) -> None:
        """Write a function: its code, and what it reaches."""
        if self.again(function):
            return
        self.put('function')
        self.visit_code(function.__code__)
        try:
            values = [*reached(function, self.known_by)]
        except Exception as error:  # an empty closure, or what a module's `__getattr__` raises
            raise UnknownValueError(f'{error}, in {function.__qualname__}') from error
        self.put(f'reaches {len(values)}')
        self.visit_parts(values, function.__qualname__)

    def visit_code(self, code: types.CodeType) -> None:
        """Write byte code with its constants, without lines and comments."""
        self._refuse_imports(code)
        exceptions = getattr(code, 'co_exceptiontable', b'')  # which PyPy lacks
        self.put(
            repr(
                (
                    (code.co_code, exceptions, code.co_flags),
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

    def _refuse_imports(self, code: types.CodeType) -> None:
        """Refuse imports inside a function, unless the module is known and cannot change."""
        for level, name in imports_in(code):
            if level or self.known_by(name) is None:
                module = '.' * level + name
                raise UnknownValueError(f'{module}, imported within {code.co_name}')

    # ---- values made of others ----

    def visit_tuple(self, value: tuple[Any, ...]) -> None:
        """Write a tuple, a named tuple or a table."""
        kind: Any = type(value)
        if kind not in (tuple, Table):
            self.visit_named_tuple(kind)
        self.put(f'{kind.__name__} of {len(value)}')
        for item in value:
            self.visit(item)

    def visit_set(self, value: Any) -> None:
        """Write a set, regardless of its order."""
        if type(value) not in (frozenset, set):
            self.visit_other(value)
            return
        self.put(type(value).__name__)
        self.unordered(value)

    def visit_slice(self, value: slice) -> None:
        """Write a slice."""
        self.put('slice')
        self.visit((value.start, value.stop, value.step))

    def _visit_of_numpy(self, value: Any) -> None:
        numpy: Any = sys.modules['numpy']
        dtype = value.dtype
        if dtype.kind not in SCALARS or dtype.metadata:
            self.visit_other(value)
            return
        if type(value) is dtype.type:
            self.put(f'scalar {dtype.str} {value.tobytes().hex()}')
            return
        if type(value) is not numpy.ndarray:
            self.visit_other(value)
            return
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
        name = known(module, self.known_by)
        if name is None:  # otherwise `reached` yields its members
            raise UnknownValueError(f'the module {module.__name__} by itself')
        self.put(f'module {name}')

    # ---- classes, and descriptions for the compiler ----

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
