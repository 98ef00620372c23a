"""`fmcts compare` when designs differ, refuse, or do nothing."""

import pytest

from comparing import compared
from fmcts import EngineError, Search, SplitMix, analyse
from fmcts._running import registry
from fmcts.games import connect4, tictactoe
from fmcts.rng import format as format_rng
from fmcts.search._tree import freeze_in_place


def half_too_much_at_the_end(root, rng, search, watch):
    """The reference until iteration 99; from then on the root has half a reward more."""
    root, rng = registry.ENGINES['persistent'](root, rng, search, watch)
    if root.visits >= 99:
        draft = root.mutable_copy(root.children)
        draft.reward += 0.5
        root = freeze_in_place(draft)
    return root, rng


def one_draw_more(root, rng, search, watch):
    root, rng = registry.ENGINES['persistent'](root, rng, search, watch)
    return root, rng.uniform(0, 1)[1]


def children_turned_round(root, rng, search, watch):
    root, rng = registry.ENGINES['persistent'](root, rng, search, watch)
    return freeze_in_place(root.mutable_copy(root.children[::-1])), rng


def refuse(_root, _rng, _search, _watch):
    raise EngineError('the engine poor has no random expansion')


def test_a_difference_exits_with_1_and_is_named(here, monkeypatch):
    monkeypatch.setitem(
        registry.ENGINES, 'wrong', registry.Engine('wrong', half_too_much_at_the_end)
    )
    words = ['connect4', '--iterations', '200', '--engines', 'inplace,persistent,wrong']
    code, answer = compared(here, *words)
    tree = analyse(connect4.start, SplitMix.from_seed(0), Search(99))[0].tree
    assert code == 1
    assert answer['agree'] is False
    assert answer['difference'] == {
        'engines': ['persistent', 'wrong'],
        'iteration': 99,
        'node': [],
        'field': 'reward',
        'values': [tree.reward, tree.reward + 0.5],
    }
    code, out, err = here('compare', *words)
    assert (code, err) == (1, '')
    facts = [line.split(maxsplit=1) for line in out.split('\n\n')[1].splitlines()]
    assert facts == [
        ['agree', 'no: wrong differs from persistent'],
        ['iteration', '99'],
        ['node', 'the root'],
        ['field', 'reward'],
        ['persistent', str(tree.reward)],
        ['wrong', str(tree.reward + 0.5)],
    ]


def test_another_generator_is_a_difference(here, monkeypatch):
    monkeypatch.setitem(registry.ENGINES, 'wrong', registry.Engine('wrong', one_draw_more))
    words = ['tictactoe', '--iterations', '30', '--engines', 'persistent,wrong']
    code, answer = compared(here, *words)
    rng = analyse(tictactoe.start, SplitMix.from_seed(0), Search(1))[1]
    assert code == 1
    assert answer['difference'] == {
        'engines': ['persistent', 'wrong'],
        'iteration': 1,
        'node': None,
        'field': 'generator',
        'values': [format_rng(rng), format_rng(rng.uniform(0, 1)[1])],
    }
    assert 'node        -\n' in here('compare', *words).out


def test_another_order_of_children_is_a_difference(here, monkeypatch):
    monkeypatch.setitem(registry.ENGINES, 'wrong', registry.Engine('wrong', children_turned_round))
    words = ['othello', '--iterations', '30', '--engines', 'persistent,wrong']
    _, answer = compared(here, *words)
    assert answer['difference']['iteration'] == 2
    assert answer['difference']['field'] == 'children'
    assert answer['difference']['values'] == ['d3,c4', 'c4,d3']


@pytest.mark.exhaustive
@pytest.mark.needs_numba
def test_a_refusing_design_is_named(here, monkeypatch):
    monkeypatch.setitem(registry.ENGINES, 'poor', registry.Engine('poor', refuse))
    code, answer = compared(here, 'tictactoe', '--iterations', '20')
    why = 'the engine poor has no random expansion'
    assert code == 0
    assert answer['refused'] == [{'engine': 'poor', 'why': why}]
    assert f'not compared: {why}' in here('compare', 'tictactoe', '--iterations', '20').out
    assert here('compare', 'tictactoe', '--engines', 'inplace,poor') == (2, '', f'fmcts: {why}\n')


def test_an_idle_design_is_shown_without_a_move(here, monkeypatch):
    monkeypatch.setitem(
        registry.ENGINES,
        'idle',
        registry.Engine('idle', lambda root, rng, _search, _watch: (root, rng)),
    )
    code, answer = compared(here, 'tictactoe', '--iterations=5', '--engines', 'persistent,idle')
    assert code == 1
    assert answer['designs'][1]['move'] is None
    assert answer['designs'][1]['iterations'] == 0
    assert answer['difference']['values'] == [1, 0]
