"""The data with which a page replays a search: its log, and its method as JavaScript.

`replay.js`, beside this file, grows the tree again from the two. The log does not contain the
leaves' places, which follow from the method's formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from itertools import islice
from typing import Any

from fmcts._expressions import symbols, trace
from fmcts._running.entry_points import trees
from fmcts.game import GameState, Player
from fmcts.rng import Rng
from fmcts.search._description import Search
from fmcts.search._tree import Node
from fmcts.search.methods import Method, Parent
from fmcts.search.methods.method import edge_type
from fmcts.view.formulas import javascript

__all__ = ['LogError', 'log_of', 'method_in_javascript', 'script']

EXPANSIONS = ('in-order', 'selected')


class LogError(ValueError):
    """A search cannot be replayed from a log."""


def script() -> str:
    """Return the source of `replay.js`."""
    return files(__package__).joinpath('replay.js').read_text(encoding='utf-8')


def log_of(state: GameState[Any], rng: Rng, search: Search) -> dict[str, Any]:
    """Return the log of a search's iterations, as plain values for JSON.

    `root` and each of `leaves` are `[moves, player, for_x, rows]`: how many moves the node has, who
    is to move there (0 is X, 1 is O), what the iteration was worth to X, and the first numbers of
    the columns of its moves. `mover` is who moved to the root.

    :raises LogError: the search keeps something that `replay.js` does not know.
    """
    _check(search)
    before: Node | None = None
    leaves = []
    for after, _ in islice(trees(state, rng, search), search.iterations):
        leaf = _leaf(before, after)
        # A finished node has the same reward at every visit, and halves are exact.
        gained = leaf.reward / leaf.visits
        leaves.append(_node(leaf, gained if leaf.mover is Player.X else 1.0 - gained))
        before = after
    if before is None:
        raise LogError('a search of no iterations has no log')
    return {'root': _node(before, 0.0), 'mover': _number(before.mover), 'leaves': leaves}


def _check(search: Search) -> None:
    method = search.method
    for name, kept in (
        ('a column that its moves update', method.traces),
        ('derived statistics', bool(method.derived)),
        ('update_above_end', method.heeds_ends),
        ('a solver or closing', search.settling is not None),
        ('evaluate', search.evaluate is not None),
        ('reward', search.reward is not None),
        ('transpositions', search.transpositions is not None),
        ('rollout_expand', search.rollout_expand),
        ('playouts that remember', bool(search.policy.memories)),
        ('a schedule', search.schedule is not None),
        (f'the expansion {search.expands}', search.expands not in EXPANSIONS),
    ):
        if kept:
            raise LogError(f'a search with {name} cannot be replayed from its log')


def _leaf(before: Node | None, after: Node) -> Node:
    """Return the last node of an iteration: along what two versions of a tree do not share."""
    node, old = after, before
    while True:
        known = {id(child) for child in old.children} if old is not None else set()
        changed = [child for child in node.children if id(child) not in known]
        if not changed:
            return node
        (node,) = changed
        same = (child for child in old.children if child.move == node.move) if old else iter(())
        old = next(same, None)


def _node(node: Node, for_x: float) -> list[Any]:
    rows = [[*row] for row in node.columns.moves]
    return [len(node.moves), _number(node.state.player), for_x, rows]


def _number(player: Player) -> int:
    return 0 if player is Player.X else 1


def method_in_javascript(method: Method) -> str:
    """Return a method as the source of a JavaScript object that `replay` takes.

    :raises LogError: one of its functions cannot be traced.
    """
    edge = method.edge(*symbols(f'edge.{name}' for name in method.edge._fields))
    parent: Any = symbols(f'parent.{name}' for name in Parent._fields)
    own = edge_type(method.own_names)
    kept = own(*symbols(f'edge.{name}' for name in own._fields))
    columns, visits, reward = len(method.columns), *symbols(('visits', 'reward'))
    functions: list[tuple[str, Callable[..., Any], tuple[str, ...], tuple[Any, ...], int]] = [
        ('score', method.score, ('edge', 'parent'), (edge, Parent(*parent)), 0)
    ]
    if method.sums:
        functions.append(('summed', method.summed, ('edge',), (edge,), 0))
    if method.counts:
        functions.append(('byVisits', method.by_visits, ('visits',), (visits,), 0))
    if columns:
        functions.append(('update', method.update, ('edge', 'reward'), (kept, reward), columns))
    fields = {
        'counted': str(method.counted),
        'scoresUnvisited': str(method.scores_unvisited).lower(),
        'columns': str([*method.names.own]),
        'rows': str([*method.names.moves]),
        **{it[0]: _function(*it) for it in functions},
    }
    return '({\n' + ''.join(f'  {name}: {text},\n' for name, text in fields.items()) + '})'


def _function(
    name: str,
    function: Callable[..., Any],
    names: tuple[str, ...],
    told: tuple[Any, ...],
    count: int,
) -> str:
    formula = trace(function, *told, count=count)
    if formula is None:
        raise LogError(
            f'{name} branches on its numbers: it has no formula that a page could compute'
        )
    return javascript(formula, names)
