"""The entry points: every engine behind one signature."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias, TypeVar

from fmcts.arguments import shown
from fmcts.declared import inherited_from
from fmcts.game import FinishedGameError, GameState
from fmcts.rng import Rng
from fmcts.search import compiled, inplace, monadic, notices, persistent
from fmcts.search.analysis import Analysis
from fmcts.search.candidates import candidates
from fmcts.search.checks import did_you_mean
from fmcts.search.description import Search, check_search
from fmcts.search.errors import EngineError, NoRoomError, RulesError
from fmcts.search.final import choose
from fmcts.search.findings import check_briefly
from fmcts.search.plan import fitted
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
    'look_at',
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


def check_engine(name: object) -> str:
    """The name itself.

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
    """A validator of attrs fields that accepts what `check_engine` accepts.

    :raises EngineError: no engine has that name.
    """
    check_engine(value)


def find_engine(name: str, root: Node, rng: Rng, search: Search) -> Run:
    """The engine of that name; for `auto` the fastest that is able and whose loading pays.

    :raises EngineError: no engine has that name.
    """
    if check_engine(name) != 'auto':
        return ENGINES[name]
    first, *others = (
        other
        for other in ENGINES
        if lacks(other, root, rng, search) is None
        and (other not in PAYS or PAYS[other](search.iterations))
    )
    return going_on(first, others[0]) if first in LACKS else ENGINES[first]


def going_on(name: str, other: str) -> Run:
    """The engine of that name, and the other one where it finds compiled rules of no use.

    Engines are pure, so that the other begins anew and gives what it would have given at once.
    """

    def run(root: Node, rng: Any, search: Search, watch: Watch) -> tuple[Node, Any]:
        try:
            return ENGINES[name](root, rng, search, watch)
        except RulesError as error:
            warn_of_rules(root.state, error, other)
            return ENGINES[other](root, rng, search, watch)

    return run


def warn_of_rules(state: GameState[Any], error: RulesError, engine: str) -> None:
    """A notice that `auto` goes on with that engine."""
    notices.warn(f'{error}; the engine {engine} goes on', type(state))


def look_at(state: GameState[Any], engine: str) -> None:
    """What comes before a search by that engine: what the class of `state` declares is looked at.

    Rules on integers are compared with the states where they might be used, whether they will be or
    not, so that no answer changes with the engine that `auto` takes. What is only inherited is not
    used, and that is said once.

    :raises EngineError: the rules disagree with the states.
    """
    name = type(state).__name__
    base = compiled.inherits(state) if engine == 'auto' and compiled.installed() else None
    if base is not None:
        notices.warn(
            f'{name} is not compiled: the rules on integers that it inherits serve '
            f'{base.__name__} alone '
            f'({name}.compiled = {base.__name__}.compiled if nothing differs)',
            type(state),
        )
    base = inherited_from(state, 'playout') if engine != 'compiled' else None
    if base is not None:
        notices.warn(
            f'{name} is played out move by move: the playout that it inherits serves '
            f'{base.__name__} alone ({name}.playout = {base.__name__}.playout if nothing differs)',
            type(state),
        )
    if engine in ('auto', 'compiled'):
        check_briefly(state)


def trees(
    state: GameState[M], rng: R, search: Search, *, root_moves: Iterable[M] | None = None
) -> Iterator[tuple[Node, R]]:
    """The lazy stream of trees after 1, 2, 3... iterations, each with its generator.

    Every tree is immutable and answers as before when later ones are made. Take as many as you
    want: `search.iterations` is not read. The stream ends before the iteration that would take the
    tree over `search.max_nodes`, else never. `root_moves` are as in `analyse`.

    :raises EndlessGameError: (when taken from) a game is not over after `search.max_plies` plies.
    :raises FinishedGameError: the game is over.
    :raises GameError: (also when taken from) the game breaks a promise of `GameState`.
    :raises IllegalMoveError: one of `root_moves` is not legal.
    :raises TypeError: `search` is no `Search`.
    :raises ValueError: `root_moves` is empty.
    """
    check_search(search)
    look_at(state, 'persistent')
    return persistent.grow(fitted(plant(state, root_moves), search.method), rng, search)


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
    moves to choose among, when they are not to be all that are legal. Where the rules on integers
    of a game cannot be used compiled, `auto` goes on with another engine and a `FmctsWarning`.

    :raises EndlessGameError: a game is not over after `search.max_plies` plies of a playout.
    :raises EngineError: no engine has that name, or it lacks what is needed; or the class of
        `state` declares rules on integers that disagree with it (`auto` and `compiled`).
    :raises FinishedGameError: the game is over.
    :raises GameError: the game breaks a promise of `GameState`.
    :raises IllegalMoveError: one of `root_moves` is not legal.
    :raises NoRoomError: `search.max_nodes` is too small for one iteration.
    :raises TypeError: `search` is no `Search`, or `tree` no `Node`.
    :raises ValueError: `tree` belongs to another state, or has other root moves than those given;
        `root_moves` is empty.
    """
    check_engine(engine)
    check_search(search)
    begin = plant(state, root_moves) if tree is None else _checked_tree(tree, state, root_moves)
    begin = fitted(begin, search.method)
    look_at(state, engine)
    run = find_engine(engine, begin, rng, search)
    grown, rng = run(begin, rng, search, watch)
    if not any(child.visits for child in grown.children):
        raise NoRoomError(f'max_nodes {search.max_nodes} leaves no room for the first iteration')
    return Analysis(choose(grown, search), grown.visits, grown), rng


def _checked_tree(
    tree: Node | Analysis[M], state: GameState[M], root_moves: Iterable[M] | None
) -> Node:
    """The tree to go on from, when it is one of `state` that chooses among `root_moves`."""
    root = root_of(tree)
    if root.state != state:
        raise ValueError('the tree to go on from belongs to another state')
    if root_moves is not None and root.moves != candidates(state, root_moves):
        raise ValueError('the tree to go on from has other root moves')
    if not root.moves:
        raise FinishedGameError('the game is over: there is no move to search for')
    return root
