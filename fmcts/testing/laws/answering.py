"""What the other process does: load the game, play the lines, and say what is seen.

    python -m fmcts.testing.laws.answering < question > answer

Question and answer are pickles; see `second`, which starts it.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import pickle
import sys
import types
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from fmcts.testing.laws.cases import look, play
from fmcts.testing.laws.law import OtherwiseError

__all__ = ['ALREADY', 'answers', 'load_file', 'load_script']

ALREADY: Final = 'FMCTS_SECOND_PROCESS'
"""Set where a process is such another one already: what it loads may ask for one in its turn."""

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
    """Put the definitions of a script where pickles look for them, without what it does.

    These are its imports, functions, classes and assignments.
    """
    tree = ast.parse(Path(path).read_bytes(), path)
    tree.body = [statement for statement in tree.body if isinstance(statement, DEFINITIONS)]
    module = types.ModuleType('__main__')
    module.__file__ = path
    sys.modules['__main__'] = module
    sys.path.insert(0, str(Path(path).parent))
    exec(compile(tree, path, 'exec', dont_inherit=True), vars(module))  # noqa: S102 - the user's own


def load_file(name: str, path: str) -> None:
    """Import a module from its file, unless it can be found by its name."""
    with suppress(ImportError, ValueError):
        if importlib.util.find_spec(name) is not None:
            return
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        return
    sys.path.insert(0, str(Path(path).parent))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


def answers(start: Any, steps: list[Any]) -> list[Any]:
    """For each step, `(number of an earlier one, index of a move)`, what the state there says.

    It is a text where that raises an error.
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
    out = sys.stdout.buffer
    sys.stdout = Path(os.devnull).open('w', encoding='utf-8')  # noqa: SIM115 - what the game prints
    (script, modules), start, steps = pickle.loads(sys.stdin.buffer.read())  # noqa: S301 - ours
    if script is not None:
        load_script(script)
    for name, path in modules:
        load_file(name, path)
    out.write(pickle.dumps(answers(pickle.loads(start), steps)))  # noqa: S301 - ours
    out.flush()


if __name__ == '__main__':
    main()
