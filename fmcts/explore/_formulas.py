"""What a page needs to search as Python did: a method and its terms, written as JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from fmcts._expressions import symbols, trace
from fmcts.history._terms import OF_PARENT, terms_of
from fmcts.search._description import Search
from fmcts.search.methods import Method, Parent, Rule
from fmcts.search.methods.method import edge_type
from fmcts.view.formulas import javascript, method_lines

__all__ = ['ReplayError', 'check_replayable', 'method_in_javascript', 'rules_of']

EXPANSIONS: Final = ('in-order', 'random', 'selected')


class ReplayError(ValueError):
    """A page cannot compute a search again."""


def check_replayable(search: Search) -> None:
    """Raise `ReplayError`, which names the reason, if a page cannot compute a search again."""
    method = search.method
    for name, kept in (
        ('a table of moves', method.table is not None),
        ('derived statistics', bool(method.derived)),
        ('update_above_end', method.heeds_ends),
        ('scores of all moves together', method.together),
        ('a solver or closing', search.settling is not None),
        ('transpositions', search.transpositions is not None),
        ('rollout_expand', search.rollout_expand),
        ('playouts that remember', bool(search.policy.memories)),
        ('a schedule', search.schedule is not None),
        (f'the expansion {search.expands}', search.expands not in EXPANSIONS),
    ):
        if kept:
            raise ReplayError(
                f'a page cannot replay a search with {name}: it computes visits, rewards and what '
                'formulas make of them'
            )


def rules_of(search: Search) -> dict[str, Any]:
    """Return how a search chooses, as plain values for JSON.

    `method` is a JavaScript object, `terms` the names of what a score adds up and `of_terms` a
    JavaScript function of an edge and a parent to them, `numbers` the parameters, `lines` the
    formulas as text. `final` says how the move is chosen; `final_score` is a method in JavaScript,
    for a choice by scores.

    :raises ReplayError: a page cannot compute the search again.
    """
    check_replayable(search)
    method, final = search.method, search.final
    rules: dict[str, Any] = {
        'method': method_in_javascript(method),
        'expands': search.expands,
        'lines': method_lines(method),
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
        arguments += [f'parent.{name}' for name in Parent._fields]
        literals = [_literal(number) for number in terms.numbers]
        function = javascript(terms.formula, terms.symbols)
        rules['terms'] = [*terms.names]
        rules['of_terms'] = f'(edge, parent) => ({function})({", ".join((*arguments, *literals))})'
        own = terms.symbols[len(method.edge._fields) + len(OF_PARENT) :]
        rules['numbers'] = dict(zip(own, terms.numbers, strict=True))
    return rules


def method_in_javascript(method: Method) -> str:
    """Return a method as the source of a JavaScript object that `replay.js` takes.

    :raises ReplayError: one of its functions cannot be traced.
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
    fields: Mapping[str, str] = {
        'counted': str(method.counted),
        'scoresUnvisited': str(method.scores_unvisited).lower(),
        'columns': str([*method.names.own]),
        'rows': str([*method.names.moves]),
        **{it[0]: _function(*it) for it in functions},
    }
    return '({\n' + ''.join(f'  {name}: {text},\n' for name, text in fields.items()) + '})'


def _literal(number: float) -> str:
    return repr(float(number)).replace('inf', 'Infinity').replace('nan', 'NaN')


def _function(
    name: str,
    function: Callable[..., Any],
    names: tuple[str, ...],
    told: tuple[Any, ...],
    count: int,
) -> str:
    formula = trace(function, *told, count=count)
    if formula is None:
        raise ReplayError(
            f'{name} branches on its numbers: it has no formula that a page could compute'
        )
    return javascript(formula, names)
