"""The engine `auto`: in place until linking would have paid, then linked; and `prepare`.

A search begins in place. Once this process has spent `PAYS` seconds on iterations of searches like
it, the search begins again in machine code. The clock decides only the speed, as all engines agree.
A search that a clock ends is linked before the clock starts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, TypeAlias

from attrs import fields, frozen

from fmcts import _linked as linked, notices
from fmcts._arguments import check_start
from fmcts._engines import fitted
from fmcts.errors import EngineError, RulesError
from fmcts.game import GameState, chances_of
from fmcts.rng import Rng, SplitMix
from fmcts.search import STOP, Node, Search, Watch, check_search, plant

thread_time: Final[Callable[[], float]] = getattr(time, 'thread_time', time.process_time)
"""WebAssembly has no clock of its threads."""

PAYS: Final = 0.1
"""Seconds: linking takes a tenth of a second, and ten times that where numba compiles rules."""

KINDS: Final = 1024  # of searches whose seconds are counted

RunSearch: TypeAlias = Callable[[Node, Any, Search, Watch], tuple[Node, Any]]
"""A function that runs a search from a root: the tree, and the generator to use next."""

_spent: Final[dict[int, float]] = {}  # seconds in place, by kind; the latest last


def warn_of_rules(state: GameState[Any], error: RulesError, engine: str) -> None:
    """Send a notice that `auto` continues with that engine."""
    notices.warning(f'{error}; continuing with the engine {engine}', type(state))


OPTIONS: Final = attrgetter(*(it.name for it in fields(Search) if it.name != 'iterations'))


def kind_of(state: GameState[Any], rng: Any, search: Search) -> int:
    """Return a number that searches share whose seconds are added up; it keeps none of them."""
    kinds = type(state), type(rng)
    try:
        return hash((*kinds, *OPTIONS(search)))
    except TypeError:  # a function without a hash
        return hash(kinds)


class _Turn(Exception):  # noqa: N818 - not an error
    """Raised to let machine code take over."""


def ascending(watch: Watch) -> Watch:
    """Return the watch, which receives no number twice and none below an earlier one."""
    last = -1

    def heard(done: int) -> object:
        nonlocal last
        if done <= last:
            return None
        last = done
        return watch(done)

    return heard


@frozen
class Automatic:
    """The engine `auto` for a search that can be compiled: `fast` is linked, `slow` in place.

    `other` is the name of `slow`; `timed`: whether a clock ends the search.
    """

    fast: RunSearch
    slow: RunSearch
    other: str
    timed: bool = False

    def __call__(self, root: Node, rng: Any, search: Search, watch: Watch) -> tuple[Node, Any]:
        """Run the search."""
        kind, watch = kind_of(root.state, rng, search), ascending(watch)
        before = spent = _spent.get(kind, 0.0)
        started = 0.0

        def until_linking_pays(done: int) -> object:
            nonlocal started, spent
            answer, now = watch(done), thread_time()
            # By now the tree to continue is copied, which takes machine code as long.
            started = started if done else now
            spent = before + now - started
            if answer is not STOP and spent > PAYS:
                raise _Turn
            return answer

        # A tree that was grown here is made of numbers; in place they would have to become nodes.
        if not (self.timed or before >= PAYS or (linked.by_machine_code(root) and root.visits)):
            try:
                return self.slow(root, rng, search, until_linking_pays)
            except _Turn:
                pass
            finally:
                _spent.pop(kind, None)  # so that it comes last, and the oldest goes first
                _spent[kind] = spent
                if len(_spent) > KINDS:
                    del _spent[next(iter(_spent))]
        try:
            return self.fast(root, rng, search, watch)
        except RulesError as error:
            warn_of_rules(root.state, error, self.other)
            return self.slow(root, rng, search, watch)

    def is_linked(self, root: Node, rng: Any, search: Search) -> bool:
        """Return whether such a search runs linked from its first iteration."""
        return _spent.get(kind_of(root.state, rng, search), 0.0) >= PAYS


def prepare(state: GameState[Any], search: Search | None = None, *, rng: Rng | None = None) -> bool:
    """Link the machine code of a search in advance, so that no search waits for it.

    It serves every search of such states that differs from `search` only in numbers, with a
    generator of the type of `rng` (`None`: `SplitMix`), in this process; `None` as `search` is
    `Search()`. Rules compiled by numba are kept on disk and serve later processes too. Return
    whether they are there: rules of this library's games always are.

    :raises EngineError: the engine `compiled` does not support the search, or the rules on integers
        cannot be compiled.
    :raises FinishedGameError: the game is over.
    :raises TypeError: `search` is not a `Search`, or `state` not a state.
    """
    search = Search() if search is None else search
    check_search(search)
    check_start(state)
    rng = SplitMix.from_seed(0) if rng is None else rng
    while chances := chances_of(state):
        state = state.play(chances[0][0])
    root = fitted(plant(state, listed=search.proposing is None), search)
    missing = linked.unsupported(root, rng, search)
    if missing:
        raise EngineError(f'the engine compiled does not support {missing}')
    linked.begin(root, rng, search)
    _spent[kind_of(state, rng, search)] = 2 * PAYS
    return bool(linked.loaded('codes').are_on_disk(state))
