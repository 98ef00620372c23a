"""Start another Python with other hashes of text, and exchange pickles with it.

This shows whether results depend on hash order, addresses or what a process did before. The other
process calls a function, such as a bot, again (`answers_elsewhere`); `games_elsewhere` has the
question about the positions of a game.
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from returns.result import Failure, Result, Success

from fmcts.testing._laws.law import Raised, asked, raised

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


def pickled(value: Any) -> Result[bytes, str]:
    """Return the pickle of a value, such as a function before any call; or why there is none."""
    try:
        return Success(pickle.dumps(value))
    except Exception as error:  # noqa: BLE001 - pickling calls what anybody wrote
        why = re.sub(' at 0x[0-9A-Fa-f]+', '', raised(error))  # the same in every run
        return Failure(f'it cannot be pickled for a second process: it {why}')


def answers_elsewhere(
    function: Result[bytes, str], cases: Sequence[tuple[Any, ...]]
) -> Result[tuple[Any, ...], str]:
    """Return the function's results in a second process; or why it cannot be called there.

    `function` is a result of `pickled`. A result is `Raised` if the call raises. Arguments and
    results are pickled too, so their classes must be importable by name, which those defined in a
    function or in the running script are not.
    """
    given = pickled(tuple(cases))
    return function.bind(lambda known: given.bind(partial(_asked_elsewhere, known)))


def _files(pickles: bytes) -> Iterator[tuple[str, str]]:
    """Yield the modules that are named in pickles, with their files."""
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, '__file__', None)
        if file and '.' not in name and name.encode() in pickles:
            yield name, file


def _asked_elsewhere(known: bytes, given: bytes) -> Result[tuple[Any, ...], str]:
    if is_another():
        return Failure(NO_THIRD)
    if b'__main__' in known + given:
        return Failure('a second process cannot load the script that runs: put it in a module')
    question = pickle.dumps(([*_files(known + given)], known, given))
    try:
        with started(__name__, *seeds(1)) as process:
            answered = answer_of(process, question)
    except OSError as error:
        return Failure(f'no other process can be started: {error.strerror or error}')
    return answered.bind(_unless_raised)


def _unless_raised(answers: tuple[Any, ...] | Raised) -> Result[tuple[Any, ...], str]:
    return Failure(answers.text) if isinstance(answers, Raised) else Success(answers)


def main() -> None:
    """Run the second process: read calls from standard input, write results to standard output."""
    reply(_answered)


def _answered(question: bytes) -> bytes:
    try:
        files, known, given = pickle.loads(question)  # noqa: S301 - the first process wrote it
        for name, file in files:
            load_file(name, file)
        function, cases = pickle.loads(known), pickle.loads(given)  # noqa: S301 - the same
    except Exception as error:  # noqa: BLE001 - unpickling imports what anybody wrote
        return pickle.dumps(Raised(f'a second process cannot load it: it {raised(error)}'))
    answers = tuple(asked(function, *case) for case in cases)
    try:
        return pickle.dumps(answers)
    except Exception as error:  # noqa: BLE001 - pickling calls what anybody wrote
        return pickle.dumps(Raised(f'its answers cannot be pickled: it {raised(error)}'))
