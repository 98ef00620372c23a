"""What playouts remember, as machine code: `fmcts.search.memory` once more, in an array of doubles.

For each memory, by name, the array has a row for each of its numbers; a row has a number for each
key of X's moves and then for each of O's. While an iteration runs, its moves stand in an array of
integers called the line: first how many, then each as key plus, for O's, the number of `keys`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from fmcts.game import Player
from fmcts.rules import side_of
from fmcts.search.compiled.numba_support.intrinsics import get, inlined, int64, nothing, put
from fmcts.search.compiled.simulation import gained
from fmcts.search.compiled.structure import Structure
from fmcts.search.memory import Memory, Remembered
from fmcts.search.policies.mast import Means
from fmcts.search.policies.replies import EVEN, Replies

__all__ = ['as_array', 'as_values', 'learning']

Verb: TypeAlias = Callable[..., Any]
Array: TypeAlias = npt.NDArray[np.float64]


def as_array(memories: Sequence[Memory], kept: Sequence[Remembered], keys: int) -> Array | None:
    """The numbers that a root keeps, as machine code has them; `None`: a key is not of the game."""
    tables = []
    found = {each.name: each.entries for each in kept}
    for memory in memories:
        table = np.empty((len(memory.absent), 2, keys))
        for row, number in enumerate(memory.absent):
            table[row] = number
        for (player, key), numbers in found.get(memory.name, {}).items():
            if not 0 <= key < keys:
                return None
            table[:, side_of(player), key] = numbers
        tables.append(table.reshape(-1))
    return np.concatenate(tables) if tables else np.empty(0)


def as_values(memories: Sequence[Memory], array: Array, keys: int) -> tuple[Remembered, ...]:
    """The same as what a root keeps."""
    first, kept = 0, []
    for memory in memories:
        end = first + 2 * keys * len(memory.absent)
        numbers = array[first:end].reshape(-1, 2 * keys).T.tolist()
        places = ((player, key) for player in (Player.X, Player.O) for key in range(keys))
        entries = dict(zip(places, map(tuple, numbers), strict=True))
        present = {place: each for place, each in entries.items() if each != memory.absent}
        kept.append(Remembered(memory.name, present))
        first = end
    return tuple(kept)


def learning(structure: Structure, keys: int) -> Verb:
    """`learn(memory, line, stamps, stamp, worth)`: after an iteration with the moves of the line.

    Behind the `stamps` of a method's, of which there are twice as many as `keys`, are others.
    """
    learn = nothing
    first = 0
    for memory in structure.policy.memories:
        learn = _both(learn, LEARNING[type(memory)](structure, memory, first, keys))
        first += 2 * keys * len(memory.absent)
    return learn


def _both(before: Verb, verb: Verb) -> Verb:
    if before is nothing:
        return verb

    @inlined
    def learn(memory: Any, line: Any, stamps: Any, stamp: Any, worth: Any) -> None:
        before(memory, line, stamps, stamp, worth)
        verb(memory, line, stamps, stamp, worth)

    return learn


def _rewards(structure: Structure) -> Verb:
    """`rewards(worth)`: that of X, and that of O."""
    gain, share = gained(structure), 1.0 if structure.real else 0.5
    return inlined(lambda worth: (share * gain(worth, 0), share * gain(worth, 1)))


def _means(structure: Structure, _memory: Memory, first: int, keys: int) -> Verb:
    rewards = _rewards(structure)

    @inlined
    def learn(memory: Any, line: Any, stamps: Any, stamp: Any, worth: Any) -> None:
        for_x, for_o = rewards(worth)
        for at in range(1, int64(get(line, 0)) + 1):
            place = int64(get(line, at))
            if get(stamps, 2 * keys + place) != stamp:  # once an iteration
                put(stamps, 2 * keys + place, stamp)
                visits, reward = first + place, first + 2 * keys + place
                put(memory, visits, get(memory, visits) + 1.0)
                put(memory, reward, get(memory, reward) + (for_x if place < keys else for_o))

    return learn


def _replies(structure: Structure, memory: Memory, first: int, keys: int) -> Verb:
    rewards = _rewards(structure)
    (absent,), forgetting = memory.absent, cast('Replies', memory).forgetting

    @inlined
    def learn(memory: Any, line: Any, stamps: Any, stamp: Any, worth: Any) -> None:
        for_x, for_o = rewards(worth)
        for at in range(2, int64(get(line, 0)) + 1):
            before, place = int64(get(line, at - 1)), int64(get(line, at))
            by_x = place < keys
            if (before < keys) == by_x:
                continue
            reward = for_x if by_x else for_o
            reply = float(place if by_x else place - keys)
            if reward > EVEN:
                put(memory, first + before, reply)
            elif forgetting and reward < EVEN and get(memory, first + before) == reply:
                put(memory, first + before, absent)

    return learn


LEARNING: Final[Mapping[type[Memory], Callable[..., Verb]]] = MappingProxyType(
    {Means: _means, Replies: _replies}
)
