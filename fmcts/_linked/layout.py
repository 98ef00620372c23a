"""Structures, statuses and functions of C for Python, read from the source that declares them."""

from __future__ import annotations

import ctypes
import functools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

NUMBERS: Final = {'i64': ctypes.c_int64, 'u64': ctypes.c_uint64, 'double': ctypes.c_double}


@functools.cache
def source(file: str) -> str:
    """Return a file of C without comments."""
    text = Path(__file__).with_name(file).read_text(encoding='utf-8')
    return re.sub(r'/\*.*?\*/', '', text, flags=re.DOTALL)


@functools.cache
def declared(file: str, head: str, tail: str = '') -> list[str]:
    """Return what stands between braces after `head` in a file of C."""
    inner: Any = re.search(rf'{head} {{([^{{}}]*)}}{tail};', source(file))
    return [*filter(None, map(str.strip, re.split('[;,]' if tail else ',', inner[1])))]


@functools.cache
def constants(file: str) -> Mapping[str, tuple[str, tuple[int, ...]]]:
    """Return the constants that a file of C declares as linked in, with their types and shapes.

    >>> constants('search.h')['MEMORY_ABSENT']
    ('double', (8, 32))
    """
    lengths, made = {'': '0', **dict(re.findall(r'(\w+) = (\d+)', source('game.h')))}, {}
    for kind, names in re.findall(r'extern const (\w+) ([^;]*);', source(file)):
        for name, shape in re.findall(r'(\w+)((?:\[\w*\])*)(?:,|$)', names):
            counts = re.findall(r'\[(\w*)\]', shape)
            made[name] = kind, tuple(int(lengths.get(it, it)) for it in counts)
    return made


def fields(file: str, name: str, **known: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a structure as `ctypes` wants them; `known` are other structures in it.

    >>> [field for field, _ in fields('tree.c', 'Copy')][:4]
    ['words', 'out', 'block', 'rows']
    """
    kind = ''
    for each in declared(file, 'typedef struct', f' {name}'):
        *kinds, field = each.removeprefix('const ').split()
        kind = kinds[0] if kinds else kind  # or the kind of the field before, as in `i64 one, two`
        field, _, count = field.rstrip(']').partition('[')
        form: Any = ctypes.c_void_p if '*' in field else (NUMBERS | known)[kind]
        yield field.lstrip('*'), form * int(count) if count else form


LETTERS: Final = {
    'i64 *': 'p', 'double *': 'd', 'v8d *': 'v', 'Search *': 's',
    'i64 ': 'i', 'i32 ': 'n', 'double ': 'f', 'void ': '',
}  # fmt: skip
"""The types of arguments and results: pointers, those to lanes apart, and numbers."""

LLVM: Final = {**dict.fromkeys('pdvs', 'ptr'), 'i': 'i64', 'n': 'i32', 'f': 'double', '': 'void'}


class Shape(NamedTuple):
    """The types of a function of C, as letters: what it returns, and its arguments by name."""

    result: str
    arguments: Mapping[str, str]

    @property
    def text(self) -> str:
        """The arguments as LLVM code."""
        return ', '.join(f'{LLVM[kind]} %{name}' for name, kind in self.arguments.items())

    @property
    def taken(self) -> list[str]:
        """The arguments of a function of Python: not its parameters, and where it writes."""
        return [name for name in self.arguments if name not in {'numbers', 'out'}]


@functools.cache
def functions() -> Mapping[str, Shape]:
    """Return the functions of C that call, or are, what is linked in.

    >>> functions()['rule_count']
    Shape(result='i', arguments={'menu': 'p'})
    """
    kinds = '|'.join(map(re.escape, LETTERS))
    argument = rf'(?:const )?({kinds})(\w+)'
    text = ''.join(map(source, ('game.h', 'search.h', 'playouts.h')))
    found = re.findall(rf'({kinds})(\w+)\(({argument}(?:,\s+{argument})*)\)', text)
    return {
        name: Shape(LETTERS[result], {it: LETTERS[of] for of, it in re.findall(argument, inside)})
        for result, name, inside, *_ in found
    }


def shape_of(name: str) -> Shape:
    """Return the shape of a function; one of several, such as `weigh_2`, lacks the number."""
    among = name.rstrip('0123456789').removesuffix('_')
    result, arguments = functions()[among]
    return Shape(result, dict([*arguments.items()][among != name :]))


class Pointers(ctypes.Structure):
    """A structure of C with pointers to arrays of NumPy."""

    @functools.cached_property
    def kept(self) -> dict[str, Any]:
        """The arrays by the fields that point to them, kept as long as this value."""
        return {}

    def point(self, **arrays: Any) -> None:
        """Let fields point to arrays."""
        self.kept.update(arrays)
        for name, array in arrays.items():
            setattr(self, name, array.__array_interface__['data'][0])  # half as long as `ctypes`


def c_structure(file: str, name: str, **known: Any) -> Any:
    """Return the class of a structure; `known` as in `fields`."""
    return type(name, (Pointers,), {'_fields_': [*fields(file, name, **known)]})
