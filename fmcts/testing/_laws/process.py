"""Start another Python with other hashes of text, and exchange pickles with it.

This shows whether results depend on hash order, addresses or what a process did before. The
question is defined in `games_elsewhere` (the positions of a game) and `functions_elsewhere` (a
function such as a bot).
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from returns.result import Failure, Result, Success

from fmcts.testing._laws.law import raised

ALREADY: Final = 'FMCTS_SECOND_PROCESS'
"""The variable set in such a process, whose code may run checks too."""

NO_THIRD: Final = 'this is another process already'
"""The reason why such a process starts no other."""

BEGIN: Final = 'import sys; sys.path[:] = {path!r}; from {module} import main; main()'


def is_another() -> bool:
    """Return whether this process is such another one."""
    return ALREADY in os.environ


def seeds(count: int) -> list[str]:
    """Return `count` seeds of the hashes of text, 2 at most, that differ from this process's."""
    return [seed for seed in '123' if seed != os.environ.get('PYTHONHASHSEED')][:count]


def started(module: str, seed: str) -> subprocess.Popen[bytes]:
    """Start another process that runs `main` of the module.

    :raises OSError: no process can be started.
    """
    return subprocess.Popen(  # noqa: S603 - this Python, and the program above
        [sys.executable, '-c', BEGIN.format(path=sys.path, module=module)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, 'PYTHONHASHSEED': seed, ALREADY: '1'},
    )


def answer_of(process: subprocess.Popen[bytes], question: bytes) -> Result[Any, str]:
    """Return the process's answer, however long it takes, or why it has none."""
    out, err = process.communicate(question)
    if process.returncode:
        lines = err.decode(errors='replace').strip().splitlines()
        last = lines[-1] if lines else f'it ended with the status {process.returncode}'
        return Failure(f'another process failed: {last}')
    try:
        return Success(pickle.loads(out))  # noqa: S301 - our own process wrote it
    except Exception as error:  # noqa: BLE001 - the user's code may raise anything
        return Failure(f'the answer of another process cannot be read: {raised(error)}')


def reply(answer: Callable[[bytes], bytes]) -> None:
    """In the other process, read the question from standard input and write the answer."""
    with os.fdopen(os.dup(1), 'wb') as out:
        os.dup2(2, 1)  # keeps the user's output apart from the answer
        out.write(answer(sys.stdin.buffer.read()))


def load_file(name: str, path: str) -> None:
    """Import a module from its file, unless it can be found by its name.

    Test runners import modules under names that cannot be imported elsewhere.
    """
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
