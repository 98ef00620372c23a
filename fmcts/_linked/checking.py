"""A game's rules on integers as machine code, one at a time: for comparing them with Python's."""

from __future__ import annotations

import ctypes
from typing import Any, Final

import numpy as np

from fmcts._linked.codes import code_with
from fmcts._linked.layout import shape_of
from fmcts._linked.searches import Parts
from fmcts._linked.tables import words_of

TYPES: Final[dict[str, Any]] = {
    'p': ctypes.c_void_p,
    'i': ctypes.c_int64,
    'f': ctypes.c_double,
    '': None,
}
RULES: Final = (
    *('menu', 'count', 'pick', 'play', 'side', 'winner', 'chances', 'weight', 'rewards', 'gained'),
)


class RaisedError(Exception):
    """A compiled rule would have raised an error."""


class CompiledRules:
    """The compiled rules of the game of a state, on integers as Python has them."""

    def __init__(self, state: Any) -> None:
        parts = Parts(state)
        menu = parts.rules.menu(parts.position)
        width = len(menu) if isinstance(menu, tuple) else 1
        self.sizes = {'play': len(parts.position), 'menu': width}
        exported = (*map('rule_{}'.format, RULES), 'fault')
        self.code = code_with(parts, 'tree', exported)
        self.rules = {}
        for rule, name in zip(RULES, exported, strict=False):
            result, arguments = shape_of(name)
            kind = ctypes.CFUNCTYPE(*(TYPES[it] for it in (result, *arguments.values())))
            self.rules[rule] = kind(self.code.engine.get_function_address(name))
        self.faults = ctypes.c_int32.from_address(
            self.code.engine.get_global_value_address('fault')
        )

    def ask(self, rule: str, first: Any, *given: int) -> Any:
        """Return what a rule says of a position or a menu: a number, or a list of integers.

        :raises RaisedError: it would have raised an error.
        """
        words = words_of(first if isinstance(first, tuple) else (first,))
        out = np.zeros(self.sizes.get(rule, 0), np.int64)
        behind = [out.ctypes.data] if len(out) else []
        before = self.faults.value
        found = self.rules[rule](words.ctypes.data, *given, *behind)
        if self.faults.value != before:
            raise RaisedError(rule)
        return out.tolist() if behind else found
