"""The log: versions, digests, leaders and the timeline by addition alone."""

import json
import pickle
import re

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.games import connect4, tictactoe
from fmcts.history import Log, history
from fmcts.history._changes import leads_of
from fmcts.testing import generators, positions, searches
from fmcts.view.descents import numbered
from toy_games import Piles

from .conftest import SEARCHES, STARTS

RNG = SplitMix.from_seed(3)
PLAIN = [
    name for name, search in SEARCHES.items() if not (search.columns or search.policy.memories)
]
running = st.one_of(positions(tictactoe.start, max_plies=4), positions(connect4.start, max_plies=6))


RULES = None, 'sound', 'naive'
drawn = st.one_of(*(searches(max_iterations=90, transpositions=rule) for rule in RULES))


@given(running, generators(), drawn, st.data())
def test_any_version_s_digest_follows_from_the_log(state, rng, search, data):
    h = history(state, rng, search, data.draw(st.sampled_from(['persistent', 'monadic'])))
    k = data.draw(st.integers(1, h.last))
    found, _ = analyse(state, rng, evolve(search, iterations=k), engine='inplace')
    assert h.log.digest(k) == found.digest
    assert (h.log.first, h.log.last) == (h.first, h.last)


@pytest.mark.parametrize('name', PLAIN)
@pytest.mark.parametrize('game', STARTS)
def test_every_kind_of_search_without_columns(name, game):
    search = evolve(SEARCHES[name], iterations=80)
    h = history(STARTS[game], RNG, search, 'persistent')
    for k in (1, 40, h.last):
        assert h.log.digest(k) == h.at(k).digest
    assert h.log.digest() == h.digest


@pytest.mark.parametrize('name', [name for name in SEARCHES if name not in PLAIN])
def test_with_columns_visits_and_rewards_follow(name):
    h = history(STARTS['tictactoe'], RNG, SEARCHES[name], 'persistent')
    for tree in h.versions(h.last // 2):
        visits, rewards = h.log.at(tree.iterations)
        assert (visits[0], rewards[0]) == (tree.visits, tree.reward)
        assert len(visits) == tree.count()
    assert h.log.digest() != h.digest  # which has the columns


@pytest.mark.parametrize('name', SEARCHES)
def test_a_log_written_during_the_search_equals_one_written_afterwards(name):
    h = history(STARTS['tictactoe'], RNG, evolve(SEARCHES[name], iterations=70), 'persistent')
    assert h.log is h._record.logged
    assert h.log == evolve(h._record, logged=None).log()
    assert Log.from_json(json.loads(json.dumps(h.log.to_json()))) == h.log


@pytest.mark.parametrize('name', ['plain', 'full', 'random', 'chains', 'jump'])
def test_nodes_are_numbered_as_in_drawings_of_trees(name):
    h = history(STARTS['connect4'], RNG, SEARCHES[name], 'persistent')
    log = h.log
    *_, (_, numbers) = numbered(h.versions())
    states = {0: h.root.state}
    lines = {0: ()}
    for node in range(1, len(log.parents)):
        above = log.parents[node]
        assert above < node
        move = states[above].moves[log.indexes[node]]
        lines[node] = (*lines[above], move)
        states[node] = states[above].play(move)
        assert log.moves[node] == len(states[node].moves)
        assert (states[above].player.value == 'O') == log.movers[node]
    assert {line: number for number, line in lines.items()} == dict(numbers)


@pytest.mark.parametrize('rule', RULES)
def test_root_moves_and_forks(rule):
    search = Search(90, transpositions=rule)
    h = history(connect4.start, RNG, search, 'persistent', root_moves=[2, 6])
    assert [*h.log.root_moves] == [2, 6]
    assert h.log.digest(50) == h.at(50).digest
    fork = h.fork(60, evolve(search, iterations=40, c=0.2))
    assert fork.log.first == 60
    assert fork.log.before == (1 + fork.root.count_edges() if rule else fork.root.count())
    for k in (60, 61, 100):
        assert fork.log.digest(k) == fork.at(k).digest


def test_other_outcomes_are_added_in_order():
    """Sums of such doubles depend on the order."""
    h = history(STARTS['connect4'], RNG, SEARCHES['cut'], 'persistent')
    log = h.log
    assert len({*log.outcomes} - {0.0, 0.5, 1.0}) > 1
    assert log.digest() == h.digest
    backwards = evolve(log, leaves=log.leaves[::-1], outcomes=log.outcomes[::-1])
    assert backwards.digest() != h.digest


def test_moves_need_no_hash():
    h = history(Piles(3), RNG, Search(20))
    assert h.log.digest() == h.digest == analyse(Piles(3), RNG, Search(20))[0].digest
    assert [lead.move for lead in h.leaders()][-1] == h.move


def test_equality_and_errors():
    one, two = (
        history(tictactoe.start, RNG, Search(40), engine).log
        for engine in ('persistent', 'inplace')
    )
    assert one == two
    assert hash(one) == hash(two)
    assert one != evolve(two, outcomes=[1.0] * 40)
    assert one != 'log'
    assert repr(one) == f'<Log of iterations 0 to 40, {len(one.parents)} nodes>'
    for wrong in (41, -1, True, '3'):
        with pytest.raises(ValueError, match='iteration must be a whole number from 0 to 40, not'):
            one.at(wrong)


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
