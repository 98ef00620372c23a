"""A game's rules on integers as machine code, one at a time: for comparing them with Python's."""

from __future__ import annotations

import ctypes
from typing import Any, Final, cast

import numpy as np

from fmcts._linked.codes import code_with
from fmcts._linked.layout import shape_of
from fmcts._linked.searches import common_code
from fmcts._linked.tables import words_of
from fmcts.rules import IntegerRules, rules_of

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
        rules = cast('IntegerRules', rules_of(state))
        position = rules.pack(state)
        menu = rules.menu(position)
        self.width, self.wide = len(position), len(menu) if isinstance(menu, tuple) else 1
        shapes = {name: shape_of(name) for name in map('rule_{}'.format, RULES)}
        exported = (*shapes, 'fault')
        self.code = code_with(
            *(rules, position, 'tree', exported, 'checking'),
            lambda position: [common_code(rules, position)],
        )
        self.rule = {
            name: ctypes.CFUNCTYPE(*(TYPES[it] for it in (result, *arguments.values())))(
                self.code.engine.get_function_address(name)
            )
            for name, (result, arguments) in shapes.items()
        }
        self.faults = ctypes.c_int32.from_address(
            self.code.engine.get_global_value_address('fault')
        )

    def number(self, name: str, numbers: Any, *given: int) -> Any:
        """Return what a rule says of a position or a menu.

        :raises RaisedError: it would have raised an error.
        """
        return self._call(name, words_of(numbers).ctypes.data, *given)

    def menu(self, position: Any) -> list[int]:
        """Return the integers of the menu of a position."""
        out = np.zeros(self.wide, np.int64)
        self._call('rule_menu', words_of(position).ctypes.data, out.ctypes.data)
        return out.tolist()

    def play(self, position: Any, move: int) -> list[int]:
        """Return the fields of the position after a move."""
        out = np.zeros(self.width, np.int64)
        self._call('rule_play', words_of(position).ctypes.data, move, out.ctypes.data)
        return out.tolist()

    def _call(self, name: str, *given: Any) -> Any:
        before = self.faults.value
        found = self.rule[name](*given)
        if self.faults.value != before:
            raise RaisedError(name.removeprefix('rule_'))
        return found
