"""Files from elsewhere, checked by `fmcts verify`: forged ones, and ones of other machines."""

import json
import sys
import zipfile
from itertools import combinations

import pytest

from fmcts import Search, SplitMix
from fmcts.games import tictactoe
from fmcts.history import history, parting
from fmcts.history.receipts import receipt
from fmcts.matches._files import Head, check_of

from .conftest import run_here

HERE = 'tictactoe', '--seed', '1'
HOLD = '2 games hold, move by move'


def run(*words):
    """Run a command in Python; a complaint is one line."""
    done = run_here(*map(str, words), '--engine', 'inplace')
    assert done.err.count('\n') == (not done.out)
    return done


def test_a_receipt_with_an_archive_behind_it_runs_no_code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'ran_bot.py').write_text(
        'from pathlib import Path\nPath("ran").touch()\n'
        'def bot(state, rng):\n    return state.moves[0], rng\n'
    )
    monkeypatch.setattr(sys, 'path', [*sys.path])
    try:
        words = 'match', 'tictactoe', 'ran_bot:bot', 'random', '--games', 2
        assert run(*words, '--bundle', 'a.zip').code == 0
    finally:
        sys.modules.pop('ran_bot', None)
    for name in ('ran', 'ran_bot.py'):
        (tmp_path / name).unlink()
    assert run('move', *HERE, '--bot', 'mcts:9', '--receipt', 'receipt.json').code == 0
    archive, honest = (tmp_path / 'a.zip').read_bytes(), (tmp_path / 'receipt.json').read_bytes()
    for content in (honest + archive, archive):
        (tmp_path / 'forged.json').write_bytes(content)
        assert zipfile.is_zipfile('forged.json')
        assert run('verify', 'forged.json').code == 2
        assert not (tmp_path / 'ran').exists()
    assert run('verify', 'a.zip').out == f'{HOLD}\n'  # asked for as a bundle
    assert (tmp_path / 'ran').exists()


@pytest.fixture
def games(tmp_path, monkeypatch):
    """A file of two games, as lines."""
    monkeypatch.chdir(tmp_path)
    words = 'match', 'tictactoe', 'mcts:5', 'random', '--games', 2, '--engine', 'inplace'
    assert run(*words, '--out', 'games.jsonl').code == 0
    return (tmp_path / 'games.jsonl').read_text().splitlines()


def test_nothing_may_follow_the_last_game(games, tmp_path):
    (tmp_path / 'games.jsonl').write_text('\n'.join([*games, games[1].replace('"X"', '"O"')]))
    done = run('verify', 'games.jsonl')
    assert (done.code, 'a line without a line feed follows the last game' in done.err) == (1, True)


@pytest.mark.parametrize(
    ('changes', 'said'),
    [
        ({'fmcts': '99.0'}, 'by fmcts 99.0; this is '),
        ({'contents': {'first': 'MctsBot(search=Search(iterations=9999))'}}, 'mcts:5 changed'),
        ({'contents': {'game': 'chess', 'second': 'x'}}, 'tictactoe and random changed since'),
        ({'contents': {'second': {'unknown': 'a lock'}}}, 'what random holds is not known'),
    ],
)
def test_what_the_first_line_says_otherwise_is_told(games, changes, said, tmp_path):
    head, *lines = map(json.loads, games)
    head |= {**changes, 'contents': {**head['contents'], **changes.get('contents', {})}}
    lines = [{**line, 'check': check_of(Head(**head), line)} for line in lines]
    (tmp_path / 'games.jsonl').write_text(''.join(f'{json.dumps(it)}\n' for it in (head, *lines)))
    done = run('verify', 'games.jsonl')
    assert done.out.startswith(f'{HOLD} (')
    assert said in done.out


def test_searches_that_differ_in_what_playouts_remember(tmp_path):
    """Their logs are equal, and their digests are not."""
    made = [
        history(
            tictactoe.start,
            SplitMix.from_seed(seed),
            Search(4, playout='mast', expansion='in-order'),
        )
        for seed in range(20)
    ]
    a, b = next(
        (a, b) for a, b in combinations(made, 2) if (a.log, a.digest == b.digest) == (b.log, False)
    )
    files = [tmp_path / name for name in ('one.json', 'two.json')]
    for h, file in zip((a, b), files, strict=True):
        written = receipt(
            tictactoe, 'mcts:4,playout=mast,expansion=in-order', h.rng, h.at(4), h.after
        )
        file.write_text(written.to_json())
        assert run('verify', file).code == 0
    done = run('verify', *files, '--parting')
    first = next(k for k in range(1, 5) if a.at(k).digest != b.at(k).digest)
    assert done.out == f'{parting(a, b)}\n'
    assert done.out.startswith(f'iteration {first}: the same path and outcome, other statistics')
    assert done.code == 1


BOT = 'def bot(state, rng):\n    return state.moves[0], rng\n'


def test_bundles_with_the_same_modules_on_a_machine_with_other_libraries(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, 'path', [*sys.path])
    (tmp_path / 'first_bot.py').write_text(BOT)
    try:
        for game in ('tictactoe', 'connect4'):
            words = 'match', game, 'first_bot:bot', 'random', '--games', 2
            assert run(*words, '--bundle', f'{game}.zip').code == 0
    finally:
        sys.modules.pop('first_bot', None)
    (tmp_path / 'first_bot.py').unlink()
    monkeypatch.setattr('fmcts.cli._bundle._versions', lambda: {'fmcts': 'x'})
    done = run('verify', 'tictactoe.zip', 'connect4.zip')
    assert done.out == ''.join(f'{it}.zip: 1.jsonl: {HOLD}\n' for it in ('tictactoe', 'connect4'))
    assert done.err == ''  # nothing about versions, which change nothing
