"""Traced rules: machine code depends on the operations, not on the constants."""

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts.formulas import minimum, sqrt, where
from fmcts.games import tictactoe

engine = pytest.importorskip('fmcts._compiled.engine', reason='numba is not installed')

K, LIMIT = 0.5, 3


def rule(edge, parent):
    bonus = K * sqrt(parent.log_visits / edge.visits)
    return where(edge.visits > LIMIT, edge.value + minimum(bonus, 1.0), 2 + bonus)


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
