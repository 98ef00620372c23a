"""Histories of searches with a network: versions inside batches, stored answers, forks."""

from collections import Counter

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.errors import EngineError, MethodError
from fmcts.games import connect4, tictactoe
from fmcts.history import FileError, _recording as recording, history, load_history, load_log, save
from fmcts.history._files import answers_of_rows, rows_of
from fmcts.history._recording import ABSENT
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.methods import Gumbel
from fmcts.search.networks import Answer
from fmcts.testing import positions
from naive_batches import network

RNG = SplitMix.from_seed(1)
START = connect4.start.play(3)
PYTHON = ['persistent', 'monadic', 'inplace']


@pytest.fixture(autouse=True)
def _many_trees_are_kept(monkeypatch):
    monkeypatch.setattr(recording, 'USUAL', 20)


@given(
    state=positions(tictactoe.start, max_plies=4),
    engine=st.sampled_from(PYTHON),
    batch=st.integers(1, 12),
    iterations=st.integers(1, 60),
    options=st.sampled_from([{}, {'solver': True}, {'max_nodes': 30}, {'selection': 'widening'}]),
    data=st.data(),
)
@settings(max_examples=25)
def test_every_version_equals_a_search(state, engine, batch, iterations, options, data):
    search = Search(iterations, network=network, batch=batch, **options)
    h = history(state, RNG, search, engine)
    assert h.tree == analyse(state, RNG, search)[0].tree
    k = data.draw(st.integers(1, h.last))
    found = h.at(k)
    assert found == analyse(state, RNG, evolve(search, iterations=k))[0]
    assert next(h.versions(k)) == found.tree
    assert [tree.visits for tree in h.versions()] == [*range(1, h.last + 1)]
    visits, _ = h.log.at(k)
    assert sorted(visits) == sorted(node.visits for node in found.tree.walk(None))
    assert h.leaders()[-1].move == h.move


def test_the_network_is_not_called_again():
    asked = []

    def counting(states):
        asked.extend(states)
        return network(states)

    h = history(START, RNG, Search(100, network=counting, batch=8))
    before = len(asked)
    assert before == 1 + len(h.answers)  # and the root
    h.at(50), h.why(50), h.log, h.timeline(), h.leaders()
    assert len(asked) == before


@pytest.mark.parametrize('selection', ['puct', 'puct-reduced'])
@pytest.mark.parametrize('schedule', [None, 'halving'])
def test_a_path_is_explained_in_the_tree_of_its_descent(schedule, selection):
    search = Search(64, network=network, batch=8, schedule=schedule, selection=selection)
    h = history(START, RNG, search)
    for k in range(1, h.last + 1):
        why = h.why(k)
        for choice in why.choices:
            if choice.by == 'score':
                best = max(row.score for row in choice.scores)
                assert next(row.move for row in choice.scores if row.score == best) == choice.move
        (*_, last) = why.backup
        node = h.at(k).tree
        for move in why.path:
            node = node.child(move)
        assert (node.visits, node.value) == (last.visits, last.value)
        assert why.made == (node.visits == 1)
    if schedule is None:  # the losses of a batch are among the visits that a descent meets
        assert h.why(40).choices[0].visits == 39


def test_a_fork_between_two_batches_changes_nothing():
    h = history(START, RNG, Search(100, network=network, batch=8))
    between = [k for k in range(1, 100) if h._iteration(k + 1).first == k]
    assert between[-3:] == [80, 88, 96]
    for k in (between[0], 48, 96):
        assert (h.fork(k).tree, h.fork(k).log.last) == (h.tree, 100)
    with pytest.raises(ValueError, match='iteration 49 is inside the batch that follows 48'):
        h.fork(49)
    other = Search(10, network=network, batch=3)
    assert h.fork(49, other).tree == analyse(START, RNG, other, tree=h.at(49))[0].tree


@pytest.mark.parametrize('engine', PYTHON)
@pytest.mark.parametrize('options', [{'network': network, 'batch': 4}, {}])
def test_draws_of_a_schedule_are_recorded(engine, options, tmp_path):
    search = Search(40, selection=Gumbel(), schedule=GumbelHalving(considered=4), **options)
    h = history(START, RNG, search, engine)
    found, after = analyse(START, RNG, search)
    assert (h.at(40), h.after, h.search, h.rng) == (found, after, search, RNG)
    assert h.move == found.move == h.leaders()[-1].move
    assert [tree.visits for tree in h.versions()] == [*range(1, 41)]
    for k in (1, 33):
        assert h.why(k).choices[0].by == 'schedule'
        assert sorted(h.log.at(k)[0]) == sorted(node.visits for node in h.at(k).tree.walk(None))
    others = [analyse(START, RNG.child(seed), search)[0].move for seed in range(3)]
    assert dict(h.stability(3).counts) == Counter(others)
    save(tmp_path / 'h', h)
    silent = evolve(search, network=ABSENT if options else None)
    assert load_history(tmp_path / 'h', START, silent).tree == h.tree


def test_what_if_changes_one_answer():
    h = history(START, RNG, Search(60, network=network))
    assert h.what_if(20, h.why(20).outcome).history.tree == h.tree
    found = h.what_if(20, 1.0)
    assert found.history.root.visits == 20
    assert found.history.root.reward != h.at(20).tree.reward
    with pytest.raises(ValueError, match='what_if needs batch=1, not 8'):
        history(START, RNG, Search(60, network=network, batch=8)).what_if(20, 1.0)


def test_a_file_contains_the_answers(tmp_path):
    search = Search(100, network=network, batch=8, selection='puct-reduced')
    h = history(START, RNG, search, 'inplace')
    save(tmp_path / 'h', h)
    assert load_history(tmp_path / 'h', START, search) == h
    again = load_history(tmp_path / 'h', START)  # without the network
    assert (again.tree, again.log, again.answers) == (h.tree, h.log, h.answers)
    assert load_log(tmp_path / 'h') == h.log
    assert again.at(50) == h.at(50)
    with pytest.raises(MethodError, match='only the answers so far are known: give a search'):
        again.fork(64)
    with pytest.raises(FileError, match=r'its search is another: iterations=100, not 120$'):
        load_history(tmp_path / 'h', START, evolve(search, iterations=120))
    other = r"its search is another: batch=8, not 7; selection='puct-reduced', not 'puct' "
    with pytest.raises(FileError, match=other):
        load_history(tmp_path / 'h', START, evolve(search, batch=7, selection='puct'))


@pytest.mark.parametrize(
    'answer',
    [
        *(Answer((0.5, 0.5), value) for value in (-0.5, 1.5, float('nan'))),
        *(Answer((prior, 0.5), 0.5) for prior in (-1.0, float('inf'), float('nan'))),
    ],
)
def test_impossible_answers_in_a_file_are_refused(answer):
    good = Answer((0.25, 0.75), 1.0)
    assert answers_of_rows(rows_of([good, good])) == [good, good]
    with pytest.raises(ValueError, match='an answer of its network has a value or a prior out of'):
        answers_of_rows(rows_of([good, answer]))


def test_unsupported_engines_and_searches_are_refused():
    search = Search(10, network=network, batch=2)
    with pytest.raises(EngineError, match='the engine compiled does not record the answers'):
        history(START, RNG, search, 'compiled')
    with pytest.raises(ValueError, match='a search with a network draws nothing'):
        history(START, RNG, search).stability()
