"""Checks of arguments, and how a value is quoted in an error message."""

from __future__ import annotations

import difflib
import inspect
import operator
from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set as AbstractSet,
)
from contextlib import contextmanager, suppress
from math import isfinite
from types import FunctionType, ModuleType
from typing import Any, Final, TypeGuard, TypeVar

from returns.pipeline import is_successful
from returns.result import Result

T = TypeVar('T')

LONGEST: Final = 40
"""The default number of characters quoted."""

LIST: Final = 200
"""The number of characters of a long list, such as the list of all rolls."""


def amount(number: int, one: str, many: str = '') -> str:
    """Return a number with what it counts: `one` of it, or `many`, by default with an s.

    >>> amount(1, 'visit'), amount(2000, 'visit'), amount(0, 'search', 'searches')
    ('1 visit', '2,000 visits', '0 searches')
    """
    return f'{number:,} {one if number == 1 else many or one + "s"}'


def value_of(found: Result[T, str], what: str = '') -> T:
    """Return the value of a result.

    :param what: names it in the message.
    :raises ValueError: it is a failure.
    """
    if is_successful(found):
        return found.unwrap()
    raise ValueError(f'{what}: {found.failure()}' if what else found.failure())


@contextmanager
def within(what: str) -> Iterator[None]:
    """Name in front of a ValueError of the block what it is about."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f'{what}: {error}') from None


def cut(text: str, longest: int = LONGEST) -> str:
    """Return the text on one line, with single spaces, cut to `longest` characters.

    >>> cut('up'), cut('[[0 1]' + chr(10) + ' [2 3]]'), cut('?' * 50, 3)
    ('up', '[[0 1] [2 3]]', '???...')
    """
    line = ' '.join(text.split())
    return line if len(line) <= longest else f'{line[:longest]}...'


def shown(value: object, longest: int = LONGEST) -> str:
    """Return the `repr` of a value, cut to `longest` characters; never raise.

    >>> shown('X wins'), shown('?' * 50), shown(-1.5)
    ("'X wins'", "'????????????????????????????????????????...'", '-1.5')
    """
    if isinstance(value, str):
        return repr(value if len(value) <= longest else value[:longest] + '...')
    try:
        return cut(repr(value), longest)
    except Exception:  # noqa: BLE001 - of any type; Python writes no integer of 5,000 digits
        return f'a value of type {type(value).__name__}'


def where_they_differ(one: str, two: str, longest: int = 60) -> tuple[str, str]:
    """Return two texts, each cut to `longest` characters that have their first difference.

    >>> where_they_differ('ab', 'ac'), where_they_differ('a' * 90 + 'b', 'a' * 90 + 'c', 8)
    (('ab', 'ac'), ('...aaaab', '...aaaac'))
    """
    pairs = enumerate(zip(one, two, strict=False))
    equal = next((at for at, (here, there) in pairs if here != there), min(len(one), len(two)))
    begin = max(0, equal - longest // 2) if max(len(one), len(two)) > longest else 0
    left, right = (f'{"..." * (begin > 0)}{cut(it[begin:], longest)}' for it in (one, two))
    return left, right


def quoted(value: object) -> str:
    """Return the `repr` of a value, or its text if its class has only that; never raise."""
    if type(value).__repr__ is object.__repr__:
        with suppress(Exception):
            return cut(str(value))
    return shown(value)


def did_you_mean(value: object, accepted: tuple[str, ...]) -> str:
    """Return ` (did you mean ...?)` if one of `accepted` is close to `value`, else ''."""
    close = difflib.get_close_matches(value, accepted, n=1) if isinstance(value, str) else ()
    return f' (did you mean {close[0]}?)' if close else ''


def alike_in_text(one: object, two: object) -> bool:
    """Return whether `str` gives the same for both, as for 3 and '3'; never raise."""
    with suppress(Exception):
        return str(one) == str(two)
    return False


def takes(function: Callable[..., Any], count: int) -> bool:
    """Return whether a function takes `count` positional arguments; if unknown, `True`.

    >>> takes(lambda one, two: one, 2), takes(lambda one: one, 2), takes(lambda *all: all, 2)
    (True, False, True)
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # it does not tell
        return True
    try:
        signature.bind(*(None,) * count)
    except TypeError:
        return False
    return True


def _is_truth(value: object) -> bool:
    """Return whether the value is `True` or `False`, also numpy's."""
    # By name, since NumPy's need not be there.
    return type(value).__name__ in ('bool', 'bool_')


def as_whole(value: object) -> object:
    """Convert a whole number of any library to an `int`; leave anything else for a validator.

    >>> as_whole(7), as_whole(True), as_whole(1.0), as_whole('1')
    (7, True, 1.0, '1')
    """
    if not _is_truth(value):
        with suppress(TypeError):
            return int(operator.index(value))  # type: ignore[arg-type] # checked here
    return value


def as_number(value: object) -> object:
    """Convert a number of any library to a `float`; leave anything else, integers too.

    >>> as_number(0.5), as_number(2), as_number(True), as_number('0.5')
    (0.5, 2, True, '0.5')
    """
    if type(value) is not float and hasattr(value, '__float__') and not _is_truth(value):
        whole = as_whole(value)
        with suppress(TypeError, ValueError, OverflowError):  # such as an array
            return whole if isinstance(whole, int) else float(value)
    return value


def is_number(value: object) -> bool:
    """Return whether the value is a finite number, and neither `True` nor `False`.

    >>> is_number(1), is_number(0.5), is_number(True), is_number('1'), is_number(float('nan'))
    (True, True, False, False, False)
    """
    number = as_number(value)
    if isinstance(number, int):
        return not isinstance(number, bool)
    return isinstance(number, float) and isfinite(number)


def is_row(numbers: object) -> TypeGuard[Iterable[Any]]:
    """Return whether the value is a row: items in an order, but not a text, a dict or a set.

    >>> is_row([0.5, 0.5]), is_row({'left': 0.5}), is_row({0.5}), is_row('0.5')
    (True, False, False, False)
    """
    return isinstance(numbers, Iterable) and not isinstance(
        numbers, str | bytes | Mapping | AbstractSet
    )


def is_sequence(value: object) -> TypeGuard[Sequence[Any]]:
    """Return whether the value has a length and items by index, as lists, tuples and arrays have.

    >>> is_sequence([1]), is_sequence({1: 2}), is_sequence({1}), is_sequence(iter([1]))
    (True, False, False, False)
    """
    return is_row(value) and hasattr(value, '__len__') and hasattr(value, '__getitem__')


def whole_number(name: str, value: object, *, least: int = 1) -> int:
    """Return `value`, the argument called `name`, if it is a whole number of at least `least`.

    :raises ValueError: anything else.
    """
    number = as_whole(value)
    if isinstance(number, bool) or not isinstance(number, int) or number < least:
        raise ValueError(f'{name} must be a whole number of at least {least}, not {shown(value)}')
    return number


def seeds_of(seeds: object, name: str) -> list[int]:
    """Return the seeds of a call: a number means 0, 1, 2... below it.

    :param name: what is called, the first word of a message.
    :raises TypeError: `seeds` is neither a number nor a row of them.
    :raises ValueError: there are none.
    """
    count = as_whole(seeds)
    if isinstance(count, int):
        numbers = [*range(count)]
    elif is_row(seeds):
        numbers = [*seeds]
    else:
        raise TypeError(f'{name} needs a number of seeds or a row of them, not {shown(seeds)}')
    if not numbers:
        raise ValueError(f'{name} needs at least one seed, not {shown(seeds)}')
    return numbers


def check_generator(rng: object) -> None:
    """Accept a generator: what draws by `uniform`, as `fmcts.rng.Rng` has it.

    Those of Python and numpy, which also have a `uniform`, change when they draw: they have a
    function `random`, too, and are refused.

    :raises TypeError: anything else.
    """
    if isinstance(rng, type) or not hasattr(rng, 'uniform') or hasattr(rng, 'random'):
        number = isinstance(rng, int) and not isinstance(rng, bool)
        meant = f' (did you mean SplitMix.from_seed({shown(rng)})?)' if number else ''
        raise TypeError(
            f'rng must be a generator such as SplitMix.from_seed(1), not {shown(rng)}{meant}'
        )


STATE: Final = ('player', 'moves', 'over', 'play')
"""The members that every state has."""


def _has(value: object, name: str) -> bool:
    """Return whether a value has a member, also if its property raises an error."""
    return hasattr(type(value), name) or hasattr(value, name)


def check_start(state: object) -> None:
    """Accept what may be the state of a game: it has the members, and only `play` is a method.

    :raises TypeError: anything else.
    """
    if isinstance(state, type):
        name = state.__name__
        raise TypeError(f'a state is needed, not the class {name} (did you mean {name}()?)')
    if isinstance(state, ModuleType):
        name = state.__name__.rpartition('.')[2]
        meant = f' (did you mean {name}.start?)' if hasattr(state, 'start') else ''
        raise TypeError(f'a state is needed, not the module {name}{meant}')
    missing = [name for name in STATE if not _has(state, name)]
    if missing:
        raise TypeError(f'a state is needed, not {shown(state)}, which has no {missing[0]}')
    for name in (*STATE[:-1], 'winner', 'rewards', 'chances'):
        if isinstance(getattr(type(state), name, None), FunctionType):
            kind = type(state).__name__
            raise TypeError(f'{name} of {kind} is a method: make it a property (@property)')


def check_bot(name: str, bot: object) -> None:
    """Accept a function: a bot is one, `(state, rng) -> (move, rng)`.

    :raises TypeError: anything else; the message calls it `name`.
    """
    if not callable(bot) or isinstance(bot, type):
        meant = {'Search': 'mcts(...)', 'str': 'parse_bot(...)'}.get(type(bot).__name__)
        raise TypeError(
            f'{name} must be a bot, a function (state, rng) -> (move, rng), not {shown(bot)}'
            + (f' (did you mean {meant} of it?)' if meant else '')
        )
