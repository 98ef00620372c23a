from fractions import Fraction
from types import SimpleNamespace

import pytest

from fmcts import Search, SplitMix, _arithmetic as arithmetic, analyse, trees
from fmcts.games import tictactoe
from fmcts.notices import listening

RNG = SplitMix.from_seed(0)


@pytest.fixture(autouse=True)
def _as_in_a_new_process():
    memos = arithmetic.rounds_twice, arithmetic.notice_double_rounding
    for memo in memos:
        memo.cache_clear()
    yield
    for memo in memos:
        memo.cache_clear()


def rounded(exact, bits):
    """A positive number to so many significant bits, ties to even."""
    unit = Fraction(1)
    while exact / unit >= 2**bits:
        unit *= 2
    while exact / unit < 2 ** (bits - 1):
        unit /= 2
    return round(exact / unit) * unit


class Twice(float):
    """A double whose sums are rounded to 64 bits first, as by x87."""

    def __add__(self, other):
        return Twice(float(rounded(Fraction(self) + Fraction(other), 64)))

    __radd__ = __add__


def test_this_machine_rounds_once():
    assert (1.0 + (2**-53 + 2**-78) == 1.0) is arithmetic.rounds_twice()


def test_double_rounding_is_detected(monkeypatch):
    def ldexp(number, exponent):
        return Twice(number * 2.0**exponent)

    monkeypatch.setattr(arithmetic, 'math', SimpleNamespace(ldexp=ldexp))
    assert arithmetic.rounds_twice()


@pytest.mark.parametrize('engine', ['persistent', 'inplace', 'monadic'])
def test_double_rounding_is_reported_once(monkeypatch, engine):
    monkeypatch.setattr(arithmetic, 'rounds_twice', lambda: True)
    heard = []
    with listening(heard.append):
        analyse(tictactoe.start, RNG, Search(5), engine=engine)
        analyse(tictactoe.start, RNG, Search(5), engine=engine)
        next(trees(tictactoe.start, RNG, Search(5)))
    (notice,) = heard
    assert notice.startswith('floating-point arithmetic rounds twice on this machine (x87): ')


def test_correct_rounding_is_not_reported(monkeypatch):
    monkeypatch.setattr(arithmetic, 'rounds_twice', lambda: False)
    heard = []
    with listening(heard.append):
        analyse(tictactoe.start, RNG, Search(5), engine='persistent')
    assert heard == []
