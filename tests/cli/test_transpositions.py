"""Graph searches on the command line."""

import json

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts.games import tictactoe


@pytest.mark.parametrize('rule', ['sound', 'naive'])
def test_equals_the_library_s_search(process, rule):
    spec = f'mcts:300,transpositions={rule}'
    code, out, err = process('move', 'tictactoe', '--bot', spec, '--seed', '7', '--json')
    assert (code, err) == (0, '')
    printed = json.loads(out)
    search = Search(300, transpositions=rule)
    analysis, _ = analyse(tictactoe.start, SplitMix.from_seed(7), search)
    assert (printed['digest'], printed['iterations']) == (analysis.digest, 300)
    assert [row['visits'] for row in printed['stats']] == [row.visits for row in analysis.stats]


def test_compare_runs_on_every_engine(process):
    spec = 'mcts:80,transpositions=sound'
    code, out, _ = process('compare', 'tictactoe', '--bot', spec)
    assert code == 0
    assert all(f'{engine} ' in out for engine in ('inplace', 'persistent', 'monadic'))
    assert 'the engine compiled does not support transpositions' in out


@pytest.mark.parametrize(
    ('spec', 'engine', 'complaint'),
    [
        ('mcts:10,transpositions=on', 'auto', 'transpositions must be one of sound, naive, not'),
        ('mcts:10,transpositions=sound,solver=on', 'auto', 'transpositions and solver exclude'),
        (
            'mcts:10,transpositions=sound',
            'compiled',
            'the engine compiled does not support transpositions',
        ),
    ],
)
def test_meaningless_combinations_are_one_line(process, spec, engine, complaint):
    code, out, err = process('move', 'tictactoe', '--bot', spec, '--engine', engine)
    assert (code, out) == (2, '')
    assert complaint in err
    assert len(err.strip().splitlines()) == 1
