"""`fmcts compare`: its output, and the search it runs."""

import json

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts._running import registry
from fmcts.games import connect4, othello, tictactoe
from fmcts.rng import format as format_rng
from fmcts.search._tree import freeze_in_place

FIGURES = ['seconds', 'iterations_per_second', 'peak_bytes', 'objects']


@pytest.fixture
def register(monkeypatch):
    """`register(name, engine)`: one more design, for a test."""
    return lambda name, engine: monkeypatch.setitem(
        registry.ENGINES, name, registry.Engine(name, engine)
    )


def compared(here, *words):
    """The exit code, and what is printed as JSON."""
    code, out, err = here('compare', *words, '--json')
    assert err == ''
    assert out.count('\n') == 1
    return code, json.loads(out)


@pytest.mark.needs_numba
def test_json_lists_every_design_with_analyse_s_result(here):
    words = ['othello', '--moves', 'd3,c3', '--iterations', '15', '--seed', '42']
    code, answer = compared(here, *words)
    assert code == 0
    state = othello.start.play(19).play(18)
    analysis, rng = analyse(state, SplitMix.from_seed(42), Search(15))
    assert list(answer) == [
        'game',
        'moves',
        'iterations',
        'agree',
        'difference',
        'designs',
        'refused',
    ]
    assert answer['game'] == 'othello'
    assert answer['moves'] == ['d3', 'c3']
    assert answer['iterations'] == 15
    assert answer['agree'] is True
    assert answer['difference'] is None
    assert answer['refused'] == []
    assert [design['engine'] for design in answer['designs']] == list(registry.ENGINES)
    for design in answer['designs']:
        assert all(design.pop(figure) > 0 for figure in FIGURES)
        del design['engine']
        assert design == {
            'iterations': 15,
            'digest': analysis.digest,
            'move': othello.format_move(analysis.move),
            'rng': format_rng(rng),
        }


def test_the_search_is_the_bot_s(here):
    words = ['tictactoe', '--engines', 'inplace,persistent', '--rng', 'stdgen:5:6']
    spec = 'mcts:80,c=0.5,expansion=full'
    _, by_number = compared(here, *words, '--bot', spec)
    _, by_option = compared(here, *words, '--bot', 'mcts:c=0.5,expansion=full', '--iterations=80')
    _, instead = compared(here, *words, '--bot', spec, '--iterations', '81')
    moved = json.loads(
        here('move', 'tictactoe', '--rng', 'stdgen:5:6', '--bot', spec, '--json').out
    )
    digests = [answer['designs'][0]['digest'] for answer in (by_number, by_option, instead)]
    assert digests[0] == digests[1] == moved['digest'] != digests[2]
    assert [by_number['iterations'], instead['iterations']] == [80, 81]


def test_plain_text_in_a_pipe(process):
    code, out, err = process(
        'compare', 'tictactoe', '--iterations', '60', '--engines', 'inplace,persistent'
    )
    assert (code, err) == (0, '')
    table, facts = out.split('\n\n')
    heading, *rows, caption = table.splitlines()
    assert ' '.join(heading.split()) == 'engine seconds iterations/s peak memory objects digest'
    assert [row.split()[0] for row in rows] == ['inplace', 'persistent']
    assert len({len(line) for line in (heading, *rows)}) == 1
    assert int(rows[0].split()[-2]) > 120  # two an iteration, and a few for the search
    assert 'objects: nodes, states, generators, actions made' in caption
    analysis, rng = analyse(tictactoe.start, SplitMix.from_seed(0), Search(60))
    assert rows[0].split()[-1] == analysis.digest[:12]
    assert dict(line.split(maxsplit=1) for line in facts.splitlines()) == {
        'agree': 'yes, to the bit',
        'move': str(analysis.move),
        'iterations': '60',
        'digest': analysis.digest,
        'rng': format_rng(rng),
    }


# ---- designs that differ, refuse, or do nothing ----


def half_too_much_at_the_end(root, rng, search, watch):
    """The reference until iteration 99; from then on the root has half a reward more."""
    root, rng = registry.ENGINES['persistent'](root, rng, search, watch)
    if root.visits >= 99:
        draft = root.mutable_copy(root.places)
        draft.reward += 0.5
        root = freeze_in_place(draft)
    return root, rng


def test_a_difference_exits_with_1_and_is_named(here, register):
    register('wrong', half_too_much_at_the_end)
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
