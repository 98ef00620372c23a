"""A search made ready: what the engines that run in Python need of it, found once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from attrs import frozen

from fmcts.formulas import evaluate
from fmcts.search.columns import NONE, ColumnNames, Columns
from fmcts.search.description import Expansion, Search
from fmcts.search.errors import MethodError
from fmcts.search.methods.method import Method, edge_type
from fmcts.search.selection import Choose, chooser_of, name_of
from fmcts.search.tree import Node, seal

__all__ = ['Plan', 'fitted', 'plan_of']

Fresh: TypeAlias = Callable[[Any, Sequence[Any]], Columns]
"""`fresh(state, moves)`: the columns of a new node."""

Update: TypeAlias = Callable[[Any, float], Columns]
"""`update(node, reward)`: its columns after one more playout, worth that much to its mover."""


@frozen
class Plan:
    """The decisions of a search as functions. `fresh` and `update` are `None` without columns.

    `whole`: only a node that has a child for every move is descended from.
    """

    choose: Choose
    expansion: Expansion
    whole: bool
    fresh: Fresh | None
    update: Update | None


def plan_of(search: Search) -> Plan:
    """The decisions of the search."""
    method = search.method
    columns = bool(method.names)
    return Plan(
        chooser_of(method),
        search.expands,
        search.expands != 'selected',
        fresh_of(method) if columns else None,
        _update_of(method) if columns else None,
    )


def fresh_of(method: Method) -> Fresh:
    """How new nodes get their columns.

    :raises MethodError: (the function) the method gives rows of another length than the moves.
    """
    names, own = method.names, (0.0,) * len(method.columns)

    def fresh(state: Any, moves: Sequence[Any]) -> Columns:
        rows = tuple(map(tuple, method.first_rows(state, moves)))
        if [*map(len, rows)] != [len(moves)] * len(names.moves):
            raise MethodError(
                f'{name_of(method)} must give a row of {len(moves)} numbers for each of '
                f'{", ".join(names.moves) or "no columns"}, not {rows!r:.200}'
            )
        return Columns(names, own, rows)

    return fresh


def fitted(root: Node, method: Method) -> Node:
    """The tree with the columns of `method`, if it has none and was not searched yet.

    :raises ValueError: it was searched by a method with other columns.
    """
    if root.columns.names == method.names:
        return root
    if root.visits or root.children:
        raise ValueError(
            f'the tree to go on from keeps {_in_words(root.columns.names)}, '
            f'the search {_in_words(method.names)}: go on by the method that it was grown by'
        )
    draft = root.draft(())
    draft.columns = fresh_of(method)(root.state, root.moves) if method.names else NONE
    return seal(draft)


def _in_words(names: ColumnNames) -> str:
    return f'the columns {", ".join(names.own + names.moves)}' if names else 'no columns'


def _update_of(method: Method) -> Update:
    names, edge, columns = method.names, edge_type(method.own_names), len(method.columns)

    def update(node: Any, reward: float) -> Columns:
        _, own, rows = node.columns
        if columns:
            told = edge(float(node.visits), node.reward, node.value, *own)
            own = tuple(map(float, evaluate(method.update, told, reward)))
            if len(own) != columns:
                raise MethodError(
                    f'{name_of(method)} must give {columns} numbers in its update, not {own!r:.200}'
                )
        return Columns(names, own, rows)

    return update
