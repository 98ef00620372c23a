r"""Formulas to read, and as JavaScript: functions from what `fmcts._expressions` traces to text.

>>> from fmcts._expressions import symbols, trace
>>> from fmcts.formulas import sqrt
>>> formula = trace(lambda value, n: value + 0.5 * sqrt(2.0 / n), *symbols(('value', 'n')))
>>> plain_text(formula)
'value + 0.5 * sqrt(2 / n)'
>>> latex(formula)
'\\mathrm{value} + 0.5 \\sqrt{\\frac{2}{n}}'
>>> javascript(formula, ('value', 'n'))[-60:]
'; return [Number((value + (k0 * (Math.sqrt((k1 / n))))))]; }'
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from fmcts._expressions import LATEX, TEXT, Formula, printed, text_of
from fmcts._linked import formula_of_method
from fmcts.search.methods import Method

__all__ = ['NOTATION', 'javascript', 'latex', 'lines', 'method_lines', 'plain_text']

NOTATION: Final[Mapping[str, str]] = MappingProxyType(
    {
        'edge.visits': 'n',
        'visits': 'n',
        'edge.amaf_visits': 'm',
        'parent.visits': 'N',
        'parent.log_visits': 'L',
        'parent.value': 'parent',
        'parent.total': 'total',
    }
)
"""The names of a score's symbols in print; other symbols use the last part of their name."""


def plain_text(formula: Formula, names: Mapping[str, str] = NOTATION) -> str:
    """Return the first result of a formula as text, such as `value + c * sqrt(L / n)`.

    `names` are the names of symbols; for others the last part of the symbol is used.
    """
    return printed(formula, names, TEXT)


def lines(formula: Formula, result: str, names: Mapping[str, str] = NOTATION) -> list[str]:
    """Return `plain_text` as definitions, the last of them of the `result`.

    A part that a formula uses more than once has a separate line: `x1 = ...`.

    >>> from fmcts._expressions import symbols, trace
    >>> lines(trace(lambda x, y: (x + y) * (x + y), *symbols('xy')), 'score')
    ['x1 = x + y', 'score = x1 * x1']
    """
    shared: list[str] = []
    text = printed(formula, names, TEXT, shared)
    return [*shared, f'{result} = {text}']


def method_lines(method: Method) -> list[str]:
    """Return the formulas of a method's scores, as from `lines`, with named parameters.

    >>> from fmcts.search.methods import METHODS, UCB1
    >>> method_lines(UCB1())
    ['score = value + c * sqrt(L / n)']
    >>> method_lines(METHODS['uct']())
    ['score = value + c * sqrt(ln(N) / n)']
    """
    if method.together:
        return ['scores: a function of all moves of a node']
    wanted = (('by_visits', method.counts), ('summed', method.sums), ('score', True))
    names = NOTATION if method.log_offset else {**NOTATION, 'parent.log_visits': 'ln(N)'}
    found = []
    for name in (name for name, there in wanted if there):
        formula = formula_of_method(method, name)
        if formula is not None:
            found += lines(formula, name, names)
        else:
            found.append(f'{name}: a function that branches on its numbers')
    return found


def latex(formula: Formula, names: Mapping[str, str] = NOTATION) -> str:
    """Return the first result of a formula as LaTeX for mathematical mode, as in `plain_text`."""
    return printed(formula, names, LATEX)


def javascript(formula: Formula, names: Sequence[str]) -> str:
    """Return a JavaScript function of the arguments `names` to an array of the results.

    Its numbers are doubles, and its operations give what `fmcts.formulas` says, to the bit. A
    symbol such as `edge.visits` is the field of an argument.
    """
    given = [step[1] for step in formula.steps if step[0] == 'symbol']
    text = text_of(formula, given, style='javascript')
    literals = (
        'NaN' if math.isnan(it) else repr(it).replace('inf', 'Infinity') for it in formula.numbers
    )
    body = [f'const k{place} = {it};' for place, it in enumerate(literals)]
    body += [*text.before, *text.within]
    results = ', '.join(f'Number({each})' for each in text.results)
    return f'({", ".join(names)}) => {{ {" ".join((*body, f"return [{results}];"))} }}'
