"""A method and its terms in JavaScript, with which a page computes scores and columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fmcts._expressions import symbols, trace
from fmcts.history import OF_PARENT, terms_of
from fmcts.search import ColumnNames, Search
from fmcts.search.derived import Derived, Place, placed
from fmcts.search.methods import Method, Parent
from fmcts.search.methods.method import edge_type
from fmcts.search.proposals import Width
from fmcts.view.formulas import javascript, method_lines


class BranchError(ValueError):
    """Raised for a function that branches on its numbers, so that a page cannot compute it."""


def rules_of(search: Search) -> dict[str, Any]:
    """Return how a page computes the numbers of a search, as plain values for JSON.

    - `method`: the source of a JavaScript object; it has a `score` unless scores branch, are of all
      moves together, or need a table, and an `update` if there are columns to be computed;
    - `derived`: the source of one for each derived statistic; `leaves_out`: that of a function that
      says of a resolved child whether selection skips it, or `null`;
    - `terms`: the names of the summands of a score; `of_terms`: a JavaScript function from an edge
      and a parent to their values;
    - `numbers`: the parameters; `lines`: the formulas as text;
    - `plays`: the playout policy, unless it is the uniform one;
    - `judge`: what judges a new node where no playout does, `network` or `evaluate`;
    - `due`: after which visits of a node another move is proposed, or `null`;
    - `expands`, `final`: the expansion, and how the move is chosen.
    """
    method, final = search.method, search.final
    columns = own_columns(search)
    # A table has what playouts played, and priors that are asked for again change later: a page has
    # neither.
    fixed = method.table is None and not asks_again(search)
    functions = _scores(method) if fixed else {}
    derived: list[str] = []
    if columns:
        functions |= _updates(method)
        parts = placed(len(method.columns), search.derived)
        derived = [_derived(each, at, method) for each, at in parts]
    resolution = search.resolution if columns else None
    rules: dict[str, Any] = {
        'method': _object(
            {
                'log_offset': str(method.log_offset),
                'scoresUnvisited': str(method.scores_unvisited).lower(),
                'kept': str(len(method.columns) if columns else 0),
                'columns': str([*method.names.own] if columns else []),
                'rows': str([*method.names.moves] if fixed else []),
                **functions,
            }
        ),
        'derived': derived,
        'leaves_out': resolution
        and _function('leaves_out', resolution.leaves_out, ('number',), symbols(('number',)), 0),
        'due': _due(search),
        'expands': search.expands,
        'lines': method_lines(method),
        'judge': _judge(search),
        'plays': plays_of(search.playout),
        'final': final if isinstance(final, str) else 'rule',
        'terms': [],
        'of_terms': None,
        'numbers': {},
    }
    terms = terms_of(method) if 'score' in functions else None
    if terms is not None:
        # In the order in which the formula's symbols were made when it was traced.
        arguments = [f'edge.{name}' for name in method.edge._fields]
        arguments += [f'parent.{name}' for name in Parent._fields]
        literals = [_literal(number) for number in terms.numbers]
        function = javascript(terms.formula, terms.symbols)
        rules['terms'] = [*terms.names]
        rules['of_terms'] = f'(edge, parent) => ({function})({", ".join((*arguments, *literals))})'
        # After those of the edge and the parent come the method's parameters.
        own = terms.symbols[len(method.edge._fields) + len(OF_PARENT) :]
        rules['numbers'] = dict(zip(own, terms.numbers, strict=True))
    return rules


def own_columns(search: Search) -> tuple[str, ...]:
    """Return the names of the columns of nodes that a page computes: all, or none if one branches.

    A method with a table updates it by the moves of playouts, which a page does not have.
    """
    try:
        _updates(search.method)
        for each, at in placed(len(search.method.columns), search.derived):
            _derived(each, at, search.method)
    except BranchError:
        return ()
    return tuple(search.columns.own)


def is_whole(search: Search) -> bool:
    """Return whether a page computes every number of a tree, and so its digest."""
    known = search.method.table is None and not search.policy.memories
    return known and (bool(own_columns(search)) or not search.columns.own)


def asks_again(search: Search) -> bool:
    """Return whether an evaluator proposes more moves of a node later, which changes priors."""
    return isinstance(search.proposals, Width)


def _due(search: Search) -> list[int] | None:
    """Return the visits of a node after which another move is proposed; `None` if none is."""
    given: Any = search.proposing
    if given is None or given.propose is None:
        return [] if asks_again(search) else None
    return [visits for visits in range(1, search.iterations) if given.moves.due(visits)]


def _judge(search: Search) -> str | None:
    """Return what judges a new node in place of a playout, if anything does."""
    if search.network is not None:
        return 'network'
    return None if search.evaluate is None or search.evaluate_after else 'evaluate'


def plays_of(playout: Any) -> str:
    """Return the name of a playout policy; none of the uniform one."""
    if isinstance(playout, str):
        return '' if playout == 'uniform' else playout
    return str(getattr(playout, 'name', '') or getattr(playout, '__name__', type(playout).__name__))


def _scores(method: Method) -> dict[str, str]:
    """Return the functions of a score in JavaScript; none if a page cannot compute it."""
    if method.table is not None or method.together:
        return {}
    edge = method.edge(*symbols(f'edge.{name}' for name in method.edge._fields))
    of_parent: Any = symbols(f'parent.{name}' for name in Parent._fields)
    parent = Parent(*of_parent)
    try:
        found = {'score': _function('score', method.score, ('edge', 'parent'), (edge, parent), 0)}
        if method.sums:
            found['summed'] = _function('summed', method.summed, ('edge',), (edge,), 0)
        if method.counts:
            visits = symbols(('visits',))
            found['byVisits'] = _function('by_visits', method.by_visits, ('visits',), visits, 0)
    except BranchError:
        return {}
    return found


def _updates(method: Method) -> dict[str, str]:
    """Return the functions that update a method's columns in JavaScript."""
    count = len(method.columns)
    own = edge_type(method.own_names)
    given = own(*symbols(f'edge.{name}' for name in own._fields)), *symbols(('reward',))
    found = {}
    if count:
        found['update'] = _function('update', method.update, ('edge', 'reward'), given, count)
    if method.updates_above_ends:
        above = method.update_above_end
        found['aboveEnd'] = _function('aboveEnd', above, ('edge', 'reward'), given, count)
    return found


def _derived(derived: Derived, at: int, method: Method) -> str:
    """Return a derived statistic, in own columns from `at` on, as a JavaScript object.

    `names` and `places` are the names and the indexes of the columns that its `fold` receives.

    :raises BranchError: one of its functions cannot be traced.
    """
    names, columns = derived.names, (*method.columns, *derived.names)
    edge = edge_type(ColumnNames(columns))
    child = edge(*symbols(f'child.{name}' for name in edge._fields))
    seen = symbols(f'seen[{place}]' for place in range(len(derived.first)))
    node: Any = Place._make(symbols(f'node.{name}' for name in Place._fields))
    reward = symbols(('reward',))
    functions: list[tuple[str, Callable[..., Any], tuple[str, ...], tuple[Any, ...], int]] = [
        ('end', derived.end, ('reward',), reward, len(names)),
        ('fold', derived.fold, ('seen', 'child'), (seen, child), len(derived.first)),
        ('node', derived.node, ('seen', 'node'), (seen, node), len(names)),
    ]
    if derived.knows_leaves:
        functions.append(('leaf', derived.leaf, ('reward',), reward, len(names)))
    return _object(
        {
            'at': str(at),
            'count': str(len(names)),
            'names': str([*columns]),
            'places': str([*range(len(method.columns)), *range(at, at + len(names))]),
            'first': f'[{", ".join(map(_literal, derived.first))}]',
            'knowsLeaves': str(derived.knows_leaves).lower(),
            'running': str(derived.running).lower(),
            'averaged': str(derived.averaged).lower(),
            **{it[0]: _function(*it) for it in functions},
        }
    )


def _object(fields: Mapping[str, str]) -> str:
    return '({\n' + ''.join(f'  {name}: {text},\n' for name, text in fields.items()) + '})'


def _literal(number: float) -> str:
    # Python's `repr` of a double is read back to the same bits by JavaScript, but for these two.
    return repr(float(number)).replace('inf', 'Infinity').replace('nan', 'NaN')


def _function(
    name: str,
    function: Callable[..., Any],
    names: tuple[str, ...],
    arguments: tuple[Any, ...],
    count: int,
) -> str:
    formula = trace(function, *arguments, count=count)
    if formula is None:
        raise BranchError(f'{name} branches on its numbers')
    return javascript(formula, names)
