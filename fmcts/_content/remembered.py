"""Caches of results about values, kept while the values live or do not change."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, ParamSpec, TypeVar

from fmcts._content.stamps import Stamp

MOST: Final = 256  # answers with stamps, of each function

P = ParamSpec('P')
A = TypeVar('A')


def keep(known: dict[Any, Any], key: object, value: Any, most: int) -> None:
    """Put a value into a dict, and drop its oldest entries so that at most `most` remain.

    >>> known = {1: 'a', 2: 'b'}
    >>> keep(known, 3, 'c', most=2)
    >>> known
    {2: 'b', 3: 'c'}
    """
    known.pop(key, None)
    while len(known) >= most:
        with suppress(RuntimeError):  # another thread changes it
            known.pop(next(iter(known), key), None)
    known[key] = value


def remembered(function: Callable[P, A]) -> Callable[P, A]:
    """Return the pure function with a cache by its first argument and the arguments after it.

    The first argument is compared by identity: it need not have a hash, and 1 and 1.0 differ. The
    others are compared by equality. Results are dropped when the first argument is deleted.

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
        known[key] = weakref.ref(value, functools.partial(forget, known, key)), answer
        return answer

    return remembering  # type: ignore[return-value] # which takes what the function does


def remembered_while(stamp: Callable[..., Stamp]) -> Callable[[Callable[P, A]], Callable[P, A]]:
    """Return a decorator like `remembered`, whose results are used only while a stamp holds.

    `stamp` gives the stamp of the value for which an answer is remembered.

    >>> @remembered_while(Stamp)
    ... def doubled(rule):
    ...     print('asked')
    ...     return 2 * rule()
    >>> K = 1
    >>> def rule():
    ...     return K
    >>> doubled(rule), doubled(rule)
    asked
    (2, 2)
    >>> K = 2
    >>> doubled(rule)
    asked
    4
    """

    def decorate(function: Callable[P, A]) -> Callable[P, A]:
        known: dict[tuple[Any, ...], tuple[weakref.ref[Any], tuple[Stamp, A]]] = {}

        @functools.wraps(function)
        def remembering(value: Any, *others: Any, **named: Any) -> A:
            key = id(value), others, tuple(named.items())
            found = known.get(key)
            if found is not None and found[0]() is value and found[1][0].holds():
                return found[1][1]
            seen = stamp(value)  # before computing, so that a change meanwhile is noticed
            answer = function(value, *others, **named)
            reference = weakref.ref(value, functools.partial(forget, known, key))
            keep(
                known, key, (reference, (seen, answer)), MOST
            )  # what they reach may keep them alive
            return answer

        return remembering  # type: ignore[return-value] # which takes what the function does

    return decorate


def forget(
    known: dict[Any, Any],
    key: tuple[Any, ...],
    gone: weakref.ref[Any],
) -> None:
    """Drop a cached result, unless another value has taken the place of the deleted one.

    Values may be deleted when the interpreter exits, after the names of modules: no name is looked
    up here.
    """
    found = known.get(key)
    if found is not None and found[0] is gone:
        del known[key]
