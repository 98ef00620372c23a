"""The functions of `tree.c`, and their arguments: numbers, and addresses of arrays."""

from __future__ import annotations

import ctypes
import functools
from typing import Any, Final

from fmcts._linked.link import Code


def argument(names: str) -> Any:
    """Return the class of an argument of C: a structure of 64-bit fields."""
    fields = [(name, ctypes.c_int64) for name in names.split()]
    return type('Argument', (ctypes.Structure,), {'_fields_': fields})


Copy: Final = argument('words out block in_order rows tail used nodes unvisited')
Sum: Final = argument('base rows count length begin end used nodes')
Walk: Final = argument(
    'words out frames room levels fields own moves rows reward columns keys in_halves '
    'depth written status'
)
Logarithms: Final = argument('logs begin end')


@functools.cache
def without_game(name: str) -> Code:
    """Return the machine code of a function that needs no game; each is made when first called."""
    return Code('tree', [], [name])


def run(name: str, given: Any) -> Any:
    """Call a function that needs no game; return its argument, where it wrote its results."""
    without_game(name).functions[name](ctypes.byref(given))
    return given
