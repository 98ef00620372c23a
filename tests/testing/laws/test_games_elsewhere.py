"""Comparison with another process, which this process plays."""

import pickle
import sys
from contextlib import nullcontext
from itertools import count
from types import ModuleType, SimpleNamespace

import pytest
from attrs import frozen
from returns.result import Failure, Success

from fmcts import Player, SplitMix
from fmcts.games import tictactoe
from fmcts.testing._laws import games_elsewhere
from fmcts.testing._laws.cases import Case, Description
from fmcts.testing._laws.games_elsewhere import SECOND, NotLooked, Seconded, compared, unable
from fmcts.testing._laws.law import Breach, found_by
from fmcts.testing._laws.process import ALREADY, NO_THIRD

X, O = Player  # noqa: E741 - the player's name
RNG = SplitMix.from_seed(1)
START = tictactoe.start


def unpickled(data):
    return pickle.loads(data)  # noqa: S301 - our own bytes


def told(start=START):
    return Description(start, RNG)


def cases_of(*lines, start=START):
    """The cases of these lines, each made from the one of the line before it."""
    first = Case(told(start), start)
    known = {(): first}
    for line in lines:
        known[line] = known[line[:-1]].step(line[-1])
    return [*known.values()]


@pytest.fixture
def processes(monkeypatch):
    """What is asked of other processes: module and seed, then the question."""
    monkeypatch.delenv(ALREADY, raising=False)
    monkeypatch.setenv('PYTHONHASHSEED', '0')
    asked = []

    def answered_by(*answer):
        """Each gives this answer, the last one for all that follow; `None`: its own."""
        left = [*answer]

        def started(module, seed):
            asked.append((module, seed))
            return nullcontext(len(asked))

        def answer_of(process, question):
            asked.append((process, unpickled(question)))
            given = left.pop(0) if len(left) > 1 else left[0]
            return (
                Success(unpickled(games_elsewhere._answered(question))) if given is None else given
            )

        monkeypatch.setattr(games_elsewhere, 'started', started)
        monkeypatch.setattr(games_elsewhere, 'answer_of', answer_of)
        return asked

    return answered_by


def test_two_processes_are_asked_at_once(processes):
    """By the numbers of the cases before, and of the moves."""
    asked = processes(None)
    cases = cases_of((4,), (0,), (4, 0), (4, 8))
    assert compared(cases) == Seconded(10, None)
    module = 'fmcts.testing._laws.games_elsewhere'
    assert asked[:2] == [(module, '1'), (module, '2')]
    (first, question), (second, again) = asked[2:]
    assert (first, second) == (1, 2)
    assert again == question
    modules, start, steps = question
    assert steps == [None, (0, 4), (0, 0), (1, 0), (1, 7)]
    assert unpickled(start) == START
    assert modules == (None, ())


@frozen
class Board:
    """One move, for ever."""

    played: tuple = ()
    player, moves, over, winner = X, (1,), False, None


# What differs.


class Hashed:
    """It is equal to all of its kind, and its hash is as it is told."""

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return isinstance(other, Hashed)

    def __hash__(self):
        return self.number

    def __repr__(self):
        return 'a position ' * 20


def says(state, **other):
    seen = {'player': X, 'moves': (1, 2), 'over': False, 'winner': None, **other}
    return tuple(seen.values()), state


def there(answer, state):
    """What is found of a case whose state says the usual, by this answer of both processes."""
    state.player, state.moves, state.over, state.winner = X, (1, 2), False, None
    return games_elsewhere._found(Case(told(), state), answer)


DIFFER = 'here and in another process, whose hashes of text differ, states have '
LONG = 'x' * 100
CUT = ('a position ' * 20)[:80] + '...'


@pytest.mark.parametrize(
    ('answer', 'words'),
    [
        (says(Hashed(1)), None),
        ('raised ValueError: no', 'in another process the state raised ValueError: no'),
        (says(Hashed(1), moves=(2, 1)), DIFFER + 'moves (1, 2) and moves (2, 1)'),
        (says(7), 'the state comes back from another process as 7, and is not equal'),
        (
            says(LONG),
            f"the state comes back from another process as '{LONG[:80]}...', and is not equal",
        ),
        (says(Hashed(2)), f'the state {CUT} comes back from another process with another hash'),
        (says(Hashed(0)), f'the state {CUT} comes back from another process with another hash'),
    ],
    ids=count(),
)
def test_differences_are_reported(answer, words):
    assert there(answer, Hashed(1)) == words


def test_the_first_breach_is_reported_with_line_and_number_of_cases(processes):
    cases = cases_of((4,), (4, 0))
    right = [((s.player, s.moves, s.over, s.winner), s) for s in (one.state for one in cases)]
    wrong = [*right[:2], 'is not reached']
    found = 'in another process the state is not reached'
    processes(Success(right), Success(wrong))
    breach = Breach(SECOND.name, SECOND.sentence, found, (4, 0))
    assert compared(cases) == Seconded(6, breach)
    processes(Success(wrong), Success(right))
    assert compared(cases) == Seconded(3, breach)
    processes(Success(wrong))
    assert found_by(SECOND, cases[-1]) == found
    processes(Success(right))
    assert found_by(SECOND, cases[-1]) is None


# Where none is asked.


def test_a_process_that_does_not_answer_is_reported(processes):
    processes(Failure('it gave none'))
    assert compared(cases_of((4,))) == NotLooked('it gave none')
    assert found_by(SECOND, cases_of()[0]) == 'it gave none'
    right = [((START.player, START.moves, START.over, START.winner), START)]
    processes(Success(right), Failure('it gave none'))
    assert compared(cases_of()) == NotLooked('it gave none')


@pytest.mark.parametrize(
    ('error', 'words'),
    [(OSError(2, 'No such file'), 'No such file'), (OSError('odd'), 'odd')],
    ids=count(),
)
def test_a_process_that_cannot_be_started_is_reported(error, words, processes, monkeypatch):
    processes(None)

    def fails(*_):
        raise error

    monkeypatch.setattr(games_elsewhere, 'started', fails)
    assert compared(cases_of()) == NotLooked(f'no other process can be started: {words}')


def test_a_start_that_cannot_be_pickled_is_reported(processes):
    processes(None)

    @frozen
    class Unpicklable(Board):
        def __reduce__(self):
            raise ValueError('no')

    Unpicklable.__qualname__ = 'Unpicklable'
    globals()['Unpicklable'] = Unpicklable
    start = Unpicklable()
    found = compared([Case(told(start), start)])
    assert found == NotLooked('the start cannot be pickled: it raised ValueError: no')


def test_no_third_process_is_started(monkeypatch):
    monkeypatch.setenv(ALREADY, '1')
    assert unable(told()) == NO_THIRD
    assert compared(cases_of()) == NotLooked(NO_THIRD)


@pytest.mark.parametrize('name', ['built', 'Built'])
def test_modules_without_a_file_are_accepted(name, monkeypatch):
    monkeypatch.delenv(ALREADY, raising=False)
    module = ModuleType(name)
    module.Kind = type('Kind', (Board,), {'__module__': name, '__qualname__': 'Kind'})
    monkeypatch.setitem(sys.modules, name, module)
    assert unable(told(module.Kind())) is None


def test_local_classes_cannot_be_imported(monkeypatch):
    monkeypatch.delenv(ALREADY, raising=False)

    class Local(Board):
        pass

    assert unable(told()) is None
    assert unable(told(Local())) == (
        f'another process cannot import {Local.__qualname__}: put it in a module'
    )


@pytest.fixture
def main(monkeypatch):
    """A script that runs, with a class."""
    module = ModuleType('__main__')
    monkeypatch.setitem(sys.modules, '__main__', module)
    kind = type('Scripted', (Board,), {'__module__': '__main__', '__qualname__': 'Scripted'})
    module.Scripted = kind
    return module


def test_scripts_need_a_file(main, monkeypatch):
    monkeypatch.delenv(ALREADY, raising=False)
    start = main.Scripted()
    assert unable(told(start)) == 'another process cannot import Scripted: put it in a module'
    main.__file__ = None
    assert unable(told(start)) == 'another process cannot import Scripted: put it in a module'
    main.__file__ = '/folder/script.py'
    assert unable(told(start)) is None
    assert games_elsewhere._modules(told(start)) == ('/folder/script.py', ())


def test_loose_modules_are_sent_with_their_files(monkeypatch):
    """Those of the classes above too, each once; not what is in a package, or has no file."""
    for name, file in (('Upper', '/Upper.py'), ('Lower', '/Lower.py'), ('built', None)):
        module = ModuleType(name)
        module.__file__ = file
        monkeypatch.setitem(sys.modules, name, module)
    script = type('Script', (), {'__module__': '__main__'})
    upper = type('Upper', (script,), {'__module__': 'Upper'})
    built = type('Built', (upper,), {'__module__': 'built'})
    again = type('Again', (built,), {'__module__': 'Upper'})
    packed = type('Packed', (again,), {'__module__': 'fmcts.game'})
    lower = type('Lower', (packed,), {'__module__': 'Lower'})
    assert games_elsewhere._modules(SimpleNamespace(kind=lower)) == (
        None,
        (('Lower', '/Lower.py'), ('Upper', '/Upper.py')),
    )
