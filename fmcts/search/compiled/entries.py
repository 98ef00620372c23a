"""Entry points: functions that Python calls and numba compiles, with machine code kept on disk."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from numba import njit

from fmcts.rules import IntegerRules
from fmcts.search.compiled.cache import DiskCache
from fmcts.search.compiled.fingerprint import fingerprint
from fmcts.search.compiled.locks import compiling
from fmcts.search.compiled.teach import teach

__all__ = ['compiling', 'entry', 'game_parts', 'taught']

Rule: TypeAlias = Callable[..., Any]

# The interpreter may run other threads meanwhile; divisions behave as IEEE 754 has them.
OPTIONS: Final = {'error_model': 'numpy', 'nogil': True, 'no_cfunc_wrapper': True}


def entry(function: Any, about: str, *parts: object) -> Any:
    """The function, compiled when first called and kept on disk under a name for what it is.

    The name holds all that the function reaches in memory, by name or in its closure, and `parts`
    too. `about` says in notices what is being compiled.
    """
    made = njit(**OPTIONS)(function)
    name = functools.partial(fingerprint, function, *sorted(OPTIONS.items()), *parts)
    made._cache = DiskCache(name, about)  # noqa: SLF001 - numba offers no other way
    return made


def game_parts(rules: IntegerRules, position: Any) -> tuple[object, ...]:
    """What makes one game's code differ from another's."""
    return position, *taught(rules)


def taught(rules: IntegerRules) -> tuple[Rule, Rule, Rule, Rule, Rule, Rule]:
    """The rules that are compiled, made known to numba: menu, count, pick, play, side, winner."""
    found = (rules.menu, rules.count, rules.pick, rules.play, rules.side, rules.winner)
    teach(*found)
    return found
