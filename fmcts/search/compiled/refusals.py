"""What is said when rules on integers cannot be compiled, or do not keep their promises."""

from __future__ import annotations

import re
from typing import Any, Final

from fmcts.game import GameState, endless
from fmcts.search.compiled import statuses
from fmcts.search.description import Search
from fmcts.search.errors import EngineError, MethodError
from fmcts.search.selection import all_excluded, not_a_number

__all__ = ['broken_rules', 'not_compiled']

REASON: Final = re.compile(r'\w+Error: (?!Failed in)|No implementation of|Cannot unify|Undefined')

COMPLAINTS: Final = {
    statuses.WIDE_MOVE: 'gave a move that does not fit in 32 bits',
    statuses.BAD_MENU: 'gave a menu with fewer than 1 or more than 2**24 moves',
    statuses.BAD_WINNER: 'gave a winner that is not 0, 1 or 2',
    statuses.BAD_KEY: 'gave a move a key that is not one of range(keys)',
}


def broken_rules(state: GameState[Any], status: int, max_plies: int) -> ValueError:
    """The error for a status that compiled code came back with; the caller raises it.

    `max_plies` is how many plies a playout might have.
    """
    if status == statuses.NO_END:
        return endless(state, max_plies)
    return EngineError(
        f'the rules on integers of {type(state).__name__} {COMPLAINTS[status]}: '
        'fmcts.search.compiled.check_rules tells more'
    )


def broken_search(search: Search, status: int) -> MethodError | None:
    """The error for a status that tells of the search's own functions; `None` for others."""
    match status:
        case statuses.ALL_EXCLUDED:
            return all_excluded(search.method)
        case statuses.NOT_A_NUMBER:
            return not_a_number(search.method)
        case statuses.BAD_POLICY:
            return MethodError(
                f'the playout policy {_name(search.playout)} must give at least one of the legal '
                'moves, and none that is not legal'
            )
        case statuses.BAD_WORTH:
            named = ' or '.join(
                f'the {what} {_name(given)}'
                for what, given in (('evaluator', search.evaluate), ('reward', search.reward))
                if given is not None
            )
            return MethodError(f'{named} must give a number from 0, X loses, to 1, X wins')
    return None


def _name(given: Any) -> str:
    function = getattr(given, 'function', given)
    return getattr(function, '__name__', None) or type(function).__name__


def not_compiled(state: object, error: Exception) -> EngineError:
    """The error for rules that numba does not take, with the innermost reason that it gives."""
    lines = [line.strip() for line in str(error).splitlines()]
    named = [line for line in lines if REASON.match(line)]
    reason = (named or [line for line in lines if line] or ['no reason given'])[-1 if named else 0]
    return EngineError(
        f'the rules on integers of {type(state).__name__} cannot be compiled: {reason} '
        '(numba says more above)'
    )
