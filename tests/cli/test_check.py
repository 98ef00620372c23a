"""`fmcts check`: a user's game or bot, from a module in the current directory."""

import json
from functools import partial

import pytest

from fmcts.testing import BOT_LAWS, GAME_LAWS

SMALL = ('--positions', '20', '--games', '3')


@pytest.fixture
def check(here, own_modules):
    """The command in the folder with the module `heaps`."""
    del own_modules
    return partial(here, 'check')


def test_a_correct_game(check):
    code, out, err = check('heaps:start', *SMALL)
    assert (code, err) == (0, '')
    laws, left_out, verdict = out.split('\n\n')
    assert laws.startswith('law')
    assert 'moves are unique' in laws
    assert 'No two moves of a state are equal.' in laws
    assert 'Heap declares no playout' in left_out
    rows = [line for line in laws.splitlines()[1:] if not line.startswith(' ')]
    assert verdict.startswith(f'heaps:start keeps {len(rows)} laws of a game in ')


def test_json_has_the_same_content(check):
    code, out, err = check('heaps:start', *SMALL, '--json')
    assert (code, err) == (0, '')
    told = json.loads(out)
    assert (told['checked'], told['kind'], told['holds']) == ('heaps:start', 'game', True)
    assert told['breach'] is None
    names = {law.name for law in GAME_LAWS}
    assert {*told['cases']} | {law for law, _ in told['left_out']} == names


def test_a_wrong_game(check):
    code, out, err = check('heaps:wrong', *SMALL)
    assert (code, err) == (1, '')
    lines = dict(line.split(None, 1) for line in out.splitlines())
    assert lines == {
        'broken': 'no moves at the end',
        'line': '1 2',
        'found': 'the state is over but has the moves (1,)',
        'expected': '`moves` is `()` exactly when the game is over.',
    }
    code, out, _ = check('heaps:wrong', *SMALL, '--json')
    told = json.loads(out)
    assert (code, told['holds'], told['breach']['line']) == (1, False, [1, 2])


def test_laws_can_be_left_out(check):
    words = ('--without', 'states pickle', '--without', 'states copy', '--json')
    code, out, _ = check('heaps:start', *SMALL, *words)
    left_out = dict(json.loads(out)['left_out'])
    assert code == 0
    assert left_out['states pickle'] == left_out['states copy'] == 'it was not asked for'


def test_long_checks_show_progress_and_can_be_interrupted(terminal):
    person = terminal('check', 'fmcts.games:othello', '--positions', '9999')
    person.expect('laws of fmcts.games:othello')
    person.interrupt()
    assert person.wait() == 130
    assert 'fmcts: interrupted' in person.shown


def test_a_correct_bot(check):
    code, out, err = check('heaps:bot', '--game', 'heaps:start', '--positions', '4', '--json')
    assert (code, err) == (0, '')
    told = json.loads(out)
    assert (told['kind'], told['holds']) == ('bot', True)
    names = {law.name for law in BOT_LAWS}
    assert {*told['cases']} | {law for law, _ in told['left_out']} == names


def test_a_wrong_bot(check):
    code, out, _ = check('heaps:stuck', '--game', 'heaps:start', '--positions', '9')
    assert code == 1
    assert out.startswith('broken    the move is legal\n')


def test_a_simulator(check):
    code, out, _ = check('heaps:counter', *SMALL, '--json')
    told = json.loads(out)
    assert (code, told['kind'], told['breach']['law']) == (1, 'simulator', 'the end stays the end')
    code, out, _ = check('heaps:counter', *SMALL, '--without', 'the end stays the end')
    assert code == 0
    assert 'heaps:counter keeps 5 laws of a simulator in ' in out
