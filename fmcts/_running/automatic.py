"""The engine `auto`: it chooses by the time that a search takes and by the machine code available.

A search starts in place, without numba. As soon as this would take longer than machine code, the
compiled engine restarts it: engines agree to the bit, and machine code soon catches up. Code on
disk costs the loading of numba. Code that does not exist is compiled by a helper process while the
search continues in place, so that nobody waits (`fmcts._running.helper`). It is compiled in this
process where no helper is possible, and for a long search that nobody watches: it ends sooner, by
the start of a process and by what two busy processors take from each other. The choice changes only
the time that a search takes.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, Final, TypeAlias

from attrs import define, field, frozen

from fmcts import _compiled as compiled, notices
from fmcts._agreement.findings import check_briefly
from fmcts._arguments import check_start
from fmcts._compiled.names import name_of
from fmcts._compiled.tree.nodes import LazyNode
from fmcts._numba.cache import on_disk
from fmcts._running import helper
from fmcts.errors import EngineError, RulesError
from fmcts.game import GameState, chances_of
from fmcts.rng import Rng, SplitMix
from fmcts.search._description import Search, check_search
from fmcts.search._tree import Node, plant
from fmcts.search._watch import STOP, Watch, ignore

try:
    from time import thread_time
except ImportError:  # WebAssembly has no threads, and no clock of one
    from time import process_time as thread_time

# Seconds of a processor: measured on a machine of 2024, and judged beside what a search takes here.
LOADING: Final = 0.7  # of numba and the engine
READING: Final = 0.1  # of the code for a search from the disk
COMPILING: Final = 4.0  # of the code for a search of a new game
PROBE: Final = 0.02  # after which the pace of a search is known
SURE: Final = 0.1  # after which it is known well enough to compile in this process
THAWING: Final = 1e-5  # of a node that was grown by machine code, for a search in place

LOOK: Final = 0.1  # seconds after which the disk is looked at again
AGAIN: Final = 0.5  # seconds before another helper is requested
KINDS: Final = 1024  # of searches about which something is remembered

Run: TypeAlias = Callable[[Node, Any, Search, Watch], tuple[Node, Any]]
"""A function that runs a search and returns the root of the tree and the next generator.

Its arguments are root, generator, description and watch.
"""

Shorter: TypeAlias = Callable[[GameState[Any], Any, Search], Any]
"""A function that returns what decides a short search without a tree (`fmcts._compiled.prepared`).

It returns `None` if there is no shorter way than the search.
"""


def warn_of_rules(state: GameState[Any], error: RulesError, engine: str) -> None:
    """Send a notice that `auto` continues with that engine."""
    notices.warning(f'{error}; continuing with the engine {engine}', type(state))


@define(eq=False)
class _Kind:
    """The state shared by searches that share machine code.

    `seconds` and `iterations` were spent in place so far, `expected` is how many iterations are
    still to come. `made`: the code is in this process. `useless`: it cannot exist, because of the
    `error` of the rules if there is one. `on_disk`: it is on disk, as found at the time `looked` or
    reported by a helper; `missing`: loading it failed, so the file is ignored. `helped`: a helper
    has compiled it; `helpless`: why no helper is possible; `again`: when one may be requested
    again.
    """

    seconds: float = 0.0
    iterations: int = 0
    expected: int = 0
    made: bool = False
    useless: bool = False
    error: RulesError | None = None
    name: str | None = None
    on_disk: bool = False
    missing: bool = False
    looked: float = -LOOK
    helped: bool = False
    helpless: str | None = None
    again: float = 0.0


_kinds: Final[dict[object, _Kind]] = {}  # the latest last


def _kind_of(state: GameState[Any], rng: Any, search: Search) -> _Kind:
    key = compiled.kind_of(state, rng, search)
    kind = _kinds.pop(key, None) or _Kind()
    _kinds[key] = kind
    if len(_kinds) > KINDS:
        del _kinds[next(iter(_kinds))]
    return kind


def expect(state: GameState[Any], rng: Any, search: Search, iterations: int) -> None:
    """Tell `auto` that there will be `iterations` in all, in many searches like this one.

    This changes only the time taken.
    """
    _kind_of(state, rng, search).expected += iterations


def by_machine_code(tree: Node) -> bool:
    """Return whether machine code has grown a tree."""
    return isinstance(tree, LazyNode)


def prepare(state: GameState[Any], search: Search | None = None, *, rng: Rng | None = None) -> bool:
    """Load or compile the machine code of a search in advance, so that no search waits for it.

    It serves every search of such states that differs from `search` only in numbers, with a
    generator of the type of `rng` (`None`: `SplitMix`); `None` as `search` is `Search()`. `state`
    may be one where chance moves. The engines `auto` and `compiled` use the code, in this process
    and, from the disk, in later ones. Return whether it is on disk: it is not if the cache folder
    cannot be used, or if functions refer to values without a lasting name.

    :raises EngineError: the engine `compiled` does not support the search, or the class of `state`
        declares rules on integers that disagree with it or cannot be compiled.
    :raises FinishedGameError: the game is over.
    :raises TypeError: `search` is not a `Search`, or `state` not a state.
    """
    search = Search() if search is None else search
    check_search(search)
    check_start(state)
    rng = SplitMix.from_seed(0) if rng is None else rng
    check_briefly(state)
    while chances := chances_of(state):  # a game may begin with a die
        state = state.play(chances[0][0])
    missing = compiled.unsupported(plant(state), rng, search)
    if missing:
        raise EngineError(f'the engine compiled does not support {missing}')
    kind = _kind_of(state, rng, search)
    kind.on_disk = compiled.prepare_search(state, rng, search, compiling=True, digest=True)
    kind.made = True
    return kind.on_disk


class _Turn(Exception):  # noqa: N818 - not an error
    """Raised to let the compiled engine take over."""


@frozen
class Automatic:
    """The engine `auto` for a search that can be compiled.

    `seconds` limits the time of the search, if a clock ends it. `fast` is the compiled engine's
    function that runs the search, and `shorter` its function for searches that need no tree; `slow`
    is the engine without machine code, and `other` its name.
    """

    fast: Run
    shorter: Shorter
    slow: Run
    other: str
    seconds: float | None = None

    def prepared(self, root: Node, rng: Any, search: Search) -> Any:
        """Return what `shorter` does, if machine code is ready."""
        return self.shorter(root.state, rng, search) if self.is_ready(root, rng, search) else None

    def is_ready(self, root: Node, rng: Any, search: Search) -> bool:
        """Return whether the compiled engine has its code, and pays."""
        return _Choice(root, rng, search, self).begins_fast()

    def __call__(self, root: Node, rng: Any, search: Search, watch: Watch) -> tuple[Node, Any]:
        """Run the search."""
        choice = _Choice(root, rng, search, self, watch)
        if choice.kind.error is not None:
            warn_of_rules(root.state, choice.kind.error, self.other)
        if not choice.begins_fast():
            try:
                return self.slow(root, rng, search, choice)
            except _Turn:
                pass
            finally:
                choice.count()
        try:
            return self.fast(root, rng, search, choice.tell_what_is_new)
        except RulesError as error:
            choice.give_up(error)
            return self.slow(root, rng, search, choice.tell_what_is_new)


@define
class _Choice:
    """The choice of an engine for one search, made while watching it run in place."""

    root: Node
    rng: Any
    search: Search
    engine: Automatic
    watch: Watch = ignore
    reported: int = -1  # the last number passed to the watch
    begun: float = field(factory=thread_time)
    clock: float = field(factory=perf_counter)
    kind: _Kind = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.kind = _kind_of(self.root.state, self.rng, self.search)

    def begins_fast(self) -> bool:
        """Return whether machine code pays, judged by earlier searches."""
        kind = self.kind
        if kind.made or kind.useless:
            return kind.made
        left = self._left(0, kind.seconds, kind.iterations) or 0.0
        if isinstance(self.root, LazyNode):  # in place, nodes must be made of its numbers first
            left += self.root.visits * THAWING
        return left > 0.0 and self._turns(left, kind.seconds + left)

    def __call__(self, done: int) -> object:
        """Call the watch, and let the compiled engine take over if that pays."""
        if done == 0:
            self.begun, self.clock = thread_time(), perf_counter()
        answer = self.watch(done)
        self.reported = done
        spent = thread_time() - self.begun
        if answer is STOP or spent < PROBE or self.kind.useless:
            return answer
        left = self._left(done, spent, done)
        timed = self.engine.seconds is not None  # then some time must be left for the search
        if left is not None and self._turns(left, left / 2 if timed else left):
            raise _Turn
        return answer

    def tell_what_is_new(self, done: int) -> object:
        """Call the watch unless it has already received this number."""
        if done <= self.reported:
            return None
        self.reported = done
        return self.watch(done)

    def count(self) -> None:
        """Record the work done in place."""
        done = max(self.reported, 0)
        self.kind.seconds += thread_time() - self.begun
        self.kind.iterations += done
        self.kind.expected = max(0, self.kind.expected - done)

    def give_up(self, error: RulesError) -> None:
        """Record, and report, that the compiled rules cannot be used."""
        self.kind.useless, self.kind.made, self.kind.error = True, False, error
        warn_of_rules(self.root.state, error, self.engine.other)

    def _left(self, done: int, seconds: float, iterations: int) -> float | None:
        """Return the seconds left for this search and those expected, if known."""
        if self.engine.seconds is not None:
            return self.engine.seconds - (perf_counter() - self.clock if done else 0.0)
        if not iterations or seconds < PROBE:
            return None
        left = max(self.search.iterations - done, self.kind.expected - done)
        return left * seconds / iterations

    def _turns(self, left: float, worth: float) -> bool:
        """Return whether the compiled engine takes over; it may cost up to `worth` seconds."""
        kind = self.kind
        loading = 0.0 if compiled.is_loaded() else LOADING
        _look_after_helper()
        if self._is_on_disk():
            return worth > loading + READING and self._has_code(compiling=False)
        if kind.seconds + left <= COMPILING:
            return False
        if left > loading + COMPILING and self.watch is ignore:  # nobody sees it stand still
            if kind.seconds + thread_time() - self.begun < SURE:
                return False
            with helper.alone() as ours:
                if ours:
                    return self._has_code(compiling=True, why=kind.helpless or _long(left))
        if self._is_helped(left):
            if loading and self.reported >= 0 and left > COMPILING + loading:
                compiled.broken()  # loads numba, while the helper compiles
            return False
        return worth > loading + COMPILING and self._has_code(compiling=True, why=kind.helpless)

    def _is_on_disk(self) -> bool:
        """Return whether the code is known to be on disk; look for it from time to time."""
        kind, now = self.kind, perf_counter()
        if kind.on_disk or kind.missing or now < kind.looked + LOOK:
            return kind.on_disk
        kind.looked = now
        if kind.name is None:
            kind.name = name_of(self.root.state, self.rng, self.search)
        kind.on_disk = on_disk.is_complete(kind.name)
        return kind.on_disk

    def _has_code(self, *, compiling: bool, why: str | None = None) -> bool:
        """Load or compile the machine code in this process; return whether that succeeded.

        The notice says why it is compiled here.
        """
        kind = self.kind
        if compiled.broken() is not None:
            kind.useless = True
            return False
        if compiling:
            notices.info(f'compiling {self._what()} in this process: {why}')
        try:
            compiled.prepare_search(
                self.root.state, self.rng, self.search, compiling=compiling, digest=False
            )
        except on_disk.NotOnDiskError:
            kind.on_disk, kind.missing = False, True
            if kind.helped:
                kind.helpless = 'a helper process makes different code from what this process needs'
            return False
        except RulesError as error:
            self.give_up(error)
            return False
        kind.made = True
        return True

    def _is_helped(self, left: float) -> bool:
        """Return whether a helper compiles the code, or will; start one if there is none."""
        kind = self.kind
        if kind.helpless is None and not helper.serves(kind):
            kind.helpless = helper.obstacle()
            if kind.helpless is None and perf_counter() >= kind.again:
                self._ask_helper(left)
        return kind.helpless is None

    def _ask_helper(self, left: float) -> None:
        try:
            request = helper.request_of(self.root.state, self.rng, self.search)
        except helper.NotImportableError as error:
            self.kind.helpless = f'a helper process could not import all of it ({error})'
            return
        if helper.start(request, self.kind):
            why = _long(left) if left >= 1.0 else _spent(self.kind.seconds)
            notices.info(f'compiling {self._what()} in a helper process: {why}')

    def _what(self) -> str:
        method = type(self.search.method).__name__
        return f'machine code for {type(self.root.state).__name__} ({method})'


def _long(left: float) -> str:
    return f'the search would take another {left:.0f} s without it'


def _spent(seconds: float) -> str:
    return f'such searches have taken {seconds:.0f} s without it'


def _look_after_helper() -> None:
    """Record how the helper has ended, if it has."""
    ended = helper.poll()
    if ended is None:
        return
    kind, outcome = ended
    if outcome is helper.Outcome.DONE:
        kind.on_disk = kind.helped = True
    elif outcome is helper.Outcome.BUSY:
        kind.again = perf_counter() + AGAIN
    else:
        kind.helpless = 'a helper process failed to'
