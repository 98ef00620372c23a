"""The law that a game is the same in another process with other hashes of text.

Moves taken from a set, and a hash that a state caches and pickles, are right within each process
and differ between two. The other process loads the game as pickles do; of a script it runs the
definitions only.
"""

from __future__ import annotations

import ast
import pickle
import sys
import types
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from attrs import frozen
from returns.pipeline import is_successful

from fmcts._arguments import shown
from fmcts.game import equal
from fmcts.testing._laws.cases import (
    Case,
    Description,
    Seen,
    differences,
    hash_of,
    look,
    moves_of,
    play,
)
from fmcts.testing._laws.law import Breach, Law, OtherwiseError, raised
from fmcts.testing._laws.process import (
    NO_THIRD,
    answer_of,
    is_another,
    load_file,
    reply,
    seeds,
    started,
)
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


def unable(game: Description) -> str | None:
    """Return why another process cannot load this game, or `None`."""
    if is_another():
        return NO_THIRD
    kind = game.kind
    module = sys.modules.get(kind.__module__)
    found = importable(kind) or pickles(game.start)
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
    game = cases[0].game
    why = unable(game)
    if why:
        return [NotLooked(why)]
    numbers = {id(case): number for number, case in enumerate(cases)}
    # By index, because moves need not pickle and are what is being tested.
    try:
        steps = [
            None
            if case.before is None
            else (numbers[id(case.before)], _place(case.before.options, case.move))
            for case in cases
        ]
        question = pickle.dumps((_modules(game), pickle.dumps(game.fresh()), steps))
    except Exception as error:  # noqa: BLE001 - the user's code may raise anything
        return [NotLooked(f'the start cannot be pickled: it {raised(error)}')]
    with ExitStack() as stack:
        try:
            others = [stack.enter_context(started(__name__, one)) for one in seeds(ASKED)]
        except OSError as error:
            return [NotLooked(f'no other process can be started: {error.strerror or error}')]
        said = [answer_of(process, question) for process in others]
    return [one.unwrap() if is_successful(one) else NotLooked(one.failure()) for one in said]


def _place(moves: Sequence[Any], move: Any) -> int:
    return next(place for place, other in enumerate(moves) if equal(move, other))


def _modules(game: Description) -> tuple[str | None, tuple[tuple[str, str], ...]]:
    """Return the file of the script, if it defines the game; and modules with their files."""
    files = []
    for kind in game.kind.__mro__:
        name = kind.__module__
        file = getattr(sys.modules.get(name), '__file__', None)
        if file and name != '__main__' and '.' not in name:
            files.append((name, file))
    if game.kind.__module__ == '__main__':
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


DEFINITIONS: Final = (
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.ClassDef,
    ast.Assign,
    ast.AnnAssign,
    ast.Try,
    getattr(ast, 'TypeAlias', ast.ClassDef),  # from Python 3.12 on
)


def load_script(path: str) -> None:
    """Load the definitions of a script where pickles look them up, without running its main code.

    These are its imports, functions, classes and assignments.
    """
    tree = ast.parse(Path(path).read_bytes(), path)
    tree.body = [statement for statement in tree.body if isinstance(statement, DEFINITIONS)]
    module = types.ModuleType('__main__')
    module.__file__ = path
    sys.modules['__main__'] = module
    sys.path.insert(0, str(Path(path).parent))
    exec(compile(tree, path, 'exec', dont_inherit=True), vars(module))  # noqa: S102 - the user's own


def answers(start: Any, steps: list[Any]) -> list[Any]:
    """Return for each step the views of the state that it reaches, and the state.

    A step is `(number of an earlier step, index of a move)`, or `None` for the start. If the state
    raises an error, the answer is its text.
    """
    states: list[Any] = []
    said: list[Any] = []
    for step in steps:
        try:
            state = start if step is None else _after(states[step[0]], step[1])
            said.append((tuple(look(state)), state))
        except OtherwiseError as error:
            state = None
            said.append(str(error))
        states.append(state)
    return said


def _after(state: Any, index: int) -> Any:
    moves = () if state is None else moves_of(state)
    if index >= len(moves):
        raise OtherwiseError('is not reached')
    return play(state, moves[index])


def main() -> None:
    """Answer the question on standard input."""
    reply(_answered)


def _answered(question: bytes) -> bytes:
    (script, modules), start, steps = pickle.loads(question)  # noqa: S301 - ours
    if script is not None:
        load_script(script)
    for name, path in modules:
        load_file(name, path)
    return pickle.dumps(answers(pickle.loads(start), steps))  # noqa: S301 - ours
