"""`fmcts prepare`: compile machine code in advance."""

import json

import pytest


@pytest.mark.needs_numba
def test_the_bot_s_search_is_prepared(here, monkeypatch):
    asked = []

    def prepare(*given, **more):
        asked.append((given, more))
        return True

    monkeypatch.setattr('fmcts.cli._prepare.prepare', prepare)
    code, out, err = here('prepare', 'hex:3', ' mcts:7,selection=puct', '--rng', 'stdgen:5')
    assert (code, err) == (0, '')
    assert [line.split(maxsplit=1) for line in out.splitlines()] == [
        ['game', 'hex:3'],
        ['bot', 'mcts:7,selection=puct'],
        ['machine', 'code  on disk'],
    ]
    (((state, search), more),) = asked
    assert (type(state).__name__, search.iterations, search.selection) == ('hex:3', 7, 'puct')
    assert type(more['rng']).__name__ == 'StdGen'


@pytest.mark.needs_numba
def test_json_output(here):
    code, out, _ = here('prepare', 'tictactoe', 'mcts', '--json')
    assert code == 0
    assert json.loads(out) == {'game': 'tictactoe', 'bot': 'mcts', 'kept': True}


@pytest.mark.needs_numba
def test_uncached_code_is_reported(here, monkeypatch):
    monkeypatch.setattr('fmcts.cli._prepare.prepare', lambda *_, **__: False)
    assert (
        'not cached on disk: each process compiles it again'
        in here('prepare', 'tictactoe', 'mcts').out
    )


@pytest.mark.parametrize(
    ('words', 'complaint'),
    [
        (
            'tictactoe random',
            "bot 'random' has nothing to compile: expected a tree search, such as mcts",
        ),
        (
            'tictactoe mc:5',
            "bot 'mc:5' has nothing to compile: expected a tree search, such as mcts",
        ),
        ('tictactoe', 'missing SPEC: expected a bot such as mcts'),
        ('tictactoe mcts --seed x', "--seed 'x': expected a whole number in -2**63 .. 2**64 - 1"),
    ],
)
def test_bad_input_is_one_line(here, words, complaint):
    assert here('prepare', *words.split()) == (2, '', f'fmcts: {complaint}\n')


def test_searches_without_machine_code_are_refused(here):
    code, out, err = here('prepare', 'tictactoe', 'mcts:9,transpositions=sound')
    assert (code, out) == (2, '')
    assert err.startswith('fmcts: the engine compiled does not support ')
    assert err.count('\n') == 1
