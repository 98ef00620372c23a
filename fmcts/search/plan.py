"""A search made ready: what the engines that run in Python need of it, found once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from attrs import frozen

from fmcts.arguments import shown
from fmcts.formulas import evaluate
from fmcts.game import Player, key_of
from fmcts.search.columns import NONE, ColumnNames, Columns
from fmcts.search.description import Expansion, Search
from fmcts.search.errors import MethodError
from fmcts.search.methods.method import Method, edge_type, row_of
from fmcts.search.outcomes import Outcome, Played, ending_of, playout_of
from fmcts.search.selection import Choose, chooser_of, name_of
from fmcts.search.tree import Node, freeze_in_place

__all__ = ['Plan', 'ended', 'fitted', 'plan_of']

Fresh: TypeAlias = Callable[[Any, Sequence[Any]], Columns]
"""`fresh(state, moves)`: the columns of a new node."""

Update: TypeAlias = Callable[[Any, Any, float, Played | None], Columns]
"""`update(node, parent, for_x, played)`: its columns after one more iteration, worth so much to X.

`parent` is `None` for the root, `played` the moves played below it, to which its own is added."""


@frozen
class Plan:
    """The decisions of a search as functions. `fresh` and `update` are `None` without columns.

    `whole`: only a node that has a child for every move is descended from. `playout` and `ending`
    are what an iteration is worth (see `outcomes`); `traces`: whether its moves are remembered.
    """

    choose: Choose
    expansion: Expansion
    whole: bool
    playout: Callable[[Any, Callable[[int], int]], Any]
    ending: Callable[[Any], float]
    traces: bool
    fresh: Fresh | None
    update: Update | None


def plan_of(search: Search, root: Any) -> Plan:
    """The decisions of the search, for the game of the state `root`."""
    method = search.method
    columns = bool(method.names)
    return Plan(
        chooser_of(method),
        search.expands,
        search.expands != 'selected',
        playout_of(search, root),
        ending_of(search),
        method.traces,
        fresh_of(method) if columns else None,
        _update_of(method) if columns else None,
    )


def ended(state: Any, plan: Plan) -> Any:
    """What a finished state is worth, as `plan.playout` gives it of others."""
    for_x = plan.ending(state)
    return Outcome(for_x, set()) if plan.traces else for_x


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
                f'{", ".join(names.moves) or "no columns"}, not {shown(rows)}'
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
    draft = root.mutable_copy(())
    draft.columns = fresh_of(method)(root.state, root.moves) if method.names else NONE
    return freeze_in_place(draft)


def _in_words(names: ColumnNames) -> str:
    return f'the columns {", ".join(names.own + names.moves)}' if names else 'no columns'


def _update_of(method: Method) -> Update:
    own_of, rows_of = _own_update(method), _rows_update(method)

    def update(node: Any, parent: Any, for_x: float, played: Played | None) -> Columns:
        names, own, rows = node.columns
        if own:
            own = own_of(node, for_x if node.mover is Player.X else 1.0 - for_x)
        if played is not None:
            mine = for_x if node.state.player is Player.X else 1.0 - for_x
            rows = rows_of(node, mine, played)
            if parent is not None:
                played.add((node.mover, key_of(parent.state, node.move)))
        return Columns(names, own, rows)

    return update


def _own_update(method: Method) -> Callable[[Any, float], tuple[float, ...]]:
    edge, count = edge_type(method.own_names), len(method.columns)

    def update(node: Any, reward: float) -> tuple[float, ...]:
        told = edge(float(node.visits), node.reward, node.value, *node.columns.own)
        new = evaluate(method.update, told, reward)
        return _numbers(method, 'update', count, new)

    return update


def _rows_update(method: Method) -> Callable[[Any, float, Played], tuple[Sequence[float], ...]]:
    row_type, count = row_of(method.names), len(method.move_columns)

    def update(node: Any, reward: float, played: Played) -> tuple[Sequence[float], ...]:
        state, player = node.state, node.state.player
        rows = [list(row) for row in node.columns.moves]
        for index, move in enumerate(node.moves):
            if (player, key_of(state, move)) in played:
                told = row_type(*(row[index] for row in rows))
                new = evaluate(method.update_move, told, reward)
                for row, number in zip(
                    rows, _numbers(method, 'update_move', count, new), strict=True
                ):
                    row[index] = number
        return tuple(map(tuple, rows))

    return update


def _numbers(method: Method, function: str, count: int, given: Any) -> tuple[float, ...]:
    """What an update gave, when it is so many numbers."""
    if (
        isinstance(given, tuple)
        and len(given) == count
        and all(isinstance(number, int | float) for number in given)
    ):
        return tuple(map(float, given))
    raise MethodError(
        f'{function} of {name_of(method)} must give a tuple of {count} numbers, not {shown(given)}'
    )
