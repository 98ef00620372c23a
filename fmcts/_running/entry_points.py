"""The entry points: searches, streams of trees and playouts, by any engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Final

from fmcts import _linked as linked
from fmcts._arguments import check_generator, check_start, seeds_of, whole_number
from fmcts._engines import choose, fitted, is_decided, with_draws
from fmcts._promises import check_plain, checked_winner
from fmcts._running.automatic import RunSearch, warn_of_rules
from fmcts._running.registry import ENGINES, check_engine, find_engine, look_at, stream
from fmcts.errors import EngineError, FinishedGameError, RulesError
from fmcts.game import MAX_PLIES, GameState, M, Player, gains, has_rewards, is_plain
from fmcts.notices import warning
from fmcts.rng import R, Rng, thaw
from fmcts.search import (
    STOP,
    Analysis,
    Node,
    Search,
    Watch,
    candidates,
    check_search,
    chunks,
    ignore,
    plant,
    root_of,
    stats_of,
)
from fmcts.search.networks import Answering
from fmcts.search.schedules import DrawingSchedule, chooses_below_root
from fmcts.simulation import simulator_of

USUAL: Final = Search()

MANY: Final = 10_000
"""Playouts for which linking pays."""


def trees(
    state: GameState[M], rng: R, search: Search = USUAL, *, root_moves: Iterable[M] | None = None
) -> Iterator[tuple[Node, R]]:
    """Yield the trees after 1, 2, 3... iterations, each with the generator to use next.

    Every tree is immutable: later iterations never change it. Take as many as you want;
    `search.iterations` is ignored. The stream ends before the iteration that would make the tree
    larger than `search.max_nodes`, or with the tree for which `search.stop` holds; otherwise it is
    endless. `root_moves`: as in `analyse`.

    :raises EndlessGameError: (while iterating) a game is not over after `search.max_plies` plies.
    :raises FinishedGameError: the game is over.
    :raises GameError: (also while iterating) the game breaks a promise of `GameState`.
    :raises IllegalMoveError: one of `root_moves` is not legal.
    :raises TypeError: `search` is not a `Search`, `rng` not a generator, or `state` is a class or
        module.
    :raises ValueError: `root_moves` is empty, or `search` has a schedule.
    """
    check_call(state, rng, search)
    check_unscheduled(search, 'a stream of trees is endless')
    look_at(state, 'persistent')
    return _stream(root_to_search(state, search, None, root_moves), rng, search)


def _stream(root: Node, rng: R, search: Search) -> Iterator[tuple[Node, R]]:
    _, root, rng = with_draws(search, root, rng)
    for tree, after in stream(root, rng, search):
        yield tree, after
        # A sliding window still backs up what is in flight, and ends by itself.
        if not search.sliding and is_decided(search, tree.iterations, partial(stats_of, tree)):
            return


def analyse(
    state: GameState[M],
    rng: R,
    search: Search = USUAL,
    *,
    engine: str = 'auto',
    watch: Watch = ignore,
    tree: Node | Analysis[M] | None = None,
    root_moves: Iterable[M] | None = None,
) -> tuple[Analysis[M], R]:
    """Search `state`; return the analysis and the generator to use next (`rng` is consumed).

    `engine`: one of `persistent`, `monadic`, `inplace` and `compiled`. All give the same result bit
    for bit; `auto` takes the fastest that supports the search. If a game's rules on integers cannot
    be used compiled, `auto` uses another engine and issues a `FmctsWarning`.
    `watch`: called with the number of iterations made so far, 0 first; it stops the search by
    returning `STOP`. `analysis.iterations` says how many were made; a search with that many
    iterations gives the same analysis.
    `tree`: an earlier analysis of the same state, or its tree, to continue by `search.iterations`
    more. Any engine continues a tree that any other has grown.
    `root_moves`: the moves to choose among, if not all that are legal.

    An error of a network has what was searched before it as an `Analysis`, `error.searched`, except
    in the engine `compiled`.

    :raises EndlessGameError: a game is not over after `search.max_plies` plies of a playout.
    :raises EngineError: no engine has that name, or it does not support the search; or the class of
        `state` declares rules on integers that disagree with it (`auto` and `compiled`).
    :raises FinishedGameError: the game is over.
    :raises GameError: the game breaks a promise of `GameState`.
    :raises IllegalMoveError: one of `root_moves` is not legal.
    :raises IterationsError: a move has no visit, and `search.final` is `robust-of-all`.
    :raises NoRoomError: `search.max_nodes` is too small for one iteration.
    :raises TypeError: `search` is not a `Search`, `rng` not a generator, `tree` neither a `Node`
        nor an `Analysis`, or `state` is a class or module.
    :raises ValueError: `tree` belongs to another state, or has other root moves than those given;
        `root_moves` is empty; or `search` has a schedule, and `tree` was searched or `watch` ended
        the search.
    """
    check_engine(engine)
    check_call(state, rng, search)
    root = root_to_search(state, search, tree, root_moves)
    look_at(state, engine)
    return found_by(find_engine(engine, root, rng, search), root, rng, search, watch)


def check_call(state: object, rng: object, search: object) -> None:
    """Check the arguments that all searches share.

    :raises TypeError: `search` is not a `Search`, `rng` not a generator, or `state` is a class or
        module.
    """
    check_search(search)
    check_generator(rng)
    check_start(state)


def found_by(
    run: RunSearch, root: Node, rng: R, search: Search, watch: Watch
) -> tuple[Analysis[Any], R]:
    """Run the search from `root`; return the analysis and the generator to use next.

    :raises IterationsError: a move has no visit, and `search.final` is `robust-of-all`.
    :raises NoRoomError: `search.max_nodes` is too small for one iteration.
    """
    search, root, rng = with_draws(search, root, rng)
    try:
        grown, after = run(root, rng, search, watch)
    except Exception as error:
        session = vars(error).pop('searched', None)
        if session is not None and session.visits:
            grown, _ = session.finish()
            vars(error)['searched'] = Analysis(choose(grown, search), grown.iterations, grown)
        raise
    found = Analysis(choose(grown, search), grown.iterations, grown)
    _notice_scale(found, search)
    return found, after


def _notice_scale(found: Analysis[Any], search: Search) -> None:
    """Notice that the default constant of a selection does not fit rewards on the way.

    It is meant for rewards from 0 to 1, which others make useless: nothing is explored, or all.
    """
    state = found.tree.state
    fits = search.normalised or search.c is not None or chooses_below_root(search.schedule)
    if not gains(state) or fits:
        return
    values = [row.value for row in found.stats if row.value is not None]
    if isinstance(search.selection, str) and not 0.0 <= min(values) <= max(values) <= 1.0:
        warning(
            f'moves of {type(state).__name__} are worth from {min(values):g} to {max(values):g}, '
            'and the selection is made for rewards from 0 to 1: use Search(normalised=True), or '
            'give c',
            type(state),
        )


def check_unscheduled(search: Search, why: str) -> None:
    """Check that the search has no schedule; `why` is the reason in the message.

    :raises ValueError: the search has a schedule.
    """
    if search.schedule is not None:
        raise ValueError(f'a schedule needs a fixed number of iterations, and {why}')


def root_to_search(
    state: GameState[M],
    search: Search,
    tree: Node | Analysis[M] | None,
    root_moves: Iterable[M] | None,
) -> Node:
    """Return the root that a search starts from: a new one, or the root of the tree to continue.

    :raises FinishedGameError: the game is over.
    :raises ValueError: the tree belongs to another state, was searched by a method with other
        columns, has other root moves than those given, or visits where there is a schedule.
    """
    if search.proposing is not None and root_moves is not None:
        raise ValueError(
            'root_moves needs a state that lists its moves, and here they are proposed'
        )
    if tree is None:
        listed = search.proposing is None and not isinstance(search.network, Answering)
        return fitted(plant(state, root_moves, listed=listed), search)
    root = root_of(tree).as_root()
    if root.state != state:
        raise ValueError(
            'the tree to continue belongs to another state: after a move, reroot gives its subtree'
        )
    if root_moves is not None and root.moves != candidates(state, root_moves):
        raise ValueError(
            'the tree to continue has other root moves: leave out root_moves, or start a new tree'
        )
    if not root.moves and (search.proposing is None or root.state.over):
        raise FinishedGameError('the game is over: there is no move to search for')
    if search.schedule is not None and any(row.visits for row in stats_of(root)):
        check_unscheduled(search, 'the tree to continue has visits already')
    return fitted(root, search)


def agreement(
    analysis: Analysis[Any],
    rng: Rng,
    search: Search,
    seeds: int | Iterable[int] = 20,
    *,
    engine: str = 'auto',
    watch: Watch = ignore,
) -> int:
    """Return how many searches with other generators choose the move of an analysis.

    `rng` and `search` are those that made the analysis, of the same root moves. The generators are
    `rng.child(seed)` for each of `seeds`; a number means 0, 1, 2... below it. `engine` and `watch`
    are as in `analyse`.

    :raises ValueError: there are no seeds, or the search draws nothing, as one with a network.
    :raises Exception: as `analyse`.

    >>> from fmcts import SplitMix
    >>> from fmcts.games import tictactoe
    >>> rng, search = SplitMix.from_seed(42), Search(500)
    >>> analysis, _ = analyse(tictactoe.start, rng, search)
    >>> analysis.move, agreement(analysis, rng, search, 10)
    (8, 1)
    """
    tree, listed = analysis.tree, search.proposing is None
    root = fitted(plant(tree.state, tree.moves if listed else None, listed=listed), search)
    moves = moves_by_seeds(root, rng, search, seeds_of(seeds, 'agreement'), engine, watch)
    return sum(move == analysis.move for move in moves)


def moves_by_seeds(
    root: Node, rng: Any, search: Search, seeds: Iterable[int], engine: str, watch: Watch = ignore
) -> Iterator[Any]:
    """Yield the moves that searches from a root choose with the children of a generator.

    :raises ValueError: the search has a network and draws nothing.
    """
    schedule: Any = search.schedule
    draws = isinstance(schedule, DrawingSchedule) or not is_plain(root.state)
    if search.network is not None and not draws:
        raise ValueError(
            'a search with a network draws nothing: every generator gives the same result'
        )
    for seed in seeds:
        own = rng.child(seed)
        run = find_engine(engine, root, own, search)
        yield found_by(run, root, own, search, watch)[0].move


def playouts(
    state: GameState[Any],
    rng: R,
    times: int,
    *,
    engine: str = 'auto',
    watch: Watch = ignore,
    max_plies: int = MAX_PLIES,
) -> tuple[Counter[Player | None], R]:
    """Return each player's wins (`None`: draws) in `times` playouts, and the next generator.

    The result equals `fmcts.playout` repeated, draw for draw. `engine` is as in `analyse`: only
    `compiled` makes a difference, and only to the speed. `watch` receives the number of playouts
    done, and ends them by returning `STOP`. `max_plies` limits the plies of a game.

    :raises EndlessGameError: a game is not over after `max_plies` plies.
    :raises EngineError: the engine is unknown or does not support the game; or the class of `state`
        declares rules on integers that disagree with it (`auto` and `compiled`).
    :raises GameError: the game breaks a promise of `GameState`.
    :raises ValueError: `times` is not a whole number of at least 0, or `max_plies` of at least 1.

    >>> from fmcts.games import tictactoe
    >>> from fmcts.rng import StdGen
    >>> winners, rng = playouts(tictactoe.start, StdGen(1, 1), 100)
    >>> winners[Player.X], winners[Player.O], winners[None]
    (66, 21, 13)
    """
    whole_number('times', times, least=0)
    whole_number('max_plies', max_plies)
    look_at(state, check_engine(engine))
    if has_rewards(state):
        check_plain(state, 'a count of winners (use fmcts.simulation.chance_playout)')
    simulate = simulator_of(state, max_plies)

    def in_python(rng: Any, number: int) -> tuple[Counter[Player | None], Any]:
        draws = thaw(rng)
        ends = (checked_winner(state, simulate(state, draws.draw)) for _ in range(number))
        return Counter(ends), draws.freeze()

    if engine in ('auto', 'compiled'):
        missing = linked.unsupported_game(state, rng)
        able = [name for name in ENGINES if name != 'compiled']
        if missing is None and (engine == 'compiled' or times >= MANY):
            try:
                run = linked.playouts(state, rng, max_plies, in_python)
                return _counted(run, rng, times, watch)
            except RulesError as error:
                if engine == 'compiled':
                    raise
                warn_of_rules(state, error, able[0])
        elif engine == 'compiled':
            raise EngineError(
                f'the engine compiled does not support {missing}; use one of: {", ".join(able)}'
            )
    return _counted(in_python, rng, times, watch)


def _counted(run: Any, rng: R, times: int, watch: Watch) -> tuple[Counter[Player | None], R]:
    """Return the winners of playouts that `run(rng, number)` makes, and the next generator."""
    winners: Counter[Player | None] = Counter()
    for chunk in chunks(times):
        found, rng = run(rng, chunk)
        winners.update(found)
        if watch(winners.total()) is STOP:
            break
    return winners, rng
