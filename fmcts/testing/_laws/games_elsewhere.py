"""The law that a game is the same in another process with other hashes of text.

Moves taken from a set, and a hash that a state caches and pickles, are right within each process
and differ between two. The other process loads the game as pickles do; of a script it runs the
definitions only.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, Final

from attrs import frozen
from returns.pipeline import is_successful

from fmcts._arguments import shown
from fmcts.game import equal
from fmcts.testing._laws import answering
from fmcts.testing._laws.cases import Case, Description, Seen, differences, hash_of, look
from fmcts.testing._laws.law import Breach, Law, OtherwiseError, raised
from fmcts.testing._laws.process import NO_THIRD, answer_of, is_another, seeds, started
from fmcts.testing._laws.states import importable, pickles

ASKED: Final = 2
"""The number of other processes: in one, two texts of a set often have the same order as here."""


@frozen
class NotLooked:
    """The reason why the other process could not check the game."""

    why: str


@frozen
class Seconded:
    """The number of cases checked, and the first breach."""

    count: int
    breach: Breach | None


def unable(told: Description) -> str | None:
    """Return why another process cannot load this game, or `None`."""
    if is_another():
        return NO_THIRD
    kind = told.kind
    module = sys.modules.get(kind.__module__)
    found = importable(kind) or pickles(told.start)
    if found and (kind.__module__ != '__main__' or getattr(module, '__file__', None)):
        return None
    return f'another process cannot import {kind.__qualname__}: put it in a module'


def compared(cases: Sequence[Case]) -> Seconded | NotLooked:
    """Compare the positions, including those before each, with what two other processes report."""
    count = 0
    for answers in _answers(cases):
        if isinstance(answers, NotLooked):
            return answers
        for case, answer in zip(cases, answers, strict=True):
            count += 1
            found = _found(case, answer)
            if found:
                return Seconded(count, Breach(SECOND.name, SECOND.sentence, found, case.line))
    return Seconded(count, None)


def _found(case: Case, answer: Any) -> str | None:
    """Return how a case differs from the other process's report, or `None`."""
    if isinstance(answer, str):
        return f'in another process the state {answer}'
    seen, state = answer
    here = look(case.state)
    other = differences(here, Seen(*seen))
    if other:
        return f'here and in another process, whose hashes of text differ, states have {other}'
    if not equal(state, case.state):
        return f'the state comes back from another process as {shown(state, 80)}, and is not equal'
    if hash_of(state) != hash_of(case.state):
        return f'the state {shown(state, 80)} comes back from another process with another hash'
    return None


def _answers(cases: Sequence[Case]) -> list[list[Any] | NotLooked]:
    """Return each process's reports, or why it has none."""
    told = cases[0].told
    why = unable(told)
    if why:
        return [NotLooked(why)]
    numbers = {id(case): number for number, case in enumerate(cases)}
    # By index, because moves need not pickle and are what is being tested.
    try:
        steps = [
            None
            if case.before is None
            else (numbers[id(case.before)], _place(case.before.state.moves, case.move))
            for case in cases
        ]
        question = pickle.dumps((_modules(told), pickle.dumps(told.fresh()), steps))
    except Exception as error:  # noqa: BLE001 - the user's code may raise anything
        return [NotLooked(f'the start cannot be pickled: it {raised(error)}')]
    with ExitStack() as stack:
        try:
            others = [stack.enter_context(started(answering.__name__, one)) for one in seeds(ASKED)]
        except OSError as error:
            return [NotLooked(f'no other process can be started: {error.strerror or error}')]
        said = [answer_of(process, question) for process in others]
    return [one.unwrap() if is_successful(one) else NotLooked(one.failure()) for one in said]


def _place(moves: Sequence[Any], move: Any) -> int:
    return next(place for place, other in enumerate(moves) if equal(move, other))


def _modules(told: Description) -> tuple[str | None, tuple[tuple[str, str], ...]]:
    """Return the file of the script, if it defines the game; and modules with their files."""
    files = []
    for kind in told.kind.__mro__:
        name = kind.__module__
        file = getattr(sys.modules.get(name), '__file__', None)
        if file and name != '__main__' and '.' not in name:
            files.append((name, file))
    if told.kind.__module__ == '__main__':
        return str(sys.modules['__main__'].__file__), ()
    return None, tuple(dict.fromkeys(files))


def _one(case: Case) -> str | None:
    answered = compared(case.path)
    if isinstance(answered, NotLooked):
        raise OtherwiseError(answered.why)
    return None if answered.breach is None else answered.breach.found


SECOND: Final = Law[Case](
    'the same in another process',
    'Another process, whose hashes of text differ, sees the same moves in the same order, players '
    'and ends; and its states are equal to ours, with the same hashes.',
    _one,
)
