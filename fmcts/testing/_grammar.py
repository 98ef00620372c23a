"""Selection rules as text in the language of `fmcts.formulas`, and a function that draws them."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from attrs import field, frozen

from fmcts import formulas
from fmcts._arguments import shown
from fmcts._declared import drawn_by
from fmcts.search import ColumnNames
from fmcts.search.methods import Parent, Rule
from fmcts.search.methods.method import edge_type

Choose: TypeAlias = Callable[[Sequence[Any]], Any]
"""A function that chooses one of some values, which are ordered from the simplest."""

FIELDS: Final = MappingProxyType(
    {
        'edge': edge_type(ColumnNames())._fields,
        # `total` is 0 for every rule.
        'parent': Parent._fields[:3],
    }
)
NUMBERS: Final = tuple(f'{whose}.{name}' for whose, names in FIELDS.items() for name in names)
LEAVES: Final = (*NUMBERS, '0.0', '0.5', '1.0', '2.0')
NAMES: Final = MappingProxyType(
    {name: getattr(formulas, name) for name in ('sqrt', 'minimum', 'maximum', 'where')}
)
KINDS: Final = ('leaf', '+', '-', '*', '/', 'minus', *NAMES)
SMALLEST: Final = MappingProxyType({'leaf': 0, 'where': 4})
"""The smallest sizes of expressions of a kind; by default, 2."""

COMPARISONS: Final = ('<', '<=', '>', '>=', '==', '!=')


@drawn_by('formulas')
@frozen
class Formula(Rule):
    """A selection rule given as text, which it prints, compares, hashes and pickles as.

    `text` is an expression of `edge` and `parent` in the language of `fmcts.formulas`: what a
    function `(edge, parent) -> float` would return. The search is the same as by that function.

    :raises ValueError: the text is no such expression; the message says what is not.

    >>> from fmcts import Search, SplitMix, analyse
    >>> from fmcts.games import tictactoe
    >>> rule = Formula('edge.value + sqrt(parent.log_visits / edge.visits)')
    >>> search = Search(iterations=100, selection=rule)
    >>> analysis, rng = analyse(tictactoe.start, SplitMix.from_seed(1), search)
    >>> analysis.move, [*rule.parts][0]
    (4, Formula('sqrt(parent.log_visits / edge.visits)'))
    """

    text: str
    function: Callable[[Any, Any], float] = field(init=False, eq=False)

    @function.default
    def _stated(self) -> Callable[[Any, Any], float]:
        return _function(self.text)

    def __repr__(self) -> str:
        return f'Formula({self.text!r})'

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return Formula, (self.text,)

    @property
    def parts(self) -> Iterator[Formula]:
        """The formulas that it contains, the largest first."""
        whole = _parsed(self.text)
        inner = {ast.unparse(node) for node in _numbers(whole) if node is not whole}
        return map(Formula, sorted(inner, key=lambda text: (-len(text), text)))


@functools.lru_cache(maxsize=1 << 10)
def _function(text: str) -> Callable[[Any, Any], float]:
    """Return the function for a text, the same one for the same text."""
    for _ in _numbers(_parsed(text)):
        pass
    # Numbers in the text divide as IEEE 754 does, also each other.
    names = dict(NAMES, Ieee=formulas.Ieee, __name__=__name__)
    read = ast.unparse(_Literals().visit(_parsed(text)))
    function: Any = eval(f'lambda edge, parent: {read}', names)  # noqa: S307 - it has been read
    function.__name__ = function.__qualname__ = text  # as errors call it
    return function  # type: ignore[no-any-return]


class _Literals(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.parse(f'Ieee({node.value!r})', mode='eval').body


def _parsed(text: object) -> ast.expr:
    if isinstance(text, str):
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.parse(text, mode='eval').body
    raise _no_formula(shown(text))


def _no_formula(found: str) -> ValueError:
    *functions, last = NAMES
    return ValueError(
        f'{found} is not allowed in a formula, which consists of numbers, {", ".join(NUMBERS)}, + '
        f'- * /, comparisons with & and |, {", ".join(functions)} and {last}'
    )


def _numbers(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the numeric expressions that this one consists of, including itself.

    :raises ValueError: something is not in the language.
    """
    match node:
        case ast.Constant(value=number) if type(number) in (int, float):
            inner: tuple[ast.expr, ...] = ()
        case ast.Attribute(value=ast.Name(id=whose), attr=name) if name in FIELDS.get(whose, ()):
            inner = ()
        case ast.UnaryOp(op=ast.USub(), operand=one):
            inner = (one,)
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), left=one, right=two):
            inner = (one, two)
        case ast.Call(func=ast.Name(id='sqrt'), args=[one], keywords=[]):
            inner = (one,)
        case ast.Call(func=ast.Name(id='minimum' | 'maximum'), args=[one, two], keywords=[]):
            inner = (one, two)
        case ast.Call(func=ast.Name(id='where'), args=[condition, one, two], keywords=[]):
            inner = (*_compared(condition), one, two)
        case _:
            raise _no_formula(shown(ast.unparse(node)))
    yield node
    for part in inner:
        yield from _numbers(part)


def _compared(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the numbers that a condition compares."""
    match node:
        case ast.Compare(left=one, ops=[sign], comparators=[two]) if not isinstance(
            sign, ast.Is | ast.IsNot | ast.In | ast.NotIn
        ):
            yield from (one, two)
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr(), left=one, right=two):
            yield from (*_compared(one), *_compared(two))
        case _:
            raise _no_formula(shown(ast.unparse(node)))


def drawn_formula(choose: Choose, size: int = 8) -> Formula:
    """Return a formula of at most `size` numbers, all its choices made by `choose`."""
    return Formula(_bare(_drawn(choose, size)))


def _drawn(choose: Choose, size: int) -> str:
    kind = choose(KINDS)  # drawn even if it does not fit, so that later choices do not change
    match kind if size >= SMALLEST.get(kind, 2) else 'leaf':
        case 'leaf':
            return str(choose(LEAVES))
        case 'sqrt':
            return f'sqrt({_bare(_drawn(choose, size - 1))})'
        case 'minus':
            return f'(-{_drawn(choose, size - 1)})'
        case 'where':
            condition, part = _condition(choose, size // 2), size // 4
            yes, no = (_bare(_drawn(choose, part)) for _ in range(2))
            return f'where({condition}, {yes}, {no})'
    one, two = (_drawn(choose, size // 2) for _ in range(2))
    if kind in NAMES:
        return f'{kind}({_bare(one)}, {_bare(two)})'
    return f'({one} {kind} {two})'


def _condition(choose: Choose, size: int) -> str:
    if choose((False, True)) and size > 3:
        one, sign, two = _condition(choose, size // 2), choose('&|'), _condition(choose, size // 2)
        return f'({one}) {sign} ({two})'
    one, sign, two = _drawn(choose, size // 2), choose(COMPARISONS), _drawn(choose, size // 2)
    return f'{one} {sign} {two}'


def _bare(text: str) -> str:
    """Return the text without parentheses around the whole of it."""
    return text[1:-1] if text.startswith('(') else text
