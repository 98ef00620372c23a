"""A helper process that compiles machine code while another engine runs the search.

The helper writes the code to disk, and this process loads it from there. The helper receives the
search as a pickle, so it must be able to import games, methods and functions by module and name. It
cannot compile objects defined in `__main__` or in a function, nor lambdas. A process has at most
one helper, and at most one helper writes to a cache folder. The helper ends when its parent ends:
it watches its standard input, which closes then.

No helper is started if `FMCTS_HELPER=0` is set, if the process may use only one processor, or if
machine code cannot be cached on disk.
"""

from __future__ import annotations

import atexit
import enum
import io
import os
import pickle
import signal
import subprocess
import sys
import threading
import types
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final, NoReturn

from attrs import frozen

from fmcts import _compiled as compiled
from fmcts._numba.cache import on_disk
from fmcts._numba.cache.place import make
from fmcts.errors import EngineError
from fmcts.game import GameState
from fmcts.notices import listening
from fmcts.rng import Rng
from fmcts.search._description import Search

MOST: Final = 1 << 15  # bytes of a request: a pipe buffers that many, so writing does not block
LOCK: Final = 'helper.lock'

# The path comes first, because imports need it. `-P` keeps the current folder out of it.
BOOT: Final = (
    'import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); '
    'from fmcts._running.helper import main; main()'
)


class Outcome(enum.Enum):
    """The outcome of a helper; the value is its exit code."""

    DONE = 0
    FAILED = 1
    BUSY = 75  # another helper is using the cache folder


class NotImportableError(Exception):
    """Raised when another process cannot import something by module and name."""


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: object) -> Any:
        """Refuse objects defined in `__main__`, a different module in another process."""
        if isinstance(value, type | types.FunctionType) and value.__module__ == '__main__':
            raise NotImportableError(f'{value.__qualname__} is defined in __main__')
        return NotImplemented


def request_of(state: GameState[Any], rng: Rng, search: Search) -> bytes:
    """Return the request that makes a helper compile the search.

    :raises NotImportableError: another process cannot import a part of it by module and name.
    """
    written = io.BytesIO()
    try:
        _Pickler(written).dump((state, rng, search))
    except NotImportableError:
        raise
    except Exception as error:  # whatever pickling raises
        raise NotImportableError(str(error).partition('\n')[0]) from error
    if written.tell() > MOST:
        raise NotImportableError('the game state is too large to send')
    return written.getvalue()


def obstacle() -> str | None:
    """Return why this process cannot start a helper; `None` if it can."""
    if os.environ.get('FMCTS_HELPER') == '0':
        return 'FMCTS_HELPER is 0'
    if _within:
        return 'this process is a helper itself'
    if processors() < 2:
        return 'there is only one processor'
    if getattr(sys, 'frozen', False) or 'python' not in Path(sys.executable or '').name:
        return 'there is no Python program to start'
    if on_disk.place() is None:
        return 'machine code cannot be cached on disk'
    return None


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, 'sched_getaffinity'):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# ---- the parent ----


@frozen(eq=False)
class _Helper:
    process: subprocess.Popen[bytes]
    served: Any


_at_work: list[_Helper] = []  # at most one
_within = False  # whether this process is a helper itself


def start(request: bytes, served: Any) -> bool:
    """Start a helper with the request; return `False` if one is running or none can be started.

    `poll` returns `served` with the outcome.
    """
    if _at_work:
        return False
    flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]  # noqa: SLF001
    try:
        process = subprocess.Popen(  # noqa: S603 - our own module, by this interpreter
            [sys.executable, *flags, '-P', '-c', BOOT],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return False
    started = _Helper(process, served)
    _at_work.append(started)
    if _at_work[0] is not started:  # another thread was faster
        _end(started)
        return False
    atexit.register(stop)
    assert process.stdin is not None  # noqa: S101 - for mypy
    with suppress(OSError):  # it has ended, and `poll` will report that
        process.stdin.write(pickle.dumps(sys.path) + request)
        process.stdin.flush()
    return True


def serves(served: Any) -> bool:
    """Return whether the helper is working for `served`."""
    return any(helper.served is served for helper in _at_work)


def poll() -> tuple[Any, Outcome] | None:
    """Return what the helper served, and its outcome; `None` if it is running or there is none."""
    for helper in _at_work[:1]:
        code = helper.process.poll()
        if code is not None:
            _end(helper)
            known = code in {outcome.value for outcome in Outcome}
            return helper.served, Outcome(code) if known else Outcome.FAILED
    return None


def stop() -> None:
    """End the helper, if there is one."""
    for helper in (*_at_work,):
        _end(helper)


def _end(helper: _Helper) -> None:
    with suppress(ValueError):  # another thread was faster
        _at_work.remove(helper)
    helper.process.kill()
    with suppress(OSError):
        helper.process.stdin.close()  # type: ignore[union-attr] # it is a pipe
    helper.process.wait()


def _forget() -> None:
    """Close the pipe in a forked child, because the helper belongs to the parent."""
    while _at_work:
        process = _at_work.pop().process
        process.returncode = 0
        with suppress(OSError):
            os.close(process.stdin.fileno())  # type: ignore[union-attr] # it is a pipe


if hasattr(os, 'register_at_fork'):  # Windows has no fork
    os.register_at_fork(after_in_child=_forget)


# ---- the helper ----


def main() -> NoReturn:
    """Compile the search requested on standard input, and exit, at the latest with the parent."""
    global _within  # noqa: PLW0603 - a process is either a helper or not
    _within = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    code = Outcome.FAILED
    try:
        state, rng, search = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the parent
        threading.Thread(target=_end_with_parent, daemon=True).start()
        with alone() as ours:
            code = _compiled(state, rng, search) if ours else Outcome.BUSY
    finally:
        os._exit(code.value)  # the thread waits for standard input


def _compiled(state: GameState[Any], rng: Rng, search: Search) -> Outcome:
    with listening(lambda _notice: None):
        try:
            done = compiled.prepare_search(state, rng, search, compiling=True, digest=True)
        except EngineError:  # the parent will meet the same error
            return Outcome.FAILED
    return Outcome.DONE if done else Outcome.FAILED


def _end_with_parent() -> None:
    with suppress(OSError):
        os.read(0, 1)
    os._exit(Outcome.FAILED.value)


@contextmanager
def alone() -> Iterator[bool]:
    """Yield whether nobody else is compiling into the cache folder; lock it for the block."""
    file = _lock_file()
    if file is None:  # nothing can be kept there
        yield True
        return
    with file:
        yield _locked(file)


def _lock_file() -> IO[bytes] | None:
    here = on_disk.place()
    if here is None:
        return None
    try:
        make(here)
        return (here / LOCK).open('ab')
    except OSError:
        return None


def _locked(file: Any) -> bool:
    """Lock a file while it is open; return `False` if another process has locked it."""
    try:
        if sys.platform == 'win32':
            import msvcrt  # noqa: PLC0415 - only on Windows

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 - not on Windows

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except PermissionError:  # raised by Windows for a locked file
        return False
    except OSError:  # a file system without locks: several helpers may run then
        return True
    return True
