"""Formulas as values: trace a function once, then write it out as source, or as text to read.

Called with symbols instead of numbers, a formula (see `fmcts.formulas`) gives an expression.
`trace` turns it into a `Formula`: the list of its operations, with its numbers apart. From one
formula comes the source of Python code that does these operations without a call for each.

A function that branches on its numbers, or leaves the language of formulas, cannot be traced; then
it is called as it is. (A formula that treats symbols otherwise than numbers, such as one that asks
for their type, is not pure in its numbers, and nothing checks that.)
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from attrs import frozen


class Expression:
    """An operation on expressions and numbers; a symbol has no operands.

    `whole`: the symbol's variable may hold an integer; Python does not round sums and products
    of integers as it rounds floats.
    """

    __array_ufunc__ = None  # numpy's numbers leave the operation to this class

    def __init__(self, operator: str, *operands: Expression | float, whole: bool = False) -> None:
        self.operator = operator
        self.operands = operands
        self.whole = whole

    def __neg__(self) -> Expression:
        return Expression('neg', self)

    def _refuse(self, *_arguments: object) -> Any:
        """Refuse what needs the number itself, such as a branch, a dictionary or a printed line.

        :raises TypeError: always.
        """
        raise TypeError('the number of a symbol is not known: such a formula cannot be traced')

    __bool__ = __float__ = __int__ = __index__ = __complex__ = __hash__ = _refuse
    __str__ = __repr__ = __format__ = _refuse
    __pow__ = __rpow__ = __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = _refuse
    __divmod__ = __rdivmod__ = __abs__ = __round__ = __trunc__ = __floor__ = __ceil__ = _refuse


def _binary(operator: str, *, backwards: bool = False) -> Callable[[Expression, Any], Any]:
    def apply(self: Expression, other: Any) -> Any:
        if operator in '&|' and not isinstance(other, Expression | bool):
            self._refuse()  # integers have these too, but formulas combine conditions only
        if not isinstance(other, Expression) and type(other) not in PLAIN:
            if not isinstance(other, int | float):
                return NotImplemented
            other = float(other)  # of a subclass, such as numpy's
        return Expression(operator, other, self) if backwards else Expression(operator, self, other)

    return apply


PLAIN: Final = (float, int, bool)

for _name, _sign in (
    ('add', '+'),
    ('sub', '-'),
    ('mul', '*'),
    ('truediv', '/'),
    ('and', '&'),
    ('or', '|'),
):
    setattr(Expression, f'__{_name}__', _binary(_sign))
    setattr(Expression, f'__r{_name}__', _binary(_sign, backwards=True))
for _name, _sign in (
    ('lt', '<'),
    ('le', '<='),
    ('gt', '>'),
    ('ge', '>='),
    ('eq', '=='),
    ('ne', '!='),
):
    setattr(Expression, f'__{_name}__', _binary(_sign))


def symbols(names: Iterable[str], whole: Collection[str] = ()) -> tuple[Expression, ...]:
    """Return a symbol for each name; those in `whole` may hold integers."""
    return tuple(Expression(name, whole=name in whole) for name in names)


Style: TypeAlias = Literal['python', 'ieee', 'javascript']

Step: TypeAlias = tuple[Any, ...]
"""`(operator, place...)`, `('symbol', name, whole)`, `('number', place)` or `('truth', value)`.

Places of operands are those of earlier steps; that of a number is in `Formula.numbers`.
"""


LEAVES: Final = ('symbol', 'number', 'truth')
TRUTHS: Final = ('<', '<=', '>', '>=', '==', '!=', '&', '|', 'truth')


@frozen
class Formula:
    """The operations of some expressions, each once, in an order of evaluation.

    `results` are the places of the results among the `steps`. Two formulas that differ only in
    their numbers have equal steps and results.
    """

    steps: tuple[Step, ...]
    results: tuple[int, ...]
    numbers: tuple[float, ...]

    @property
    def shape(self) -> Formula:
        """The formula with zeros for its numbers, on which its text does not depend."""
        return Formula(self.steps, self.results, (0.0,) * len(self.numbers))

    def renamed(self, names: Mapping[str, str]) -> Formula:
        """Return the formula with other names for some symbols."""
        steps = (
            (kind, names.get(rest[0], rest[0]), *rest[1:]) if kind == 'symbol' else (kind, *rest)
            for kind, *rest in self.steps
        )
        return Formula(tuple(steps), self.results, self.numbers)

    def variables(self, prefix: str = '') -> list[str]:
        """Return the variables that its text reads its numbers from."""
        return [f'{prefix}k{place}' for place in range(len(self.numbers))]


def trace(function: Callable[..., Any], *arguments: Any, count: int = 0) -> Formula | None:
    """Return the formula of what a function gives for symbols; `None` if it cannot be traced.

    `count` is the length of the tuple that it must return, or 0 for a single number. What it raises
    is ignored here; called with numbers, it raises the same again.
    """
    try:
        return formula_of(*_results(function(*arguments), count))
    except Exception:  # noqa: BLE001 - see above
        return None


def _results(given: Any, count: int) -> tuple[Any, ...]:
    if count and not (isinstance(given, tuple) and len(given) == count):
        raise TypeError(f'{given!r} is not a tuple of {count}')
    return given if count else (given,)


def formula_of(*results: Any) -> Formula:
    """Return the formula of some expressions and numbers.

    :raises TypeError: one, or an operand of one, is something else.
    """
    places: dict[Step, int] = {}
    # By identity as well: an expression used twice is walked once, else nested formulas take for
    # ever.
    seen: dict[int, int] = {}
    numbers: list[float] = []

    def slot_of(step: Step) -> int:
        return places.setdefault(step, len(places))

    def place(value: Expression | float) -> int:
        if isinstance(value, Expression):
            found = seen.get(id(value))
            if found is None:
                found = slot_of(
                    (value.operator, *map(place, value.operands))
                    if value.operands
                    else ('symbol', value.operator, value.whole)
                )
                seen[id(value)] = found
            return found
        if not isinstance(value, int | float):
            raise TypeError(f'{value!r} is not a number')
        if isinstance(value, bool):
            return slot_of(('truth', value))
        numbers.append(float(value))
        return slot_of(('number', len(numbers) - 1))

    found = tuple(map(place, results))
    return Formula(tuple(places), found, tuple(numbers))


# ---- as source code ----


@frozen
class Text:
    """A formula as statements, and the text of each result once they are done.

    `before` depends on no symbol of the loop, so it is computed before the loop; `within` does.
    """

    before: tuple[str, ...]
    within: tuple[str, ...]
    results: tuple[str, ...]


def text_of(
    formula: Formula,
    loop: Collection[str],
    *,
    style: Style = 'python',
    prefix: str = '',
) -> Text:
    """Return the text of a formula, some of whose symbols change in a loop.

    The number at place `i` is read from the variable `prefix + 'k' + str(i)`. In the style `python`
    division by zero and roots of negative numbers raise errors; in the style `ieee` they call
    functions that return what IEEE 754 defines, as JavaScript's own operations do.
    """
    before: list[str] = []
    within: list[str] = []
    terms: list[_Term] = []
    again = used_again(formula)
    declare = 'const {} = {};' if style == 'javascript' else '{} = {}'
    for index, (operator, *rest) in enumerate(formula.steps):
        if operator == 'symbol':
            terms.append(_Term(rest[0], inner=rest[0] in loop, whole=rest[1]))
            continue
        if operator == 'number':
            terms.append(_Term(f'{prefix}k{rest[0]}'))
            continue
        if operator == 'truth':
            text = str(rest[0]).lower() if style == 'javascript' else str(rest[0])
            terms.append(_Term(text, truth=True))
            continue
        operands = [terms[place] for place in rest]
        is_inner = any(it.inner for it in operands)
        text = (_in_javascript if style == 'javascript' else _operation)(operator, operands, style)
        # Named if it is used again, or can be computed before the loop; else written where it is
        # used, as names cost time in Python.
        if index in again or not is_inner:
            name = f'{prefix}v{index}'
            (within if is_inner else before).append(declare.format(name, text))
            text = name
        else:
            text = f'({text})'
        may_be_whole = operator == 'where' and any(it.whole for it in operands[1:])
        truth = operator in TRUTHS or (operator == 'where' and all(it.truth for it in operands[1:]))
        terms.append(_Term(text, is_inner, may_be_whole, truth))
    results = tuple(terms[place].text for place in formula.results)
    return Text(tuple(before), tuple(within), results)


class _Term(NamedTuple):
    """The text of a step; whether it changes in the loop, may be an integer, is a truth value."""

    text: str
    inner: bool = False
    whole: bool = False
    truth: bool = False

    @property
    def as_float(self) -> str:
        """The text of the same as a float."""
        return f'float({self.text})' if self.whole else self.text


def used_again(formula: Formula) -> set[int]:
    """Return the places of the steps that are used more than once."""
    operands = [place for step in formula.steps if step[0] not in LEAVES for place in step[1:]]
    uses = Counter([*operands, *formula.results])
    return {place for place, count in uses.items() if count > 1}


def _operation(operator: str, operands: list[_Term], style: Style) -> str:
    """Return the text of an operation; sums, products and negations are of floats."""
    first, *others = (it.text for it in operands)
    if operator == 'where':
        return f'{others[0]} if {first} else {others[1]}'
    if operator == 'neg':
        return f'-{operands[0].as_float}'
    if operator == 'sqrt':
        return f'{"root" if style == "ieee" else "sqrt"}({first})'
    if operator == '/' and style == 'ieee':
        return f'divided({first}, {others[0]})'
    if operator in '+-*' and all(it.whole for it in operands):
        first = operands[0].as_float
    return f'{first} {operator} {others[0]}'


def _in_javascript(operator: str, operands: list[_Term], _style: Style) -> str:
    """Return the text of an operation in JavaScript, whose numbers are doubles."""
    first, *others = (it.text for it in operands)
    if operator == 'where':
        condition = first if operands[0].truth else f'({first} != 0)'  # so that a NaN holds
        return f'{condition} ? {others[0]} : {others[1]}'
    if operator == 'neg':  # a truth value is negated as an integer, which has no -0
        return f'0 - {first}' if operands[0].truth else f'-{first}'
    return f'Math.sqrt({first})' if operator == 'sqrt' else f'{first} {operator} {others[0]}'


def divided(one: float, two: float) -> float:
    """Return `one / two` as IEEE 754 has it: an infinity or NaN where `two` is zero.

    >>> divided(1.0, 0.0), divided(-1.0, 0.0), divided(1.0, -0.0), divided(0.0, 0.0)
    (inf, -inf, -inf, nan)
    """
    if two:
        return one / two
    if not one or one != one:  # noqa: PLR0124 - NaN
        return math.nan
    return math.copysign(math.inf, one) * math.copysign(1.0, two)


def root(number: float) -> float:
    """Return the square root; NaN for a negative number."""
    return math.sqrt(number) if number >= 0 else math.nan


def written(
    numbers: Iterable[str],
    arguments: str,
    body: Callable[[Style], Iterable[str]],
    **known: object,
) -> Any:
    """Return a function of the `numbers` that makes a function of the `arguments`.

    `body(style)` are the lines of the latter, which may use `known` by name. Those of the style
    `ieee` run, from the beginning, where Python refuses to compute those of the style `python`.
    """
    lines = [
        f'def make({", ".join(numbers)}):',
        f'    def function({arguments}):',
        '        try:',
        *(f'            {line}' for line in body('python')),
        # Errors are rare: the usual case computes with Python's own operators.
        '        except (ZeroDivisionError, ValueError):',
        *(f'            {line}' for line in body('ieee')),
        '    return function',
    ]
    scope: dict[str, Any] = {'sqrt': math.sqrt, 'root': root, 'divided': divided, **known}
    exec('\n'.join(lines), scope)  # noqa: S102 - written here, of operators and names of variables
    return scope['make']


@functools.lru_cache(maxsize=256)
def _source(shape: Formula, names: tuple[str, ...]) -> Any:
    def body(style: Style) -> list[str]:
        text = text_of(shape, (), style=style)
        answer = ''.join(f'float({result}), ' for result in text.results)
        return [*text.before, *text.within, f'return ({answer})']

    return written(shape.variables(), ', '.join(names), body)


def function_of(formula: Formula, names: tuple[str, ...]) -> Callable[..., tuple[float, ...]]:
    """Return a function of the symbols `names`, in this order, to the results as floats."""
    make: Callable[..., Callable[..., tuple[float, ...]]] = _source(formula.shape, names)
    return make(*formula.numbers)


# ---- formulas to read ----

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
    signs: Mapping[str, str] = MappingProxyType({})
    number: Callable[[float], str] = lambda number: repr(number).removesuffix('.0')


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
TERMS: Final = _Language(
    'inf', {**TEXT.forms, 'where': 'where({}, {}, {})'}, TEXT.signs, '{:g}'.format
)


def printed(
    formula: Formula,
    names: Mapping[str, str],
    language: _Language,
    shared: list[str] | None = None,
) -> str:
    """Return the first result in a language to read; what is used again is put into `shared`.

    `names` are the names of symbols; for others the last part of the symbol is used.
    """
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
            text = language.infinity if infinite else language.number(abs(number))
            negative = math.copysign(1.0, number) < 0
            done.append(_Printed(f'-{text}', SIGN) if negative else _Printed(text, WHOLE))
        elif kind == 'truth':
            done.append(_Printed(str(rest[0]).lower(), WHOLE))
        else:
            extreme = _extreme(formula, kind, rest)
            operands = [done[place] for place in (rest[1:] if extreme else rest)]
            done.append(_printed_operation(extreme or kind, operands, language))
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


def _printed_operation(kind: str, operands: Sequence[_Printed], language: _Language) -> _Printed:
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
