"""Playout policies that use tables filled by earlier iterations of the search."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, Final

from attrs import frozen

from fmcts._expressions import Style, Text, symbols, text_of, trace, written
from fmcts.errors import MethodError
from fmcts.search._functions import Parametric, numbers_of
from fmcts.search.memory import NOTHING, Index, Table, place_of, row_class
from fmcts.search.policies.policy import Choose, Draw, Policy

__all__ = ['Recalling']


@frozen
class Recalling(Policy, Parametric):
    """A policy that plays the move with the highest weight, computed from tables.

    A subclass, frozen by attrs, has `memories`, a tuple of its tables (`fmcts.search.memory.
    Table`), and `weigh`. The first of equals is played. If all weights are minus infinity, all
    moves are equally likely, by one draw; otherwise nothing is drawn. Numeric fields are run-time
    parameters, as in a `Method`.
    """

    def weigh(self, move: Any) -> float:  # noqa: ARG002 - its subclasses use them
        """Return the weight of a move.

        `move` has its `key` and the columns of all tables by name: of a table of moves the move's
        own numbers, of one of replies those of the opponent's move before it, of one of pairs those
        of both together. The function must use the language of `fmcts.formulas`.
        """
        raise TypeError(f'the playout policy {type(self).__name__} has no weigh(self, move)')

    def choose(self, state: Any, moves: Sequence[Any], draw: Draw) -> Any:
        """Return the move that is chosen when the tables are empty."""
        return self.chooser()(NOTHING, state, moves, draw)

    def chooser(self) -> Choose:
        """Return the function that chooses the move with the highest weight.

        :raises MethodError: (the function) `weigh` returns NaN.
        """
        row = self.row
        names = tuple(f'x{place}' for place in range(len(row._fields)))
        formula = trace(self.weigh, row(*symbols(names, whole=names[:1])))
        nan = partial(_weighs_nan, type(self).__name__)
        used = zip(self.memories, _columns(self.memories), strict=True)
        loop = {'x0'}.union(*(names for table, names in used if table.index != 'replies'))
        if formula is not None:
            body = partial(_body, self.memories, partial(text_of, formula, loop))
            make = written(formula.variables(), ARGUMENTS, body, nan=nan, **_known(self.memories))
            return make(*formula.numbers)  # type: ignore[no-any-return]
        weigh = numbers_of(self.weigh, row, f'weigh of {type(self).__name__}')
        called = Text((), (f'(weight,) = weigh({", ".join(names)})',), ('weight',))
        body = partial(_body, self.memories, lambda **_style: called)
        known = _known(self.memories)
        return written((), ARGUMENTS, body, nan=nan, weigh=weigh, **known)()  # type: ignore[no-any-return]

    @property
    def row(self) -> Any:
        """The class of `weigh`'s argument."""
        return row_class(('key', *(name for table in self.memories for name in table.columns)))

    @property
    def numbers(self) -> tuple[float, ...]:
        """Its parameters."""
        return tuple(self.parameters.values())


ARGUMENTS: Final = 'recalled, state, moves, draw'

LOOKED_UP: Final[Mapping[Index, str]] = {
    'moves': 'get{0}(place, absent{0})',
    'pairs': 'get{0}((*before, x0), absent{0}) if before else absent{0}',
    'replies': 'get{0}(before, absent{0})',
}


def _columns(tables: Sequence[Table]) -> list[tuple[str, ...]]:
    """Return the variables of each table's numbers; x0 is the key."""
    ends = accumulate((len(table.columns) for table in tables), initial=1)
    return [tuple(f'x{place}' for place in range(*both)) for both in pairwise(ends)]


def _known(tables: Sequence[Table]) -> dict[str, Any]:
    """Return what the lines of a chooser use by name."""
    absent = {f'absent{place}': table.absent for place, table in enumerate(tables)}
    return {'inf': math.inf, 'place_of': place_of, **absent}


def _body(tables: Sequence[Table], text_in: Callable[..., Text], style: Style) -> list[str]:
    """Return the lines of a chooser with the formula of a weight in its loop."""
    text, above, within = text_in(style=style), list[str](), list[str]()
    for place, (table, names) in enumerate(zip(tables, _columns(tables), strict=True)):
        above.append(f'get{place} = recalled.known.get({table.name!r}, {{}}).get')
        lookup = f'{", ".join(names)}, = {LOOKED_UP[table.index].format(place)}'
        (above if table.index == 'replies' else within).append(lookup)
    return [
        'before = next(filter(None, reversed(recalled.line)), None)  # not of chance',
        'if before and before[0] == state.player:',
        '    before = None',
        *(*above, *text.before),
        'best, chosen = -inf, None',
        'for move in moves:',
        '    place = place_of(state, move)',
        '    x0 = place[1]',
        *(f'    {line}' for line in (*within, *text.within)),
        f'    weight = {text.results[0]}',
        '    if weight > best:',
        '        best, chosen = weight, move',
        '    elif weight != weight:',
        '        raise nan()',
        'return moves[draw(len(moves))] if best == -inf else chosen',
    ]


def _weighs_nan(called: str) -> MethodError:
    """Return the error for a weight that is NaN; the caller raises it."""
    return MethodError(f'weigh of {called} returned NaN')
