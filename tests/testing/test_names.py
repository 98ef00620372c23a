"""The names of `fmcts.testing`: all are there, and hypothesis is loaded for some alone."""

import importlib
import sys

import pytest
from hypothesis import strategies as st

import fmcts.testing
from fmcts.testing import _registered as registered
from fmcts.testing._registered import STRATEGIES, register


def test_all_names_are_there():
    for name in fmcts.testing.__all__:
        assert getattr(fmcts.testing, name).__name__ if name.islower() else True
    strategies = importlib.import_module('fmcts.testing._strategies')
    machines = importlib.import_module('fmcts.testing._machines')
    for name, module in fmcts.testing.BY_HYPOTHESIS.items():
        assert getattr(fmcts.testing, name) is getattr(sys.modules[module], name)
        assert module in {strategies.__name__, machines.__name__}
        assert name in fmcts.testing.__all__


def test_another_name_is_an_error():
    with pytest.raises(AttributeError, match=r"^module 'fmcts.testing' has no attribute 'none'$"):
        _ = fmcts.testing.none


NEEDS = "fmcts.testing.words needs hypothesis, which is not installed: pip install 'fmcts[testing]'"


NEEDS = "fmcts.testing.words needs hypothesis, which is not installed: pip install 'fmcts[testing]'"


@pytest.mark.parametrize(
    ('missing', 'error', 'words'),
    [
        (
            'hypothesis',
            ImportError,
            NEEDS,
        ),
        ('ab_other', ModuleNotFoundError, 'no ab_other'),
        ('other', ModuleNotFoundError, 'no other'),
    ],
)
def test_what_is_missing_is_told(missing, error, words, monkeypatch):
    def fails(_name):
        raise ModuleNotFoundError(f'no {missing}', name=missing)

    monkeypatch.setattr(importlib, 'import_module', fails)
    with pytest.raises(error) as told:
        _ = fmcts.testing.words
    assert (type(told.value), str(told.value)) == (error, words)


def test_types_are_registered_with_their_strategies(monkeypatch):
    """Each is made when it is asked for."""
    known = {}
    monkeypatch.setattr(st, 'register_type_strategy', known.__setitem__)
    register()
    assert {f'{kind.__module__}.{kind.__qualname__}' for kind in known} == {*STRATEGIES}
    strategies = importlib.import_module('fmcts.testing._strategies')
    for kind, made in known.items():
        name = STRATEGIES[f'{kind.__module__}.{kind.__qualname__}']
        monkeypatch.setattr(strategies, name, lambda name=name: f'a strategy of {name}')
        assert made(kind) == f'a strategy of {name}'
    assert registered.__all__ == ['STRATEGIES', 'register']
