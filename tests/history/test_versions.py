"""Each version of a history equals a search with that number of iterations."""

import itertools

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from drawn_games import Maze
from fmcts import STOP, Search, SplitMix, analyse
from fmcts.errors import EngineError, IterationsError
from fmcts.games import connect4, tictactoe
from fmcts.history import _recording as recording, history
from fmcts.search._tree import walk
from fmcts.testing import generators, positions, searches
from shapes import SHAPES
from tiers import usually
from toy_games import play_line

from .conftest import SEARCHES, STARTS

ENGINES = ['persistent', 'monadic', 'inplace', 'compiled']
RNG = SplitMix.from_seed(7)
running = st.one_of(positions(tictactoe.start, max_plies=4), positions(connect4.start, max_plies=6))


@pytest.fixture(autouse=True)
def _many_trees_are_kept(monkeypatch):
    """So that short searches are made of several parts."""
    monkeypatch.setattr(recording, 'USUAL', 17)
    monkeypatch.setattr(recording, 'LEAST', {})


def same(version, state, rng, search, iterations):
    """Whether a version is what a search of so many iterations finds."""
    found, after = analyse(state, rng, evolve(search, iterations=iterations), engine='inplace')
    assert version == found
    assert (version.move, version.stats) == (found.move, found.stats)
    return after


@given(running, generators(), searches(max_iterations=90), st.data())
def test_every_version_equals_a_search_of_that_many_iterations(state, rng, search, data):
    h = history(state, rng, search, data.draw(st.sampled_from(ENGINES[:3])))
    k = data.draw(st.integers(1, h.last))
    assert h.rng_at(k) == same(h.at(k), state, rng, search, k)
    same(h.at(h.last), state, rng, search, search.iterations)


@pytest.mark.parametrize('name', SEARCHES)
@pytest.mark.parametrize('game', usually(['connect4'], STARTS))
def test_every_kind_of_search(name, game):
    search, state = SEARCHES[name], STARTS[game]
    if game == 'othello':
        search = evolve(search, iterations=60)
    h = history(state, RNG, search, 'persistent')
    for k in (1, 16, 17, 18, h.last // 2, h.last):
        assert h.rng_at(k) == same(h.at(k), state, RNG, search, k)


@pytest.mark.parametrize('engine', ENGINES)
@pytest.mark.parametrize(
    ('state', 'search'),
    [
        (STARTS['tictactoe'], SEARCHES['plain']),
        (Maze(23, 7, 5), evolve(SHAPES['grave'], iterations=150)),  # solved after 67
    ],
    ids=['plain', 'grave'],
)
def test_engines_give_the_same_versions(engine, state, search):
    h = history(state, RNG, search, engine)
    assert h.engine == engine
    for k in (1, 17, 50, h.last):
        same(h.at(k), state, RNG, search, k)
    assert h == history(state, RNG, search, 'inplace')


@pytest.mark.parametrize(
    ('schedule', 'expansion'), [('halving', None), ('halving', 'jump'), ('shot', None)]
)
@pytest.mark.parametrize('engine', ENGINES)
def test_a_schedule_is_recorded(schedule, expansion, engine):
    if (schedule, engine) == ('shot', 'compiled'):
        pytest.skip('the compiled engine has no schedules below the root')
    search = Search(150, schedule=schedule, expansion=expansion)
    h = history(STARTS['tictactoe'], RNG, search, engine)
    found, after = analyse(STARTS['tictactoe'], RNG, search)
    assert (h.at(150), h.after) == (found, after)
    assert h.at(77).tree == next(itertools.islice(h.versions(), 76, None))
    for fork in (lambda: h.fork(50), lambda: h.what_if(50, 0.5)):
        with pytest.raises(ValueError, match='a schedule needs a fixed number of iterations'):
            fork()
    assert h.fork(50, Search(10)).last == 60


def test_successive_versions_share_all_but_a_path():
    h = history(STARTS['connect4'], RNG, Search(200), 'persistent')
    old = None
    for k, tree in enumerate(h.versions(), 1):
        assert tree.iterations == k
        nodes = {id(node) for node in walk(tree)}
        if old is not None:
            assert len(nodes - {id(node) for node in walk(old)}) <= 15
        old = tree
    assert old == h.tree


@given(st.integers(1, 99), st.integers(1, 50))
def test_a_fork_with_another_search_is_a_continued_analysis(k, iterations):
    h = history(STARTS['tictactoe'], RNG, Search(100), 'persistent')
    search, rng = Search(iterations, c=0.3), SplitMix.from_seed(k)
    fork = h.fork(k, search, rng)
    found, after = analyse(h.root.state, rng, search, tree=h.at(k))
    assert (fork.at(fork.last), fork.after) == (found, after)
    assert fork.at(k).tree == h.at(k).tree


@pytest.mark.parametrize('name', [name for name in SEARCHES if name != 'small'])
def test_an_unchanged_fork_changes_nothing(name):
    h = history(STARTS['tictactoe'], RNG, SEARCHES[name], 'persistent')
    middle = h.last // 2
    fork = h.fork(middle)
    assert (fork.at(fork.last), fork.after) == (h.at(h.last), h.after)
    assert fork.at(middle + 3) == h.at(middle + 3)


@pytest.mark.parametrize('name', usually([*SEARCHES][::2], SEARCHES))
def test_what_if_with_the_same_outcome_changes_nothing(name):
    h = history(STARTS['tictactoe'], RNG, SEARCHES[name], 'persistent')
    tried = 0
    for k in range(1, h.last + 1, 13):
        why = h.why(k)
        end = play_line(h.root.state, why.path)
        if end.over:
            with pytest.raises(ValueError, match='has no playout'):
                h.what_if(k, why.outcome)
            continue
        found = h.what_if(k, why.outcome)
        tried += 1
        assert found.before == why.outcome
        assert (found.history.tree, found.history.after) == (h.tree, h.after)
        assert not found.changes_the_choice
    assert tried > 3


def test_what_if_changes_only_that_iteration_s_outcome():
    h = history(STARTS['connect4'], RNG, Search(120), 'persistent')
    outcome = h.why(60).outcome
    other = h.what_if(60, 1 - outcome if outcome != 0.5 else 0.0)
    log, changed = h.log, other.history.log
    assert changed.first == 60
    assert changed.before == log.nodes_at(60)
    one, two = h.at(60), other.history.at(60)
    assert [row.visits for row in one.stats] == [row.visits for row in two.stats]
    assert abs(one.tree.reward - two.tree.reward) == abs(outcome - other.outcome)


def test_when_returns_the_first_version_that_satisfies_it():
    h = history(STARTS['connect4'], RNG, Search(300), 'persistent')
    moves = [tree.most_visited().move for tree in h.versions()]
    for move in set(moves):
        assert h.when(lambda tree, move=move: tree.most_visited().move == move) == (
            moves.index(move) + 1
        )
        for_good = h.when(lambda tree, move=move: tree.most_visited().move == move, for_good=True)
        if move == moves[-1]:
            others = [k for k, other in enumerate(moves, 1) if other != move]
            assert for_good == max(others, default=0) + 1
        else:
            assert for_good is None
    assert h.when(lambda tree: tree.visits > 300) is None
    assert h.fork(200).when(lambda tree: tree.visits > 3) == 200


def test_root_moves_tree_and_watch():
    state = STARTS['connect4']
    h = history(state, RNG, Search(100), root_moves=[1, 5])
    assert [row.move for row in h.at(40).stats] == [1, 5]
    more = history(state, RNG, Search(50), tree=h.at(100))
    assert (more.first, more.last) == (100, 150)
    assert (
        history(state, RNG, Search(10**6), watch=lambda done: STOP if done else None).last < 10**6
    )


@pytest.mark.parametrize(
    ('ask', 'complaint'),
    [
        (lambda h: h.at(0), 'iteration must be a whole number from 1 to 100, not 0'),
        (lambda h: h.at(101), 'iteration must be a whole number from 1 to 100, not 101'),
        (lambda h: h.at(5.0), 'iteration must be a whole number from 1 to 100, not 5.0'),
        (lambda h: h.at('5'), "iteration must be a whole number from 1 to 100, not '5'"),
        (lambda h: h.fork(50).at(49), 'iteration must be a whole number from 50 to 100, not 49'),
        (lambda h: h.rng_at(-1), 'iteration must be a whole number from 0 to 100, not -1'),
        (lambda h: h.versions(101), 'iteration must be a whole number from 0 to 100, not 101'),
        (lambda h: h.why('a'), "iteration must be a whole number from 1 to 100, not 'a'"),
        (lambda h: h.why(0), 'iteration must be a whole number from 1 to 100, not 0'),
        (lambda h: h.fork(50).why(50), 'iteration must be a whole number from 51 to 100, not 50'),
        (lambda h: h.between(9, 8), 'between needs the earlier version first, not 9 and 8'),
        (lambda h: h.fork(100), 'no iteration is left after 100: give the fork a search'),
        (lambda h: h.what_if(5, 2), 'outcome must be 0, 0.5 or 1, not 2'),
        (lambda h: h.what_if(5, 0.3), 'outcome must be 0, 0.5 or 1, not 0.3'),
        (lambda h: h.stability(()), r'stability needs at least one seed, not \(\)'),
        (lambda h: h.fork(5, Search(5, selection='rave')), 'the tree to continue keeps'),
    ],
)
def test_invalid_requests_are_refused_in_one_line(ask, complaint):
    h = history(tictactoe.start, RNG, Search(100), 'persistent')
    with pytest.raises(ValueError, match=complaint) as raised:
        ask(h)
    assert '\n' not in str(raised.value)


def test_other_errors_equal_those_of_a_search():
    with pytest.raises(EngineError, match='unknown engine'):
        history(tictactoe.start, RNG, Search(10), 'fast')
    with pytest.raises(EngineError, match='the engine compiled does not support'):
        history(tictactoe.start, RNG, Search(10, schedule='shot'), 'compiled')
    h = history(tictactoe.start, RNG, Search(10, final='robust-of-all'))
    with pytest.raises(IterationsError):
        h.at(8)
    assert h.leaders()[0].iteration == 9


def test_histories_of_the_same_search_are_equal():
    one, two = (history(tictactoe.start, RNG, Search(50), engine) for engine in ENGINES[:2])
    assert one == two
    assert hash(one) == hash(two)
    assert one != history(tictactoe.start, RNG, Search(51))
    assert one != 'history'
    assert repr(one) == '<History of TicTacToe, iterations 0 to 50, move 4, engine persistent>'
