"""Asking again in a second Python, whose hashes of text are others.

What comes of hash order, of addresses or of what a process did before shows itself there.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from returns.result import Failure, Result, Success

from fmcts.testing.laws.asking import Raised, asked, told

__all__ = ['answers_elsewhere', 'pickled']

BEGIN: Final = 'import sys; sys.path[:] = {path!r}; from {module} import main; main()'


def pickled(function: Callable[..., Any]) -> Result[bytes, str]:
    """The function as it is now, before it is asked anything; or why it cannot be pickled."""
    return _pickled(function)


def _pickled(value: Any) -> Result[bytes, str]:
    try:
        return Success(pickle.dumps(value))
    except Exception as error:  # noqa: BLE001 - pickling calls what anybody wrote
        return Failure(f'it cannot be pickled for a second process: {told(error)}')


def answers_elsewhere(
    function: Result[bytes, str], cases: Sequence[tuple[Any, ...]]
) -> Result[tuple[Any, ...], str]:
    """What the function gives in each case in a second process; or why it cannot be asked there.

    `function` comes of `pickled`. An answer is `Raised` where it raises. Arguments and answers are
    pickled too, so they must be found by their names in modules that the second process can import:
    what stands in the script that runs, or inside of a function, is not.
    """
    return function.bind(lambda known: _pickled((known, tuple(cases))).bind(_asked_elsewhere))


def _asked_elsewhere(question: bytes) -> Result[tuple[Any, ...], str]:
    seed = '2' if os.environ.get('PYTHONHASHSEED') == '1' else '1'
    done = subprocess.run(  # noqa: S603 - this Python, and the program above
        [sys.executable, '-c', BEGIN.format(path=sys.path, module=__name__)],
        input=question,
        capture_output=True,
        check=False,
        env={**os.environ, 'PYTHONHASHSEED': seed},
    )
    try:
        answers = pickle.loads(done.stdout)  # noqa: S301 - our own process wrote it
    except Exception:  # noqa: BLE001 - what was written may be anything, if the process ended
        lines = done.stderr.decode(errors='replace').strip().splitlines()
        last = lines[-1] if lines else f'it ended with the status {done.returncode}'
        return Failure(f'the second process gave no answer: {last}')
    return Failure(answers.text) if isinstance(answers, Raised) else Success(answers)


def main() -> None:
    """The second process: a question from standard input, the answers to standard output."""
    with os.fdopen(os.dup(1), 'wb') as reply:
        os.dup2(2, 1)  # what a user's function prints is no answer
        reply.write(_answered(sys.stdin.buffer.read()))


def _answered(question: bytes) -> bytes:
    try:
        known, cases = pickle.loads(question)  # noqa: S301 - the first process wrote it
        function = pickle.loads(known)  # noqa: S301 - the same
    except Exception as error:  # noqa: BLE001 - unpickling imports what anybody wrote
        return pickle.dumps(Raised(f'a second process cannot load it: {told(error)}'))
    answers = tuple(asked(function, *case) for case in cases)
    try:
        return pickle.dumps(answers)
    except Exception as error:  # noqa: BLE001 - pickling calls what anybody wrote
        return pickle.dumps(Raised(f'its answers cannot be pickled: {told(error)}'))
