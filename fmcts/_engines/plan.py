"""`Plan`: a `Search` resolved into functions for the Python engines.

All differences between searches are in these functions; the engines are the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain, pairwise
from operator import itemgetter
from typing import Any, TypeAlias

from attrs import define, evolve, frozen

from fmcts._arguments import shown
from fmcts._engines.chains import Chain, extend, extended
from fmcts._engines.expansion import EXPANSIONS, Chances, Step, Turn, selecting, step_to
from fmcts._engines.jumping import jumping
from fmcts._engines.outcomes import ending_of, playout_of
from fmcts._engines.selection import Choose, chooser_of, name_of, onward_of
from fmcts._engines.updates import update_of
from fmcts.errors import MethodError
from fmcts.game import Player, checked_moves
from fmcts.search._columns import NONE, ColumnNames, Columns
from fmcts.search._description import Search
from fmcts.search._tree import MutableNode, Node, freeze_in_place
from fmcts.search.memory import (
    Learning,
    Line,
    Recalled,
    Remembered,
    entries_of,
    learning,
    place_of,
)
from fmcts.search.methods import Method
from fmcts.search.schedules import Forced, line_of

__all__ = ['Found', 'Path', 'Plan', 'fitted', 'freeze_columns', 'plan_of', 'thaw_columns']

Path: TypeAlias = list[Any]
"""The nodes above another one, the root first.

Where paths are copied, each comes with its children and the index of the one taken. These are the
node's children, or those that an expansion gives it: `backup` creates the node that has them, so a
new child costs one new parent and not two.
"""

Found: TypeAlias = tuple[float, Any, Chain | None]
"""The reward of an iteration for X; the data that `Plan.update` needs of its moves; and the states
of its playout, if they join the tree.
"""


@frozen
class Plan:
    """The decisions of a search as functions.

    - `choose(node, children, log_visits, path)`: the index of the child to descend to, if every
      move has one. The logarithm is of `counted` plus the visits of the node.
    - `chances` and `step`: the draw and the step at a node with untried moves, as in `expansion`;
      `chances` is `None` if nothing is ever drawn.
    - `rests`: whether a descent ends at a node without visits (see `chains`).
    - `leaf(node, move)`: the new child of a node, before its first visit.
    - `extend(node, states)`: the node with the states of a playout below it, if there are any.
    - `playout(path, node, draw)`: the result of a playout of an unfinished node.
    - `ended(path, node)`: the result of a finished node.
    - `update(node, children, below, parent, for_x, trace)`: the columns of a node of the path after
      the iteration, as in `updates`; `None` if there are no columns.
    - `finished(root)`: whether the root is resolved, so that the search ends; `None` if it never
      is.
    """

    choose: Choose
    counted: int
    chances: Chances | None
    step: Turn
    rests: bool
    leaf: Callable[..., Any]
    extend: Callable[[Any, Chain], Any]
    playout: Callable[[Path, Any, Callable[[int], int]], Found]
    ended: Callable[[Path, Any], Found]
    update: Callable[..., Columns] | None
    finished: Callable[[Any], bool] | None

    def forcing(self, forced: Forced) -> Plan:
        """Return the decisions where the first moves of a descent are not chosen, but given."""
        line, plan = line_of(forced), self
        if not line:
            return plan

        def choose(node: Any, children: Sequence[Any], log_visits: float, path: Path) -> int:
            if len(path) < len(line):
                return line[len(path)]
            return plan.choose(node, children, log_visits, path)

        def chances(node: Any, children: Sequence[Any], path: Path) -> int:
            if len(path) < len(line) or plan.chances is None:
                return 0
            return plan.chances(node, children, path)

        def step(
            node: Any, children: Sequence[Any], log_visits: float, path: Path, drawn: int
        ) -> Step:
            if len(path) < len(line):
                return step_to(line[len(path)], node.moves, children)
            return plan.step(node, children, log_visits, path, drawn)

        return evolve(self, choose=choose, chances=chances, step=step)


def plan_of(
    search: Search,
    root: Any,
    *,
    in_place: bool = False,
    choose: Choose | None = None,
    playout: Callable[..., Any] | None = None,
) -> Plan:
    """Return the decisions of the search, for the game of the state `root`.

    `in_place`: for an engine that writes to nodes. `choose` and `playout` replace those of the
    search (see `chooser_of`, `playout_of`).
    """
    method, settling = search.method, search.settling
    leaf = _leaf_of(search, in_place=in_place)
    above: Above = reversed if in_place else _copied_above
    choose = choose or referring(method, chooser_of(method, settling), above)
    if search.expands == 'jump':
        chances, step = jumping(referring(method, onward_of(method, settling), above), settling)
    elif search.expands == 'selected':
        chances, step = None, selecting(choose)
    else:
        chances, step = EXPANSIONS[search.expands]
    return Plan(
        choose=choose,
        counted=method.counted,
        chances=chances,
        step=step,
        rests=search.rollout_expand,
        leaf=leaf,
        extend=partial(extend if in_place else extended, leaf=leaf),
        playout=_finding(search, playout or playout_of(search, root), above),
        ended=_ending(search, above),
        update=_updating(search, root.player, _written if in_place else _learned),
        finished=_finished_of(search),
    )


Above: TypeAlias = Callable[[Path], Iterable[Any]]
"""The nodes of a path, the nearest first."""


def _copied_above(path: Path) -> Iterable[Any]:
    return map(itemgetter(0), reversed(path))


def referring(method: Method, choose: Choose, above: Above) -> Choose:
    """Return a chooser that receives the reference of each node, if the method has references."""
    if not method.reference:
        return choose

    def told(node: Any, children: Sequence[Any], log_visits: float, path: Path) -> int:
        line = chain((node,), above(path))
        reference = next((each for each in line if method.refers(float(each.visits))), None)
        return choose(node, children, log_visits, reference)

    return told


def _leaf_of(search: Search, *, in_place: bool) -> Callable[..., Any]:
    """Return `leaf(node, move)`, which may also receive the state that the move leads to."""
    fresh = fresh_of(search)

    def leaf(node: Any, move: Any, state: Any = None) -> Any:
        if state is None:
            state = node.state.play(move)
        moves = state.moves or checked_moves(state)  # an end; moves are checked when one is tried
        columns = fresh(state, moves) if fresh else NONE
        children: Any = [] if in_place else ()
        child = MutableNode(move, node.state.player, state, moves, 0, 0.0, 0.0, children, columns)
        return child if in_place else freeze_in_place(child)

    return leaf


# ---- the reward of an iteration ----


def _finding(search: Search, play: Callable[..., Any], above: Above) -> Callable[..., Found]:
    """Return `playout(path, node, draw)`, given the search's playout `play`."""
    traces, memories, chained = search.method.traces, search.policy.memories, search.rollout_expand

    def plain(_path: Path, node: Any, draw: Callable[[int], int]) -> Found:
        return play(node.state, draw), None, None

    def playout(path: Path, node: Any, draw: Callable[[int], int]) -> Found:
        line, states = None, None
        if chained:
            states = Chain(node)
            outcome = play(node.state, draw, after=states.play)
        elif memories:
            nodes = [node, *above(path)][::-1]
            known = entries_of(memories, nodes[0].columns.memory)
            outcome, line = play(node.state, draw, Recalled(known, _line(nodes)))
        else:
            outcome = play(node.state, draw)
        for_x, played = outcome if traces else (outcome, None)
        return for_x, (played, line) if memories else played, states

    return playout if traces or memories or chained else plain


def _ending(search: Search, above: Above) -> Callable[[Path, Any], Found]:
    """Return `ended(path, node)`, the result of a finished node."""
    ending, traces, memories = ending_of(search), search.method.traces, search.policy.memories

    def ended(path: Path, node: Any) -> Found:
        played: set[Any] | None = set() if traces else None
        if not memories:
            return ending(node.state), played, None
        return ending(node.state), (played, _line([node, *above(path)][::-1])), None

    return ended


def _line(nodes: Sequence[Any]) -> Line:
    """Return the moves that lead from each of these nodes to the next."""
    return [place_of(node.state, child.move) for node, child in pairwise(nodes)]


def _finished_of(search: Search) -> Callable[[Any], bool] | None:
    """Return `finished(root)`: whether the search ends there; `None`, where it never does."""
    settling = search.settling
    if settling is None:
        return None
    return lambda root: settling.ends(root.columns.own[-1])


# ---- columns ----


def fresh_of(search: Search) -> Callable[[Any, Sequence[Any]], Columns] | None:
    """Return `fresh(state, moves)`, the columns of a new node; `None` if there are none.

    :raises MethodError: (the function) the method gives rows of another length than the moves.
    """
    method, names = search.method, search.columns
    if not names:
        return None
    own = (0.0,) * len(names.own)
    table = Remembered('table', {}) if names.table else None

    def fresh(state: Any, moves: Sequence[Any]) -> Columns:
        rows = tuple(map(tuple, method.first_rows(state, moves)))
        if [*map(len, rows)] != [len(moves)] * len(names.moves):
            raise MethodError(
                f'{name_of(method)} must give a row of {len(moves)} numbers for each of '
                f'{", ".join(names.moves) or "no columns"}, not {shown(rows)}'
            )
        return Columns(names, own, rows, (), table)

    return fresh


Learn: TypeAlias = Callable[[tuple[Learning, ...], Any, Line, float], Any]
"""`learn(memories, kept, line, for_x)`: the memories of a root after one more iteration."""


def _updating(search: Search, root_player: Player, learn: Learn) -> Callable[..., Columns] | None:
    """Return `update`: of a node's columns and, at the root, of what playouts remember."""
    update = update_of(search, root_player) if search.columns else None
    memories = tuple(map(learning, search.policy.memories))
    if not memories:
        return update

    def updated(
        node: Any, children: Sequence[Any], below: Any, parent: Any, for_x: float, trace: Any
    ) -> Columns:
        played, line = trace
        columns: Columns = node.columns
        if update:
            columns = update(node, children, below, parent, for_x, played)
        if parent is not None:
            return columns
        return columns._replace(memory=learn(memories, columns.memory, line, for_x))

    return updated


def _learned(memories: tuple[Learning, ...], kept: Any, line: Line, for_x: float) -> Any:
    """Return new tables, and leave those that are kept as they were."""
    known = entries_of(memories, kept)
    return tuple(
        Remembered(each.name, each.after(known[each.name], line, for_x)) for each in memories
    )


@define
class _Draft:
    """The contents of one memory, while they are written to."""

    name: str
    entries: Any


def _written(memories: tuple[Learning, ...], kept: Any, line: Line, for_x: float) -> Any:
    """Write to the tables that are kept, or to new ones, and return them."""
    kept = kept or tuple(_Draft(memory.name, {}) for memory in memories)
    for memory, draft in zip(memories, kept, strict=True):
        memory.learn(draft.entries, line, for_x)
    return kept


def thaw_columns(columns: Columns) -> Columns:
    """Return the columns of a root, with a copy of what is written to in place."""
    if not columns.memory:
        return columns
    drafts: Any = tuple(_Draft(each.name, dict(each.entries)) for each in columns.memory)
    return columns._replace(memory=drafts)


def freeze_columns(columns: Columns) -> Columns:
    """Return the same columns, which nobody writes to any more."""
    if not columns.memory:
        return columns
    tables = tuple(Remembered(each.name, each.entries) for each in columns.memory)
    return columns._replace(memory=tables)


# ---- a tree to continue ----


def fitted(root: Node, search: Search) -> Node:
    """Return the tree with the columns of `search`, if it has none and was not searched yet.

    Playouts' memories may be missing: the search then starts with empty ones.

    :raises ValueError: it was searched with other columns or transpositions, or its playouts
        remember other things.
    """
    _check_memory(root, search)
    names = search.columns
    alike = root.transpositions == search.transpositions
    searched = bool(root.visits or root.children)
    if not alike and searched:
        raise ValueError(
            f'the tree to continue has transpositions={root.transpositions}, the search '
            f'{search.transpositions}: continue with the search that grew it'
        )
    if root.columns.names == names and (alike or root.transpositions is None):
        return root
    if searched:
        raise ValueError(
            f'the tree to continue keeps {_in_words(root.columns.names)}, the search '
            f'{_in_words(names)}: continue with the search that grew it'
        )
    draft = root.mutable_copy(())
    fresh = fresh_of(search)
    draft.columns = fresh(root.state, root.moves) if fresh else NONE
    return freeze_in_place(draft)


def _check_memory(root: Node, search: Search) -> None:
    there = ', '.join(each.name for each in root.columns.memory)
    wanted = ', '.join(memory.name for memory in search.policy.memories)
    if there not in ('', wanted):
        raise ValueError(
            f'the playouts of the tree to continue remember {there}, those of the search '
            f'{wanted or "nothing"}: continue with the search that grew it'
        )


def _in_words(names: ColumnNames) -> str:
    if not names:
        return 'no columns'
    kept = ', '.join(names.own + names.moves + names.table)
    return f'the columns {kept} by keys' if names.table else f'the columns {kept}'
