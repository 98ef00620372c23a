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
from typing import Final, NamedTuple

from fmcts._expressions import TRUTHS, Formula, text_of, used_again
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

# Precedences of operations: an operation of lower precedence than its place is bracketed.
CHOICE, EITHER, BOTH, COMPARED, SUM, PRODUCT, SIGN, WHOLE = range(8)
BINDS: Final[Mapping[str, int]] = MappingProxyType(
    {
        **dict.fromkeys(('<', '<=', '>', '>=', '==', '!='), COMPARED),
        **dict.fromkeys('+-', SUM),
        **dict.fromkeys('*/', PRODUCT),
        '&': BOTH,
        '|': EITHER,
    }
)


class _Printed(NamedTuple):
    text: str
    binds: int

    def within(self, binds: int) -> str:
        """Return the text for a place of that precedence."""
        return self.text if self.binds >= binds else f'({self.text})'


class _Language(NamedTuple):
    """A way to print: operations with a form of their own, and the signs between two operands."""

    infinity: str
    forms: Mapping[str, str]
    signs: Mapping[str, str]


TEXT: Final = _Language(
    'inf',
    {'sqrt': 'sqrt({})', 'min': 'min({}, {})', 'max': 'max({}, {})'},
    {'&': 'and', '|': 'or'},
)
LATEX: Final = _Language(
    r'\infty',
    {
        'sqrt': r'\sqrt{{{}}}',
        'min': r'\min({}, {})',
        'max': r'\max({}, {})',
        '/': r'\frac{{{}}}{{{}}}',
        'where': r'\begin{{cases}} {1} & \text{{if }} {0} \\ {2} & \text{{else}} \end{{cases}}',
    },
    {'<=': r'\le', '>=': r'\ge', '==': '=', '!=': r'\ne', '&': r'\land', '|': r'\lor', '*': ''},
)


def plain_text(formula: Formula, names: Mapping[str, str] = NOTATION) -> str:
    """Return the first result of a formula as text, such as `value + c * sqrt(L / n)`.

    `names` are the names of symbols; for others the last part of the symbol is used.
    """
    return _printed(formula, names, TEXT)


def lines(formula: Formula, result: str, names: Mapping[str, str] = NOTATION) -> list[str]:
    """Return `plain_text` as definitions, the last of them of the `result`.

    A part that a formula uses more than once has a separate line: `x1 = ...`.

    >>> from fmcts._expressions import symbols, trace
    >>> lines(trace(lambda x, y: (x + y) * (x + y), *symbols('xy')), 'score')
    ['x1 = x + y', 'score = x1 * x1']
    """
    shared: list[str] = []
    text = _printed(formula, names, TEXT, shared)
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
    """Return the first result of a formula as LaTeX for mathematical mode; `names` as above."""
    return _printed(formula, names, LATEX)


def _printed(
    formula: Formula,
    names: Mapping[str, str],
    language: _Language,
    shared: list[str] | None = None,
) -> str:
    """Return the text of the first result; what is used again is put into `shared`."""
    done: list[_Printed] = []
    again = used_again(formula)
    for place, (kind, *rest) in enumerate(formula.steps):
        if kind == 'symbol':
            name = names.get(rest[0], rest[0].rpartition('.')[2])
            if language is LATEX and len(name) > 1:
                name = rf'\mathrm{{{name}}}'.replace('_', r'\_')
            done.append(_Printed(name, WHOLE))
        elif kind == 'number':
            number = formula.numbers[rest[0]]
            infinite = math.isinf(number)
            text = language.infinity if infinite else repr(abs(number)).removesuffix('.0')
            negative = math.copysign(1.0, number) < 0
            done.append(_Printed(f'-{text}', SIGN) if negative else _Printed(text, WHOLE))
        elif kind == 'truth':
            done.append(_Printed(str(rest[0]).lower(), WHOLE))
        else:
            extreme = _extreme(formula, kind, rest)
            operands = [done[place] for place in (rest[1:] if extreme else rest)]
            done.append(_operation(extreme or kind, operands, language))
            if shared is not None and place in again and kind not in TRUTHS:
                shared.append(f'x{len(shared) + 1} = {done[-1].text}')
                done[-1] = _Printed(f'x{len(shared)}', WHOLE)
    return done[formula.results[0]].text


def _extreme(formula: Formula, kind: str, places: Sequence[int]) -> str | None:
    """Return `min` or `max` if an operation chooses the smaller or the greater of two numbers."""

    def known(place: int) -> object:
        """Return a key that two steps share only if they have the same value."""
        kind, *rest = formula.steps[place]
        return formula.numbers[rest[0]].hex() if kind == 'number' else place

    sign, *compared = formula.steps[places[0]]
    if kind != 'where' or sign not in ('<', '>'):
        return None
    yes, no = map(known, places[1:])
    one, two = map(known, compared)
    if {one, two} != {yes, no}:
        return None
    return 'min' if (sign == '<') == (one == yes) else 'max'


def _operation(kind: str, operands: Sequence[_Printed], language: _Language) -> _Printed:
    if kind in language.forms:
        return _Printed(language.forms[kind].format(*(it.text for it in operands)), WHOLE)
    if kind == 'where':
        condition, yes, no = operands
        text = f'{yes.within(EITHER)} if {condition.within(EITHER)} else {no.within(CHOICE)}'
        return _Printed(text, CHOICE)
    if kind == 'neg':
        return _Printed(f'-{operands[0].within(SIGN)}', SIGN)
    first, second = operands
    binds, sign = BINDS[kind], language.signs.get(kind, kind)
    after = second.within(binds + 1)  # of equals, the operation on the left is done first
    if not sign:  # a product in LaTeX: a number, or two words beside each other, need a dot
        number = second.text[0] in '-0123456789'
        after = second.within(WHOLE) if number else after
        words = any(it.text.startswith(r'\mathrm') for it in operands)
        sign = r'\cdot' if number or words else ''
    return _Printed(f'{first.within(binds)} {sign} {after}'.replace('  ', ' '), binds)


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
