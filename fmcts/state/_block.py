"""`do` blocks: generator functions that build actions, as in Haskell."""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from fmcts._arguments import shown
from fmcts.state._actions import NOTHING
from fmcts.state._container import State, pure

Value = TypeVar('Value')
S = TypeVar('S')
P = ParamSpec('P')

if TYPE_CHECKING:  # an alias with its parameters in this order; Python 3.11 has none of its own
    from typing_extensions import TypeAliasType

    Do = TypeAliasType('Do', Generator[State[Any, S], Any, Value], type_params=(Value, S))
else:
    Do = Generator
"""The return type of a generator function under `@do`: `Do[Value, S]` for a `State[Value, S]`."""


def do(block: Callable[P, Do[Value, S]]) -> Callable[P, State[Value, S]]:
    """Turn a generator function into a function that returns actions (Haskell's `do`).

    In the block, `yield from action` runs the action and has its value, and `return` ends the
    block. A bare `yield action` does the same a little faster; its value has type `Any`, and its
    state is inferred from the block's `Do[Value, S]`. The generator function is called again every
    time the action is run, so the action can be run any number of times. An error in an action
    leaves `run`; the block cannot catch it. Use `State.from_value` for an action that only has a
    value.

    :raises TypeError: (when the action is run) `block` has no `yield`.

    >>> @do
    ... def count_twice() -> Do[int, int]:
    ...     first = yield from State(lambda n: (n, n + 1))
    ...     second = yield from State(lambda n: (n, n + 1))
    ...     return 100 * first + second
    >>> count_twice().run(5)
    (506, 7)
    """

    @functools.wraps(block)
    def action(*args: P.args, **kwargs: P.kwargs) -> State[Value, S]:
        # A generator runs once, an action any number of times: each run calls the block anew.
        return NOTHING.bind(lambda _: _begin(block, block(*args, **kwargs)))

    return action


def _begin(block: Callable[..., object], made: object) -> State[Any, Any]:
    """Return the first action of what `block` made, followed by the rest of it."""
    if not isinstance(made, Generator):
        name = getattr(block, '__qualname__', None) or shown(block)
        raise TypeError(
            f'{name} is under @do but has no yield: it made {shown(made)} where a generator was '
            'expected (State.from_value makes an action of a value)'
        )

    def resume(value: object) -> State[Any, Any]:
        try:
            following = made.send(value)
        except StopIteration as end:
            return pure(end.value)
        return State.bind(following, resume)

    return resume(None)
