"""Functions that change after a history was recorded: the versions recorded, or an error."""

import pickle

import pytest

from fmcts import Search, SplitMix
from fmcts.errors import MethodError
from fmcts.explore import explore
from fmcts.formulas import sqrt
from fmcts.games import tictactoe
from fmcts.history import _recording as recording, history, load_log, save

RNG = SplitMix.from_seed(7)
FACTOR, CALLS = 0.3, 0
TABLE = {'factor': 0.3}
SAID = 'a function of the search or the game has changed .* iterations 1 to 40 would differ'


@pytest.fixture(autouse=True)
def _several_trees_are_kept(monkeypatch):
    monkeypatch.setattr(recording, 'USUAL', 40)


def of_a_global(edge, parent):
    return edge.value + FACTOR * sqrt(parent.log_visits / edge.visits)


def of_a_dict(edge, parent):
    return edge.value + TABLE['factor'] * sqrt(parent.log_visits / edge.visits)


def branching(edge, _parent):
    return edge.value if edge.visits > 2.0 else FACTOR


def counting(edge, _parent):
    global CALLS  # noqa: PLW0603 - as one counts in a notebook
    CALLS += 1
    return edge.value if edge.visits > 2.0 else 0.3


ASKED = {
    'at': lambda h: h.at(20).digest,
    'versions': lambda h: [tree.iterations for tree in h.versions(1)],
    'leaders': lambda h: h.leaders(),
    'why': lambda h: str(h.why(30)),
    'fork': lambda h: h.fork(20).digest,
    'what_if': lambda h: h.what_if(30, 0.0).move,
    'stability': lambda h: h.stability(2),
    'log': lambda h: h.log.digest(),
}


def test_a_page_is_not_made_of_a_changed_rule(monkeypatch):
    h = history(tictactoe.start, RNG, Search(100, selection=of_a_global), 'inplace')
    explore(h, h.fork(50))  # from now on its log is known
    monkeypatch.setitem(globals(), 'FACTOR', 3.0)
    with pytest.raises(MethodError, match=SAID):
        explore(h)


@pytest.mark.parametrize('rule', [of_a_global, of_a_dict, branching])
@pytest.mark.parametrize('asked', ASKED)
def test_recomputed_versions_that_differ_are_refused(monkeypatch, tmp_path, rule, asked):
    h = history(tictactoe.start, RNG, Search(100, selection=rule), 'inplace')
    ASKED[asked](history(tictactoe.start, RNG, h.search, 'inplace'))
    monkeypatch.setitem(globals(), 'FACTOR', 3.0)
    monkeypatch.setitem(TABLE, 'factor', 3.0)
    with pytest.raises(MethodError, match=SAID):
        ASKED[asked](h)
    with pytest.raises(MethodError, match=SAID):
        save(tmp_path / 'history', h)
    assert not (tmp_path / 'history').exists()
    assert h.at(100).digest == h.digest  # it is kept


def of_a_table(state):
    return TABLE['factor'] if 4 in state.moves else 0.6


def test_an_evaluator_whose_table_has_changed_is_noticed(monkeypatch):
    h = history(tictactoe.start, RNG, Search(100, evaluate=of_a_table), 'inplace')
    monkeypatch.setitem(TABLE, 'factor', 0.9)
    with pytest.raises(MethodError, match=SAID):
        h.at(20)


def fewest_visits(edge, _parent):
    return -FACTOR * edge.visits


def test_a_final_rule_that_has_changed_is_noticed(monkeypatch):
    h = history(tictactoe.start, RNG, Search(100, final=fewest_visits))
    assert h.move == h.at(100).move == h.leaders()[-1].move
    monkeypatch.setitem(globals(), 'FACTOR', -1.0)
    for asked in (lambda: h.move, lambda: h.at(20), h.leaders):
        with pytest.raises(MethodError, match=r'the final rule or the schedule .* has changed'):
            asked()


def test_changes_without_an_effect_are_no_error(tmp_path):
    h = history(tictactoe.start, RNG, Search(100, selection=counting), 'inplace')
    before = CALLS
    assert h.at(20) == history(tictactoe.start, RNG, Search(20, selection=counting)).at(20)
    assert before < CALLS
    save(tmp_path / 'history', h)
    assert load_log(tmp_path / 'history').digest() == h.digest


def test_histories_can_be_pickled():
    h = history(tictactoe.start, RNG, Search(100), 'inplace')
    again = pickle.loads(pickle.dumps(h))  # noqa: S301 - our own
    assert again == h
    assert again.at(60) == h.at(60)
