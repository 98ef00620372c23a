"""Compile functions so that a lookup outside its array, table or set of bits raises an error.

Searches do not check rules: they are trusted, as compiled code is in general. To find mistakes, the
rules and the plain functions that they call are copied, and the copies are compiled with checks.
(The rules themselves may already be compiled without checks.) Other functions of users are always
compiled with checks (see `fmcts._numba.cache.current`).
"""

from __future__ import annotations

import types as python
from typing import Any, Final

from attrs import evolve
from numba import types
from numba.extending import register_jitable

from fmcts import bits
from fmcts._content.copies import Copies
from fmcts._numba.bits import CheckedTable
from fmcts._numba.exact import make_exact
from fmcts._numba.intrinsics import compiled_only
from fmcts._numba.register import EXACT, RAISING
from fmcts.rules import IntegerRules, nobody_wins, weight_one


@compiled_only
def nth_bit_if_there(word: Any, index: Any) -> Any:
    """Return `fmcts.bits.nth_bit`, or raise an error if there is no such bit."""
    if not isinstance(word, types.Integer) or not isinstance(index, types.Integer):
        return None
    nth_bit, popcount = bits.nth_bit, bits.popcount

    def checked(bits: Any, index: Any) -> Any:  # compiled
        if index < 0 or index >= popcount(bits):
            raise IndexError('nth_bit: no set bit has this index')
        return nth_bit(bits, index)

    return checked


@compiled_only
def replaced_if_there(words: Any, place: Any, word: Any) -> Any:
    """Return `fmcts.bits.replaced`, or raise an error if there is no such index."""
    if not isinstance(words, types.BaseTuple):
        return None
    replaced, length = bits.replaced, len(words)

    def checked(words: Any, place: Any, word: Any) -> Any:  # compiled
        if place < 0 or place >= length:
            raise IndexError('replaced: the index is outside the words')
        return replaced(words, place, word)

    return checked


CHECKED_STATEMENTS: Final[dict[Any, Any]] = {
    bits.nth_bit: nth_bit_if_there,
    bits.replaced: replaced_if_there,
}


def with_checks(rules: IntegerRules) -> IntegerRules:
    """Return copies of the rules to compile with checks; `pack` is unchanged."""
    of_integers, of_reals = _Checked(raising=False), _Checked(raising=True)
    copied = {
        name: (of_reals if name == 'rewards' else of_integers).of(getattr(rules, name))
        for name in (
            *('menu', 'count', 'pick', 'play', 'side', 'winner'),
            *('chances', 'weight', 'rewards'),
        )
        if getattr(rules, name) not in (None, weight_one, nobody_wins)
    }
    return evolve(rules, **copied)


class CheckedCopies(Copies):
    """Copies of functions whose lookups in sets of bits, words and tables are checked."""

    def of(self, value: Any) -> Any:
        """Return the checked copy of a value, or the value itself if it needs none."""
        if isinstance(value, python.FunctionType):
            if value in CHECKED_STATEMENTS:
                return CHECKED_STATEMENTS[value]
            if value.__module__ == bits.__name__:
                return value
        if isinstance(value, bits.Table):
            self.kept.append(value)
            return self.made.setdefault(id(value), CheckedTable(value))
        return super().of(value)


class _Checked(CheckedCopies):
    """Copies of rules, to be compiled with checks.

    `raising`: as functions that give floats are (see the module `reals`).
    """

    def __init__(self, *, raising: bool) -> None:
        super().__init__()
        self.raising = raising

    def finish(self, copy: python.FunctionType) -> None:
        """Register the copy, so that compiled code can call it."""
        if self.raising:
            EXACT.add(copy)
            RAISING.add(copy)
            make_exact(copy, raising=True)
        else:
            register_jitable(forceinline=True, boundscheck=True)(copy)
