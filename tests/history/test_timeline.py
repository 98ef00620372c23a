"""The timeline of the moves, from the log alone."""

import pickle
import re

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from fmcts import Search, SplitMix
from fmcts.games import connect4
from fmcts.history import history
from fmcts.history._changes import leads_of
from fmcts.testing import positions

from .conftest import SEARCHES, STARTS

RNG = SplitMix.from_seed(17)


def by_versions(h):
    """The leads, judged version by version."""
    return tuple(leads_of(map(h._decided, h.versions())))


@pytest.mark.parametrize('name', ['plain', 'full', 'mast', 'cut', 'tuned', 'solver', 'closing'])
@pytest.mark.parametrize('final', ['robust', 'first-robust', 'max', 'robust-of-all'])
def test_leaders_equal_those_of_the_versions(name, final):
    search = evolve(SEARCHES[name], final=final, iterations=120)
    h = history(STARTS['tictactoe'], RNG, search, 'persistent')
    assert h.leaders() == by_versions(h)
    fork = h.fork(50)
    assert fork.leaders() == by_versions(fork)


@given(positions(connect4.start, max_plies=6), st.integers(1, 90), st.floats(0, 2))
def test_leaders_of_drawn_searches(state, iterations, c):
    h = history(state, RNG, Search(iterations, c=c), 'persistent')
    assert h.leaders() == by_versions(h)


@given(st.integers(1, 130), st.integers(0, 99))
def test_the_timeline_has_the_statistics_of_versions(points, begin):
    h = history(STARTS['connect4'], RNG, Search(100, c=0.5), 'persistent').fork(begin, Search(30))
    timeline = h.timeline(points)
    places = [moment.iterations for moment in timeline]
    assert places == sorted({*places})
    assert (places[0], places[-1]) == (max(h.first, 1), h.last)
    assert len(places) <= points + 1
    for moment in timeline[:: max(1, len(timeline) // 5)]:
        assert moment.stats == h.at(moment.iterations).stats


def test_a_timeline_in_a_notebook_is_a_table():
    timeline = history(STARTS['connect4'], RNG, Search(60), 'persistent').timeline(3)
    assert repr(timeline) == '<Timeline of 4 versions, iterations 1 to 60>'
    rows = re.findall(r'<tr>(.*?)</tr>', timeline._repr_html_())
    cells = [re.findall(r'>([^<]*)</t[dh]>', row) for row in rows]
    assert cells[0] == ['iterations', *map(str, timeline.state.moves)]
    for row, moment in zip(cells[1:], timeline, strict=True):
        counts = [int(cell.partition(' ')[0]) for cell in row]
        assert counts == [moment.iterations, *(it.visits for it in moment.stats)]
    again = pickle.loads(pickle.dumps(timeline))  # noqa: S301 - our own
    assert (again, again.state) == (timeline, timeline.state)


def test_points_must_be_a_whole_number():
    h = history(STARTS['connect4'], RNG, Search(10), 'persistent')
    assert [it.iterations for it in h.timeline(1)] == [1, 10]
    for wrong in (0, -1, 2.5, True):
        with pytest.raises(ValueError, match='points must be a whole number of at least 1, not'):
            h.timeline(wrong)
