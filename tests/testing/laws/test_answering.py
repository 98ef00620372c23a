"""The other process's part of checking a game, run in this process."""

import pickle
import sys

import pytest

from fmcts.games import tictactoe
from fmcts.testing._laws import games_elsewhere
from fmcts.testing._laws.games_elsewhere import answers, load_script

START = tictactoe.start


@pytest.fixture(autouse=True)
def put_back(monkeypatch):
    for name in ('modules', 'path'):
        monkeypatch.setattr(sys, name, getattr(sys, name).copy())


def said(state):
    return (state.player, state.moves, state.over, state.winner, None, None, None), state


def test_each_step_continues_from_an_earlier_one():
    given = answers(START, [None, (0, 4), (0, 0), (1, 0), (2, 7)])
    assert given == [
        said(START),
        said(START.play(4)),
        said(START.play(0)),
        said(START.play(4).play(0)),
        said(START.play(0).play(8)),
    ]


@pytest.mark.parametrize('index', [9, 10, 99])
def test_an_unreachable_move_ends_its_line(index):
    given = answers(START, [None, (0, index), (1, 0), (0, 8)])
    assert given == [said(START), 'is not reached', 'is not reached', said(START.play(8))]


def test_errors_are_reported_in_words_and_end_the_line():
    class Raises:
        player, moves, winner = 'X', (1, 2), None

        @property
        def over(self):
            raise ValueError('no')

        def play(self, move):
            raise KeyError(move)

    start = Raises()
    assert answers(start, [None, (0, 1)]) == [
        'asking for over raised ValueError: no',
        'is not reached',
    ]
    Raises.over = False
    given = answers(start, [None, (0, 1), (1, 0)])
    assert given[1:] == ['playing 2 raised KeyError: 2', 'is not reached']


SCRIPT = """
import os
from json import dumps
ONE: int = 1
two = dumps([])
def three(): return 3
class Four: pass
try:
    import no_such_module
except ImportError:
    five = 5
if True:
    six = 6
for seven in range(8): pass
print(1 / 0)
raise SystemExit
"""


def test_only_definitions_of_a_script_are_run(tmp_path):
    script = tmp_path / 'script.py'
    script.write_text(SCRIPT)
    load_script(str(script))
    made = vars(sys.modules['__main__'])
    assert made['__file__'] == str(script)
    assert made['__name__'] == '__main__'
    names = {name for name in made if not name.startswith('__')}
    assert names == {'os', 'dumps', 'ONE', 'two', 'three', 'Four', 'five'}
    assert (made['ONE'], made['two'], made['three'](), made['five']) == (1, '[]', 3, 5)
    assert sys.path[0] == str(tmp_path)


def test_a_script_is_compiled_with_its_own_future_imports(tmp_path):
    """Annotations are text here by a `from __future__` of ours, and theirs are not."""
    script = tmp_path / 'script.py'
    script.write_text('def one(given: int): return given\n')
    load_script(str(script))
    assert sys.modules['__main__'].one.__annotations__ == {'given': int}


def test_a_question_is_answered(tmp_path):
    script, module = tmp_path / 'a_script.py', tmp_path / 'a_module.py'
    script.write_text('ONE = 1\n')
    module.write_text('TWO = 2\n')
    start = pickle.dumps(START)
    for file in (None, str(script)):
        question = pickle.dumps(((file, (('a_module_of_ours', str(module)),)), start, [None]))
        given = pickle.loads(games_elsewhere._answered(question))  # noqa: S301 - our own bytes
        assert given == [said(START)]
        assert sys.modules['a_module_of_ours'].TWO == 2
    assert sys.modules['__main__'].ONE == 1


def test_main_answers_standard_input(monkeypatch):
    given = []
    monkeypatch.setattr(games_elsewhere, 'reply', given.append)
    games_elsewhere.main()
    assert given == [games_elsewhere._answered]
