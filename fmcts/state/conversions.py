"""Between the two views of a bot: the generator passed by hand, and threaded by `State`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, overload

from fmcts.game import GameState
from fmcts.rng import Rng
from fmcts.state.container import State

M = TypeVar('M')
R = TypeVar('R', bound=Rng)
Item = TypeVar('Item')
Value = TypeVar('Value')
S = TypeVar('S')


class AnyBot(Protocol):
    """A bot for every game and every generator, as most are."""

    def __call__(self, state: GameState[M], rng: R, /) -> tuple[M, R]:
        """The move, and the generator to use next."""


class AnyStateBot(Protocol):
    """The same, its generator threaded by `State`."""

    def __call__(self, state: GameState[M], /) -> State[M, R]:
        """The action whose value is the move."""


# The first signature is the second one's special case. It keeps the bot general: without it a type
# checker would have to settle on one game and one generator where `to_state` is called.
@overload
def to_state(bot: AnyBot) -> AnyStateBot: ...  # type: ignore[overload-overlap]
@overload
def to_state(bot: Callable[[Item, S], tuple[Value, S]]) -> Callable[[Item], State[Value, S]]: ...
def to_state(bot: Callable[[Any, Any], tuple[Any, Any]]) -> Callable[[Any], State[Any, Any]]:
    """A bot `(position, rng) -> (move, rng)` as a function `position -> State[Move, Rng]`.

    Nothing in it is special to bots: any function that takes a state last and gives it back last
    will do. `from_state` is the inverse.

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
    """A function `position -> State[Move, Rng]` as a bot `(position, rng) -> (move, rng)`.

    The inverse of `to_state`: `from_state(to_state(bot))` does what `bot` does, and the actions of
    `to_state(from_state(bot))` do what those of `bot` do.
    """
    return lambda item, state: bot(item).run(state)
