"""A method and its terms in JavaScript, with which a page replays the search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fmcts._expressions import symbols, trace
from fmcts.history._terms import OF_PARENT, terms_of
from fmcts.search._columns import ColumnNames
from fmcts.search._description import Search
from fmcts.search.derived import Derived, Place, placed
from fmcts.search.methods import Method, ParentNumbers, Rule
from fmcts.search.methods.method import edge_type
from fmcts.search.resolution import Resolution
from fmcts.view.formulas import javascript, method_lines


class ReplayError(ValueError):
    """Raised when a page cannot replay a search."""


def check_replayable(search: Search) -> None:
    """Raise `ReplayError` with the reason if a page cannot replay a search."""
    method = search.method
    for name, found in (
        ('a table of moves (AMAF)', method.table is not None),
        ('scores of all moves together (Gumbel)', method.together),
        ('transpositions', search.transpositions is not None),
        ('rollout_expand', search.rollout_expand),
        ('playouts that remember', bool(search.policy.memories)),
    ):
        if found:
            raise ReplayError(
                f'a page cannot replay a search with {name}: it can only compute visits, rewards '
                'and formulas of them'
            )


def rules_of(search: Search) -> dict[str, Any]:
    """Return the selection rule of a search as plain values for JSON.

    - `method`: the source of a JavaScript object; `derived`: one for each derived statistic;
    - `terms`: the names of the summands of a score; `of_terms`: a JavaScript function from an edge
      and a parent to their values;
    - `numbers`: the parameters; `lines`: the formulas as text;
    - `judge`: what judges a new node where no playout does, `network` or `evaluate`;
    - `final`: how the move is chosen; `final_score`: for a choice by scores, the method.

    :raises ReplayError: a page cannot replay the search.
    """
    check_replayable(search)
    method, final = search.method, search.final
    rules: dict[str, Any] = {
        'method': method_in_javascript(method),
        'derived': [
            _derived(each, at, method) for each, at in placed(len(method.columns), search.derived)
        ],
        'expands': search.expands,
        'lines': method_lines(method),
        'judge': _judge(search),
        'final': final if isinstance(final, str) else 'rule',
        'final_score': None,
        'terms': [],
        'of_terms': None,
        'numbers': {},
    }
    if final == 'ucb':
        rules['final_score'] = rules['method']
    elif not isinstance(final, str):
        rules['final_score'] = method_in_javascript(Rule(final))
    terms = terms_of(method)
    if terms is not None:
        arguments = [f'edge.{name}' for name in method.edge._fields]
        arguments += [f'parent.{name}' for name in ParentNumbers._fields]
        literals = [_literal(number) for number in terms.numbers]
        function = javascript(terms.formula, terms.symbols)
        rules['terms'] = [*terms.names]
        rules['of_terms'] = f'(edge, parent) => ({function})({", ".join((*arguments, *literals))})'
        own = terms.symbols[len(method.edge._fields) + len(OF_PARENT) :]
        rules['numbers'] = dict(zip(own, terms.numbers, strict=True))
    return rules


def _judge(search: Search) -> str | None:
    """Return what judges a new node in place of a playout, if anything does."""
    if search.network is not None:
        return 'network'
    return None if search.evaluate is None or search.evaluate_after else 'evaluate'


def method_in_javascript(method: Method) -> str:
    """Return a method as the source of a JavaScript object that `replay.js` takes.

    :raises ReplayError: one of its functions cannot be traced.
    """
    edge = method.edge(*symbols(f'edge.{name}' for name in method.edge._fields))
    parent: Any = symbols(f'parent.{name}' for name in ParentNumbers._fields)
    own = edge_type(method.own_names)
    columns = own(*symbols(f'edge.{name}' for name in own._fields))
    count, visits, reward = len(method.columns), *symbols(('visits', 'reward'))
    functions: list[tuple[str, Callable[..., Any], tuple[str, ...], tuple[Any, ...], int]] = [
        ('score', method.score, ('edge', 'parent'), (edge, ParentNumbers(*parent)), 0)
    ]
    if method.sums:
        functions.append(('summed', method.summed, ('edge',), (edge,), 0))
    if method.counts:
        functions.append(('byVisits', method.by_visits, ('visits',), (visits,), 0))
    if count:
        functions.append(('update', method.update, ('edge', 'reward'), (columns, reward), count))
    if method.updates_above_ends:
        above = ('aboveEnd', method.update_above_end, ('edge', 'reward'), (columns, reward), count)
        functions.append(above)
    return _object(
        {
            'log_offset': str(method.log_offset),
            'scoresUnvisited': str(method.scores_unvisited).lower(),
            'kept': str(count),
            'columns': str([*method.names.own]),
            'rows': str([*method.names.moves]),
            **{it[0]: _function(*it) for it in functions},
        }
    )


def leaves_out_in_javascript(resolution: Resolution | None) -> str | None:
    """Return the JavaScript function that says which children selection skips, if any."""
    if resolution is None:
        return None
    return _function('leaves_out', resolution.leaves_out, ('number',), symbols(('number',)), 0)


def _derived(derived: Derived, at: int, method: Method) -> str:
    """Return a derived statistic, in own columns from `at` on, as a JavaScript object.

    `names` and `places` are the names and the indexes of the columns that its `fold` receives.

    :raises ReplayError: one of its functions cannot be traced.
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
            **{it[0]: _function(*it) for it in functions},
        }
    )


def _object(fields: Mapping[str, str]) -> str:
    return '({\n' + ''.join(f'  {name}: {text},\n' for name, text in fields.items()) + '})'


def _literal(number: float) -> str:
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
        raise ReplayError(f'{name} branches on its numbers: a page cannot compute it')
    return javascript(formula, names)
