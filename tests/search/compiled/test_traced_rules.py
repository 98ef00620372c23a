"""Traced rules: machine code depends on the operations, not on the constants."""

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts.games import tictactoe
from shapes import rule_with

engine = pytest.importorskip('fmcts._compiled.engine', reason='numba is not installed')

K = 0.5
rule = rule_with(lambda: K)


def huge(edge, parent):
    """Its integers exceed 64 bits: they are those of Python, and doubles in the formula."""
    return edge.value * 3**50 - 2**70 * edge.visits + parent.visits * (10**30 // 7)


def digest(function, engine):
    search = Search(400, selection=function)
    return analyse(tictactoe.start, SplitMix.from_seed(3), search, engine=engine)[0].digest


def test_constants_of_traced_rules_are_not_compiled_in(monkeypatch):
    assert digest(rule, 'compiled') == digest(rule, 'inplace')
    before = {**engine._loops}
    found = set()
    for number in (0.25, 1.5, -1):
        monkeypatch.setitem(globals(), 'K', number)
        assert digest(rule, 'compiled') == digest(rule, 'inplace')
        found.add(digest(rule, 'inplace'))
    assert len(found) == 3
    assert engine._loops.keys() == before.keys()


@pytest.mark.exhaustive
def test_integers_of_traced_rules_equal_python():
    assert digest(huge, 'compiled') == digest(huge, 'persistent')
