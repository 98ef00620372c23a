"""The second process of a game check: load the game, play the lines, and report the states.

`games_elsewhere` starts it.
"""

from __future__ import annotations

import ast
import pickle
import sys
import types
from pathlib import Path
from typing import Any, Final

from fmcts.testing._laws.cases import look, play
from fmcts.testing._laws.law import OtherwiseError
from fmcts.testing._laws.process import load_file, reply

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
    if state is None or index >= len(state.moves):
        raise OtherwiseError('is not reached')
    return play(state, state.moves[index])


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
