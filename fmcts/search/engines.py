"""The entry points: every engine behind one signature."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias, TypeVar

from fmcts.game import FinishedGameError, GameState
from fmcts.rng import Rng
from fmcts.search import compiled, inplace, monadic, persistent
from fmcts.search.analysis import Analysis
from fmcts.search.candidates import candidates
from fmcts.search.checks import did_you_mean
from fmcts.search.description import Search
from fmcts.search.errors import EngineError, NoRoomError
from fmcts.search.final import choose
from fmcts.search.tree import Node, plant, root_of
from fmcts.search.watch import Watch, ignore

__all__ = [
    'ENGINES',
    'EngineError',
    'NoRoomError',
    'analyse',
    'check_engine',
    'find_engine',
    'lacks',
    'trees',
]

M = TypeVar('M')
R = TypeVar('R', bound=Rng)


Run: TypeAlias = Callable[[Node, Any, Search, Watch], tuple[Node, Any]]
"""An engine: from root, generator and description to the root of the tree, and the generator to use
next."""


def refusing(name: str, run: Run) -> Run:
    """The engine of that name, which raises `EngineError` for what it lacks."""

    def run_if_able(root: Node, rng: Any, search: Search, watch: Watch) -> tuple[Node, Any]:
        missing = lacks(name, root, rng, search)
        if missing is None:
            return run(root, rng, search, watch)
        able = [other for other in ENGINES if lacks(other, root, rng, search) is None]
        raise EngineError(f'the engine {name} lacks {missing}; able are: {", ".join(able)}')

    return run_if_able


# From the fastest to the slowest.
ENGINES: Final[dict[str, Run]] = {
    'compiled': refusing('compiled', compiled.run),
    'inplace': inplace.run,
    'persistent': persistent.run,
    'monadic': monadic.run,
}

# What an engine lacks for a search, in words, or `None`; engines not named here lack nothing.
LACKS: Final = {'compiled': compiled.lacks}

# Whether so many iterations are worth the loading of an engine, where that takes time.
PAYS: Final = {'compiled': compiled.pays}


def lacks(name: str, root: Node, rng: Rng, search: Search) -> str | None:
    """What the search needs and the engine of that name does not have; `None` when it is able."""
    return LACKS[name](root, rng, search) if name in LACKS else None


def check_engine(name: str) -> str:
    """The name itself.

    :raises EngineError: no engine has that name.
    """
    accepted = ('auto', *ENGINES)
    if name not in accepted:
        raise EngineError(
            f'unknown engine {name!r}{did_you_mean(name, accepted)}: '
            f'accepted are {", ".join(accepted)}'
        )
    return name


def known_engine(_instance: object, _attribute: object, value: str) -> None:
    """A validator of attrs fields that accepts what `check_engine` accepts.

    :raises EngineError: no engine has that name.
    """
    check_engine(value)


def find_engine(name: str, root: Node, rng: Rng, search: Search) -> Run:
    """The engine of that name; for `auto` the fastest that is able and whose loading pays.

    :raises EngineError: no engine has that name.
    """
    if check_engine(name) == 'auto':
        name = next(
            other
            for other in ENGINES
            if lacks(other, root, rng, search) is None
            and (other not in PAYS or PAYS[other](search.iterations))
        )
    return ENGINES[name]


def trees(
    state: GameState[M], rng: R, search: Search, *, root_moves: Iterable[M] | None = None
) -> Iterator[tuple[Node, R]]:
    """The lazy stream of trees after 1, 2, 3... iterations, each with its generator.

    Every tree is immutable and answers as before when later ones are made. Take as many as you
    want: `search.iterations` is not read. The stream ends before the iteration that would take the
    tree over `search.max_nodes`, else never. `root_moves` are as in `analyse`.

    :raises FinishedGameError: the game is over.
    :raises IllegalMoveError: one of `root_moves` is not legal.
    :raises ValueError: `root_moves` is empty.
    """
    return persistent.grow(plant(state, root_moves), rng, search)


def analyse(
    state: GameState[M],
    rng: R,
    search: Search,
    *,
    engine: str = 'auto',
    watch: Watch = ignore,
    tree: Node | Analysis[M] | None = None,
    root_moves: Iterable[M] | None = None,
) -> tuple[Analysis[M], R]:
    """Search `state`: what was found, and the generator to use next (`rng` is consumed).

    `engine` names the design that does it; all agree to the bit, so it changes only the speed, and
    `auto` takes the fastest that is able. `watch` is told now and then how many are done. `tree`,
    an earlier analysis of the same state or its tree, is grown further instead of a new one, by
    `search.iterations` more; any engine goes on from what any other made. `root_moves` are the
    moves to choose among, when they are not to be all that are legal.

    :raises FinishedGameError: the game is over.
    :raises EngineError: no engine has that name, or it lacks what is needed.
    :raises IllegalMoveError: one of `root_moves` is not legal.
    :raises NoRoomError: `search.max_nodes` is too small for one iteration.
    :raises ValueError: `tree` belongs to another state, or has other root moves than those given;
        `root_moves` is empty.
    """
    check_engine(engine)
    earlier = None if tree is None else root_of(tree)
    if earlier is not None and earlier.state != state:
        raise ValueError('the tree to go on from belongs to another state')
    if earlier and root_moves is not None and earlier.moves != candidates(state, root_moves):
        raise ValueError('the tree to go on from has other root moves')
    if earlier and not earlier.moves:
        raise FinishedGameError('the game is over: there is no move to search for')
    begin = earlier or plant(state, root_moves)
    run = find_engine(engine, begin, rng, search)
    grown, rng = run(begin, rng, search, watch)
    if not any(child.visits for child in grown.children):
        raise NoRoomError(f'max_nodes {search.max_nodes} leaves no room for the first iteration')
    return Analysis(choose(grown, search.final, search.c), grown.visits, grown), rng
