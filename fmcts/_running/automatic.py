"""The engine `auto`: it goes by the time that a search takes, and by what machine code there is.

A search begins in place, without numba. As soon as that would take longer than machine code, the
compiled engine begins it anew: engines agree to the bit, and machine code catches up in no time.
Code that is on disk costs the loading of numba. Code that is not is compiled by a helper process
while the search continues in place, so that nobody waits (`fmcts._running.helper`); where no helper
can serve, it is compiled here, for searches that take longer than that. What is decided changes
only the time that a search takes.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, Final, TypeAlias

from attrs import define, field, frozen

from fmcts import _compiled as compiled, notices
from fmcts._agreement.findings import check_briefly
from fmcts._compiled.names import name_of
from fmcts._compiled.tree.nodes import LazyNode
from fmcts._numba.cache import kept
from fmcts._running import helper
from fmcts.errors import EngineError, RulesError
from fmcts.game import GameState
from fmcts.rng import Rng, SplitMix
from fmcts.search._description import Search, check_search
from fmcts.search._tree import Node, plant
from fmcts.search._watch import STOP, Watch

try:
    from time import thread_time
except ImportError:  # WebAssembly has no threads, and no clock of one
    from time import process_time as thread_time

__all__ = ['Automatic', 'Decide', 'Run', 'expect', 'prepare', 'warn_of_rules']

# Seconds of a processor: measured on a machine of 2024, and judged beside what a search takes here.
LOADING: Final = 0.7  # of numba and the engine
READING: Final = 0.1  # of the code for a search from the disk
COMPILING: Final = 4.0  # of the code for a search of a new game
PROBE: Final = 0.02  # after which the pace of a search is known
THAWING: Final = 1e-5  # of a node that was grown by machine code, for a search in place

LOOK: Final = 0.1  # seconds after which the disk is looked at again
AGAIN: Final = 0.5  # seconds after which a helper is asked for again
KINDS: Final = 1024  # of searches about which something is remembered

Run: TypeAlias = Callable[[Node, Any, Search, Watch], tuple[Node, Any]]
"""Carries a search out: from root, generator and description to the root of the tree, and the
generator to use next."""

Decide: TypeAlias = Callable[[Node, Any, Search], tuple[Any, Any] | None]
"""Gives the move of a search whose tree nobody wants, and the generator to use next; `None`: it has
no way to find them that is shorter than the search."""


def warn_of_rules(state: GameState[Any], error: RulesError, engine: str) -> None:
    """A notice that `auto` goes on with that engine."""
    notices.warning(f'{error}; the engine {engine} goes on', type(state))


@define(eq=False)
class _Kind:
    """What is known of searches that share machine code.

    `seconds` and `iterations` are what was done in place so far, `expected` is how many iterations
    are still to come. `made`: the code is in this process. `useless`: there cannot be any, for the
    `error` of the rules if there is one. `kept`: it is on disk, as a file there, looked for at the
    time `looked`, or a helper says; `missing`: it was not, so that the file is not believed.
    `helped`: a helper has compiled it; `helpless`: why no helper can serve; `again`: when one may
    be asked again.
    """

    seconds: float = 0.0
    iterations: int = 0
    expected: int = 0
    made: bool = False
    useless: bool = False
    error: RulesError | None = None
    name: str | None = None
    kept: bool = False
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
    """Let `auto` know that there will be `iterations` in all, by many searches like this one.

    It changes nothing but the time taken.
    """
    _kind_of(state, rng, search).expected += iterations


def prepare(state: GameState[Any], search: Search | None = None, *, rng: Rng | None = None) -> bool:
    """Load or compile the machine code of a search ahead of time, so that no search waits for it.

    It serves every search of such states that differs from `search` in numbers alone, by a
    generator of the type of `rng` (`None`: `SplitMix`); `None` as `search` is `Search()`. The
    engines `auto` and `compiled` use it, in this process and, from the disk, in later ones. Return
    whether it is on disk: it is not where the cache folder cannot be used, or where functions
    refer to what has no name that lasts.

    :raises EngineError: the engine `compiled` lacks what the search needs, or the class of `state`
        declares rules on integers that disagree with it or cannot be compiled.
    :raises FinishedGameError: the game is over.
    :raises TypeError: `search` is not a `Search`.
    """
    search = Search() if search is None else search
    check_search(search)
    rng = SplitMix.from_seed(0) if rng is None else rng
    check_briefly(state)
    missing = compiled.unsupported(plant(state), rng, search)
    if missing:
        raise EngineError(f'the engine compiled lacks {missing}: there is no machine code')
    kind = _kind_of(state, rng, search)
    kind.kept = compiled.prepare_search(state, rng, search, compiling=True, digest=True)
    kind.made = True
    return kind.kept


class _Turn(Exception):  # noqa: N818 - it is no error
    """The compiled engine takes over."""


@frozen
class Automatic:
    """The engine `auto` of a search that can be compiled.

    `seconds` is how long the search may take, if a clock ends it. `fast` is how the compiled engine
    carries it out, and `shorter` how it finds the move alone; `slow` is the engine that needs no
    machine code, and `other` its name.
    """

    fast: Run
    shorter: Decide
    slow: Run
    other: str
    seconds: float | None = None

    def decide(self, root: Node, rng: Any, search: Search) -> tuple[Any, Any] | None:
        """The move and the generator to use next, if machine code is there and has a short way."""
        choice = _Choice(root, rng, search, self)
        try:
            return self.shorter(root, rng, search) if choice.begins_fast() else None
        except RulesError:
            return None

    def is_ready(self, root: Node, rng: Any, search: Search) -> bool:
        """Return whether the compiled engine has its code, and pays."""
        return _Choice(root, rng, search, self).begins_fast()

    def __call__(self, root: Node, rng: Any, search: Search, watch: Watch) -> tuple[Node, Any]:
        """Carry the search out."""
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
    """The choice of an engine for one search, which it watches while it goes on in place."""

    root: Node
    rng: Any
    search: Search
    engine: Automatic
    watch: Watch = lambda _done: None
    told: int = -1  # what the watch was told last
    begun: float = field(factory=thread_time)
    clock: float = field(factory=perf_counter)
    kind: _Kind = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.kind = _kind_of(self.root.state, self.rng, self.search)

    def begins_fast(self) -> bool:
        """Whether machine code pays before anything is known but what was done before."""
        kind = self.kind
        if kind.made or kind.useless:
            return kind.made
        left = self._left(0, kind.seconds, kind.iterations) or 0.0
        if isinstance(self.root, LazyNode):  # in place, nodes must be made of its numbers first
            left += self.root.visits * THAWING
        return left > 0.0 and self._turns(left, kind.seconds + left)

    def __call__(self, done: int) -> object:
        """Tell the watch, and have the compiled engine take over where that pays."""
        if done == 0:
            self.begun, self.clock = thread_time(), perf_counter()
        answer = self.watch(done)
        self.told = done
        spent = thread_time() - self.begun
        if answer is STOP or spent < PROBE or self.kind.useless:
            return answer
        left = self._left(done, spent, done)
        timed = self.engine.seconds is not None  # then some time must be left for the search
        if left is not None and self._turns(left, left / 2 if timed else left):
            raise _Turn
        return answer

    def tell_what_is_new(self, done: int) -> object:
        """Tell the watch what it was not told yet."""
        if done <= self.told:
            return None
        self.told = done
        return self.watch(done)

    def count(self) -> None:
        """Note what was done in place."""
        done = max(self.told, 0)
        self.kind.seconds += thread_time() - self.begun
        self.kind.iterations += done
        self.kind.expected = max(0, self.kind.expected - done)

    def give_up(self, error: RulesError) -> None:
        """Note, and say, that the compiled rules are of no use."""
        self.kind.useless, self.kind.made, self.kind.error = True, False, error
        warn_of_rules(self.root.state, error, self.engine.other)

    def _left(self, done: int, seconds: float, iterations: int) -> float | None:
        """The seconds that are left for this search and those expected, at a known pace."""
        if self.engine.seconds is not None:
            return self.engine.seconds - (perf_counter() - self.clock if done else 0.0)
        if not iterations or seconds < PROBE:
            return None
        left = max(self.search.iterations - done, self.kind.expected - done)
        return left * seconds / iterations

    def _turns(self, left: float, worth: float) -> bool:
        """Whether the compiled engine takes over; `worth` is what it may cost, in seconds."""
        kind = self.kind
        loading = 0.0 if compiled.is_loaded() else LOADING
        _look_after_helper()
        if self._is_kept():
            return worth > loading + READING and self._has_code(compiling=False)
        if kind.seconds + left <= COMPILING:
            return False
        if self._is_helped(left):
            if loading and self.told >= 0 and left > COMPILING + loading:
                compiled.broken()  # loads numba, while the helper compiles
            return False
        return worth > loading + COMPILING and self._has_code(compiling=True)

    def _is_kept(self) -> bool:
        """Whether the code is on disk, as far as is known; it is looked for now and then."""
        kind, now = self.kind, perf_counter()
        if kind.kept or kind.missing or now < kind.looked + LOOK:
            return kind.kept
        kind.looked = now
        if kind.name is None:
            kind.name = name_of(self.root.state, self.rng, self.search)
        kind.kept = kept.is_kept(kind.name)
        return kind.kept

    def _has_code(self, *, compiling: bool) -> bool:
        """Have the machine code loaded, or compiled, in this process; whether it is there."""
        kind = self.kind
        if compiled.broken() is not None:
            kind.useless = True
            return False
        if compiling:
            notices.info(f'compiling {self._what()} in this process: {kind.helpless}')
        try:
            compiled.prepare_search(
                self.root.state, self.rng, self.search, compiling=compiling, digest=False
            )
        except kept.NotKeptError:
            kind.kept, kind.missing = False, True
            if kind.helped:
                kind.helpless = 'a helper process makes other code than this process needs'
            return False
        except RulesError as error:
            self.give_up(error)
            return False
        kind.made = True
        return True

    def _is_helped(self, left: float) -> bool:
        """Whether a helper compiles the code, or will; one is started if there is none."""
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
            self.kind.helpless = f'a helper process would not find all of it ({error})'
            return
        if helper.start(request, self.kind):
            notices.info(
                f'compiling {self._what()} in a helper process, as the search would take another '
                f'{left:.0f} s without it'
            )

    def _what(self) -> str:
        method = type(self.search.method).__name__
        return f'machine code for {type(self.root.state).__name__} ({method})'


def _look_after_helper() -> None:
    """Note how the helper has ended, if it has."""
    ended = helper.poll()
    if ended is None:
        return
    kind, outcome = ended
    if outcome is helper.Outcome.DONE:
        kind.kept = kind.helped = True
    elif outcome is helper.Outcome.BUSY:
        kind.again = perf_counter() + AGAIN
    else:
        kind.helpless = 'a helper process failed to'
