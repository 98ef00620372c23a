"""A limit of time for each move of a match, kept by another process than the one that plays.

A bot that hangs may hold Python's lock or be in machine code, where nothing of its own process can
end it. So each process that plays says in shared memory of which move it asks a bot, and the one
that began it looks.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from time import monotonic
from typing import Any, Final, TypeAlias, TypeVar

from attrs import define, field

from fmcts._arguments import is_number, shown
from fmcts.game import Player

__all__ = ['PAUSE', 'Asked', 'Asking', 'Watched', 'check_limit']

R = TypeVar('R')
Asked: TypeAlias = tuple[int, int, Player]
"""The game, the ply from 1, and the side that moves."""

PROCESS, COUNT, NUMBER, PLY, SIDE = range(5)  # what is in shared memory
SIDES: Final = tuple(Player)
PAUSE: Final = 0.1  # seconds between two looks; more of them say that all processes were stopped


def check_limit(seconds: float | None) -> float | None:
    """Return the limit.

    :raises ValueError: it is not a number of seconds above 0, or `None`.
    """
    if seconds is not None and not (is_number(seconds) and seconds > 0):
        raise ValueError(f'move_limit must be a number of seconds above 0, not {shown(seconds)}')
    return seconds


@define
class Asking:
    """Where a process says which bot it asks for a move; the count is odd meanwhile."""

    memory: Any

    @classmethod
    def new(cls) -> Asking:
        """Return one whose memory can be given to a process that begins."""
        return cls(get_context('spawn').RawArray('q', 5))

    def here(self) -> None:
        """Say that this is the process that plays."""
        self.memory[PROCESS] = os.getpid()

    def bot(self, number: int, ply: int, player: Player, ask: Callable[[], R]) -> R:
        """Return what a bot answers."""
        self.memory[NUMBER:] = [number, ply, SIDES.index(player)]
        self.memory[COUNT] += 1
        try:
            return ask()
        finally:
            self.memory[COUNT] += 1

    @property
    def asked(self) -> Asked | None:
        """The game, the ply and the side of which a bot is being asked for a move, if one is."""
        if self.memory[COUNT] % 2 == 0:
            return None
        number, ply, side = self.memory[NUMBER:]
        return number, ply, SIDES[side]


@define
class Watched:
    """A process that plays, as seen by the one that began it."""

    limit: float
    asking: Asking = field(factory=Asking.new)
    count: int = 0
    waited: float = 0.0  # seconds with the same count
    looked: float = field(factory=monotonic)

    def late(self) -> Asked | None:
        """Return the game, the ply and the side of which no move came in time, if there is one.

        What counts is the time in which this process looked: when all were stopped, none runs.
        """
        now, count = monotonic(), self.asking.memory[COUNT]
        since, self.looked = min(now - self.looked, 2 * PAUSE), now
        self.waited = self.waited + since if count == self.count else 0.0
        self.count = count
        if count % 2 == 0 or self.waited <= self.limit:  # by the count as it was a moment ago
            return None
        return self.asking.asked

    def kill(self) -> None:
        """End the process, whatever it does."""
        process = self.asking.memory[PROCESS]
        if process:
            with suppress(OSError):  # it has ended
                os.kill(process, getattr(signal, 'SIGKILL', signal.SIGTERM))
