"""Playouts played by a bot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from attrs import field, frozen

from fmcts._arguments import shown
from fmcts._validators import a_function
from fmcts.errors import MethodError
from fmcts.rng import SplitMix
from fmcts.search.policies.policy import Draw, Policy

__all__ = ['ByBot']

SEEDS: Final = 1 << 62


@frozen
class ByBot(Policy):
    """A policy that plays the moves of `bot`, a function `(state, rng) -> (move, rng)`.

    The bot receives a new generator for each move, `SplitMix.from_seed` of one number drawn from
    the search's generator, so that it may draw any amount.
    """

    bot: Callable[[Any, Any], tuple[Any, Any]] = field(validator=a_function)

    def choose(self, state: Any, moves: Sequence[Any], draw: Draw) -> Any:
        """Return the bot's move.

        :raises MethodError: it is not legal.
        """
        move, _ = self.bot(state, SplitMix.from_seed(draw(SEEDS)))
        if move not in moves:
            name = getattr(self.bot, '__name__', None) or type(self.bot).__name__
            raise MethodError(
                f'the bot {name} of the playouts must return one of the legal moves '
                f'{shown(moves)}, not {shown(move)}'
            )
        return move
