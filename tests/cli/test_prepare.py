"""`fmcts prepare`: link machine code in advance."""

import importlib
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
        ['compiled', 'rules  on disk'],
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
def test_rules_that_are_not_on_disk_are_reported(here, monkeypatch):
    monkeypatch.setattr('fmcts.cli._prepare.prepare', lambda *_, **__: False)
    assert (
        'not on disk: each process compiles them again' in here('prepare', 'tictactoe', 'mcts').out
    )


@pytest.mark.needs_numba
def test_rules_are_kept_where_they_can_be(here, tmp_path, monkeypatch):
    def kept_in(folder, game):
        monkeypatch.setattr(codes, 'folder', lambda: folder)
        done = here('prepare', game, 'mcts', '--json')
        assert (done.code, done.err) == (0, '')
        return json.loads(done.out)['kept']

    codes = importlib.import_module('fmcts._linked.codes')
    file = tmp_path / 'file'
    file.touch()
    assert not kept_in(file, 'nim:1,2,9')  # where no folder can be made
    assert kept_in(tmp_path / 'new', 'mnk:3,5,2')
    (rules,) = (tmp_path / 'new').rglob('*.bc')
    assert rules.stat().st_size > 1000
