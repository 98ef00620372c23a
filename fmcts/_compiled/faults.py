"""Find the function at fault when code cannot be compiled: one of the rules, or of the search.

Each is compiled by itself, as the engine uses it; the first that cannot be compiled is at fault.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from attrs import frozen
from numba import njit, types

from fmcts._compiled.structure import Structure
from fmcts._compiled.user_functions import NUMBER, Probe, Probed, name_of, user_functions_of
from fmcts._content.remembered import keep
from fmcts._numba import operators, reals, whole
from fmcts._numba.cache.jit import CompilationError, Jitted, chance_rules, registered
from fmcts._numba.intrinsics import inlined, int64
from fmcts._numba.positions import normalised, normalised_menu
from fmcts._numba.register import EXACT
from fmcts._numba.whole import plain
from fmcts.errors import MethodError
from fmcts.rules import IntegerRules

RULES: Final = ('menu', 'count', 'pick', 'play', 'side', 'winner')
CHANCE_RULES: Final = ('chances', 'weight', 'rewards')

OPERATORS: Final = {Path(str(it.__file__)).parts[-3:] for it in (operators, reals, whole)}
"""The files of operators and functions of `math` as users' functions use them, without their
folder: code on disk may be from another installation."""

SOUND: Final = 256

_sound: Final[dict[tuple[IntegerRules, type], bool]] = {}  # rules that can all be compiled


@frozen
class Fault:
    """The function at fault: its description, the function itself, and numba's error.

    `wrong` says what is wrong if the function breaks a promise, whatever compiles it.
    """

    what: str
    function: Any
    refusal: BaseException
    wrong: str = ''


def find_fault(
    state: object, rules: IntegerRules, position: Any, structure: Structure | None
) -> Fault | None:
    """Return the first function that cannot be compiled by itself; `None` if all can."""
    said = f'the rules on integers of {type(state).__name__} cannot be compiled: '
    if (rules, type(position)) not in _sound:
        try:
            probes = _probes_of_rules(rules, position)
        except Exception:  # noqa: BLE001 - the report has the error already
            return None
        refused = {name: _refusal(*probe) for name, probe in probes.items()}
        found = {name: refusal for name, refusal in refused.items() if refusal}
        if len(found) == len(refused):  # then the rules are not at fault
            return None
        for name, refusal in found.items():
            return Fault(f'{said}{name}', getattr(rules, name), refusal)
        keep(_sound, (rules, type(position)), True, SOUND)  # noqa: FBT003 - the value kept
    for part in user_functions_of(structure):
        why = _refusal(*part.probe(rules, type(position)))
        if isinstance(why, MethodError):
            return Fault(part.what, part.function, why, f'{part.what} {why}')
        if why is not None:
            return Fault(f'{part.what} cannot be compiled', part.function, why)
    return None


def who_raised(
    error: BaseException, rules: IntegerRules, structure: Structure | None
) -> list[Probed]:
    """Return the functions of a search that may have raised an error in machine code.

    numba's traceback names the function; the line in it may be from an earlier version. If it names
    an operator or a function of `math`, all functions that use one are returned. The list is empty
    if the name is not unique, or if it names one of the rules.
    """
    last = [None, *traceback.walk_tb(error.__traceback__)][-1]
    if last is None:
        return []
    code = last[0].f_code
    if Path(code.co_filename).parts[-3:] in OPERATORS:
        return [part for part in user_functions_of(structure) if part.function in EXACT]
    name = code.co_name.rpartition('.')[2]
    if name in {name_of(getattr(rules, rule)) for rule in (*RULES, *CHANCE_RULES)}:
        return []
    found = [part for part in user_functions_of(structure) if name_of(part.function) == name]
    return found if len(found) == 1 else []


def _refusal(probe: Callable[..., Any], given: tuple[Any, ...]) -> BaseException | None:
    try:
        Jitted(njit(probe, error_model='numpy', nogil=True)).compile(*given)
    except CompilationError as error:
        return error.__cause__ or error
    return None


# ---- the rules ----


def _probes_of_rules(rules: IntegerRules, position: Any) -> dict[str, Probe]:
    menu, count, pick, play, side, winner = registered(rules)
    make, fields = type(position), types.UniTuple(NUMBER, len(position))
    made, options = _menu_of(rules, position)
    probes: dict[str, Probe] = {
        'menu': (lambda p: normalised_menu(menu(make(*p))), (fields,)),
        'count': (lambda m: int64(count(made(m))), (options,)),
        'pick': (lambda m, index: int64(pick(made(m), index)), (options, NUMBER)),
        'play': (lambda p, move: normalised(play(make(*p), move)), (fields, NUMBER)),
        'side': (lambda p: int64(side(make(*p))), (fields,)),
        'winner': (lambda p: int64(winner(make(*p))), (fields,)),
    }
    chances, weight, given = rules.chances, rules.weight, chance_rules(rules)
    if chances is not None:
        probes['chances'] = (lambda p: int64(chances(make(*p))), (fields,))
        probes['weight'] = (lambda p, move: int64(weight(make(*p), move)), (fields, NUMBER))
    if rules.rewards is not None:
        rewards = given[-1]
        probes['rewards'] = (lambda p, who: float(plain(rewards(make(*p), who))), (fields, NUMBER))
    return probes


def _menu_of(rules: IntegerRules, position: Any) -> tuple[Any, Any]:
    """Return `made(numbers)`, which makes a menu, and the numbers' type; if unknown, integers."""
    try:
        kind: Any = type(rules.menu(position))
    except Exception:  # noqa: BLE001 - of any type; reported elsewhere
        kind = int
    if not issubclass(kind, tuple):
        return inlined(lambda number: number), NUMBER
    width = len(getattr(kind, '_fields', ()))
    return inlined(lambda numbers: kind(*numbers)), types.UniTuple(NUMBER, width)
