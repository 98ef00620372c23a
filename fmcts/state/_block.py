"""`do` blocks: generator functions that build actions, as in Haskell."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from fmcts._arguments import shown
from fmcts.state._actions import NOTHING
from fmcts.state._container import Begun, State, pure

Value = TypeVar('Value')
S = TypeVar('S')
P = ParamSpec('P')

if TYPE_CHECKING:  # an alias with its parameters in this order; Python 3.11 has none of its own
    from typing_extensions import TypeAliasType

    Do = TypeAliasType('Do', Generator[State[Any, S], Any, Value], type_params=(Value, S))
else:
    Do = Generator
"""The return type of a generator function under `@do`: `Do[Value, S]` for a `State[Value, S]`."""


class _Resume(Begun):
    """The continuation of each action in a `do` block: resume the block with its value."""

    __slots__ = ('_block',)

    def __init__(self, block: Generator[Any, Any, Any]) -> None:
        self._block = block

    def __call__(self, value: object) -> State[Any, Any]:
        try:
            action = self._block.send(value)
        except StopIteration as end:
            return pure(end.value)
        return State.bind(action, self)

    def close(self) -> None:
        self._block.close()


def do(block: Callable[P, Do[Value, S]]) -> Callable[P, State[Value, S]]:
    """Turn a generator function into a function that returns actions (Haskell's `do`).

    In the block, `yield from action` runs the action and has its value, and `return` ends the
    block. A bare `yield action` does the same a little faster; its value has type `Any`, and its
    state is inferred from the block's `Do[Value, S]`. The generator function is called again every
    time the action is run, so the action can be run any number of times. An error in an action
    leaves `run`; the block cannot catch it, but its `finally` clauses run first, then those of the
    blocks around it. A function without `yield` is refused, at the latest when the action is run:
    use `State.from_value` for an action that only has a value.

    :raises TypeError: (raised by the returned function) `block` does not return a generator.

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
        # A function without `yield` may return the generator of another, as decorators do: only
        # calling it tells.
        if not inspect.isgeneratorfunction(block):
            _checked(block, block(*args, **kwargs)).close()
        return NOTHING.bind(lambda _: _Resume(_checked(block, block(*args, **kwargs)))(None))

    return action


def _checked(block: Callable[..., object], made: object) -> Generator[Any, Any, Any]:
    """Return what `block` returned, if it is a generator."""
    if isinstance(made, Generator):
        return made
    name = getattr(block, '__qualname__', None) or shown(block)
    raise TypeError(
        f'{name} is under @do but has no yield: it made {shown(made)} where a generator was '
        'expected (State.from_value makes an action of a value)'
    )
