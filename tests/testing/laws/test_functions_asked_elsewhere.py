"""Calls in a second process and their results; this process plays the second."""

import pickle
import sys
from contextlib import nullcontext
from types import ModuleType

import pytest
from returns.result import Failure, Success

from fmcts.testing._laws import process as another
from fmcts.testing._laws.law import Raised
from fmcts.testing._laws.process import ALREADY, NO_THIRD, answers_elsewhere, main, pickled


def unpickled(data):
    return pickle.loads(data)  # noqa: S301 - our own bytes


@pytest.fixture
def asked(monkeypatch):
    """What the second process is asked, which this one answers."""
    monkeypatch.delenv(ALREADY, raising=False)
    monkeypatch.setenv('PYTHONHASHSEED', '1')
    questions = []

    def started(module, seed):
        questions.append((module, seed))
        return nullcontext('process')

    def answer_of(process, question):
        assert process == 'process'
        questions.append(unpickled(question))
        return Success(unpickled(another._answered(question)))

    monkeypatch.setattr(another, 'started', started)
    monkeypatch.setattr(another, 'answer_of', answer_of)
    return questions


class Unpicklable:
    def __reduce__(self):
        raise ValueError(f'{object.__repr__(self)} stays')


class Broken:
    """It can be pickled, and not be unpickled."""

    def __reduce__(self):
        return fails, ()


def fails():
    raise KeyError('no')


def gives(answer):
    return answer


def makes(_answer):
    return Unpicklable()


def test_each_case_gets_an_answer_or_an_error(asked):
    assert answers_elsewhere(pickled(int), [('7',), ('11', 2)]) == Success((7, 3))
    module = 'fmcts.testing._laws.process'
    assert asked[0] == (module, '2')
    files, known, given = asked[1]
    assert (unpickled(known), unpickled(given)) == (int, (('7',), ('11', 2)))
    assert all('.' not in name for name, _ in files)
    raised = answers_elsewhere(pickled(int), [('seven',), ('7',)]).unwrap()
    assert raised == (
        Raised("raised ValueError: invalid literal for int() with base 10: 'seven'"),
        7,
    )


class Counting(list):
    def __call__(self):
        return len(self)


@pytest.mark.usefixtures('asked')
def test_a_function_is_called_in_its_pickled_state():
    counting = Counting()
    known = pickled(counting)
    counting.append(1)
    assert answers_elsewhere(known, [()]) == Success((0,))
    assert answers_elsewhere(pickled(counting), [()]) == Success((1,))


@pytest.mark.usefixtures('asked')
def test_unpicklable_functions_are_reported_without_addresses():
    """Addresses are left out, so that it is told alike in every run."""
    name = Unpicklable.__module__
    why = Failure(
        'it cannot be pickled for a second process: it raised ValueError: '
        f'<{name}.Unpicklable object> stays'
    )
    assert pickled(Unpicklable()) == why
    assert answers_elsewhere(why, [()]) == why
    assert answers_elsewhere(pickled(gives), [(Unpicklable(),)]) == why
    told = answers_elsewhere(pickled(makes), [(1,)]).failure()
    assert told.startswith('its answers cannot be pickled: it raised ValueError: ')
    assert answers_elsewhere(pickled(gives), [(Broken(),)]) == Failure(
        "a second process cannot load it: it raised KeyError: 'no'"
    )


def test_functions_of_a_script_are_not_called_elsewhere(asked, monkeypatch):
    module = ModuleType('__main__')
    monkeypatch.setitem(sys.modules, '__main__', module)
    module.Scripted = type('Scripted', (), {'__module__': '__main__'})
    why = Failure('a second process cannot load the script that runs: put it in a module')
    assert answers_elsewhere(pickled(module.Scripted), [()]) == why
    assert answers_elsewhere(pickled(gives), [(module.Scripted(),)]) == why
    assert asked == []


def test_no_third_process_is_started(asked, monkeypatch):
    monkeypatch.setenv(ALREADY, '1')
    assert answers_elsewhere(pickled(int), [('7',)]) == Failure(NO_THIRD)
    assert asked == []


@pytest.mark.parametrize(
    ('error', 'words'), [(OSError(2, 'No such file'), 'No such file'), (OSError('odd'), 'odd')]
)
def test_a_process_that_cannot_be_started(error, words, asked, monkeypatch):
    def does_not(*_):
        raise error

    monkeypatch.setattr(another, 'started', does_not)
    assert answers_elsewhere(pickled(int), [('7',)]) == Failure(
        f'no other process can be started: {words}'
    )
    assert asked == []


class Seven:
    def __call__(self, *_):
        return 7


def test_loose_modules_are_sent_with_their_files(asked, tmp_path, monkeypatch):
    """Those that are named in the function or in the cases."""
    loaded = []
    for name in ('own_function', 'own_case', 'own_other', 'own_built', 'of', 'of.own'):
        module = ModuleType(name)
        module.__file__ = None if name == 'own_built' else str(tmp_path / f'{name}.py')
        module.Own = type('Own', (Seven,), {'__module__': name})
        monkeypatch.setitem(sys.modules, name, module)
    function = sys.modules['own_function'].Own()
    cases = [tuple(sys.modules[name].Own() for name in ('own_case', 'own_built', 'of.own'))]
    monkeypatch.setattr(another, 'load_file', lambda *given: loaded.append(given))
    assert answers_elsewhere(pickled(function), cases) == Success((7,))
    files, *_ = asked[1]
    assert loaded == files
    assert [(name, file) for name, file in files if 'own' in name] == [
        (name, str(tmp_path / f'{name}.py')) for name in ('own_case', 'own_function')
    ]


def test_main_answers_standard_input(monkeypatch):
    given = []
    monkeypatch.setattr(another, 'reply', given.append)
    main()
    assert given == [another._answered]
