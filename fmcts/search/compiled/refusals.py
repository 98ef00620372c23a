"""What is said when rules on integers cannot be compiled, or do not keep their promises."""

from __future__ import annotations

import re
from typing import Any, Final

from fmcts.game import GameState, endless
from fmcts.search.compiled.verbs import BAD_MENU, BAD_WINNER, NO_END, WIDE_MOVE
from fmcts.search.errors import EngineError

__all__ = ['broken_rules', 'not_compiled']

REASON: Final = re.compile(r'\w+Error: (?!Failed in)|No implementation of|Cannot unify|Undefined')

COMPLAINTS: Final = {
    WIDE_MOVE: 'gave a move that does not fit in 32 bits',
    BAD_MENU: 'gave a menu with fewer than 1 or more than 2**24 moves',
    BAD_WINNER: 'gave a winner that is not 0, 1 or 2',
}


def broken_rules(state: GameState[Any], status: int, max_plies: int) -> ValueError:
    """The error for a status that compiled code came back with; the caller raises it.

    `max_plies` is how many plies a playout might have.
    """
    if status == NO_END:
        return endless(state, max_plies)
    return EngineError(
        f'the rules on integers of {type(state).__name__} {COMPLAINTS[status]}: '
        'fmcts.search.compiled.check_rules tells more'
    )


def not_compiled(state: object, error: Exception) -> EngineError:
    """The error for rules that numba does not take, with the innermost reason that it gives."""
    lines = [line.strip() for line in str(error).splitlines()]
    named = [line for line in lines if REASON.match(line)]
    reason = (named or [line for line in lines if line] or ['no reason given'])[-1 if named else 0]
    return EngineError(
        f'the rules on integers of {type(state).__name__} cannot be compiled: {reason} '
        '(numba says more above)'
    )
