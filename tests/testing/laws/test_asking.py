"""The result of a user's function, or its error, as a value."""

import pytest

from fmcts.testing._laws.law import Raised, asked


def test_an_answer_is_returned_unchanged():
    assert asked(max, 3, 7) == 7
    assert asked(dict) == {}


@pytest.mark.parametrize('error', [ValueError, SystemExit, RecursionError])
def test_an_error_becomes_a_value(error):
    def raises(text):
        raise error(text)

    assert asked(raises, 'no') == Raised(f'raised {error.__name__}: no')


@pytest.mark.parametrize('error', [MemoryError, KeyboardInterrupt])
def test_memory_errors_and_interrupts_are_not_caught(error):
    def raises():
        raise error

    with pytest.raises(error):
        asked(raises)
