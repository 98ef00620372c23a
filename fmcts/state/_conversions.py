"""Convert a bot that takes and returns a generator to one of `State` actions, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, overload

from fmcts.game import GameState
from fmcts.rng import Rng
from fmcts.state._container import State

M = TypeVar('M')
R = TypeVar('R', bound=Rng)
Item = TypeVar('Item')
Value = TypeVar('Value')
S = TypeVar('S')


class AnyBot(Protocol):
    """A bot for any game and any generator."""

    def __call__(self, state: GameState[M], rng: R, /) -> tuple[M, R]:
        """Return the move, and the generator to use next."""


class AnyStateBot(Protocol):
    """A bot for any game and any generator, which `State` threads."""

    # Any: which generator runs the action is not known where the action is made.
    def __call__(self, state: GameState[M], /) -> State[M, Any]:
        """Return the action whose value is the move."""


# The first signature is a special case of the second. It keeps the bot general: without it a type
# checker would have to choose one game and one generator where `to_state` is called.
@overload
def to_state(bot: AnyBot) -> AnyStateBot: ...  # type: ignore[overload-overlap]
@overload
def to_state(bot: Callable[[Item, S], tuple[Value, S]]) -> Callable[[Item], State[Value, S]]: ...
def to_state(bot: Callable[[Any, Any], tuple[Any, Any]]) -> Callable[[Any], State[Any, Any]]:
    """Return a bot `(position, rng) -> (move, rng)` as a function `position -> State[Move, Rng]`.

    Any function that takes a state last and returns it last will do, not only bots. `from_state` is
    the inverse.

    >>> from fmcts import SplitMix, random_bot
    >>> from fmcts.games import tictactoe
    >>> to_state(random_bot)(tictactoe.start).eval_state(SplitMix.from_seed(0))
    8
    """
    return lambda item: State(lambda state: bot(item, state))


@overload
def from_state(bot: AnyStateBot) -> AnyBot: ...  # type: ignore[overload-overlap]
@overload
def from_state(bot: Callable[[Item], State[Value, S]]) -> Callable[[Item, S], tuple[Value, S]]: ...
def from_state(bot: Callable[[Any], State[Any, Any]]) -> Callable[[Any, Any], tuple[Any, Any]]:
    """Return a function `position -> State[Move, Rng]` as a bot `(position, rng) -> (move, rng)`.

    It is the inverse of `to_state`: `from_state(to_state(bot))` does what `bot` does, and so does
    `to_state(from_state(bot))`.
    """
    return lambda item, state: bot(item).run(state)
