"""The entry points: every engine behind one signature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, TypeVar

from fmcts.game import FinishedGameError, GameState, check_comparable
from fmcts.rng import Rng
from fmcts.search.analysis import Analysis, stats_of
from fmcts.search.automatic import Run
from fmcts.search.candidates import candidates
from fmcts.search.description import Search, check_search
from fmcts.search.driver import is_decided
from fmcts.search.engines import check_engine, find_engine, look_at, stream
from fmcts.search.final import choose
from fmcts.search.plan import fitted
from fmcts.search.tree import Node, plant, root_of
from fmcts.search.watch import Watch, ignore

__all__ = ['analyse', 'check_unscheduled', 'decide', 'found_by', 'root_to_search', 'trees']

M = TypeVar('M')
R = TypeVar('R', bound=Rng)


def trees(
    state: GameState[M], rng: R, search: Search, *, root_moves: Iterable[M] | None = None
) -> Iterator[tuple[Node, R]]:
    """The lazy stream of trees after 1, 2, 3... iterations, each with its generator.

    Every tree is immutable and answers as before when later ones are made. Take as many as you
    want: `search.iterations` is not read. The stream ends before the iteration that would take the
    tree over `search.max_nodes`, and with the tree of which `search.stop` holds, else never.
    `root_moves` are as in `analyse`.

    :raises EndlessGameError: (when taken from) a game is not over after `search.max_plies` plies.
    :raises FinishedGameError: the game is over.
    :raises GameError: (also when taken from) the game breaks a promise of `GameState`.
    :raises IllegalMoveError: one of `root_moves` is not legal.
    :raises TypeError: `search` is no `Search`.
    :raises ValueError: `root_moves` is empty; or `search` has a schedule.
    """
    check_search(search)
    check_unscheduled(search, 'a stream of trees has none')
    look_at(state, 'persistent')
    return _stream(root_to_search(state, search, None, root_moves), rng, search)


def _stream(root: Node, rng: R, search: Search) -> Iterator[tuple[Node, R]]:
    for tree, after in stream(root, rng, search):
        yield tree, after
        if is_decided(search, tree.iterations, partial(stats_of, tree)):
            return


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
    `auto` takes the fastest that is able. `watch` is told how many are done, first 0, and ends the
    search by returning `STOP`; `iterations` of the analysis says how many were made, and a search
    of so many finds the same. `tree`, an earlier analysis of the same state or its tree, is grown
    further instead of a new one, by `search.iterations` more; any engine goes on from what any
    other made. `root_moves` are the moves to choose among, when they are not to be all that are
    legal. Where the rules on integers of a game cannot be used compiled, `auto` goes on with
    another engine and a `FmctsWarning`.

    :raises EndlessGameError: a game is not over after `search.max_plies` plies of a playout.
    :raises EngineError: no engine has that name, or it lacks what is needed; or the class of
        `state` declares rules on integers that disagree with it (`auto` and `compiled`).
    :raises FinishedGameError: the game is over.
    :raises GameError: the game breaks a promise of `GameState`.
    :raises IllegalMoveError: one of `root_moves` is not legal.
    :raises IterationsError: a move has no visit, and `search.final` is `robust-of-all`.
    :raises NoRoomError: `search.max_nodes` is too small for one iteration.
    :raises TypeError: `search` is no `Search`, or `tree` no `Node`.
    :raises ValueError: `tree` belongs to another state, or has other root moves than those given;
        `root_moves` is empty; or `search` has a schedule, and `tree` was searched or `watch` ended
        the search.
    """
    check_engine(engine)
    check_search(search)
    root = root_to_search(state, search, tree, root_moves)
    look_at(state, engine)
    return found_by(find_engine(engine, root, rng, search), root, rng, search, watch)


def decide(state: GameState[M], rng: R, search: Search, *, engine: str = 'auto') -> tuple[M, R]:
    """The move of `analyse`, and the generator to use next, where nobody wants the tree.

    They are the same; of a short search they are sooner there.

    :raises Exception: as `analyse`.
    """
    check_engine(engine)
    check_search(search)
    root = root_to_search(state, search, None, None)
    look_at(state, engine)
    run = find_engine(engine, root, rng, search)
    decided = run.decide(root, rng, search)
    if decided is not None:
        return decided
    analysis, after = found_by(run, root, rng, search, ignore)
    return analysis.move, after


def found_by(run: Run, root: Node, rng: R, search: Search, watch: Watch) -> tuple[Analysis[Any], R]:
    """The analysis of what is grown of `root`, and the generator to use next.

    :raises IterationsError: a move has no visit, and `search.final` is `robust-of-all`.
    :raises NoRoomError: `search.max_nodes` is too small for one iteration.
    """
    grown, after = run(root, rng, search, watch)
    return Analysis(choose(grown, search), grown.iterations, grown), after


def check_unscheduled(search: Search, why: str) -> None:
    """Nothing, when the search has no schedule.

    :raises ValueError: it has one.
    """
    if search.schedule is not None:
        raise ValueError(f'a schedule shares out the count of iterations, and {why}')


def root_to_search(
    state: GameState[M],
    search: Search,
    tree: Node | Analysis[M] | None,
    root_moves: Iterable[M] | None,
) -> Node:
    """The root that a search begins with: a new one, or that of the tree to go on from.

    :raises FinishedGameError: the game is over.
    :raises ValueError: the tree belongs to another state, was searched by a method with other
        columns, has other root moves than those given, or visits where there is a schedule.
    """
    if tree is None:
        return fitted(plant(state, root_moves), search)
    root = root_of(tree).as_root()
    check_comparable(root.state, state, 'a tree is continued for an equal state only')
    if root.state != state:
        raise ValueError('the tree to go on from belongs to another state')
    if root_moves is not None and root.moves != candidates(state, root_moves):
        raise ValueError('the tree to go on from has other root moves')
    if not root.moves:
        raise FinishedGameError('the game is over: there is no move to search for')
    if search.schedule is not None and any(row.visits for row in stats_of(root)):
        check_unscheduled(search, 'the tree to go on from was searched without it')
    return fitted(root, search)
