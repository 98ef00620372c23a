"""The engines, and the choice of one for a search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from attrs import frozen

from fmcts import _compiled as compiled, notices
from fmcts._agreement.findings import check_briefly
from fmcts._agreement.first_look import check_play
from fmcts._arguments import shown
from fmcts._compiled import VISITS_LIMIT
from fmcts._declared import inherited_from
from fmcts._engines import batched, graph, inplace, monadic, persistent
from fmcts._engines.batched.persistent import grow as grow_by_batches
from fmcts._engines.batched.waiting import batches_of
from fmcts._engines.driver import Session, drive
from fmcts._engines.expansion import room_left
from fmcts._engines.plan import plan_of
from fmcts._running.automatic import Automatic, Run, Shorter, warn_of_rules
from fmcts.errors import EngineError, RulesError
from fmcts.game import GameState
from fmcts.rng import Rng
from fmcts.search._checks import did_you_mean
from fmcts.search._description import Search
from fmcts.search._tree import Node
from fmcts.search._watch import Watch

BeginRounds: TypeAlias = Callable[[Node, Sequence[Any], Search], Any]
"""A function that starts the searches of a new root, one for each generator, as `Trees`."""


def _nothing(_root: Node, _rng: Rng, _search: Search) -> str | None:
    """Return `None`: the engine supports every search."""
    return None


def _no_shorter(_state: GameState[Any], _rng: Any, _search: Search) -> None:
    """Return `None`: the engine has no shorter way to the move than the tree."""


def driven(begin: Callable[[Node, Any, Search], Session], named: str | None = None) -> Run:
    """Return a function that runs the sessions made by `begin`.

    `named` is the name of the engine, if it has other sessions for graphs and for batches. It
    raises `RuntimeError` where a function that it calls raises `StopIteration`, as generators do:
    that would silently end a loop around the search.
    """

    def session_of(root: Node, rng: Any, search: Search) -> Session:
        if named and search.transpositions is not None:
            return graph.begin(named, root, rng, search)
        if named and search.network is not None:
            return batched.begin(named, root, rng, search)
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
        batches, room = batches_of(search, root.state), room_left(root, search.max_nodes)
        before = root.visits
        for tree, _, _ in grow_by_batches(root, batches, room, VISITS_LIMIT):
            if tree.visits > before:
                yield tree, rng
            before = tree.visits
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
    run: Run
    unsupported: Callable[[Node, Rng, Search], str | None] = _nothing
    shorter: Shorter = _no_shorter
    rounds: BeginRounds | None = None

    def prepared(self, root: Node, rng: Any, search: Search) -> Any:
        """Return what `shorter` does; `None` also if the engine does not support the search."""
        missing = self.unsupported(root, rng, search)
        return None if missing else self.shorter(root.state, rng, search)

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


def _linked_begin(root: Node, rng: Any, search: Search) -> Any:
    from fmcts._linked import engine

    return engine.begin(root, rng, search)


def _linked_unsupported(root: Node, rng: Any, search: Search) -> str | None:
    if search.network is not None:
        return 'networks'
    return compiled.unsupported(root, rng, search)


# From the fastest to the slowest.
ENGINES: Final[dict[str, Engine]] = {
    engine.name: engine
    for engine in (
        Engine(
            'compiled',
            driven(compiled.begin),
            compiled.unsupported,
            compiled.prepared,
            compiled.begin_rounds,
        ),
        Engine('linked', driven(_linked_begin), _linked_unsupported),
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
    name: str, root: Node, rng: Rng, search: Search, seconds: float | None = None
) -> Engine | Automatic:
    """Return the engine of that name; for `auto`, one that chooses during the search.

    `seconds` limits the time of the search, if a clock ends it.

    :raises EngineError: no engine has that name.
    """
    if check_engine(name) != 'auto':
        return ENGINES[name]
    able = [one for one in ENGINES.values() if one.unsupported(root, rng, search) is None]
    if able[0].name != 'compiled':
        return able[0]
    if search.network is not None:
        return _for_network(able[0], able[1], root, rng, search)
    return Automatic(able[0].run, able[0].shorter, able[1].run, able[1].name, seconds)


def _for_network(fast: Engine, slow: Engine, root: Node, rng: Any, search: Search) -> Engine:
    """Return `fast` for as many iterations as pay for machine code, and `slow` for fewer.

    If the rules cannot be compiled, `fast` warns and does as `slow`.
    """
    kind = 'network', compiled.kind_of(root.state, rng, search)
    if not compiled.worth_loading(search.iterations, kind):
        return slow

    def run(root: Node, rng: Any, search: Search, watch: Watch) -> tuple[Node, Any]:
        try:
            return fast.run(root, rng, search, watch)
        except RulesError as error:
            warn_of_rules(root.state, error, slow.name)
            return slow.run(root, rng, search, watch)

    return Engine(fast.name, run, fast.unsupported)


def look_at(state: GameState[Any], engine: str) -> None:
    """Check the game before a search by that engine, and the declarations of its class.

    Besides rules these include the playout, which is ignored if it is only inherited.

    :raises EngineError: the rules disagree with the states.
    :raises GameError: the game has chance or more players, or breaks another promise.
    """
    check_play(state)
    look_at_rules(state, engine)
    base = inherited_from(state, 'playout') if engine != 'compiled' else None
    if base is not None:
        name = type(state).__name__
        notices.warning(
            f'{name} is played out move by move: the playout that it inherits serves '
            f'{base.__name__} alone ({name}.playout = {base.__name__}.playout if nothing differs)',
            type(state),
        )


def look_at_rules(state: GameState[Any], engine: str) -> None:
    """Check the rules on integers that the class of `state` declares, before a search.

    They are compared with the states whenever they could be used, whether or not they will be, so
    that no answer depends on the engine that `auto` takes. Inherited rules are not used, which is
    reported once.

    :raises EngineError: the rules disagree with the states.
    """
    name = type(state).__name__
    base = compiled.inherits(state) if engine == 'auto' and compiled.installed() else None
    if base is not None:
        notices.warning(
            f'{name} is not compiled: the rules on integers that it inherits serve '
            f'{base.__name__} alone '
            f'({name}.compiled = {base.__name__}.compiled if nothing differs)',
            type(state),
        )
    if engine in ('auto', 'compiled'):
        check_briefly(state)
