"""Call a function (a bot, a search) again in a second Python with other hashes of text."""

from __future__ import annotations

import pickle
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from returns.result import Failure, Result, Success

from fmcts.testing._laws.law import Raised, asked, raised
from fmcts.testing._laws.process import (
    NO_THIRD,
    answer_of,
    is_another,
    load_file,
    reply,
    seeds,
    started,
)


def pickled(function: Callable[..., Any]) -> Result[bytes, str]:
    """Return the pickled function, before any call; or why it cannot be pickled."""
    return _pickled(function)


def _pickled(value: Any) -> Result[bytes, str]:
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
    given = _pickled(tuple(cases))
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
