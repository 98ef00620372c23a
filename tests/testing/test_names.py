"""The names of `fmcts.testing`: all exist, and only some load hypothesis."""

import importlib
import subprocess
import sys

import pytest

import fmcts.testing


def test_all_names_exist():
    for name in fmcts.testing.__all__:
        assert getattr(fmcts.testing, name).__name__ if name.islower() else True
    strategies = importlib.import_module('fmcts.testing._strategies')
    machines = importlib.import_module('fmcts.testing._machines')
    for name, module in fmcts.testing.BY_HYPOTHESIS.items():
        assert getattr(fmcts.testing, name) is getattr(sys.modules[module], name)
        assert module in {strategies.__name__, machines.__name__}
        assert name in fmcts.testing.__all__


def test_an_unknown_name_is_an_error():
    with pytest.raises(AttributeError, match=r"^module 'fmcts.testing' has no attribute 'none'$"):
        _ = fmcts.testing.none


def test_libraries_missing_to_hypothesis_are_not_taken_for_it(monkeypatch):
    def fails(_name):
        raise ModuleNotFoundError('no other', name='other')

    monkeypatch.setattr(importlib, 'import_module', fails)
    with pytest.raises(ModuleNotFoundError, match=r'^no other$'):
        _ = fmcts.testing.words


LOADED = {'before': 'import fmcts.testing, hypothesis', 'after': 'import hypothesis, fmcts.testing'}
ASKED = """
from hypothesis import strategies as st
from fmcts import Search, SplitMix, StdGen
from fmcts.testing import Drawn, Formula
for kind in (Search, SplitMix, StdGen, Drawn, Formula):
    print(kind.__name__, isinstance(st.from_type(kind).example(), kind))
"""


def run(code):
    words = [sys.executable, '-W', 'ignore', '-c', code]
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.mark.parametrize('order', LOADED)
def test_types_have_strategies_in_any_import_order(order):
    kinds = 'Search', 'SplitMix', 'StdGen', 'Drawn', 'Formula'
    assert run(LOADED[order] + ASKED) == ''.join(f'{kind} True\n' for kind in kinds)


def test_hypothesis_loads_almost_nothing_of_the_library():
    """Wherever the library is installed, whoever imports Hypothesis waits for what this loads."""
    code = 'import hypothesis, sys; print(*sorted(m for m in sys.modules if m[:5] == "fmcts"))'
    assert run(code).split() == ['fmcts', 'fmcts._declared']
