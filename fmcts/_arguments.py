"""Checks of arguments, and how a value is quoted in an error message."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from math import isfinite
from typing import Any, Final

__all__ = ['LONGEST', 'cut', 'is_number', 'shown', 'takes', 'whole_number']

LONGEST: Final = 40
"""The default number of characters quoted."""


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


def takes(function: Callable[..., Any], count: int) -> bool:
    """Return whether a function takes `count` positional arguments; `True` if it does not tell.

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


def is_number(value: object) -> bool:
    """Return whether the value is a finite number, and neither `True` nor `False`.

    >>> is_number(1), is_number(0.5), is_number(True), is_number('1'), is_number(float('nan'))
    (True, True, False, False, False)
    """
    if isinstance(value, int):
        return not isinstance(value, bool)
    return isinstance(value, float) and isfinite(value)


def whole_number(name: str, value: object, *, least: int = 1) -> int:
    """Return `value`, the argument called `name`, if it is a whole number of at least `least`.

    :raises ValueError: anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f'{name} must be a whole number of at least {least}, not {shown(value)}')
    return value
