"""Choosing among the moves of a node by a method's score, in the engines that run in Python."""

from __future__ import annotations

import math
import operator
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import Any, Final, TypeAlias

from fmcts._arguments import shown
from fmcts._engines.choosers import scoring_of, written
from fmcts.errors import MethodError
from fmcts.formulas import evaluate
from fmcts.game import key_of
from fmcts.search.memory import check_hash
from fmcts.search.methods.method import Edge, Method, Own, Parent, ParentNumbers, edge_type
from fmcts.search.methods.rule import Rule
from fmcts.search.resolution import Resolution

Choose: TypeAlias = Callable[..., int]
"""`choose(node, children, ln(1 + visits))`: the index of the move to descend by.

(The logarithm is that of another count where the method says so, see `Method.log_offset`.) Where a
method has a table of scope `ancestor`, the node whose table is looked up, or `None`, comes last;
the others do not read a fourth argument. A fifth is how many of the node's visits are losses that
wait for a network (see `batched`), 0 by default: they do not count in `parent.value`.
"""

OWN: Final = __name__.partition('.')[0]

Allowed: TypeAlias = Callable[[Any, Sequence[Any]], Iterable[bool]]
"""`allowed(node, children)`: for each of the node's moves, whether it may be chosen."""


def chooser_of(method: Method, resolution: Resolution | None = None) -> Choose:
    """Return how a search by this method chooses among the moves of a node, by its score."""
    return _chooser(method, resolution, untried=True)


def onward_of(method: Method, resolution: Resolution | None = None) -> Choose:
    """Return a chooser among the existing children, for a descent past untried moves.

    It returns the index of that child among them.
    """
    choose = _chooser(method, resolution, untried=False)

    def go_on(node: Any, children: Sequence[Any], log_visits: float, reference: Any = None) -> int:
        move = node.moves[choose(node, children, log_visits, reference)]
        return next(place for place, child in enumerate(children) if child.move == move)

    return go_on


def _chooser(method: Method, resolution: Resolution | None, *, untried: bool) -> Choose:
    writing = _writing(method, resolution, untried=untried)
    if writing is None:  # a score that branches is called for each move
        return _by_score(method, partial(_open_moves, resolution=resolution, untried=untried))
    choose = writing(partial(not_a_number, method), partial(all_excluded, method))
    return _naming_moves(choose) if looks_up(method) else choose


def is_of_library(method: Method) -> bool:
    """Return whether a method is this library's, so that its functions never change."""
    return not isinstance(method, Rule) and type(method).__module__.partition('.')[0] == OWN


def reads_parent_value(method: Method) -> bool:
    """Return whether a method's scores may depend on `parent.value`."""
    key = id(method), reads_parent_value
    if key in _known:
        return bool(_known[key])
    scoring = scoring_of(method, None)
    steps = () if scoring is None else [it[:2] for it in scoring.score.steps]
    found = scoring is None or ('symbol', 'parent_value') in steps
    if is_of_library(method):
        _remember(method, key, found)
    return found


_known: Final[dict[tuple[Any, ...], Any]] = {}


def _remember(method: Method, key: tuple[Any, ...], found: Any) -> None:
    _known[key] = found
    weakref.finalize(method, _known.pop, key, None).atexit = False


def _writing(
    method: Method, resolution: Resolution | None, *, untried: bool
) -> Callable[..., Choose] | None:
    """Return what makes a chooser from a method's formulas; `None` if they cannot be traced.

    Tracing takes as long as several iterations, so it is done once for each living method of this
    library. What a user's method refers to may change between searches.
    """
    key = id(method), resolution, untried
    if key in _known:
        return _known[key]  # type: ignore[no-any-return]
    scoring = scoring_of(method, resolution)
    made = None if scoring is None else written(scoring, untried=untried)
    if is_of_library(method):
        _remember(method, key, made)
    return made


def _naming_moves(choose: Choose) -> Choose:
    """Return the chooser with an error that names a move whose key cannot be looked up."""

    def checked(node: Any, *given: Any) -> int:
        try:
            return choose(node, *given)
        except TypeError:
            for move in node.moves:
                check_hash(node.state, move)
            raise

    return checked


def _open_moves(
    node: Any, children: Sequence[Any], resolution: Resolution | None, *, untried: bool
) -> Iterator[bool]:
    """Yield whether each of the node's moves is not left out; `untried` ones as given."""
    following = iter(children)
    child = next(following, None)
    for move in node.moves:
        if child is not None and child.move == move:
            yield resolution is None or not resolution.leaves_out(child.columns.own[-1])
            child = next(following, None)
        else:
            yield untried


def _by_score(method: Method, allowed: Allowed) -> Choose:
    score, scores_unvisited = method.score, method.scores_unvisited
    if method.together:
        return _by_scores(method, allowed)

    def choose(
        node: Any,
        children: Sequence[Any],
        log_visits: float,
        reference: Any = None,
        losses: int = 0,
    ) -> int:
        edges = [*edges_of(method, node, children, reference)]
        parent = parent_of(method, node, log_visits, edges, losses)
        best, chosen = -math.inf, -1
        for index, (edge, is_allowed) in enumerate(
            zip(edges, allowed(node, children), strict=True)
        ):
            if not is_allowed:
                value = -math.inf
            elif edge.visits or scores_unvisited:
                value = evaluate(score, edge, parent)
                if type(value) is not float:
                    value = score_of(method, value)
                if value != value:  # noqa: PLR0124 - NaN
                    raise not_a_number(method)
            else:
                value = math.inf
            if value > best:
                best, chosen = value, index
        if chosen < 0:
            raise all_excluded(method)
        return chosen

    return choose


def _by_scores(method: Method, allowed: Allowed) -> Choose:
    """Return a chooser for a method that scores the moves of a node together."""

    def choose(
        node: Any,
        children: Sequence[Any],
        log_visits: float,
        reference: Any = None,
        losses: int = 0,
    ) -> int:
        edges = [*edges_of(method, node, children, reference)]
        parent = parent_of(method, node, log_visits, edges, losses)
        values = scores_together(method, node, edges, parent, losses)
        best, chosen = -math.inf, -1
        for index, (value, is_allowed) in enumerate(
            zip(values, allowed(node, children), strict=True)
        ):
            if value != value:  # noqa: PLR0124 - NaN
                raise not_a_number(method)
            if is_allowed and value > best:
                best, chosen = value, index
        if chosen < 0:
            raise all_excluded(method)
        return chosen

    return choose


def scores_together(
    method: Method, node: Any, edges: Sequence[Edge], parent: Parent, losses: int = 0
) -> list[float]:
    """Return the scores of all moves of a node, by a method that has `scores`.

    :raises MethodError: it does not give a number for each.
    """
    columns = node.columns.own[: len(method.columns)]
    backed_up = node.visits - losses
    value = node.reward / backed_up if losses and backed_up else node.value
    own = edge_type(method.own_names)(float(node.visits), node.reward, value, *columns)
    given = method.scores(edges, parent, Own(own, node.mover is node.state.player))
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
    score = rule or method.score
    reference = reference_among(method, (node,))
    edges = [*edges_of(method, node, node.children, reference)]
    parent = parent_of(method, node, log_visits, edges)
    if method.together and rule is None:
        every = scores_together(method, node, edges, parent)
        scores = [value for edge, value in zip(edges, every, strict=True) if edge.visits]
    else:
        scores = [
            score_of(rule or method, evaluate(score, edge, parent)) for edge in edges if edge.visits
        ]
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


def parent_of(
    method: Method, node: Any, log_visits: float, edges: Sequence[Edge], losses: int = 0
) -> ParentNumbers:
    """Return a score's argument `parent` for the node with these edges."""
    backed_up = node.visits - losses
    reward = node.reward if node.mover is node.state.player else backed_up - node.reward
    total = 0.0
    if method.sums:
        for edge in edges:  # one after another: `sum` does otherwise in later Pythons
            total += float(evaluate(method.summed, edge))
    value = reward / backed_up if backed_up else 0.0
    return ParentNumbers(float(node.visits), log_visits, value, total)


def edges_of(
    method: Method, node: Any, children: Sequence[Any], reference: Any = None
) -> Iterator[Edge]:
    """Yield a score's argument `edge` for each of the node's moves; untried moves have 0 visits."""
    edge, counts = method.edge, method.counts
    count = len(method.names.own)
    none = (0.0,) * (3 + count)
    rows = _rows_at(reference, method, node)
    following = iter(children)
    child = next(following, None)
    for move in node.moves:
        ahead = next(rows)
        if child is not None and child.move == move:
            own = child.columns.own[:count]
            numbers = (float(child.visits), child.reward, child.value, *own, *ahead)
            child = next(following, None)
        else:
            numbers = (*none, *ahead)
        yield edge(*numbers, evaluate(method.by_visits, numbers[0])) if counts else edge(*numbers)


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
    """Return whether a table judges moves at a node with so many visits.

    :raises MethodError: its `refers` returns something else than a truth value.
    """
    found = table.refers(float(visits))
    if found is True or found is False:
        return found
    raise MethodError(
        f'refers of the table {type(table).__name__} must return True or False, not {shown(found)}'
    )


def _rows_at(reference: Any, method: Method, node: Any) -> Iterator[tuple[float, ...]]:
    """Yield the numbers of each of the node's moves, followed by those of the reference."""
    own, width = node.columns.moves, len(method.names.table)
    rows: Iterator[tuple[float, ...]] = zip(*own, strict=True) if own else repeat(())
    if not width:
        return rows
    state, absent = node.state, (0.0,) * width
    known = reference.columns.table.entries if reference is not None else {}
    try:
        found = [known.get((state.player, key_of(state, move)), absent) for move in node.moves]
        return map(operator.add, rows, found)
    except TypeError:
        for move in node.moves:
            check_hash(state, move)
        raise
