"""Helpers for the tests of strategies: values as drawn, and bounds of whole numbers."""

from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from fmcts.testing import _strategies as strategies


def drawn(strategy, number=120):
    """So many values, the same ones every time."""
    values = []

    @settings(
        derandomize=True,
        database=None,
        deadline=None,
        max_examples=number,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(strategy)
    def draw(value):
        values.append(value)

    draw()
    return values


def ends_of_numbers(monkeypatch):
    """The ends of all whole numbers that strategies ask for from now on: few draws meet both."""
    asked, integers = [], st.integers

    def told(low, high):
        asked.append((low, high))
        return integers(low, high)

    monkeypatch.setattr(strategies.st, 'integers', told)
    return asked
