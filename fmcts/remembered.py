"""Answers about frozen values, remembered as long as the values live."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

__all__ = ['remembered']

P = ParamSpec('P')
A = TypeVar('A')


def remembered(function: Callable[P, A]) -> Callable[P, A]:
    """The pure function, asked once about each value and the arguments after it.

    The value, its first argument, is told by identity: it need not have a hash, and 1 and 1.0 are
    two. The others are told by equality. Nothing is kept of a value that is no more.

    >>> from fmcts import Search
    >>> @remembered
    ... def asked(search, times):
    ...     print('asked')
    ...     return search.iterations * times
    >>> search = Search(100)
    >>> asked(search, times=2), asked(search, times=2)
    asked
    (200, 200)
    """
    known: dict[tuple[Any, ...], tuple[weakref.ref[Any], A]] = {}

    @functools.wraps(function)
    def remembering(value: Any, *others: Any, **named: Any) -> A:
        key = id(value), others, tuple(named.items())
        found = known.get(key)
        if found is not None and found[0]() is value:
            return found[1]
        answer = function(value, *others, **named)
        known[key] = weakref.ref(value, lambda gone: _forget(known, key, gone)), answer
        return answer

    return remembering  # type: ignore[return-value] # which takes what the function does


def _forget(
    known: dict[tuple[Any, ...], tuple[weakref.ref[Any], Any]],
    key: tuple[Any, ...],
    gone: weakref.ref[Any],
) -> None:
    """Forget an answer, unless another value has taken the place of the one that is gone."""
    found = known.get(key)
    if found is not None and found[0] is gone:
        del known[key]
