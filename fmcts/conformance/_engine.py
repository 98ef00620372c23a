"""Traces of this library's engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fmcts._running import analyse
from fmcts.conformance._traces import Dialect, Path, Step, from_snapshots
from fmcts.conformance._trees import Tree
from fmcts.errors import EngineError
from fmcts.game import Player
from fmcts.rng import Rng, SplitMix
from fmcts.search import Node, Search

__all__ = ['engine_trace', 'search_of']


def search_of(dialect: Dialect) -> Search:
    """Return the search that has a dialect.

    :raises EngineError: our engines do not have it.
    """
    known = Dialect(c=dialect.c, logarithm=dialect.logarithm, expansion=dialect.expansion)
    expansion = {'first': 'in-order', 'any': 'random'}.get(dialect.expansion)
    if dialect != known or expansion is None:
        raise EngineError(
            'our engines have the dialects with the score ucb1, rewards from 0 to 1, ties to the '
            f'first, and the expansion first or any, not {dialect}'
        )
    given: Any = expansion
    return Search(
        1,
        selection='uct' if dialect.logarithm == 'N' else 'ucb1',
        c=dialect.c,
        expansion=given,
        # The script's result takes the place of a playout, so that nothing is drawn after the
        # expansion.
        evaluate=_result,
        evaluate_after=0,
    )


def _result(tree: Tree) -> float:
    return tree.result


def engine_trace(
    tree: Tree,
    dialect: Dialect,
    iterations: int,
    *,
    engine: str = 'persistent',
    rng: Rng | None = None,
) -> list[Step]:
    """Return the trace of one of our engines, which is continued by one iteration at a time.

    :raises EngineError: our engines do not have the dialect.
    """
    search, after, analysis = search_of(dialect), rng or SplitMix.from_seed(1), None
    snapshots = []
    # One at a time, since a trace is what each iteration changed.
    for _ in range(iterations):
        analysis, after = analyse(tree, after, search, engine=engine, tree=analysis)
        snapshots.append(dict(_counts(analysis.tree, ())))
    return from_snapshots(snapshots)


def _counts(node: Node, path: Path) -> Iterator[tuple[Path, tuple[int, float]]]:
    """Yield the visits of each visited node, and the sum of its results for X."""
    if node.visits:
        for_x = node.reward if node.mover is Player.X else node.visits - node.reward
        yield path, (node.visits, for_x)
    for child in node.children:
        yield from _counts(child, (*path, child.move))
