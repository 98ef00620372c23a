"""A search made ready: what the engines that run in Python need of it, found once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from attrs import frozen

from fmcts.arguments import shown
from fmcts.search.columns import NONE, ColumnNames, Columns
from fmcts.search.description import Expansion, Search
from fmcts.search.errors import MethodError
from fmcts.search.outcomes import Outcome, ending_of, playout_of
from fmcts.search.selection import Choose, chooser_of, name_of
from fmcts.search.tree import Node, freeze_in_place
from fmcts.search.updates import Update, update_of

__all__ = ['Plan', 'ended', 'fitted', 'plan_of', 'settled']

Fresh: TypeAlias = Callable[[Any, Sequence[Any]], Columns]
"""`fresh(state, moves)`: the columns of a new node."""


@frozen
class Plan:
    """The decisions of a search as functions. `fresh` and `update` are `None` without columns.

    `whole`: only a node that has a child for every move is descended from. `playout` and `ending`
    are what an iteration is worth (see `outcomes`); `traces`: whether its moves are remembered;
    `settles`: whether the search ends when the last of the root's own columns is not 0.
    """

    choose: Choose
    expansion: Expansion
    whole: bool
    playout: Callable[[Any, Callable[[int], int]], Any]
    ending: Callable[[Any], float]
    traces: bool
    settles: bool
    fresh: Fresh | None
    update: Update | None


def plan_of(search: Search, root: Any) -> Plan:
    """The decisions of the search, for the game of the state `root`."""
    method = search.method
    columns = bool(search.columns)
    return Plan(
        chooser_of(method, search.settling),
        search.expands,
        search.expands != 'selected',
        playout_of(search, root),
        ending_of(search),
        method.traces,
        search.settling is not None,
        fresh_of(search) if columns else None,
        update_of(search) if columns else None,
    )


def ended(state: Any, plan: Plan) -> Any:
    """What a finished state is worth, as `plan.playout` gives it of others."""
    for_x = plan.ending(state)
    return Outcome(for_x, set()) if plan.traces else for_x


def settled(root: Any, plan: Plan) -> bool:
    """Whether nothing is left to find out, so that the search ends."""
    return plan.settles and root.columns.own[-1] != 0.0


def fresh_of(search: Search) -> Fresh:
    """How new nodes get their columns.

    :raises MethodError: (the function) the method gives rows of another length than the moves.
    """
    method, names = search.method, search.columns
    own = (0.0,) * len(names.own)

    def fresh(state: Any, moves: Sequence[Any]) -> Columns:
        rows = tuple(map(tuple, method.first_rows(state, moves)))
        if [*map(len, rows)] != [len(moves)] * len(names.moves):
            raise MethodError(
                f'{name_of(method)} must give a row of {len(moves)} numbers for each of '
                f'{", ".join(names.moves) or "no columns"}, not {shown(rows)}'
            )
        return Columns(names, own, rows)

    return fresh


def fitted(root: Node, search: Search) -> Node:
    """The tree with the columns of `search`, if it has none and was not searched yet.

    :raises ValueError: it was searched with other columns, or by other transpositions.
    """
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


def _in_words(names: ColumnNames) -> str:
    return f'the columns {", ".join(names.own + names.moves)}' if names else 'no columns'
