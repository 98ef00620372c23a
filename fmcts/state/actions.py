"""The actions to begin with, and the ways to repeat them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar

from fmcts.state.container import State, pure

Value = TypeVar('Value')
Item = TypeVar('Item')
S = TypeVar('S')

NOTHING: Final = pure(None)
_GET: Final[State[Any, Any]] = State(lambda state: (state, state))


def get() -> State[S, S]:
    """The action whose value is the state.

    >>> get().run(5)
    (5, 5)
    """
    return _GET


def put(state: S) -> State[None, S]:
    """The action that makes `state` the state.

    >>> put(6).run(5)
    (None, 6)
    """
    return State(lambda _: (None, state))


def modify(function: Callable[[S], S]) -> State[None, S]:
    """The action that changes the state by `function`.

    >>> modify(abs).run(-5)
    (None, 5)
    """
    return State(lambda state: (None, function(state)))


def gets(function: Callable[[S], Value]) -> State[Value, S]:
    """The action whose value is what `function` makes of the state.

    >>> gets(abs).run(-5)
    (5, -5)
    """
    return State(lambda state: (function(state), state))


class _Collect:
    """What follows each action of a row: its value is put down, and the next one begins."""

    __slots__ = ('_actions', '_values')

    def __init__(self, actions: Iterator[State[Any, Any]]) -> None:
        self._actions = actions
        self._values: list[Any] = []

    def __call__(self, value: object) -> State[Any, Any]:
        self._values.append(value)
        return self.go_on()

    def go_on(self) -> State[Any, Any]:
        for action in self._actions:
            return State.bind(action, self)
        return pure(tuple(self._values))


def replicate(times: int, action: State[Value, S]) -> State[tuple[Value, ...], S]:
    """The action `times` times, one after another, and all its values (Haskell's `replicateM`).

    :raises ValueError: a negative number.
    """
    if times < 0:
        raise ValueError(f'an action is repeated 0 times or more, not {times}')
    return NOTHING.bind(lambda _: _Collect(itertools.repeat(action, times)).go_on())


def for_each(
    items: Iterable[Item], function: Callable[[Item], State[Value, S]]
) -> State[tuple[Value, ...], S]:
    """The actions that `function` makes of the items, in order, and their values (`mapM`).

    `items` are finite, and are all taken now, so that the action can be run again.

    >>> for_each('abc', lambda letter: State(lambda n: (letter * n, n + 1))).run(1)
    (('a', 'bb', 'ccc'), 4)
    """
    kept = tuple(items)
    return NOTHING.bind(lambda _: _Collect(map(function, kept)).go_on())
