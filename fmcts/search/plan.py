"""A search made ready: what the engines that run in Python need of it, found once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import Any, TypeAlias

from attrs import evolve, frozen

from fmcts.arguments import shown
from fmcts.search.columns import NONE, ColumnNames, Columns
from fmcts.search.description import Expansion, Search
from fmcts.search.errors import MethodError
from fmcts.search.memory import Learning, Line, Recalled, Remembered, learning, place_of
from fmcts.search.outcomes import Outcome, ending_of, playout_of
from fmcts.search.selection import Choose, chooser_of, name_of, onward_of
from fmcts.search.settling import Settling
from fmcts.search.tree import Node, freeze_in_place
from fmcts.search.updates import Update, update_of

__all__ = ['Plan', 'along', 'ended', 'fitted', 'plan_of', 'recalling', 'settled']

Fresh: TypeAlias = Callable[[Any, Sequence[Any]], Columns]
"""`fresh(state, moves)`: the columns of a new node."""


@frozen
class Plan:
    """The decisions of a search as functions. `fresh` and `update` are `None` without columns.

    `whole`: only a node that has a child for every move is descended from, unless the descent
    `jumps` (see `jumping`) and goes on by `go_on`. `refers`: whether a node with so many visits is
    a reference, in a search by a method that has such (see `along`). `counted` is what is added to
    a node's visits before their logarithm is taken. `playout` and `ending` are what an iteration is
    worth (see `outcomes`); `traces`: whether its moves are remembered; `chains`: whether its states
    join the tree; `settling`: what settles nodes, and may end the search. `memories` are what its
    playouts remember; if they do, `recalling` makes a plan of each iteration, with `line`, its
    moves in the tree.
    """

    choose: Choose
    go_on: Choose
    expansion: Expansion
    whole: bool
    jumps: bool
    refers: Callable[[float], bool] | None
    counted: int
    playout: Callable[..., Any]
    ending: Callable[[Any], float]
    traces: bool
    chains: bool
    settling: Settling | None
    fresh: Fresh | None
    update: Update | None
    memories: tuple[Learning, ...] = ()
    line: Line | None = None

    @property
    def undoes(self) -> bool:
        """Whether numbers are drawn before it is known how many nodes an iteration makes."""
        return self.jumps or self.chains


def plan_of(search: Search, root: Any) -> Plan:
    """The decisions of the search, for the game of the state `root`."""
    method = search.method
    columns = bool(search.columns)
    jumps = search.expands == 'jump'
    return Plan(
        choose=chooser_of(method, search.settling),
        go_on=onward_of(method, search.settling),
        expansion='in-order' if jumps else search.expands,
        whole=search.expands != 'selected',
        jumps=jumps,
        refers=method.refers if method.reference else None,
        counted=method.counted,
        playout=playout_of(search, root),
        ending=ending_of(search),
        traces=method.traces,
        chains=search.rollout_expand,
        settling=search.settling,
        fresh=fresh_of(search) if columns else None,
        update=update_of(search, root.player) if columns else None,
        memories=tuple(map(learning, search.policy.memories)),
    )


def along(plan: Plan, choose: Choose, above: Callable[[], Iterable[Any]]) -> Choose:
    """How a descent chooses: `choose`, told the reference of each node where the method has such.

    `above` gives the nodes of the path, the nearest first.
    """
    refers = plan.refers
    if refers is None:
        return choose

    def told(node: Any, children: Sequence[Any], log_visits: float) -> int:
        line = chain((node,), above())
        reference = next((each for each in line if refers(float(each.visits))), None)
        return choose(node, children, log_visits, reference)

    return told


def recalling(plan: Plan, known: Any, nodes: Sequence[Any]) -> Plan:
    """The plan of one iteration, whose playout knows what is remembered and the moves before.

    `known` are the entries of each memory by name, `nodes` those from the root to the leaf. What
    the iteration is worth comes with all its moves, as a pair.
    """
    line = [place_of(node.state, child.move) for node, child in pairwise(nodes)]
    return evolve(plan, playout=partial(plan.playout, recalled=Recalled(known, line)), line=line)


def ended(state: Any, plan: Plan) -> Any:
    """What a finished state is worth, as `plan.playout` gives it of others."""
    for_x = plan.ending(state)
    outcome = Outcome(for_x, set()) if plan.traces else for_x
    return outcome if plan.line is None else (outcome, plan.line)


def settled(root: Any, plan: Plan) -> bool:
    """Whether nothing is left to find out, so that the search ends."""
    settling = plan.settling
    return settling is not None and settling.ends(root.columns.own[-1])


def fresh_of(search: Search) -> Fresh:
    """How new nodes get their columns.

    :raises MethodError: (the function) the method gives rows of another length than the moves.
    """
    method, names = search.method, search.columns
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


def fitted(root: Node, search: Search) -> Node:
    """The tree with the columns of `search`, if it has none and was not searched yet.

    What playouts remember it need not have: without, the search begins to remember anew.

    :raises ValueError: it was searched with other columns or transpositions, or its playouts
        remember other things.
    """
    _check_memory(root, search)
    names = search.columns
    alike = root.transpositions == search.transpositions
    searched = bool(root.visits or root.children)
    if not alike and searched:
        raise ValueError(
            f'the tree to go on from has transpositions={root.transpositions}, the search '
            f'{search.transpositions}: go on by the search that it was grown by'
        )
    if root.columns.names == names and (alike or root.transpositions is None):
        return root
    if searched:
        raise ValueError(
            f'the tree to go on from keeps {_in_words(root.columns.names)}, '
            f'the search {_in_words(names)}: go on by the search that it was grown by'
        )
    draft = root.mutable_copy(())
    draft.columns = fresh_of(search)(root.state, root.moves) if names else NONE
    return freeze_in_place(draft)


def _check_memory(root: Node, search: Search) -> None:
    there = ', '.join(each.name for each in root.columns.memory)
    wanted = ', '.join(memory.name for memory in search.policy.memories)
    if there not in ('', wanted):
        raise ValueError(
            f'the playouts of the tree to go on from remember {there}, those of the search '
            f'{wanted or "nothing"}: go on by the search that it was grown by'
        )


def _in_words(names: ColumnNames) -> str:
    if not names:
        return 'no columns'
    kept = ', '.join(names.own + names.moves + names.table)
    return f'the columns {kept} by keys' if names.table else f'the columns {kept}'
