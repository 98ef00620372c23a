"""Numba's reports of code that it cannot compile, reduced to one line."""

import pytest
from numba.core.errors import TypingError

from fmcts._compiled.calls import _place, _reason, first_line

NESTED = """Failed in nopython mode pipeline (step: nopython frontend)
Failed in nopython mode pipeline (step: native lowering)

No implementation of function add found for signature:

>>> add(int64, unicode_type)

There are 20 candidate implementations:
"""


@pytest.mark.parametrize(
    ('text', 'reason'),
    [
        # The line after the innermost step; and one more where it ends in a colon.
        (NESTED, 'No implementation of function add found for signature: add(int64, unicode_type)'),
        (
            'Failed in nopython mode pipeline (step: x)\nUntyped global name\nFile "a.py", line 3',
            'Untyped global name',
        ),
        ('Failed in nopython mode pipeline (step: x)\n\n  why:  \n', 'why:'),
        (
            'Failed in nopython mode pipeline\nouter\nFailed in object mode pipeline\ninner\nmore',
            'inner',
        ),
        # Without a step, or with nothing behind it: the first line.
        ('just so\nand more', 'just so'),
        ('cannot be. Raised from _type_convert.py (157)', 'cannot be'),
        (
            'Failed in nopython mode pipeline (step: x)\n\n',
            'Failed in nopython mode pipeline (step: x)',
        ),
    ],
)
def test_the_decisive_line_of_a_report_is_quoted(text, reason):
    assert _reason(TypingError(text)) == reason


def test_errors_other_than_numba_s_are_named_by_class():
    assert first_line(TypingError('so\nit is')) == 'so'
    assert first_line(KeyError('so')) == "KeyError: 'so'"
    assert first_line(ValueError()) == 'ValueError'


def function():
    """Stands somewhere."""


def test_the_place_in_the_user_s_code_is_quoted():
    step = 'Failed in nopython mode pipeline (step: x)\n'
    here = f'{__file__}, line {function.__code__.co_firstlineno}'
    nested = f'File "/x/outer.py", line 1:\n{step}File "/x/mine.py", line 7:'
    for text, place in (
        ('File "/x/mine.py", line 7:', '/x/mine.py, line 7'),
        (nested, '/x/mine.py, line 7'),
        ('File "numba/core.py", line 1:\nduring: at /x/mine.py (8)', '/x/mine.py, line 8'),
        ('File "<string>", line 1:', here),
        ('no place', here),
    ):
        assert _place(TypingError(text), function) == place
    assert _place(TypingError('no place'), len) == repr(len)
