"""Ask a second Python, with other hashes of text, the same questions.

This shows whether results depend on hash order, addresses or what a process did before: moves taken
from a set, and a hash that a state caches and pickles, are right within each process and differ
between two.
"""

from __future__ import annotations

import os
import pickle
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from returns.result import Failure, Result, Success

from fmcts.testing._laws.law import asked, raised

ALREADY: Final = 'FMCTS_SECOND_PROCESS'
"""The variable set in a second process, whose code may run checks too."""

NO_THIRD: Final = 'this is another process already'
"""The reason why such a process starts no other."""

BEGIN: Final = (
    'import sys; sys.path[:] = {!r}; from fmcts.testing._laws.elsewhere import main; main()'
)


def pickled(value: Any) -> Result[bytes, str]:
    """Return the pickle of a value, such as a function before any call; or why there is none."""
    try:
        return Success(pickle.dumps(value))
    except Exception as error:  # noqa: BLE001 - pickling calls what anybody wrote
        why = re.sub(' at 0x[0-9A-Fa-f]+', '', raised(error))  # the same in every run
        return Failure(f'it cannot be pickled for another process: it {why}')


def answers_elsewhere(
    function: Result[bytes, str], cases: list[tuple[Any, ...]]
) -> Result[list[Any], str]:
    """Return the results of a function in a second process; or why it cannot be called there.

    `function` is a result of `pickled`. A result is `Raised` if the call raises. A script is run
    again there, but for what stands under `if __name__ == '__main__':`.
    """
    if ALREADY in os.environ:
        return Failure(NO_THIRD)
    return function.bind(lambda known: pickled(cases).bind(lambda given: _asked(known, given)))


def _asked(known: bytes, given: bytes) -> Result[list[Any], str]:
    script = getattr(sys.modules['__main__'], '__file__', None)
    if b'__main__' in known + given and script is None:
        return Failure('another process cannot import what is defined at a prompt')
    if b'__main__' not in known + given:
        script = None
    else:  # as it is called there, and in answers that come back; `multiprocessing` does the same
        sys.modules.setdefault('__mp_main__', sys.modules['__main__'])
    question = pickle.dumps((script, known, given))
    # Another seed than that of this process, whatever it is.
    seed = '2' if os.environ.get('PYTHONHASHSEED') == '1' else '1'
    try:
        done = subprocess.run(  # noqa: S603 - this Python, and the program above
            [sys.executable, '-c', BEGIN.format(sys.path)],
            input=question,
            capture_output=True,
            check=False,
            env={**os.environ, 'PYTHONHASHSEED': seed, ALREADY: '1'},
        )
    except OSError as error:
        return Failure(f'no other process can be started: {error.strerror or error}')
    if done.returncode:
        lines = done.stderr.decode(errors='replace').strip().splitlines()
        last = lines[-1] if lines else f'it ended with the status {done.returncode}'
        return Failure(f'another process failed: {last}')
    try:
        return Success(pickle.loads(done.stdout))  # noqa: S301 - our own process wrote it
    except Exception as error:  # noqa: BLE001 - unpickling calls what anybody wrote
        return Failure(f'the answer of another process cannot be read: {raised(error)}')


def main() -> None:
    """Be the second process: answer the question on standard input."""
    with os.fdopen(os.dup(1), 'wb') as out:
        os.dup2(2, 1)  # keeps what is printed apart from the answer
        script, known, given = pickle.load(sys.stdin.buffer)  # noqa: S301 - the first process wrote it
        if script is not None:
            module = ModuleType('__mp_main__')
            vars(module).update(runpy.run_path(script, run_name='__mp_main__'))
            sys.modules['__main__'] = sys.modules['__mp_main__'] = module
        function: Callable[..., Any] = pickle.loads(known)  # noqa: S301 - the same
        out.write(pickle.dumps([asked(function, *case) for case in pickle.loads(given)]))  # noqa: S301
