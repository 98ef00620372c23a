"""Entry points: functions that Python calls and numba compiles, with machine code kept on disk."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from numba import njit

from fmcts.rules import IntegerRules
from fmcts.search.compiled.cache import DiskCache
from fmcts.search.compiled.fingerprint import UnknownValueError, fingerprint
from fmcts.search.compiled.teach import teach

__all__ = ['compiling', 'entry', 'game_parts', 'taught']

Rule: TypeAlias = Callable[..., Any]

compiling: Final = threading.Lock()
"""Held while entry points are put together, so that threads do not make the same one twice."""


def entry(function: Callable[..., Any], about: str, *parts: object) -> Any:
    """The function, compiled when first called and kept on disk under the name of `parts`.

    `parts` are all that may differ between two functions of that name: rules, classes, options.
    `about` says in a notice what is being compiled.
    """
    # The interpreter may run other threads meanwhile; divisions behave as IEEE 754 has them.
    made = njit(error_model='numpy', nogil=True, no_cfunc_wrapper=True)(function)
    try:
        key = fingerprint(function.__name__, *parts)
    except UnknownValueError:
        key = None  # what cannot be named soundly is not kept
    made._cache = DiskCache(key, about)  # noqa: SLF001 - numba offers no other way
    return made


def game_parts(rules: IntegerRules, position: Any) -> tuple[object, ...]:
    """What makes one game's code differ from another's."""
    return position, *taught(rules)


def taught(rules: IntegerRules) -> tuple[Rule, Rule, Rule, Rule, Rule, Rule]:
    """The rules that are compiled, made known to numba: menu, count, pick, play, side, winner."""
    found = (rules.menu, rules.count, rules.pick, rules.play, rules.side, rules.winner)
    teach(*found)
    return found
