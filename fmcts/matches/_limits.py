"""A limit of time for each move of a match, enforced from another process.

A bot that hangs may hold Python's lock or be in machine code, where its own process cannot end it.
So each playing process records in shared memory which move it asks for, and the process that
started it checks the time.
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

R = TypeVar('R')
Asked: TypeAlias = tuple[int, int, Player]
"""The game, the ply from 1, and the side to move."""

PROCESS, COUNT, NUMBER, PLY, SIDE = range(5)  # the fields in shared memory
SIDES: Final = tuple(Player)
PAUSE: Final = 0.1  # seconds between two checks; a longer gap means that all processes were stopped


def check_limit(seconds: float | None) -> float | None:
    """Return the limit.

    :raises ValueError: it is not a number of seconds above 0, or `None`.
    """
    if seconds is not None and not (is_number(seconds) and seconds > 0):
        raise ValueError(f'move_limit must be a number of seconds above 0, not {shown(seconds)}')
    return seconds


@define
class Asking:
    """A record of the move that a process asks a bot for; the count is odd while it asks."""

    memory: Any

    @classmethod
    def new(cls) -> Asking:
        """Return a record whose memory can be passed to a new process."""
        return cls(get_context('spawn').RawArray('q', 5))

    def here(self) -> None:
        """Record this process as the one that plays."""
        self.memory[PROCESS] = os.getpid()

    def bot(self, number: int, ply: int, player: Player, ask: Callable[[], R]) -> R:
        """Return a bot's answer, and record that it is being asked."""
        self.memory[NUMBER:] = [number, ply, SIDES.index(player)]
        self.memory[COUNT] += 1
        try:
            return ask()
        finally:
            self.memory[COUNT] += 1

    @property
    def asked(self) -> Asked | None:
        """The game, the ply and the side of the move being asked for; `None` if there is none."""
        if self.memory[COUNT] % 2 == 0:
            return None
        number, ply, side = self.memory[NUMBER:]
        return number, ply, SIDES[side]


@define
class Watched:
    """A playing process, as seen by the process that started it."""

    limit: float
    asking: Asking = field(factory=Asking.new)
    count: int = 0
    waited: float = 0.0  # seconds with the same count
    looked: float = field(factory=monotonic)

    def late(self) -> Asked | None:
        """Return the game, the ply and the side of a move that is late; `None` if there is none.

        Only the time in which this process was running counts, so that stopping all processes is no
        delay.
        """
        now, count = monotonic(), self.asking.memory[COUNT]
        since, self.looked = min(now - self.looked, 2 * PAUSE), now
        self.waited = self.waited + since if count == self.count else 0.0
        self.count = count
        if (
            count % 2 == 0 or self.waited <= self.limit
        ):  # the count as it was when the time was measured
            return None
        return self.asking.asked

    def kill(self) -> None:
        """Kill the process."""
        process = self.asking.memory[PROCESS]
        if process:
            with suppress(OSError):  # it has ended already
                os.kill(process, getattr(signal, 'SIGKILL', signal.SIGTERM))
