"""How a command ends: with an exit code, or with one line about bad input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from returns.io import IOResult
from returns.pipeline import is_successful
from returns.unsafe import unsafe_perform_io

from fmcts.cli.screen import complain
from fmcts.game import GameError
from fmcts.search.engines import EngineError, NoRoomError

__all__ = ['BAD_INPUT', 'BROKEN_OFF', 'DONE', 'carry_out']

T = TypeVar('T')

DONE: Final = 0
BROKEN_OFF: Final = 1
BAD_INPUT: Final = 2


def carry_out(request: IOResult[T, str], act: Callable[[T], int]) -> int:
    """The exit code of `act` on what was asked for; bad input is complained about instead."""
    if not is_successful(request):
        complain(unsafe_perform_io(request.failure()))
        return BAD_INPUT
    try:
        return act(unsafe_perform_io(request.unwrap()))
    except (EngineError, GameError, NoRoomError) as error:  # what only the search itself finds out
        complain(str(error))
        return BAD_INPUT
