"""Basic actions (`get`, `put`, `modify`, `gets`), and repetition (`replicate`, `for_each`)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar

from fmcts.state._container import State, pure

Value = TypeVar('Value')
Item = TypeVar('Item')
S = TypeVar('S')

NOTHING: Final = pure(None)
_GET: Final[State[Any, Any]] = State(lambda state: (state, state))


def get() -> State[S, S]:
    """Return the action whose value is the state.

    >>> get().run(5)
    (5, 5)
    """
    return _GET


def put(state: S) -> State[None, S]:
    """Return the action that replaces the state by `state`.

    >>> put(6).run(5)
    (None, 6)
    """
    return State(lambda _: (None, state))


def modify(function: Callable[[S], S]) -> State[None, S]:
    """Return the action that applies `function` to the state.

    >>> modify(abs).run(-5)
    (None, 5)
    """
    return State(lambda state: (None, function(state)))


def gets(function: Callable[[S], Value]) -> State[Value, S]:
    """Return the action whose value is `function` of the state.

    >>> gets(abs).run(-5)
    (5, -5)
    """
    return State(lambda state: (function(state), state))


class _Collect:
    """The continuation of each action in a sequence: note its value, and start the next one."""

    __slots__ = ('_actions', '_values')

    def __init__(self, actions: Iterator[State[Any, Any]]) -> None:
        self._actions = actions
        self._values: list[Any] = []

    def __call__(self, value: object) -> State[Any, Any]:
        self._values.append(value)
        return self.resume()

    def resume(self) -> State[Any, Any]:
        for action in self._actions:
            # Only the next one: `run` calls back for the one after it, so that nothing recurses.
            return State.bind(action, self)
        return pure(tuple(self._values))


def replicate(times: int, action: State[Value, S]) -> State[tuple[Value, ...], S]:
    """Return the action repeated `times` times; its value is the tuple of values (`replicateM`).

    :raises ValueError: `times` is negative.
    """
    if times < 0:
        raise ValueError(f'an action can be repeated 0 or more times, not {times}')
    return NOTHING.bind(lambda _: _Collect(itertools.repeat(action, times)).resume())


def for_each(
    items: Iterable[Item], function: Callable[[Item], State[Value, S]]
) -> State[tuple[Value, ...], S]:
    """Return the actions `function(item)` in order, as one whose value is their values (`mapM`).

    `items` must be finite; they are all taken now, so that the action can be run again.

    >>> for_each('abc', lambda letter: State(lambda n: (letter * n, n + 1))).run(1)
    (('a', 'bb', 'ccc'), 4)
    """
    taken = tuple(items)
    return NOTHING.bind(lambda _: _Collect(map(function, taken)).resume())
