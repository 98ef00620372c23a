"""Another process: its hash seed, its answer, and its failures."""

import io
import os
import pickle
import sys

import pytest
from returns.result import Failure, Success

from fmcts.testing._laws import process
from fmcts.testing._laws.process import (
    answer_of,
    answers_elsewhere,
    load_file,
    pickled,
    reply,
    seeds,
    started,
)


@pytest.mark.parametrize(
    ('here', 'others'), [(None, '12'), ('0', '12'), ('1', '23'), ('2', '13'), ('random', '12')]
)
def test_the_process_has_another_hash_seed(here, others, monkeypatch):
    monkeypatch.delenv('PYTHONHASHSEED', raising=False)
    if here is not None:
        monkeypatch.setenv('PYTHONHASHSEED', here)
    assert seeds(2) == [*others]
    assert seeds(1) == [others[0]]


def test_printed_output_does_not_disturb_the_answer():
    """Not even past Python, to the file itself."""
    asked = [(1, b'printed'), (2, b'printed')]
    assert answers_elsewhere(pickled(os.write), asked) == Success((7, 7))


def test_a_process_that_cannot_be_started(monkeypatch):
    monkeypatch.setattr(sys, 'executable', '/no/such/python')
    assert answers_elsewhere(pickled(int), [('7',)]) == Failure(
        'no other process can be started: No such file or directory'
    )


class Process:
    """One that has ended already."""

    def __init__(self, status, out, err):
        self.returncode, self.said = status, (out, err)

    def communicate(self, question):
        assert question == b'?'
        return self.said


@pytest.mark.parametrize(
    ('status', 'out', 'err', 'answer'),
    [
        (0, pickle.dumps(7), b'printed', Success(7)),
        (
            0,
            b'',
            b'',
            Failure(
                'the answer of another process cannot be read: raised EOFError: Ran out of input'
            ),
        ),
        (
            1,
            pickle.dumps(7),
            b'Traceback\nKeyError: 5\n\n',
            Failure('another process failed: KeyError: 5'),
        ),
        (-9, b'', b' \n', Failure('another process failed: it ended with the status -9')),
        (1, b'', b'\xff', Failure('another process failed: \ufffd')),
    ],
    ids=['answer', 'nothing', 'error', 'killed', 'no text'],
)
def test_the_answer_of_a_process(status, out, err, answer):
    assert answer_of(Process(status, out, err), b'?') == answer


def test_the_process_uses_the_same_path(monkeypatch, tmp_path):
    """A module of the path of this process, where it stands first."""
    (tmp_path / 'answers_here.py').write_text('def main():\n    print("here", end="")\n')
    monkeypatch.setattr(sys, 'path', [str(tmp_path), *sys.path])
    monkeypatch.setattr(pickle, 'loads', bytes)
    with started('answers_here', '1') as other:
        assert answer_of(other, b'') == Success(b'here')


def test_a_question_is_answered_on_standard_output(monkeypatch, capfd):
    monkeypatch.setattr(sys, 'stdin', io.TextIOWrapper(io.BytesIO(b'question')))
    kept = os.dup(1)
    try:
        reply(lambda question: os.write(1, b'printed') and question.upper())
    finally:
        os.dup2(kept, 1)
        os.close(kept)
    out, err = capfd.readouterr()
    assert (out, err) == ('QUESTION', 'printed')


def test_the_environment_marks_another_process(monkeypatch):
    monkeypatch.delenv(process.ALREADY, raising=False)
    assert not process.is_another()
    monkeypatch.setenv(process.ALREADY, '1')
    assert process.is_another()


def test_a_module_is_found_by_its_file(tmp_path, monkeypatch):
    for name in ('modules', 'path'):
        monkeypatch.setattr(sys, name, getattr(sys, name).copy())
    file = tmp_path / 'of_no_folder.py'
    file.write_text('from beside_it import ONE\n')
    (tmp_path / 'beside_it.py').write_text('ONE = 1\n')
    load_file('of_no_folder', str(file))
    assert sys.modules['of_no_folder'].ONE == 1
    assert sys.path[0] == str(tmp_path)
    before = sys.modules.get('json')
    load_file('json', str(file))
    assert sys.modules.get('json') is before
    load_file('of_no_kind', str(tmp_path / 'of_no_kind.text'))
    assert 'of_no_kind' not in sys.modules
