"""Results remembered for a frozen value, and for how long."""

import gc
import sys

import pytest
from attrs import frozen

from fmcts._content import remembered as module
from fmcts._content.remembered import remembered, remembered_while
from fmcts._content.stamps import Stamp


@frozen
class Value:
    """Equal to others that hold an equal number, and without a hash where that has none."""

    number: object


@pytest.fixture
def asked():
    """A function that is remembered, and what it was asked."""
    seen = []

    @remembered
    def double(value, *others, named=0):
        seen.append((value.number, *others, named))
        return [value.number, *others, named]

    return double, seen


def test_each_value_is_computed_once(asked):
    double, seen = asked
    value = Value(3)
    assert double(value) is double(value)
    assert seen == [(3, 0)]


def test_equal_values_are_remembered_separately(asked):
    double, seen = asked
    whole, real, listed, other = Value(1), Value(1.0), Value([1]), Value([1])
    for value in (whole, real, listed, other) * 2:
        assert double(value) == [value.number, 0]
        assert type(double(value)[0]) is type(value.number)
    assert len(seen) == 4


def test_other_arguments_are_compared_by_equality(asked):
    double, seen = asked
    value = Value(3)
    for _ in range(2):
        assert double(value, 2) == [3, 2, 0]
        assert double(value, 2, 1) == [3, 2, 1, 0]
        assert double(value, 2, named=1) == [3, 2, 1]
        assert double(value, named=2) == [3, 2]
    assert len(seen) == 4


def test_deleted_values_are_forgotten(asked):
    double, _ = asked
    known = dict(zip(double.__code__.co_freevars, double.__closure__, strict=True))['known']
    value, other = Value(1), Value(2)
    double(value), double(value, 1), double(other)
    assert len(known.cell_contents) == 3
    del value
    gc.collect()
    assert [answer for _, answer in known.cell_contents.values()] == [[2, 0]]


def test_a_new_value_at_an_old_address_is_computed_anew(asked):
    """Python gives the place of what is gone to what comes, and its identity with it."""
    double, _ = asked
    for number in range(1000):
        value = Value(number)
        assert double(value) == [number, 0]
        del value


def test_errors_are_not_remembered():
    seen = []

    @remembered
    def fails(value):
        seen.append(value)
        raise ValueError('no answer')

    value = Value(1)
    for _ in range(2):
        with pytest.raises(ValueError, match='no answer'):
            fails(value)
    assert len(seen) == 2


@pytest.mark.parametrize('remember', [remembered, remembered_while(Stamp)])
def test_deleting_values_during_shutdown_is_silent(remember, monkeypatch):
    """As when the interpreter ends."""
    unraised = []
    monkeypatch.setattr(sys, 'unraisablehook', unraised.append)
    made = remember(lambda _value: 1)
    value = lambda: 1  # noqa: E731 - what can go
    assert made(value) == 1
    monkeypatch.setattr(module, 'forget', None)
    del value
    gc.collect()
    assert unraised == []
