"""The log written by machine code equals the one derived from the versions."""

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from drawn_games import Maze
from fmcts import Search, SplitMix
from fmcts.games import connect4, tictactoe
from fmcts.history import _recording as recording, history
from fmcts.testing import positions
from shapes import SHAPES
from tiers import usually

from .conftest import SEARCHES, STARTS

pytest.importorskip('numba', reason='numba is missing here: it comes with the extra fmcts[fast]')

RNG = SplitMix.from_seed(13)
KINDS = ['plain', 'random', 'full', 'jump', 'selected', 'solver', 'grave', 'mast', 'small']


def logs(state, rng, search, **given):
    """The log of the compiled search, and that of the reference."""
    return [history(state, rng, search, it, **given).log for it in ('compiled', 'persistent')]


@given(
    positions(connect4.start, max_plies=6),
    st.integers(0, 2**64 - 1).map(SplitMix.from_seed),
    st.integers(1, 120),
    st.floats(0, 2),
    st.integers(1, 100),
    st.data(),
)
@settings(max_examples=40)
def test_drawn_searches_and_their_forks(state, rng, iterations, c, max_nodes, data):
    search = Search(iterations, c=c, max_nodes=max_nodes + 10)
    one, two = (history(state, rng, search, engine) for engine in ('compiled', 'persistent'))
    assert one.log == two.log
    assert one.log.digest() == one.digest
    k = data.draw(st.integers(0, one.last))
    more = Search(data.draw(st.integers(1, 60)), c=1 - c / 2)
    forks = [it.fork(k, more, rng.child(1)) for it in (one, two)]
    assert forks[0].log == forks[1].log


@pytest.mark.parametrize('name', usually(['full'], KINDS))
def test_every_kind_of_search(name):
    one, two = logs(STARTS['tictactoe'], RNG, SEARCHES[name])
    assert one == two
    assert hash(one) == hash(two)


def test_outcomes_other_than_halves():
    one, two = logs(Maze(7, 20, 5), RNG, evolve(SHAPES['evaluated'], iterations=120))
    assert one == two
    assert {*one.outcomes} - {0.0, 0.5, 1.0}


def test_forks_and_searches_of_several_calls(monkeypatch):
    monkeypatch.setattr(recording, 'LEAST', {'compiled': 20})
    h = history(tictactoe.start, RNG, Search(100), 'compiled')
    assert h.log == history(tictactoe.start, RNG, Search(100), 'persistent').log
    last = h.what_if(100, 1 - h.log.outcomes[-1]).history.log
    assert (last.last, len(last.leaves)) == (100, 0)
    fork = evolve(h.search, iterations=30)
    assert h.fork(50, fork).log.digest() == h.fork(50, fork).digest
