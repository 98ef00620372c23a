"""Measure the time, memory and objects of a run: the effects of this package.

Each is measured in a separate run, because measuring one disturbs the others.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, TypeVar

from fmcts.search import chunks_by_count

T = TypeVar('T')


def measure_seconds(run: Callable[[], T]) -> tuple[T, float]:
    """Return the result of `run`, and the seconds of processor time that it took.

    They are at least what this clock can tell apart.
    """
    gc.collect()
    began = time.process_time()
    result = run()
    least = time.get_clock_info('process_time').resolution
    return result, max(time.process_time() - began, least)


def measure_peak(run: Callable[[], object]) -> int | None:
    """Return the most memory that `run` held at once, in bytes, beyond what was held before.

    Return `None`, without a run, on a Python that lacks `tracemalloc`, such as PyPy.

    `tracemalloc` sees the memory of Python's own allocators, and NumPy's arrays at their requested
    size, used or not (`compiled` allocates in advance). Tracing makes the run several times slower,
    and takes memory that is not counted.
    """
    try:
        import tracemalloc  # noqa: PLC0415 - not every Python has it
    except ImportError:
        return None
    gc.collect()
    traced_before = tracemalloc.is_tracing()
    if not traced_before:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        base, _ = tracemalloc.get_traced_memory()
        run()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        if not traced_before:
            tracemalloc.stop()
    return peak - base


def count_objects(run: Callable[[], object]) -> int:
    """Return how many instances of classes written in Python `run` creates, kept or not.

    These are the nodes, game states, generators, cursors and `State` actions: whatever is created
    by an `__init__` written in Python (or generated, as attrs does) or by calling `object.__new__`.
    An object is counted once, however many classes take part in its creation. Objects of built-in
    types are not counted (numbers, tuples, lists, functions, iterators), nor what compiled code
    keeps in arrays.

    The number is exact and the same in every run: it counts calls, with `sys.setprofile`, and
    chunks of a search depend on counts, not on the clock. A profiler that is active meanwhile does
    not see the run.
    """
    made = 0

    def count(frame: FrameType, event: str, function: Any) -> None:  # called by the profiler
        nonlocal made
        if event == 'call':
            if frame.f_code.co_name == '__init__' and not _has_begun(frame):
                made += 1
        elif event == 'c_call' and function.__name__ == '__new__' and not _goes_on(frame):
            made += 1

    before = sys.getprofile()
    with chunks_by_count():
        sys.setprofile(count)
        try:
            run()
        finally:
            sys.setprofile(before)
    return made


def _first_argument(frame: FrameType) -> object:  # called by the profiler
    return frame.f_locals.get(frame.f_code.co_varnames[0])


def _has_begun(init: FrameType) -> bool:  # called by the profiler
    """Return whether a subclass calls this `__init__`, so that the object is already counted."""
    caller = init.f_back
    return (
        caller is not None
        and caller.f_code.co_name == '__init__'
        and _first_argument(caller) is _first_argument(init)
    )


def _goes_on(frame: FrameType) -> bool:  # called by the profiler
    """Return whether a class's own `__new__` calls it, with an `__init__` to follow."""
    if frame.f_code.co_name != '__new__':
        return False
    init = getattr(_first_argument(frame), '__init__', None)
    # Built-in functions have code of another type on PyPy, and no code on CPython.
    return isinstance(getattr(init, '__code__', None), CodeType)
