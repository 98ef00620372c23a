"""Playout policies that choose by what earlier iterations of the search have left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from fmcts.search.memory import NOTHING, Entries, Memory, Numbers, Recalled, place_of
from fmcts.search.policies.policy import Draw, Policy

__all__ = ['Recalling']


@frozen
class Recalling(Policy):
    """A policy with a `memory`, by which it chooses in `choose_knowing`."""

    @property
    def memory(self) -> Memory:
        """What is to be remembered for it."""
        raise TypeError(f'the playout policy {type(self).__name__} has no memory')

    @property
    def memories(self) -> tuple[Memory, ...]:
        """That one."""
        return (self.memory,)

    def choose(self, state: Any, moves: Sequence[Any], draw: Draw) -> Any:
        """What it chooses when nothing is remembered yet."""
        return self.choose_knowing(NOTHING, state, moves, draw)

    def entries(self, recalled: Recalled) -> Entries:
        """What is remembered for it."""
        return recalled.known.get(self.memory.name, {})

    def numbers_of(self, recalled: Recalled, state: Any, move: Any) -> Numbers:
        """What is remembered of a move of the side to move."""
        return self.entries(recalled).get(place_of(state, move), self.memory.absent)
