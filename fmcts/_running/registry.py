"""The engines, and the choice of one for a search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from attrs import frozen

from fmcts import _linked as linked, notices
from fmcts._arguments import did_you_mean, shown
from fmcts._declared import inherited_from
from fmcts._engines import (
    Session,
    drive,
    graph,
    inplace,
    monadic,
    persistent,
    plan_of,
    room_left,
    windows,
)
from fmcts._running.automatic import Automatic, RunSearch
from fmcts.errors import EngineError
from fmcts.game import GameState
from fmcts.rng import Rng
from fmcts.search import Node, Search, Watch

BeginRounds: TypeAlias = Callable[[Node, Sequence[Any], Search], Any]
"""A function that starts the searches of a new root, one for each generator, as `Trees`."""


def _nothing(_root: Node, _rng: Rng, _search: Search) -> str | None:
    """Return `None`: the engine supports every search."""
    return None


def driven(begin: Callable[[Node, Any, Search], Session], named: str | None = None) -> RunSearch:
    """Return a function that runs the sessions made by `begin`.

    `named` is the name of the engine, if it has other sessions for graphs and for batches. It
    raises `RuntimeError` where a function that it calls raises `StopIteration`, as generators do:
    that would silently end a loop around the search.
    """

    def session_of(root: Node, rng: Any, search: Search) -> Session:
        if named and search.transpositions is not None:
            return graph.begin(named, root, rng, search)
        if named and search.network is not None:
            return windows.flying(root, rng, search)
        return begin(root, rng, search)

    def run(root: Node, rng: Any, search: Search, watch: Watch) -> tuple[Node, Any]:
        try:
            return drive(session_of(root, rng, search), search, watch).finish()
        except StopIteration as error:
            raise RuntimeError('a function of the search raised StopIteration') from error

    return run


def stream(root: Node, rng: Any, search: Search) -> Iterator[tuple[Node, Any]]:
    """Yield the trees after 1, 2, 3... iterations by `persistent`, with their generators.

    :raises EngineError: the engine does not support the search.
    """
    if search.network is not None:
        session: Session
        session, before = windows.flying(root, rng, search), root.visits
        while not session.ended:
            session = session.advance(search.batch)
            if session.visits > before:
                yield session.finish()
            before = session.visits
        return
    if search.transpositions is None:
        plan, room = plan_of(search, root.state), room_left(root, search.max_nodes)
        for tree, after, _ in persistent.grow(root, rng, plan, room):
            yield tree, after
        return
    missing = graph.unsupported(root, rng, search)
    if missing is not None:
        raise EngineError(f'the engine persistent does not support {missing}')
    session = graph.begin('persistent', root, rng, search)
    while not (session := session.advance(1)).ended:
        yield session.finish()


@frozen
class Engine:
    """An engine: how it runs a search, what it does not support, and when it pays.

    `unsupported` returns in words what a search needs and the engine does not support, or `None`.
    `rounds` starts searches that share a tree, if the engine has its own way to merge trees (see
    `fmcts._running.rounds`).
    """

    name: str
    run: RunSearch
    unsupported: Callable[[Node, Rng, Search], str | None] = _nothing
    rounds: BeginRounds | None = None

    def __call__(self, root: Node, rng: Any, search: Search, watch: Watch) -> tuple[Node, Any]:
        """Run the search.

        :raises EngineError: the engine does not support the search.
        """
        missing = self.unsupported(root, rng, search)
        if missing is None:
            return self.run(root, rng, search, watch)
        able = [
            name for name, other in ENGINES.items() if other.unsupported(root, rng, search) is None
        ]
        raise EngineError(
            f'the engine {self.name} does not support {missing}; use one of: {", ".join(able)}'
        )


# From the fastest to the slowest.
ENGINES: Final[dict[str, Engine]] = {
    engine.name: engine
    for engine in (
        Engine('compiled', driven(linked.begin), linked.unsupported, linked.begin_rounds),
        Engine('inplace', driven(inplace.begin, 'inplace')),
        Engine('persistent', driven(persistent.begin, 'persistent'), graph.unsupported),
        Engine('monadic', driven(monadic.begin, 'monadic'), graph.unsupported),
    )
}


def check_engine(name: object) -> str:
    """Return the name if an engine has it.

    :raises EngineError: no engine has that name.
    """
    accepted = ('auto', *ENGINES)
    if not isinstance(name, str) or name not in accepted:
        raise EngineError(
            f'unknown engine {shown(name)}{did_you_mean(name, accepted)}: '
            f'accepted are {", ".join(accepted)}'
        )
    return name


def known_engine(_instance: object, _attribute: object, value: str) -> None:
    """Check a field of an attrs class by `check_engine`.

    :raises EngineError: no engine has that name.
    """
    check_engine(value)


def find_engine(
    name: str, root: Node, rng: Rng, search: Search, *, timed: bool = False
) -> Engine | Automatic:
    """Return the engine of that name; for `auto`, one that chooses during the search.

    `timed`: whether a clock ends the search.

    :raises EngineError: no engine has that name.
    """
    if check_engine(name) != 'auto':
        return ENGINES[name]
    able = [one for one in ENGINES.values() if one.unsupported(root, rng, search) is None]
    if able[0].name != 'compiled':
        return able[0]
    return Automatic(able[0].run, able[1].run, able[1].name, timed)


def look_at(state: GameState[Any], engine: str) -> None:
    """Send a notice of what the class of a state only inherits, which is then not used."""
    name = type(state).__name__
    base = linked.inherits(state) if engine == 'auto' and linked.installed() else None
    if base is not None:
        notices.warning(
            f'{name} is not compiled: the rules on integers that it inherits serve '
            f'{base.__name__} alone '
            f'({name}.compiled = {base.__name__}.compiled if nothing differs)',
            type(state),
        )
    base = inherited_from(state, 'playout') if engine != 'compiled' else None
    if base is not None:
        notices.warning(
            f'{name} is played out move by move: the playout that it inherits serves '
            f'{base.__name__} alone ({name}.playout = {base.__name__}.playout if nothing differs)',
            type(state),
        )
