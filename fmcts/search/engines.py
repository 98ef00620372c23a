"""The entry points: every engine behind one signature."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeVar

from fmcts.game import GameState
from fmcts.rng import Rng
from fmcts.search import inplace, monadic, persistent
from fmcts.search.analysis import Analysis, GrownNodes
from fmcts.search.checks import did_you_mean
from fmcts.search.description import Search
from fmcts.search.final import choose
from fmcts.search.tree import Node, plant
from fmcts.search.watch import Watch, ignore

M = TypeVar('M')
R = TypeVar('R', bound=Rng)

# From the fastest to the slowest: `auto` takes the first.
ENGINES: Final = {
    'inplace': inplace.run,
    'persistent': persistent.run,
    'monadic': monadic.run,
}


class EngineError(ValueError):
    """An engine that is not known, or that lacks what was asked of it."""


class NoRoomError(ValueError):
    """A bound on the number of nodes that does not let a search begin."""


def check_engine(name: str) -> str:
    """The engine that `name` stands for: itself, or the one `auto` takes.

    :raises EngineError: no engine has that name.
    """
    if name == 'auto':
        return next(iter(ENGINES))
    if name not in ENGINES:
        accepted = ('auto', *ENGINES)
        raise EngineError(
            f'unknown engine {name!r}{did_you_mean(name, accepted)}: '
            f'accepted are {", ".join(accepted)}'
        )
    return name


def trees(state: GameState[Any], rng: R, search: Search) -> Iterator[tuple[Node, R]]:
    """The endless lazy stream of trees after 1, 2, 3... iterations, each with its generator.

    Every tree is immutable and answers as before when later ones are made. Take as many as you
    want: `search.iterations` is not read.

    :raises FinishedGameError: the game is over.
    """
    return persistent.grow(plant(state), rng, search)


def analyse(
    state: GameState[M],
    rng: R,
    search: Search,
    *,
    engine: str = 'auto',
    watch: Watch = ignore,
    tree: Node | None = None,
) -> tuple[Analysis[M], R]:
    """Search `state`: what was found, and the generator to use next (`rng` is consumed).

    `engine` names the design that does it; all agree to the bit, so it changes only the speed, and
    `auto` takes the fastest. `watch` is told now and then how many are done. `tree`, an
    earlier tree of the same state, is grown further instead of a new one.

    :raises FinishedGameError: the game is over.
    :raises EngineError: no engine has that name.
    :raises ValueError: `tree` belongs to another state, or `search.max_nodes` is too small for one
        iteration.
    """
    run = ENGINES[check_engine(engine)]
    if tree is not None and tree.state != state:
        raise ValueError('the tree to go on from belongs to another state')
    begin = tree or plant(state)
    grown, rng = run(begin, rng, search, watch)
    outcome = GrownNodes(grown)
    top = outcome.top()
    if not any(child.visits for child in top.children):
        raise NoRoomError(f'max_nodes {search.max_nodes} leaves no room for the first iteration')
    move = choose(top, search.final, search.c)
    return Analysis(move, top.visits - begin.visits, outcome), rng
