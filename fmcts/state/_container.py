"""The `State` container, and the loop that runs its actions."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Final, TypeVar

from returns.interfaces.container import Container2
from returns.primitives.container import BaseContainer
from returns.primitives.hkt import Kind2, SupportsKind2, dekind

from fmcts._arguments import shown

Value_co = TypeVar('Value_co', covariant=True)
Value = TypeVar('Value')
New = TypeVar('New')
S = TypeVar('S')


class State(BaseContainer, SupportsKind2['State[Any, Any]', Value_co, S], Container2[Value_co, S]):  # type: ignore[type-var]
    """An action `state -> (value, state)`; `State(function)` makes one of a function.

    It satisfies the laws of `returns`' mappable, applicative and container interfaces, and those of
    `get` and `put`; tests check both. An action is a value: it can be run any number of times, and
    if its functions are pure the result depends on the initial state only.

    Nothing here recurses: chains of binds, nested either way, are limited by memory alone.

    Two actions are equal if they are built in the same way from identical functions, as with all
    containers of `returns`; to compare what they do, run them. Pickling works if pickle can handle
    the functions inside; it is not promised for lambdas, `do` blocks or long chains.

    >>> State(lambda n: (n * n, n + 1)).bind(lambda square: State.from_value(-square)).run(5)
    (-25, 6)
    """

    __slots__ = ()

    # An action is one of three: a step (this class), whose inner value is the function; a value
    # (`_Pure`) that leaves the state alone; or an action and its continuation (`_Bind`). So it is
    # data, which `run` walks over without recursion.
    _inner_value: Any

    def __init__(self, step: Callable[[S], tuple[Value_co, S]]) -> None:
        super().__init__(step)

    @classmethod
    def from_value(cls, inner_value: New) -> State[New, Any]:
        """Return the action with this value that leaves the state as it is (Haskell's `return`).

        >>> State.from_value('x').run(1)
        ('x', 1)
        """
        return pure(inner_value)

    def bind(self, function: Callable[[Value_co], Kind2[State[Any, Any], New, S]]) -> State[New, S]:
        """Return this action followed by `function` of its value (Haskell's `>>=`)."""
        action: State[New, S] = _new(_Bind)
        _put(action, (self, function))
        return action

    def map(self, function: Callable[[Value_co], New]) -> State[New, S]:
        """Return this action with its value changed by `function` (Haskell's `<$>`).

        >>> State(lambda n: (n, n + 1)).map(str).run(5)
        ('5', 6)
        """
        return self.bind(_giving(function))

    def apply(
        self, container: Kind2[State[Any, Any], Callable[[Value_co], New], S]
    ) -> State[New, S]:
        """Return this action followed by `container`, whose value is a function to apply.

        >>> State(lambda n: (n, n + 1)).apply(State(lambda n: ((n * 100).__add__, n + 1))).run(1)
        (201, 3)
        """
        action = dekind(container)

        def apply_to(value: Any) -> State[New, S]:
            return action.map(lambda function: function(value))

        return self.bind(apply_to)

    def __iter__(self) -> Generator[State[Value_co, S], Any, Value_co]:
        """Support `yield from` in a `do` block, so that the type of the value is known."""
        value: Value_co = yield self
        return value

    def run(self, state: S) -> tuple[Value_co, S]:
        """Run the action on `state`; return its value and the state after it.

        :raises TypeError: a function given to `bind`, or a `yield` of a `do` block, gave something
            other than a `State`.
        """
        following: list[Callable[[Any], Any]] = []  # a stack: the last comes next
        action: Any = self
        now: Any = state
        while True:
            if type(action) is _Bind:
                action, function = action._inner_value  # noqa: SLF001 - its own
                following.append(function)
                continue
            if type(action) is _Pure:
                value = action._inner_value  # noqa: SLF001
            elif isinstance(action, State):
                value, now = action._inner_value(now)  # noqa: SLF001
            else:
                raise TypeError(f'a State was expected here, not {shown(action)}')
            if not following:
                return value, now
            action = following.pop()(value)

    def eval_state(self, state: S) -> Value_co:
        """Run the action and return its value only."""
        return self.run(state)[0]

    def exec_state(self, state: S) -> S:
        """Run the action and return the state after it only."""
        return self.run(state)[1]

    def _parts(self) -> tuple[Any, ...]:
        """Return the parts of the action, from its last function back to its first action."""
        parts: list[Any] = []
        action: Any = self
        while type(action) is _Bind:
            action, function = action._inner_value  # noqa: SLF001
            parts.append(function)
        return *parts, type(action), action._inner_value  # noqa: SLF001

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        *functions, kind, inner = self._parts()
        first = f'value {inner!r}' if kind is _Pure else f'step {inner!r}'
        return f'<State: {first}' + (f', then {len(functions)} more>' if functions else '>')


class _Pure(State[Value_co, S]):
    """A value; the state stays as it is."""

    __slots__ = ()


class _Bind(State[Value_co, S]):
    """A pair: an action, and the function from its value to the next action."""

    __slots__ = ()


# Containers of `returns` are immutable, so they are written through the slot. `bind` is called for
# every step of every action, and this is several times faster than the constructor.
_new: Final[Callable[[type], Any]] = object.__new__
_put: Final = vars(BaseContainer)['_inner_value'].__set__


def pure(value: Value) -> State[Value, Any]:
    """Return the action with this value, as `State.from_value` does."""
    action: State[Value, Any] = _new(_Pure)
    _put(action, value)
    return action


def _giving(function: Callable[[Value], New]) -> Callable[[Value], State[New, Any]]:
    return lambda value: pure(function(value))
