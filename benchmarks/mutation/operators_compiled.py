"""The faults that the mutation check of the compiled engine makes, one at a time in a source.

Comparisons and conditions turned around, numbers one more and one less, operators and operands
exchanged, neighbouring arguments exchanged, statements left out, and each row of a block taken for
the next (`compiled/tree/layout.py`). Left alone are docstrings, annotations and `__all__`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from attrs import frozen

ROWS = ('VISITS', 'HALVES', 'BELOW', 'MOVE')

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
IN_ANY_ORDER = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)


@frozen
class Mutant:
    """A source with one fault: the line before and after, and where it stands."""

    module: str
    operator: str
    row: int
    before: str
    after: str
    source: str

    @property
    def key(self) -> tuple[str, str, int, str, str]:
        """What names it, as long as the source stays the same."""
        return self.module, self.operator, self.row, self.before, self.after


def mutants(module: str, source: str) -> Iterator[Mutant]:
    """Every mutant of a module's source, in the order of the text."""
    lines = source.encode().splitlines(keepends=True)
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line))
    whole = b''.join(lines)

    def span(node: ast.expr | ast.stmt) -> tuple[int, int]:
        first = begins[node.lineno - 1] + node.col_offset
        return first, begins[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)

    nodes = [*_code(ast.parse(source))]
    faults = [(*span(node), *fault) for node in nodes for fault in _faults(node)]
    # What reads the same, as when two equal arguments are exchanged, is no fault.
    faults = [
        one for one in faults if one[2] != 'arguments' or not _same(whole[one[0] : one[1]], one[3])
    ]
    for node in nodes:
        if isinstance(node, ast.If | ast.While):
            turned = _text(ast.UnaryOp(ast.Not(), node.test))
            faults.append((*span(node.test), 'condition', turned))
    for first, last, operator, new in sorted(faults):
        changed = (whole[:first] + new.encode() + whole[last:]).decode()
        row = whole[:first].count(b'\n')
        rest = len(lines) - whole[:last].count(b'\n') - 1
        now = changed.splitlines()
        before = ' '.join(line.strip() for line in source.splitlines()[row : len(lines) - rest])
        after = ' '.join(line.strip() for line in now[row : len(now) - rest])
        yield Mutant(module, operator, row + 1, before, after, changed)


def _code(node: ast.AST) -> Iterator[Any]:
    """The nodes that are run: no docstrings, annotations, imports or lists of names."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or name in {
                'annotation',
                'returns',
                'decorator_list',
            }:
                continue
            match child:
                case ast.Expr(ast.Constant(str())) | ast.Import() | ast.ImportFrom():
                    continue
                case ast.Assign([ast.Name('__all__' | 'R')]):
                    continue
                case ast.AnnAssign(annotation=ast.Name('TypeAlias')):
                    continue
            yield child
            yield from _code(child)


def _faults(node: Any) -> Iterator[tuple[str, str]]:  # noqa: C901, PLR0912 - one case after another
    """What may be wrong about one node: the operator, and the text in its place."""
    match node:
        case ast.Compare(left, kinds, others):
            for place, kind in enumerate(kinds):
                new = [*kinds[:place], COMPARISONS[type(kind)](), *kinds[place + 1 :]]
                yield 'comparison', _text(ast.Compare(left, new, others))
        case ast.Constant(bool() as value):
            yield 'boolean', str(not value)
        case ast.Constant(int() as value):
            yield 'number', str(value + 1)
            yield 'number', f'({value - 1})'
        case ast.BinOp(left, kind, right) if type(kind) in OPERATORS:
            yield 'operator', _text(ast.BinOp(left, OPERATORS[type(kind)](), right))
            if not isinstance(kind, IN_ANY_ORDER):
                yield 'operands', _text(ast.BinOp(right, kind, left))
        case ast.BoolOp(kind, values):
            other = ast.Or() if isinstance(kind, ast.And) else ast.And()
            yield 'and/or', _text(ast.BoolOp(other, values))
        case ast.Call(ast.Name('min' | 'max')):
            return  # in any order
        case ast.Call(function, args, keywords):
            for place in range(len(args) - 1):
                one, two = args[place : place + 2]
                if not isinstance(one, ast.Starred) and not isinstance(two, ast.Starred):
                    new = [*args[:place], two, one, *args[place + 2 :]]
                    yield 'arguments', _text(ast.Call(function, new, keywords))
        case ast.Name(name, ast.Load()) if name in ROWS:
            yield 'row', ROWS[(ROWS.index(name) + 1) % len(ROWS)]
        case ast.Expr() | ast.Assign() | ast.AugAssign() | ast.Raise() | ast.Delete():
            if node.col_offset:
                yield 'statement', 'pass'
        case ast.IfExp(test, body, orelse):
            yield 'condition', _text(ast.IfExp(ast.UnaryOp(ast.Not(), test), body, orelse))


def _same(before: bytes, after: str) -> bool:
    return ast.dump(ast.parse(before.decode().strip())) == ast.dump(ast.parse(after))


def _text(node: ast.expr) -> str:
    return f'({ast.unparse(ast.fix_missing_locations(node))})'
