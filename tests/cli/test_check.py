"""`fmcts check`: a user's game or bot, from a module in the current directory."""

import json
from functools import partial

import pytest

from fmcts.testing import BOT_LAWS, GAME_LAWS

MODULE = '''
from attrs import evolve, frozen
from fmcts import Player, random_bot
from fmcts.game import illegal

@frozen
class Heap:
    """Take one or two; the last one wins."""

    left: int = 4
    player: Player = Player.X

    @property
    def moves(self):
        return (1, 2)[: self.left]

    @property
    def over(self):
        return self.left == 0

    @property
    def winner(self):
        return self.player.other if self.over else None

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return evolve(self, left=self.left - move, player=self.player.other)


class Wrong(Heap):
    over = property(lambda self: self.left <= 1)


start, wrong, number, over = Heap(), Wrong(), 7, Heap(0)

def bot(state, rng):
    return random_bot(state, rng)

def stuck(state, rng):
    return state.moves[0] if state.left > 1 else 2, rng

def count(steps, action):
    steps.append(action)
    return steps, len(steps), len(steps) == 3

counter = {'reset': lambda seed: [seed], 'step': count, 'actions': 'ab'}
'''
SMALL = ('--positions', '20', '--games', '3')


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """A folder with the module `heaps`."""
    made = tmp_path_factory.mktemp('mine')
    (made / 'heaps.py').write_text(MODULE)
    (made / 'broken_heaps.py').write_text('from heaps import *\n1 / 0\n')
    return made


@pytest.fixture
def check(here, folder, monkeypatch):
    """The command in that folder."""
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
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


@pytest.mark.parametrize(
    ('words', 'message'),
    [
        ((), "Missing argument 'MODULE:NAME'."),
        (('heaps',), "'heaps': expected MODULE:NAME, such as mygame:"),
        (('broken_heaps:start',), 'the module broken_heaps cannot be imported: '),
        (('heaps:number',), 'heaps:number is 7: expected the initial state of a game (with'),
        (('heaps:bot',), 'heaps:bot is a bot: name the game it plays'),
        (('heaps:bot', '--game', 'heaps:over'), '--game: the game is over at its start'),
        (
            ('heaps:bot', '--game', 'heaps:number'),
            '--game: heaps:number is 7: expected the initial state',
        ),
        (('heaps:bot', '--games', '3'), '--games: heaps:bot is a bot; --games is for games only'),
        (
            ('heaps:start', '--game', 'othello'),
            '--game: heaps:start is a game; --game is for bots only',
        ),
        (
            ('heaps:counter', '--game', 'othello'),
            '--game: heaps:counter is a simulator; --game is for bots only',
        ),
        (('heaps:start', '--without', 'purity'), "--without 'purity': expected one of a state has"),
    ],
)
def test_bad_input_is_one_line(check, words, message):
    code, out, err = check(*words)
    assert (code, out) == (2, '')
    assert message in err
    assert len(err.splitlines()) == 1
