"""Rules compiled so that a look-up outside of its array, table or set of bits raises an error.

Searches do not check: rules are trusted as any compiled code is. To find mistakes, copies are made
of the rules and of the plain functions that they call, which are compiled with checks. (The rules
themselves may be compiled already, without.)
"""

from __future__ import annotations

import types as python
from typing import Any, Final

from attrs import evolve
from numba import types
from numba.extending import register_jitable

from fmcts import bits
from fmcts.rules import IntegerRules
from fmcts.search.compiled.numba_support.bits import CheckedTable
from fmcts.search.compiled.numba_support.dependencies import KNOWN, reached
from fmcts.search.compiled.numba_support.intrinsics import overload_for

__all__ = ['with_checks']


def nth_bit_if_there(bits: Any, index: Any) -> Any:
    """`fmcts.bits.nth_bit`, which raises an error when there is no such bit."""
    raise NotImplementedError  # compiled code only


@overload_for(nth_bit_if_there)
def _nth_bit_if_there(word: Any, index: Any) -> Any:
    if not isinstance(word, types.Integer) or not isinstance(index, types.Integer):
        return None
    nth_bit, popcount = bits.nth_bit, bits.popcount

    def checked(bits: Any, index: Any) -> Any:  # compiled
        if index < 0 or index >= popcount(bits):
            raise IndexError('nth_bit: no set bit has this index')
        return nth_bit(bits, index)

    return checked


def replaced_if_there(words: Any, place: Any, word: Any) -> Any:
    """`fmcts.bits.replaced`, which raises an error when there is no such place."""
    raise NotImplementedError  # compiled code only


@overload_for(replaced_if_there)
def _replaced_if_there(words: Any, place: Any, word: Any) -> Any:
    if not isinstance(words, types.BaseTuple):
        return None
    replaced, length = bits.replaced, len(words)

    def checked(words: Any, place: Any, word: Any) -> Any:  # compiled
        if place < 0 or place >= length:
            raise IndexError('replaced: the place lies outside of the words')
        return replaced(words, place, word)

    return checked


CHECKED_STATEMENTS: Final[dict[Any, Any]] = {
    bits.nth_bit: nth_bit_if_there,
    bits.replaced: replaced_if_there,
}


def with_checks(rules: IntegerRules) -> IntegerRules:
    """The same rules for compilation with checks; `pack` stays as it is."""
    copies = _Copies()
    copied = {
        name: copies.of(getattr(rules, name))
        for name in ('menu', 'count', 'pick', 'play', 'side', 'winner')
    }
    return evolve(rules, **copied)


class _Copies:
    """Copies of functions and of what they name, each made once."""

    def __init__(self) -> None:
        self.made: dict[int, Any] = {}
        self.kept: list[Any] = []  # or an address may come to mean something else

    def of(self, value: Any) -> Any:
        """The value, or the copy that is checked."""
        if isinstance(value, python.FunctionType) and value in CHECKED_STATEMENTS:
            return CHECKED_STATEMENTS[value]
        if id(value) in self.made:
            return self.made[id(value)]
        self.kept.append(value)
        if isinstance(value, bits.Table):
            return CheckedTable(value)
        if isinstance(value, python.ModuleType) and value.__name__ not in KNOWN:
            return self._module(value)
        if isinstance(value, python.FunctionType) and value.__module__ != bits.__name__:
            return self._function(value)
        return tuple(map(self.of, value)) if type(value) is tuple else value

    def _module(self, module: python.ModuleType) -> python.ModuleType:
        """A stand-in for a module; what functions name of it is put there when they are copied."""
        copy = self.made[id(module)] = python.ModuleType(module.__name__)
        self.made[id(copy)] = copy
        vars(copy).update(vars(module))
        return copy

    def _function(self, function: python.FunctionType) -> python.FunctionType:
        names = dict(function.__globals__)
        cells = {name: python.CellType() for name in function.__code__.co_freevars}
        copy = self.made[id(function)] = python.FunctionType(
            function.__code__, names, function.__name__, function.__defaults__, (*cells.values(),)
        )
        copy.__kwdefaults__ = function.__kwdefaults__
        copy.__module__ = function.__module__
        closure = dict(zip(cells, function.__closure__ or (), strict=True))
        for name in function.__code__.co_names:
            if isinstance(names.get(name), python.ModuleType):
                names[name] = self.of(names[name])  # what it names of a module seen before
        for dotted, value in reached(function):
            name, *members = dotted.split('.')
            if name in cells:
                copied = cells[name].cell_contents = self.of(closure[name].cell_contents)
            elif name in names:
                copied = names[name] = self.of(function.__globals__[name])
            else:  # a default
                continue
            for member in members[:-1]:
                inner = self.of(getattr(copied, member))
                setattr(copied, member, inner)
                copied = inner
            if members:
                setattr(copied, members[-1], self.of(value))
        self._rebind_modules()
        register_jitable(forceinline=True, boundscheck=True)(copy)
        return copy

    def _rebind_modules(self) -> None:
        """Let modules name the stand-ins of others, by whatever name a module was reached first."""
        made = self.made.values()
        for stand_in in [each for each in made if isinstance(each, python.ModuleType)]:
            for name, value in [*vars(stand_in).items()]:
                if isinstance(value, python.ModuleType) and id(value) in self.made:
                    setattr(stand_in, name, self.made[id(value)])
