"""The statuses with which `search.c` returns, and the errors that some of them mean."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final, cast

from fmcts._engines import all_excluded, name_of, not_a_number
from fmcts._linked.layout import declared
from fmcts.errors import EngineError, MethodError, RulesError
from fmcts.game import GameState, endless
from fmcts.rules import IntegerRules, rules_of
from fmcts.search import Search

named: Any = IntEnum  # mypy would look for the names here
Status: Final = named('Status', declared('game.h', 'enum Status'), start=0)
"""The statuses that functions of C return, named as in `game.h`."""


class Fault(Exception):  # noqa: N818 - Python raises the error
    """Raised where a user's function would have raised an error in machine code."""


FAULTS: Final = (Status.FAULT, Status.BAD_POLICY, Status.BAD_WEIGHT, Status.BAD_WORTH)
"""Where the search is made in place: there errors say what a user's function returned."""


COMPLAINTS: Final = {
    Status.WIDE_MOVE: 'gave a move that is not an integer of 32 bits',
    Status.BAD_MENU: 'gave a menu with fewer than 1 or more than 2**24 moves',
    Status.BAD_WINNER: 'gave a winner that is not {winners}',
    Status.BAD_CHANCES: 'gave chances that are not the sum of the weights, up to 2**31 - 1',
    Status.BAD_REWARD: 'gave a reward that is not a number from 0 to 1, or finite with `gained`',
    Status.BAD_GAINED: 'gave something gained that is not a finite number',
    Status.BAD_KEY: 'gave a move a key outside the range from 0 to `keys` - 1, with keys={keys}',
}


def error_of(status: int, state: GameState[Any], search: Search) -> Exception:  # noqa: PLR0911
    """Return the error for a status; the caller raises it."""
    method = search.method
    match status:
        case Status.NO_END:
            return endless(state, search.max_plies)
        case Status.ALL_EXCLUDED:
            return all_excluded(method)
        case Status.NOT_A_NUMBER:
            return not_a_number(method)
        case Status.BAD_SCORES:
            return MethodError(f'{name_of(method)} must give a list with a score for each move')
        case Status.TOO_MANY:
            return EngineError(
                f'the engine compiled scores at most 512 moves together, by 8 numbers each, and '
                f'{name_of(method)} scores more: use the engine inplace'
            )
        case _ if status in FAULTS:
            return Fault()
    return broken_rules(status, state)


def broken_rules(status: int, state: GameState[Any]) -> RulesError:
    """Return the error for rules on integers that break their promises; the caller raises it."""
    rules = cast('IntegerRules', rules_of(state))
    winners = '0, 1 or 2' if rules.players == 2 else f'from 0 to {rules.players}'
    complaint = COMPLAINTS[Status(status)].format(keys=rules.keys, winners=winners)
    return RulesError(
        f'the rules on integers of {type(state).__name__} {complaint}: '
        'see fmcts.testing.check_rules'
    )


def called(given: Any) -> str:
    """Return the name of a user's function in errors."""
    function = getattr(given, 'function', given)
    return getattr(function, '__name__', None) or type(function).__name__
