"""Calls in a second process, which has other hashes of text."""

import os
import sys
import types

import pytest
from returns.result import Failure

from fmcts.testing._laws.elsewhere import ALREADY, NO_THIRD, answers_elsewhere, pickled
from fmcts.testing._laws.law import Raised


def hash_here(text):
    print('this is not an answer')  # noqa: T201 - as users may
    return hash(text), os.environ[ALREADY]


def fails(number):
    raise SystemExit(f'no {number}')


def test_each_case_gets_an_answer_or_an_error():
    """What is printed there does not disturb the answers."""
    (one, two) = answers_elsewhere(pickled(hash_here), [('one',), ('two',)]).unwrap()
    assert one[1] == two[1] == '1'
    assert (one[0], two[0]) != (hash('one'), hash('two'))
    found = answers_elsewhere(pickled(fails), [(3,)]).unwrap()
    assert found == [Raised('raised SystemExit: no 3')]


class Unpicklable:
    def __reduce__(self):
        raise ValueError(f'at 0x7F00 and {1} line\nor two')


def answer(value):
    return lambda: value


@pytest.mark.parametrize(
    ('function', 'given', 'why'),
    [
        (
            Unpicklable(),
            [],
            'it cannot be pickled for another process: it raised ValueError: and 1',
        ),
        (print, [(Unpicklable(),)], 'it cannot be pickled for another process: it raised Valu'),
        (answer, [(1,)], 'another process failed: '),
    ],
)
def test_what_cannot_be_asked_is_reported(function, given, why):
    found = answers_elsewhere(pickled(function), given).failure()
    assert found.replace('at and', 'and').startswith(why)
    assert len(found.splitlines()) == 1


def test_a_module_unknown_to_another_process(monkeypatch):
    module = types.ModuleType('made_up_here')
    exec('def ask(): return 1', vars(module))  # noqa: S102 - a module without a file
    monkeypatch.setitem(sys.modules, 'made_up_here', module)
    assert answers_elsewhere(pickled(module.ask), [()]).failure() == (
        "another process failed: ModuleNotFoundError: No module named 'made_up_here'"
    )


def test_a_second_process_starts_no_third(monkeypatch):
    monkeypatch.setenv(ALREADY, '1')
    assert answers_elsewhere(pickled(hash_here), [('one',)]) == Failure(NO_THIRD)


def test_a_process_that_cannot_be_started(monkeypatch):
    monkeypatch.setattr(sys, 'executable', '/no/such/python')
    found = answers_elsewhere(pickled(hash_here), [('one',)]).failure()
    assert found == 'no other process can be started: No such file or directory'


SCRIPT = """
import enum
from fmcts.testing._laws.elsewhere import answers_elsewhere, pickled

class Move(enum.Enum):
    LEFT = 'left'

def ask(move):
    return move, hash('text')

if __name__ == '__main__':
    (found, there), = answers_elsewhere(pickled(ask), [(Move.LEFT,)]).unwrap()
    print(found.name, there != hash('text'))
"""


def test_what_a_script_defines_is_known_there(run_python, tmp_path):
    """What stands under the usual condition is not run again."""
    (tmp_path / 'script.py').write_text(SCRIPT)
    done = run_python(str(tmp_path / 'script.py'), check=True)
    assert done.stdout == 'LEFT True\n'


def test_what_a_prompt_defines_is_not_known_there(run_python):
    code = SCRIPT.replace('.unwrap()', '.failure()').replace('(found, there), =', 'found =')
    done = run_python('-c', code.partition('    print')[0] + '    print(found)', check=True)
    assert done.stdout == 'another process cannot import what is defined at a prompt\n'
