"""Calls in a second process, which starts no third."""

import os

import pytest
from returns.result import Failure, Success

from fmcts.testing._laws.law import Raised
from fmcts.testing._laws.process import ALREADY, NO_THIRD, answers_elsewhere, pickled
from processes import run_python

GAME = """
from attrs import evolve, frozen
from fmcts import Player
from fmcts.game import illegal

@frozen
class Take:
    left: int = 3
    player: Player = Player.X
    moves = property(lambda self: tuple(range(1, min(2, self.left) + 1)))
    over = property(lambda self: not self.left)
    winner = property(lambda self: self.player.other if self.over else None)

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return evolve(self, left=self.left - move, player=self.player.other)

def bot(state, rng):
    return state.moves[0], rng

with open('log.txt', 'a') as log:
    _ = log.write('loaded ')
"""


@pytest.mark.parametrize(
    ('check', 'processes'),
    [('check_game(Take())', 3), ('check_bot(bot, Take())', 2)],
    ids=['game', 'bot'],
)
def test_a_module_that_checks_itself_does_not_recurse(check, processes, tmp_path):
    """What another process loads asks for another process in its turn, and is told so."""
    name = check.partition('(')[0]
    (tmp_path / 'take.py').write_text(
        f'{GAME}\nfrom fmcts.testing import {name}\nchecked = {check}\n'
    )
    done = run_python('-c', 'import take; print(take.checked)', check=True, cwd=tmp_path)
    assert done.stdout.startswith('<Success: ')
    assert (tmp_path / 'log.txt').read_text() == 'loaded ' * processes


def test_each_case_gets_an_answer_or_an_error():
    found = answers_elsewhere(pickled(int), [('7',), ('seven',)])
    assert isinstance(found, Success)
    seven, other = found.unwrap()
    assert seven == 7
    assert isinstance(other, Raised)
    assert other.text.startswith('raised ValueError: invalid literal for int()')


def test_the_process_has_another_hash_seed():
    here = os.environ.get('PYTHONHASHSEED', 'random')
    (there,) = answers_elsewhere(pickled(os.getenv), [('PYTHONHASHSEED',)]).unwrap()
    assert there in {'1', '2'} - {here}


def test_no_third_process_is_started(monkeypatch):
    monkeypatch.setenv(ALREADY, '1')
    assert answers_elsewhere(pickled(int), [('7',)]) == Failure(NO_THIRD)


@pytest.mark.parametrize(
    ('function', 'case', 'why'),
    [
        (os._exit, (3,), 'another process failed: it ended with the status 3'),
        (open, (os.devnull,), 'its answers cannot be pickled: it raised TypeError'),
        (lambda: None, (), 'it cannot be pickled for a second process: it raised '),
        (int, (lambda: None,), 'it cannot be pickled for a second process: it raised '),
    ],
    ids=['exit', 'answer', 'function', 'case'],
)
def test_the_reason_for_a_missing_answer(function, case, why):
    found = answers_elsewhere(pickled(function), [case])
    assert found.failure().startswith(why)
