"""One search of one position: its results, run in every way that the laws of searches need.

Nothing is searched before a law needs it, and nothing twice for the same purpose.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import Any, Final, NamedTuple

from attrs import evolve, frozen

from fmcts._running.entry_points import analyse
from fmcts.errors import EngineError
from fmcts.search._analysis import Analysis
from fmcts.search._description import Search
from fmcts.search._digest import digest
from fmcts.search._tree import Node, walk
from fmcts.testing._laws.asking import Raised, asked
from fmcts.testing._laws.global_generators import moved_on, state_of_generators

NOT_SEARCHED: Final = Raised('it was not searched')


class Found(NamedTuple):
    """The result of a search to compare: the digest names the whole tree."""

    move: Any
    digest: str
    stats: Any
    rng: Any


class GoneOn(NamedTuple):
    """A search in two parts: its result, and the first tree before and after."""

    found: Any
    before: Any
    after: Any


def outcome(search: Search, engine: str, state: Any, rng: Any) -> Found:
    """Return the result of a search by that engine."""
    return _found_in(analyse(state, rng, search, engine=engine))


def _found_in(found: tuple[Analysis[Any], Any]) -> Found:
    analysis, rng = found
    return Found(analysis.move, digest(analysis.tree), analysis.stats, rng)


def _picture(tree: Node) -> tuple[str, list[Any]]:
    return digest(tree), [(node.facts(), node.value, len(node.children)) for node in walk(tree)]


def found_by_engine(search: Search, engine: str, state: Any, rng: Any) -> Any:
    """Return the analysis and the next generator; `Raised`, or the engine's `EngineError`."""

    def searched() -> Any:
        try:
            return analyse(state, rng, search, engine=engine)
        except EngineError as error:
            return error

    return asked(searched)


@frozen(eq=False)
class SearchCase:
    """A search, a position, a generator and engines, the first of which supports the search.

    `elsewhere` is the result in a second process, if there is one.
    """

    search: Search
    state: Any
    rng: Any
    engines: tuple[str, ...]
    elsewhere: Any = NOT_SEARCHED

    @cached_property
    def _whole(self) -> tuple[Any, str | None]:
        generators = state_of_generators()
        found = found_by_engine(self.search, self.engines[0], self.state, self.rng)
        return found, moved_on(generators)

    @property
    def whole(self) -> Any:
        """The first engine's result: analysis and generator, or `Raised`."""
        return self._whole[0]

    @property
    def drawn(self) -> str | None:
        """The global generators that it drew from, in words."""
        return self._whole[1]

    @property
    def analysis(self) -> Analysis[Any] | None:
        """The analysis, if there is one."""
        return self.whole[0] if isinstance(self.whole, tuple) else None

    @property
    def found(self) -> Any:
        """The part of the result that is compared."""
        return _found_in(self.whole) if self.analysis is not None else self.whole

    @cached_property
    def again(self) -> Any:
        """The result of the same search, run again."""
        return asked(outcome, self.search, self.engines[0], self.state, self.rng)

    @cached_property
    def by_engine(self) -> tuple[tuple[str, Any], ...]:
        """The other engines' results, or their `EngineError`."""
        return tuple((name, self._by(name)) for name in self.engines[1:])

    def _by(self, engine: str) -> Any:
        found = found_by_engine(self.search, engine, self.state, self.rng)
        return _found_in(found) if isinstance(found, tuple) else found

    @cached_property
    def gone_on(self) -> Any:
        """The search in two parts, the second of which continues the tree of the first."""
        return asked(self._in_two)

    @property
    def parts(self) -> tuple[int, int]:
        """The iterations of a search in two parts; it has at least 2."""
        first = self.search.iterations // 2
        return first, self.search.iterations - first

    def _in_two(self) -> GoneOn:
        engine = self.engines[0]
        first, rest = (evolve(self.search, iterations=part) for part in self.parts)
        one, middle = analyse(self.state, self.rng, first, engine=engine)
        before = _picture(one.tree)
        found = analyse(self.state, middle, rest, engine=engine, tree=one)
        return GoneOn(_found_in(found), before, _picture(one.tree))

    @property
    def asking(self) -> Any:
        """The function that a second process calls."""
        return partial(outcome, self.search, self.engines[0])
