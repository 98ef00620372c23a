"""Answers in a file to which lines are appended, so that nothing told is ever lost.

The first line names the search; each line that follows is an answer, or a failed attempt, as
JSON, with a checksum. A line is on the disk before the search goes on. What a process that was
killed left of its last line is ignored, and removed when the file is opened again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias
from zlib import crc32

from attrs import evolve, fields

from fmcts._arguments import shown
from fmcts.asking._evaluation import Evaluation, values_of
from fmcts.asking._search import Asking
from fmcts.asking._session import Request
from fmcts.game import chances_of
from fmcts.history import FileError, check_kept, is_kept, options_changed, options_written
from fmcts.search import Search

FORMAT: Final = 'fmcts-answers-3'
ADDRESS: Final = ' at 0x'
DAMAGE: Final = (AttributeError, LookupError, TypeError, ValueError)

Append: TypeAlias = Callable[[Request[Any], Any], None]
"""`append(request, answer)` writes an answer; `append(request, error)` a failed attempt."""


@contextmanager
def journal(path: str | Path, search: Asking[Any]) -> Iterator[tuple[Asking[Any], Append]]:
    """Open a file of answers, new or old; yield the search with its answers, and `append`.

    `append(request, answer)` writes an answer down first; with an exception in its place, a
    failed attempt. A search may have more iterations and a larger budget than when the file was
    begun: it continues where that ended. `append` raises `MethodError` for an answer that proposes
    moves which the file cannot keep.

    :raises FileError: the file has something else than answers to this search, or more of them than
        it asks for; it is not changed.
    :raises OSError: it cannot be read or written, or another run has it open.

    >>> import tempfile
    >>> from fmcts import Search, SplitMix
    >>> from fmcts.asking import asking
    >>> from fmcts.games import tictactoe
    >>> file = Path(tempfile.mkdtemp()) / 'answers.jsonl'
    >>> begun = asking(tictactoe.start, SplitMix.from_seed(1), Search(9))
    >>> with journal(file, begun) as (search, append):
    ...     append(search.ask()[0], 0.5)
    >>> with journal(file, begun) as (search, append):
    ...     search
    <Asking of TicTacToe, 1 of 9 iterations, 1 open request>
    """
    path, header = Path(path), _line(_header(search))
    with path.open('a+b', buffering=0) as file:
        _lock(file, path)
        file.seek(0)
        content = file.read()
        # A run that was killed leaves part of a line, which is cut off when all before it is read.
        whole = content[: content.rfind(b'\n') + 1]
        if not whole and not header.startswith(content):
            raise FileError(f'{path}: not a file of answers: expected one of the format {FORMAT}')
        found = search
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                found = _compared(line, header, found) if number == 1 else _read(line, found)
            except FileError as error:
                raise FileError(f'{path}: {error}') from None
            except DAMAGE as error:
                raise FileError(
                    f'{path}: line {number} is damaged, or of another search ({error})'
                ) from None

        def write(line: bytes) -> None:
            while line:
                line = line[file.write(line) :]
            # Each answer costs: it is on the disk before it is told.
            os.fsync(file.fileno())

        def append(request: Request[Any], answer: Any) -> None:
            if not isinstance(request, Request):  # only the search as it is now knows its ids
                raise TypeError(f'append takes a request, as ask() returns, not {shown(request)}')
            values = _written(request, answer, search)
            write(checked_line({'id': request.id, 'path': _indexes(search, request), **values}))

        file.truncate(len(whole))
        if not whole:
            write(header)
        yield found, append


def _lock(file: Any, path: Path) -> None:
    """Lock a file until it is closed or this process ends, where there are such locks.

    :raises OSError: another run has locked it.
    """
    try:
        import fcntl  # noqa: PLC0415 - Windows has none

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.register_at_fork(after_in_child=file.close)  # a worker would keep it locked
    except BlockingIOError:
        raise OSError(f'{path}: another run writes to it; nothing was written') from None
    except (ImportError, OSError):  # as in some file systems
        return


def _line(values: dict[str, Any]) -> bytes:
    return json.dumps(values, separators=(',', ':'), default=float).encode() + b'\n'


def checked_line(values: dict[str, Any]) -> bytes:
    """Return a line with its checksum."""
    return _line({**values, 'check': crc32(_line(values))})


def _header(search: Asking[Any]) -> dict[str, Any]:
    """Return what all searches have in common that a file of answers is of."""
    state = repr(search.state)
    return {
        'format': FORMAT,
        'state': None if ADDRESS in state else state,
        'search': options_written(_plan(search)),
    }


def _plan(search: Asking[Any]) -> Search:
    """Return the description of a search, but for what may differ later."""
    # How long it runs may change between two runs; the requests stay the same.
    return evolve(search.search, iterations=Search().iterations, stop=None)


def _compared(line: bytes, header: bytes, search: Asking[Any]) -> Asking[Any]:
    """Return the search if a header is its own.

    :raises FileError: it is of another search, or the file of another kind.
    """
    try:
        there, here = json.loads(line), json.loads(header)
        known = there['format'] == FORMAT
        other = known and options_changed(there['search'], _plan(search))
    except DAMAGE:
        known = False
    if not known:
        raise FileError(f'not a file of answers: expected one of the format {FORMAT}')
    if there['state'] != here['state']:
        raise FileError(
            f'its state is another: {shown(there["state"])}, not {shown(here["state"])}'
        )
    if other:
        raise FileError(f'its search is another: {other.replace("batch=", "window=")}')
    return search


def _read(line: bytes, search: Asking[Any]) -> Asking[Any]:
    """Return the search with a line's answer."""
    values = json.loads(line)
    if values.pop('check') != crc32(_line(values)):
        raise ValueError('its checksum is another')
    path, number = values.pop('path'), values.pop('id')
    try:
        request, told = search._request(number)  # noqa: SLF001 - of this room
    except ValueError:
        if not isinstance(number, int) or number < 0:
            raise
        raise FileError(
            f'it has more answers than the search asks for, such as that to request {number}: '
            'the search has fewer iterations or a smaller budget, or is another'
        ) from None
    if told is not None:  # the first answer counts
        return search
    if path != json.loads(json.dumps(_indexes(search, request))):
        raise ValueError(f'request {request.id} is of another search: its path is another')
    if 'failed' in values:
        return search.fail(request)
    return search.tell(request, Evaluation(**values))


def _indexes(search: Asking[Any], request: Request[Any]) -> list[Any]:
    """Return the path of a request as indices of moves; those that no state lists by themselves.

    :raises MethodError: JSON cannot keep one of the latter.
    """
    state, found = search.state, []
    for move in request.path:
        if state.moves:
            found.append(state.moves.index(move))
        elif is_kept(move):
            found.append(move)
        else:
            outcomes = [outcome for outcome, _ in chances_of(state)]
            check_kept(() if outcomes else (move,), f'the path to request {request.id}')
            found.append(outcomes.index(move))
        state = state.play(move)
    return found


def _written(request: Request[Any], answer: Any, search: Asking[Any]) -> dict[str, Any]:
    """Return an answer that was checked, or a failure, for JSON.

    :raises MethodError: it is not an answer about that state, or JSON cannot keep its proposals.
    """
    if isinstance(answer, BaseException):
        return {'failed': f'{type(answer).__name__}: {answer}'}
    given, _ = search._checked(request, answer)  # noqa: SLF001 - of this room
    check_kept(given.proposals or (), f'the answer to request {request.id}')
    usual = {it.name: it.default for it in fields(Evaluation)}
    values = zip(usual, values_of(given), strict=True)
    return {name: value for name, value in values if value != usual[name]}
