"""Jitted entry points: functions that Python calls, compiled by numba and cached on disk."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from attrs import field, frozen
from numba import njit, typeof

from fmcts._numba.cache import on_disk
from fmcts._numba.cache.disk import DiskCache
from fmcts._numba.cache.fingerprint import fingerprint
from fmcts._numba.interrupts import interrupts_wait
from fmcts._numba.private import COMPILER_LOCK, PointCompiler, keep_code_with, one_pass_manager
from fmcts._numba.register import entering, register
from fmcts.rules import IntegerRules

Rule: TypeAlias = Callable[..., Any]

# Other threads may run meanwhile (`nogil`); divisions follow IEEE 754; an entry point counts no
# references (`_nrt`), since its arrays belong to the caller.
OPTIONS: Final = {
    'error_model': 'numpy',
    'nogil': True,
    'no_cfunc_wrapper': True,
    '_nrt': False,
}


class CompilationError(Exception):
    """Raised when code cannot be compiled; its cause is the error of numba or LLVM."""


@contextmanager
def collector_paused() -> Iterator[None]:
    """Disable automatic garbage collection within the block, and restore its state afterwards.

    numba creates many objects and keeps most of them, so the collector runs again and again, scans
    all objects of the program, and frees little. That costs about a tenth of the time of compiling.
    The lock lets only one thread at a time disable the collector.
    """
    with COMPILER_LOCK:
        running = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if running:
                gc.enable()


@frozen(eq=False)
class Jitted:
    """A function that is compiled when first called.

    Interrupts wait until it is compiled. `structure` describes the functions in it, such as the
    `Structure` of a search.

    :raises CompilationError: (when called) the function cannot be compiled.
    """

    dispatcher: Any
    structure: Any = None
    cache: DiskCache | None = None
    _made: list[bool] = field(factory=list, init=False)  # empty until the code is compiled

    def __call__(self, *arguments: Any) -> Any:
        """Return the machine code's result for these arguments."""
        if not self._made:
            self.compile(*map(typeof, arguments))
        return self.dispatcher(*arguments)

    @property
    def is_made(self) -> bool:
        """True if the code has been loaded or compiled."""
        return bool(self._made)

    def note_use(self) -> None:
        """Tell `on_disk.gathering` of the file with the code, as loading or compiling it does."""
        if self.cache is not None:
            on_disk.used(self.cache.file)

    def compile(self, *types: Any) -> None:
        """Compile the code for arguments of these types."""
        try:
            with interrupts_wait(), collector_paused(), one_pass_manager():
                self.dispatcher.compile(types)
        except MemoryError:
            raise
        except Exception as error:
            raise CompilationError from error
        self._made.append(True)


def jit(function: Any, about: str, *identity: object, structure: Any = None) -> Jitted:
    """Return the function, compiled when first called and cached on disk under its content's name.

    The name includes everything that the function reaches in memory, by name or in its closure, and
    `identity`. `about` names the code in notices.
    """
    made = njit(pipeline_class=PointCompiler, **OPTIONS)(function)
    name = functools.partial(fingerprint, function, *sorted(OPTIONS.items()), *identity)
    cache = DiskCache(name, about)
    keep_code_with(made, cache)
    return Jitted(made, structure, cache)


def game_identity(rules: IntegerRules, position: Any) -> tuple[object, ...]:
    """Return the values that distinguish one game's code from another's."""
    return position, *registered(rules), *chance_rules(rules)


def chance_rules(rules: IntegerRules) -> tuple[Rule, ...]:
    """Return those of chances, weight and rewards that the rules have, registered with numba."""
    found: list[Any] = [rules.chances, rules.weight] if rules.chances is not None else []
    register(*found)
    return (*found, *(entering(rule) for rule in (rules.rewards,) if rule is not None))


def registered(rules: IntegerRules) -> tuple[Rule, Rule, Rule, Rule, Rule, Rule]:
    """Return the compiled rules, registered with numba: menu, count, pick, play, side, winner."""
    found = (rules.menu, rules.count, rules.pick, rules.play, rules.side, rules.winner)
    register(*found)
    return found
