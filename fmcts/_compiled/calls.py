"""Errors about rules on integers that cannot be compiled or break their promises."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba

from fmcts._compiled import statuses
from fmcts._compiled.faults import find_fault, who_raised
from fmcts._compiled.structure import Structure, weighing
from fmcts._compiled.user_functions import user_functions_of
from fmcts._engines.selection import all_excluded, name_of as rule_name, not_a_number
from fmcts._numba.cache.current import current_rules
from fmcts._numba.cache.jit import CompilationError, Jitted
from fmcts._numba.interrupts import interrupts_wait
from fmcts._numba.locks import compiling
from fmcts._numba.register import EXACT
from fmcts._numba.whole import LEFT
from fmcts.errors import MethodError, RulesError
from fmcts.game import GameState, endless
from fmcts.rules import IntegerRules, rules_of
from fmcts.search._description import Search
from fmcts.search.methods import Method
from fmcts.search.policies.recalling import weighs_nan

T = TypeVar('T')

COMPLAINTS: Final = {
    statuses.WIDE_MOVE: 'gave a move that does not fit in 32 bits',
    statuses.BAD_MENU: 'gave a menu with fewer than 1 or more than 2**24 moves',
    statuses.BAD_WINNER: 'gave a winner that is not {winners}',
    statuses.BAD_CHANCES: 'gave chances that are not the sum of the weights, up to 2**31 - 1',
    statuses.BAD_REWARD: 'gave a reward that is not a number from 0 to 1',
    statuses.BAD_KEY: 'gave a move a key outside the range from 0 to `keys` - 1, with keys={keys}',
}

# numba names the step that failed, then says why; the innermost of nested reports comes last.
FAILED: Final = re.compile(r'Failed in .* pipeline.*')
PLACE: Final = re.compile(
    r'(?:\bat|\bfrom|File) "?(?P<file>[^"\n]+?)"?(?:, line | \()(?P<line>\d+)'
)
NO_FIELD: Final = re.compile(r"Unknown attribute '(\w+)' of type (\w+)\(.*\)$")
OUTSIDE: Final = 'index is out of bounds'  # of an array, in code that is compiled with checks
RAISED_FROM: Final = re.compile(r'\.* Raised from .* \(\d+\)$')

# Sources of reports that do not concern the rules.
LIBRARY: Final = Path(__file__).parents[1]
OURS: Final = (
    *(str(LIBRARY / room) for room in ('_compiled', '_numba')),
    str(Path(numba.__file__).parent),
    'numba/',
)


def broken_rules(state: GameState[Any], status: int, max_plies: int) -> ValueError:
    """Return the error for a status of compiled code; the caller raises it.

    `max_plies` is the limit on the plies of a playout.
    """
    if status == statuses.NO_END:
        return endless(state, max_plies)
    rules = cast('IntegerRules', rules_of(state))
    winners = '0, 1 or 2' if rules.players == 2 else f'from 0 to {rules.players}'
    complaint = COMPLAINTS[status].format(keys=rules.keys, winners=winners)
    return RulesError(
        f'the rules on integers of {type(state).__name__} {complaint}: '
        'see fmcts.testing.check_rules'
    )


def broken_search(search: Search, status: int) -> MethodError | None:
    """Return the error for a status about the search's own functions; `None` for others."""
    match status:
        case statuses.ALL_EXCLUDED | statuses.NOT_A_NUMBER | statuses.BAD_SCORES:
            return _bad_scores(search.method, status)
        case statuses.BAD_POLICY:
            return MethodError(
                f'the playout policy {_name(search.playout)} must return at least one of the '
                'legal moves, and no others'
            )
        case statuses.BAD_WEIGHT:
            return weighs_nan(' or '.join(type(leaf).__name__ for leaf in weighing(search.policy)))
        case statuses.BAD_WORTH:
            heuristics = [('heuristic', each.heuristic) for each in search.derived]
            return bad_worth(*heuristics, ('evaluator', search.evaluate), ('reward', search.reward))
    return None


def _bad_scores(method: Method, status: int) -> MethodError:
    if status == statuses.BAD_SCORES:
        return MethodError(f'{rule_name(method)} must give a list with a score for each move')
    return (all_excluded if status == statuses.ALL_EXCLUDED else not_a_number)(method)


def bad_worth(*functions: tuple[str, Any]) -> MethodError:
    """Return the error for a value that is not a number from 0 to 1; the caller raises it."""
    named = ' or '.join(
        f'the {what} {_name(given)}' for what, given in functions if given is not None
    )
    return MethodError(f'{named} must return a number from 0 (X loses) to 1 (X wins)')


def _name(given: Any) -> str:
    function = getattr(given, 'function', given)
    return getattr(function, '__name__', None) or type(function).__name__


def make(state: object, factory: Callable[..., T], *arguments: Any) -> T:
    """Return the entry point that a factory makes from the `arguments`; the factory caches it.

    :raises RulesError: the rules cannot be compiled.
    """
    try:
        with compiling, interrupts_wait():
            return factory(*arguments)
    except MemoryError:
        raise
    except Exception as error:
        structure = next((each for each in arguments if isinstance(each, Structure)), None)
        raise not_compiled(state, error, structure) from error


def call(state: object, entry: Jitted, *arguments: Any) -> Any:
    """Return the result of an entry point for these arguments.

    :raises RulesError: the rules cannot be compiled, or raise an error themselves.
    """
    try:
        return call_raising(state, entry, *arguments)
    except (MemoryError, MethodError, RulesError):
        raise
    except Exception as error:
        raise _raised(state, error, entry.structure) from error


def _raised(state: object, error: Exception, structure: Structure | None) -> RulesError:
    """Return the error for one that compiled code raised itself; the caller raises it."""
    if isinstance(error, OverflowError) and str(error) == LEFT:
        found = [part.what for part in user_functions_of(structure) if part.function in EXACT]
        return RulesError(
            f'an integer in {" or ".join(found)} does not fit in 64 bits, as machine code needs: '
            'use another engine'
        )
    said = f'raised {first_line(error)} as compiled'
    rules = cast('IntegerRules', rules_of(state))
    functions = who_raised(error, rules, structure)
    if functions:
        what = ' or '.join(each.what for each in functions)
        return RulesError(f'{what} {said} ({_beginning(functions[0].function)})')
    suspects = [f'the rules on integers of {type(state).__name__}']
    if isinstance(error, IndexError):  # numba does not say where
        exact = [part.what for part in user_functions_of(structure) if part.function in EXACT]
        suspects = exact if exact and str(error) == OUTSIDE else [*suspects, *exact]
    return RulesError(f'{" or ".join(suspects)} {said}: see fmcts.testing.check_rules')


def call_raising(state: object, entry: Jitted, *arguments: Any) -> Any:
    """Return the result of an entry point; do not convert errors that rules raise.

    :raises RulesError: the rules cannot be compiled.
    """
    try:
        return entry(*arguments)
    except CompilationError as error:
        raise not_compiled(state, error.__cause__, entry.structure) from error.__cause__


def not_compiled(
    state: Any, error: BaseException | None, structure: Structure | None = None
) -> RulesError | MethodError:
    """Return the error for code that cannot be compiled; the caller raises it.

    It names the rule, or the function of the search, that cannot be compiled even by itself, and
    quotes the decisive line of numba's report.
    """
    rules = current_rules(cast('IntegerRules', rules_of(state)))  # declared, as code was compiled
    fault = find_fault(state, rules, rules.pack(state), structure)
    if fault is None:
        own = ', or a function of the search,' if structure and not structure.plain else ''
        name = type(state).__name__
        return RulesError(
            f'the rules on integers of {name}{own} cannot be compiled: {_reason(error)}'
        )
    if fault.wrong:
        return MethodError(fault.wrong)
    place = _place(fault.refusal, fault.function)
    return RulesError(f'{fault.what}: {_reason(fault.refusal)} ({place})')


def _reason(error: BaseException | None) -> str:
    """Return the line with the reason."""
    lines = [line.strip() for line in str(error).splitlines()]
    failed = [place for place, line in enumerate(lines) if FAILED.search(line)]
    if not failed:
        return RAISED_FROM.sub('', first_line(error))
    following = [line for line in lines[failed[-1] + 1 :] if line]
    reason = ' '.join(following[: 2 if following and following[0].endswith(':') else 1])
    return NO_FIELD.sub(r'\2 has no \1', reason.replace(': >>>', ':')) or first_line(error)


def first_line(error: BaseException | None) -> str:
    """Return an error in one line, without its class if that is one of numba's."""
    text = str(error).strip().partition('\n')[0]
    kind = type(error)
    if kind.__module__.startswith('numba'):
        return text
    return f'{kind.__name__}: {text}' if text else kind.__name__


def _place(error: BaseException, function: Any) -> str:
    """Return the file and line that the error blames, or else where the function begins."""
    text = str(error)
    last = max((found.end() for found in FAILED.finditer(text)), default=0)
    for found in PLACE.finditer(text, last):
        # numba may report paths relative to the current folder, and `<string>` without a file.
        file = found['file']
        if not file.startswith(('<', *OURS)) and not str(Path(file).resolve()).startswith(OURS):
            return f'{found["file"]}, line {found["line"]}'
    return _beginning(function)


def _beginning(function: Any) -> str:
    """Return the file and line where a function begins."""
    code = getattr(inspect.unwrap(function), '__code__', None)
    return f'{code.co_filename}, line {code.co_firstlineno}' if code else f'{function!r}'
