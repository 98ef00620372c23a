"""Choosing among the moves of a node by a method's score, in the engines that run in Python."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import Any, Final, TypeAlias

from fmcts._arguments import shown
from fmcts._engines.choosers import Scoring, chooser, scoring_of
from fmcts.errors import MethodError
from fmcts.formulas import evaluate
from fmcts.game import has_rewards, key_of
from fmcts.search.methods.method import Edge, Method, Own, Parent, Rule, edge_type
from fmcts.search.resolution import Resolution

Choose: TypeAlias = Callable[..., int]
"""`choose(node, places, ln(1 + visits))`: the place of the move to descend by.

(The logarithm is that of another count where the method says so, see `Method.log_offset`.) Where a
method has a table of scope `ancestor`, a fourth argument is the node whose table is looked up, or
`None`; a fifth is the root, for values on the scale of its tree. Of the node's visits those that
wait for a network (its `losses`, see `windows`) do not count in `parent.value`.
"""

OWN: Final = __name__.partition('.')[0]


def chooser_of(
    method: Method,
    resolution: Resolution | None = None,
    *,
    untried: bool = True,
    several: bool = False,
) -> Choose:
    """Return how a search by this method chooses among the moves of a node, by its score.

    `untried`: whether moves without a child may be chosen, if the method scores such moves at all;
    if it does not, every move has a child. `several`: each player has a reward of his own.
    """
    kind = 'skipped' if not untried else 'scored' if method.scores_unvisited else 'absent'
    scoring = _traced(method, resolution)
    if scoring is None:  # a score that branches is called for each move
        return _by_score(method, resolution, kind)
    make = chooser(scoring, kind, several=several)
    return make(partial(not_a_number, method), partial(all_excluded, method))


def is_of_library(method: Method) -> bool:
    """Return whether a method is this library's, so that its functions never change."""
    return not isinstance(method, Rule) and type(method).__module__.partition('.')[0] == OWN


def _traced(method: Method, resolution: Resolution | None) -> Scoring | None:
    """Return a method's formulas; `None` if they cannot be traced.

    Tracing takes as long as several iterations, so it is done once for each method of this library,
    whose formulas depend on its numbers alone. What a user's method refers to may change.
    """
    if not is_of_library(method):
        return scoring_of(method, resolution)
    numbers = tuple((name, getattr(method, name)) for name in method.parameters)
    kind: Any = type(method)
    return _known(kind, numbers, resolution)


@functools.lru_cache(maxsize=256)
def _known(kind: Any, numbers: tuple[tuple[str, float], ...], resolution: Any) -> Scoring | None:
    return scoring_of(kind(**dict(numbers)), resolution)


def _by_score(method: Method, resolution: Resolution | None, untried: str) -> Choose:
    """Return a chooser that calls the method's function for each move, or once for all."""

    def left_out(child: Any) -> bool:
        if child is None:
            return untried == 'skipped'
        return resolution is not None and resolution.leaves_out(resolution.of(child))

    def choose(
        node: Any,
        places: Sequence[Any],
        log_visits: float,
        reference: Any = None,
        tree: Any = None,
    ) -> int:
        _, _, scores = compared(method, node, log_visits, reference, tree)
        best, chosen = -math.inf, -1
        for place, child in enumerate(places):
            if left_out(child):
                continue
            if math.isnan(scores[place]):
                raise not_a_number(method)
            # Ties go to the first, as in the written choosers.
            if scores[place] > best:
                best, chosen = scores[place], place
        if chosen < 0:
            raise all_excluded(method)
        return chosen

    return choose


def compared(
    method: Method,
    node: Any,
    log_visits: float,
    reference: Any = None,
    tree: Any = None,
    rule: Callable[[Any, Any], float] | None = None,
) -> tuple[list[Edge], Parent, list[float]]:
    """Return the edges of a node's moves, its numbers as their parent, and the score of each move.

    The arguments are those of `Choose`. A move without visits has the score infinity, unless the
    method scores such moves. With a final `rule`, the scores are its numbers.

    :raises MethodError: a score is not a number.
    """
    least, most, total = 0.0, 0.0, 0.0
    if tree is not None and 'least' in method.names.own:
        least, most = tree.columns.own.least, tree.columns.own.most
    edges = [*edges_of(method, node, reference, least)]
    if method.sums:
        for edge in edges:  # one after another: `sum` does otherwise in later Pythons
            total += score_of(method, evaluate(method.summed, edge))
    parent = Parent(float(node.visits), log_visits, _value_of(node), total, least, most)
    if method.together and rule is None:
        return edges, parent, _scores_together(method, node, edges, parent)
    every = rule is None and method.scores_unvisited
    score, judge = rule or method.score, rule or method
    scores = [
        score_of(judge, evaluate(score, edge, parent)) if edge.visits or every else math.inf
        for edge in edges
    ]
    return edges, parent, scores


def _scores_together(
    method: Method, node: Any, edges: Sequence[Edge], parent: Parent
) -> list[float]:
    """Return the scores of all moves of a node, by a method that has `scores`.

    :raises MethodError: it does not give a number for each.
    """
    columns = node.columns.own[: len(method.columns)]
    backed_up = node.visits - node.losses
    value = node.reward / backed_up if node.losses and backed_up else node.value
    own = edge_type(method.own_names)(float(node.visits), node.reward, value, *columns)
    state = node.state
    given = method.scores(edges, parent, Own(own, node.mover is state.player, has_rewards(state)))
    if not isinstance(given, list | tuple) or len(given) != len(edges):
        raise MethodError(
            f'{name_of(method)} must give a list of {len(edges)} scores, not {shown(given)}'
        )
    return [score_of(method, value) for value in given]


def visited_scores(
    method: Method, node: Any, log_visits: float, rule: Callable[[Any, Any], float] | None = None
) -> list[float]:
    """Return the scores, or the numbers of a final `rule`, of the children that have visits.

    :raises MethodError: one is not a number, or all are minus infinity.
    """
    reference = reference_among(method, (node,))
    edges, _, every = compared(method, node, log_visits, reference, node, rule)
    scores = [score for edge, score in zip(edges, every, strict=True) if edge.visits]
    if any(map(math.isnan, scores)):
        raise not_a_number(rule or method)
    if max(scores) == -math.inf:
        raise all_excluded(rule or method)
    return scores


def score_of(rule: object, given: Any) -> float:
    """Return the score that a rule gave, as the float that every engine compares.

    :raises MethodError: it is not a number, or too large for a float.
    """
    try:
        # `float` would read a number from a text.
        if not isinstance(given, str):
            return float(given)
    except (TypeError, ValueError):
        pass
    except OverflowError:
        raise MethodError(
            f'{name_of(rule)} gives {shown(given)}, which is too large for a float'
        ) from None
    raise MethodError(f'{name_of(rule)} must return a number, not {shown(given)}')


def not_a_number(rule: object) -> MethodError:
    """Return the error for a score that is NaN; the caller raises it."""
    return MethodError(f'{name_of(rule)} gives a score that is not a number (NaN)')


def all_excluded(rule: object) -> MethodError:
    """Return the error for a node whose moves all score minus infinity; the caller raises it."""
    return MethodError(f'{name_of(rule)} excludes every move: all scores are minus infinity')


def name_of(rule: object) -> str:
    """Return the name of a method or a final rule in errors: the user's function, or the class."""
    function = getattr(rule, 'function', rule)
    kind = 'selection' if isinstance(rule, Method) else 'final'
    return f'the {kind} rule {getattr(function, "__name__", None) or type(rule).__name__}'


def edges_of(method: Method, node: Any, reference: Any, least: float) -> Iterator[Edge]:
    """Yield a score's argument `edge` for each of the node's moves; untried moves have 0 visits.

    A visit that waits for a network counts as the `least` of the tree, where values are normalised.
    """
    edge, counts = method.edge, method.counts
    count = len(method.names.own)
    none = (0.0,) * (3 + count)
    rows = _rows_at(reference, method, node)
    # The rows of a method without columns of moves never end.
    for child, ahead in zip(node.places or repeat(None, len(node.moves)), rows, strict=False):
        numbers = none
        if child is not None:
            own = child.columns.own[:count]
            value = child.value
            if least and child.losses:
                value = (child.reward + child.losses * least) / child.visits
            numbers = (float(child.visits), child.reward, value, *own)
        more = (score_of(method, evaluate(method.by_visits, numbers[0])),) if counts else ()
        yield edge(*numbers, *ahead, *more)


def _value_of(node: Any) -> float:
    """Return the mean of a node for the side to move; 0 before the first visit."""
    backed_up = node.visits - node.losses
    reward = node.reward if node.mover is node.state.player else backed_up - node.reward
    if has_rewards(node.state):  # what one player gets says nothing of another's
        reward, backed_up = 0.0, 0
        for child in filter(None, node.places):
            reward, backed_up = reward + child.reward, backed_up + child.visits - child.losses
    return reward / backed_up if backed_up else 0.0


def looks_up(method: Method) -> bool:
    """Return whether a method judges moves by the table of an ancestor."""
    table = method.table
    return table is not None and table.scope == 'ancestor'


def reference_among(method: Method, line: Iterable[Any]) -> Any:
    """Return the first node of a line whose table judges moves (see `Table.refers`), or `None`."""
    if not looks_up(method):
        return None
    table: Any = method.table
    return next((each for each in line if judges(table, each.visits)), None)


def judges(table: Any, visits: int) -> bool:
    """Return whether a table judges moves at a node with `visits` visits.

    :raises MethodError: its `refers` returns something else than a truth value.
    """
    found = table.refers(float(visits))
    if found is True or found is False:
        return found
    raise MethodError(
        f'refers of the table {type(table).__name__} must return True or False, not {shown(found)}'
    )


def _rows_at(reference: Any, method: Method, node: Any) -> Iterator[tuple[float, ...]]:
    """Yield the numbers of each of the node's moves, then the reference's numbers."""
    own, width = node.columns.moves, len(method.names.table)
    rows: Iterator[tuple[float, ...]] = zip(*own, strict=True) if own else repeat(())
    if not width:
        return rows
    state, absent = node.state, (0.0,) * width
    known = reference.columns.table.entries if reference is not None else {}
    found = [known.get((state.player, key_of(state, move)), absent) for move in node.moves]
    return map(operator.add, rows, found)
