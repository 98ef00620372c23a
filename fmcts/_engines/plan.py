"""`Plan`: a `Search` resolved into functions for the Python engines.

All differences between searches are in these functions; the engines are the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any

from attrs import evolve, frozen

from fmcts._engines import chance, proposing
from fmcts._engines.expansion import EXPANSIONS, Chances, Turn, jumping, selecting, step_to
from fmcts._engines.outcomes import Found, Path, ended_of, playout_of
from fmcts._engines.returns import Returns, own_players, returns_of, rewards_by_player, seats_of
from fmcts._engines.rollouts import Rollout, extend
from fmcts._engines.selection import Choose, chooser_of, looks_up, reference_among
from fmcts._engines.updates import update_of
from fmcts._promises import checked_moves
from fmcts.game import chances_of, has_rewards, is_plain
from fmcts.search import (
    NO_COLUMNS,
    ColumnNames,
    Columns,
    MutableNode,
    Node,
    Search,
    freeze_in_place,
)
from fmcts.search.memory import (
    Remembered,
    check_hash,
    entries_of,
    learning,
)
from fmcts.search.methods import Method
from fmcts.search.methods.method import rows_at
from fmcts.search.networks import Answering, Network, answers_of
from fmcts.search.schedules import Forced, line_of


@frozen
class Plan:
    """The decisions of a search as functions.

    - `choose(node, places, log_visits, path)`: the place to descend to, if every move has a child.
      The logarithm is of `log_offset` plus the visits of the node.
    - `chances` and `step`: the draw and the step at a node with untried moves, or where chance
      moves, as in `expansion`; `chances` is `None` if nothing is ever drawn.
    - `rolls(state)`: whether chance moves there; `None` in a game without chance.
    - `due(path, node, room)`: a step that is not chosen, as in `proposing`, where a move is
      proposed or forced; `None` if none ever is.
    - `stops(path, node)`: whether a descent ends at a node that has moves: at one without visits
      (see `rollouts`), or at the horizon; `None` if none does.
    - `leaf(node, move)`: the new child of a node, before its first visit, and `fresh(state, moves)`
      its columns; `None` if there are none.
    - `extend(node, states)`: the node with the states of a playout below it, if there are any.
    - `playout(path, node, draw)`: the result of a playout of an unfinished node.
    - `ended(path, node)`: the result of a finished node.
    - `seats`: the place of each player in rewards; `None` if a reward is one number, that of X.
    - `returns`: how rewards on the way are counted; `None` if there are none.
    - `update(node, places, below, path, worth, trace)`: the columns of a node of the path after
      the iteration (see `updates`); `None` if the search has no columns.
    - `finished(root)`: whether the root is resolved, so that the search ends; `None` if nodes are
      never resolved.
    """

    choose: Choose
    log_offset: int
    chances: Chances | None
    step: Turn
    rolls: Callable[[Any], object] | None
    due: proposing.Due | None
    stops: Callable[[Path, Any], object] | None
    leaf: Callable[..., Any]
    fresh: Callable[[Any, Sequence[Any]], Columns] | None
    extend: Callable[[Any, Rollout], Any]
    playout: Callable[[Path, Any, Callable[[int], int]], Found]
    ended: Callable[[Path, Any], Found]
    seats: Mapping[Any, int] | None
    returns: Returns | None
    update: Callable[..., Columns] | None
    finished: Callable[[Any], bool] | None

    def forcing(self, forced: Forced) -> Plan:
        """Return the decisions where the first moves of a descent are not chosen, but given."""
        line = line_of(forced)

        def due(path: Path, node: Any, room: float = 1) -> tuple[Any, int, int] | None:
            if len(path) < len(line):
                return node, *step_to(line[len(path)], node.places)
            return self.due and self.due(path, node, room)

        return evolve(self, due=due) if line else self


def plan_of(
    search: Search,
    root: Any,
    *,
    in_place: bool = False,
    noted: Callable[[Any], object] | None = None,
) -> Plan:
    """Return the decisions of the search, for the game of the state `root`.

    `in_place`: for an engine that writes to nodes. `noted` is called with each move of a playout.

    :raises MethodError: the game cannot be searched like this.
    """
    chance.check_supported(search, root)
    method, resolution, plain = search.method, search.resolution, is_plain(root)
    if method.table is not None:
        for move in root.moves:
            check_hash(root, move)
    several = has_rewards(root)
    choose = referring(method, chooser_of(method, resolution, several=several))
    if search.expands == 'jump':
        onward = chooser_of(method, resolution, untried=False, several=several)
        chances, step = jumping(referring(method, onward), resolution)
    elif search.expands == 'selected':
        chances, step = None, selecting(choose)
    else:
        chances, step = EXPANSIONS[search.expands]
    given: Any = search.proposing
    if not plain:
        revisits = given.revisits if given and given.outcomes else None
        chances, step = chance.rolling(chances, step, revisits)
    fresh = fresh_of(search)
    leaf = _leaf_of(search, root, fresh, in_place=in_place)
    returns = returns_of(search, root)
    # A playout's states joined the tree without a visit: an iteration ends at the first of them.
    stops: Any = _is_unvisited if search.rollout_expand else None
    if returns is not None and search.horizon is not None:
        stops = either(stops, returns.stops) if stops else returns.stops
    return Plan(
        choose=choose,
        log_offset=method.log_offset,
        chances=chances,
        step=step,
        rolls=None if plain else chances_of,
        due=given and proposing.widening(given, in_place=in_place),
        stops=stops,
        leaf=leaf,
        fresh=fresh,
        extend=partial(extend, leaf=leaf, in_place=in_place),
        playout=playout_of(search, root, noted),
        ended=ended_of(search, root),
        seats=seats_of(root),
        returns=returns,
        update=_updating(search, root, in_place=in_place),
        finished=None if resolution is None else lambda root: resolution.ends(resolution.of(root)),
    )


def either(one: Callable[[Path, Any], object], two: Callable[[Path, Any], object]) -> Any:
    """Return `stops(path, node)` that is true if one of two is."""
    return lambda path, node: one(path, node) or two(path, node)


def _is_unvisited(path: Path, node: Any) -> bool:
    return bool(path) and not node.visits


def referring(method: Method, choose: Choose) -> Choose:
    """Return `choose`, extended to pass each node's reference, or the root, if it is asked for."""
    refers, scales = looks_up(method), 'least' in method.names.own
    if not (refers or scales):
        return choose

    def referred(node: Any, places: Sequence[Any], log_visits: float, path: Path) -> int:
        above = map(itemgetter(0), reversed(path))
        reference = reference_among(method, chain((node,), above)) if refers else None
        return choose(node, places, log_visits, reference, path[0][0] if path else node)

    return referred


def _leaf_of(search: Search, root: Any, fresh: Any, *, in_place: bool) -> Callable[..., Any]:
    """Return `leaf(node, move)`, which may also receive the state that the move leads to."""
    plain, given = is_plain(root), search.proposing

    def leaf(node: Any, move: Any, state: Any = None) -> Any:
        if state is None:
            state = node.state.play(move)
        # Moves are checked when one is tried; none means that the game is over.
        own = None
        if given is not None:
            own = proposing.below(node, move)
            moves = proposing.first_moves(given, state, own)
        else:
            moves = state.moves or checked_moves(state) if plain else chance.options_at(state)
        columns = fresh(state, moves) if fresh else NO_COLUMNS
        if own is not None:
            columns = columns._replace(proposed=own)
        child = MutableNode(move, node.state.player, state, moves, 0, 0.0, 0.0, (), columns)
        return child if in_place else freeze_in_place(child)

    return leaf


# ---- columns ----


def fresh_of(search: Search) -> Callable[[Any, Sequence[Any]], Columns] | None:
    """Return `fresh(state, moves)`, the columns of a new node; `None` if there are none.

    :raises MethodError: (the function) the method gives rows of another length than the moves.
    """
    method, names = search.method, search.columns
    if not names:
        return None
    own = Columns(names).own
    network = search.network
    rows_of: Callable[[Any, Sequence[Any]], Sequence[Sequence[float]]]
    if network is not None and names.moves:
        rows_of = network_rows(network)
    else:
        rows_of = partial(rows_at, method, names)

    def fresh(state: Any, moves: Sequence[Any]) -> Columns:
        rolls = chances_of(state)  # then `moves` are outcomes, and have no numbers
        none = (0.0,) * len(moves)
        table = Remembered('table', {}, players=own_players(state)) if names.table else None
        rows = (none,) * len(names.moves) if rolls else rows_of(state, moves)
        return Columns._make((names, own, rows, (), table, None))

    return fresh


def network_rows(network: Network) -> Callable[[Any, Sequence[Any]], tuple[Sequence[float], ...]]:
    """Return `first_rows(state, moves)` of a search with a network, which asks it of that state."""

    def first_rows(state: Any, moves: Sequence[Any]) -> tuple[Sequence[float], ...]:
        if not moves:
            return ((),)
        (answer,) = answers_of(network, [state])
        legal = answer.moves_of(state)
        if len(moves) == len(legal):
            return (answer.priors,)
        pairs = zip(legal, answer.priors, strict=True)
        return (tuple(number for move, number in pairs if move in moves),)

    return first_rows


def _updating(search: Search, root: Any, *, in_place: bool) -> Any:
    """Return `update`: of a node's columns and, at the root, of what playouts remember.

    In place the tables of a root are copied once, and then written to.
    """
    update = update_of(search, root) if search.columns else None
    memories = tuple(map(learning, search.policy.memories))
    if not memories:
        return update
    players, rewards_of = own_players(root), rewards_by_player(root)
    written: dict[str, Any] = {}
    kept: tuple[Remembered, ...] | None = None

    def updated(
        node: Any, places: Sequence[Any], below: Any, path: Path, worth: Any, trace: Any
    ) -> Columns:
        nonlocal written, kept
        columns: Columns = node.columns
        if update:
            columns = update(node, places, below, path, worth, trace)
        if path:
            return columns
        # In place the same dictionaries are written to all along. Where paths are copied each root
        # has its own, since an earlier one may be continued.
        if not in_place or kept is None:
            known: Any = entries_of(memories, columns.memory)
            written = {each.name: known[each.name].copy() for each in memories}
            kept = tuple(
                Remembered(each.name, written[each.name], each.table.layout, players)
                for each in memories
            )
        for each in memories:
            each.learn(written[each.name], trace.line, rewards_of(worth))
        return columns._replace(memory=kept)

    return updated


# ---- a tree to continue ----


def fitted(root: Node, search: Search) -> Node:
    """Return the tree; if it was not searched yet, with the columns of `search`.

    Playouts' memories may be missing: the search then starts with empty ones.

    :raises ValueError: it was searched with other columns or transpositions, or its playouts
        remember other things.
    """
    kept, wanted = [], []
    if root.columns.memory:
        memory, tables = root.columns.memory, search.policy.memories
        layouts = [each.layout for each in memory]
        kept += [f'the tables {", ".join(it.name for it in memory)}', f'tables with {layouts}']
        names = ', '.join(it.name for it in tables)
        wanted += [f'the tables {names}' if names else 'no tables']
        wanted += [f'tables with {[table.layout for table in tables]}']
    if root.visits or root.places:
        kept += [f'transpositions={root.transpositions}', _in_words(root.columns.names)]
        wanted += [f'transpositions={search.transpositions}', _in_words(search.columns)]
        drawn = type(root.columns.proposed) not in (type(None), int)  # a generator
        kept += ['proposed moves' if drawn else 'listed moves']
        wanted += ['listed moves' if search.proposing is None else 'proposed moves']
    for there, asked in zip(kept, wanted, strict=True):
        if there != asked:
            raise ValueError(
                f'the tree to continue keeps {there}, the search {asked}: '
                'continue with the search that grew it'
            )
    alike = root.transpositions in (None, search.transpositions)
    outside = search.network if isinstance(search.network, Answering) else None
    if root.columns.names == search.columns and alike and (root.moves or outside is None):
        return root
    draft = root.mutable_copy(())
    if outside is not None and not root.moves:  # an evaluator proposes them
        (answer,) = outside([root.state])
        draft.moves = answer.moves_of(root.state)
        rows = (answer.priors,)[: len(search.columns.moves)]
        draft.columns = Columns(search.columns, None, rows, proposed=len(draft.moves))
        return freeze_in_place(draft)
    fresh = fresh_of(search)
    columns = fresh(root.state, root.moves) if fresh else NO_COLUMNS
    draft.columns = columns._replace(proposed=root.columns.proposed)
    return freeze_in_place(draft)


def _in_words(names: ColumnNames) -> str:
    listed = ', '.join(names.own + names.moves + names.table)
    return f'the columns {listed}{" by keys" * bool(names.table)}' if listed else 'no columns'
