"""The base class of methods: how a search chooses among moves, and which statistics it keeps.

`Rule` makes one of a user's function.
"""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Final, NamedTuple, Protocol

from attrs import frozen

from fmcts._arguments import is_row, shown
from fmcts._expressions import Formula, symbols, trace
from fmcts.errors import MethodError
from fmcts.formulas import where, with_sqrt
from fmcts.search._columns import ColumnNames
from fmcts.search._functions import Parametric
from fmcts.search.derived import Derived
from fmcts.search.memory import Table, check_tables

_EDGE: Final = ('visits', 'reward', 'value')
"""The fields of every edge."""


class Edge(Protocol):
    """The argument of a score for one move: its statistics by name.

    It also has every column of the method by its name, and `by_visits` if the method defines it.
    """

    @property
    def visits(self) -> float:
        """The playouts through the move."""

    @property
    def reward(self) -> float:
        """The sum of their rewards for the side that chooses."""

    @property
    def value(self) -> float:
        """The mean of their rewards; 0 before the first."""

    def __getattr__(self, column: str, /) -> Any: ...


class Parent(NamedTuple):
    """The argument of a score for the node whose moves are scored.

    - `visits`: the playouts through the node.
    - `log_visits`: `ln(1 + visits)`, or `ln(visits)` if `Method.log_offset` is 0.
    - `value`: the mean reward of the playouts for the side to move; 0 before the first.
    - `total`: the sum of `Method.summed` over the node's moves; 0 if the method does not define it.
    - `least`, `most`: the lowest and the highest mean seen in the tree, with
      `Search(normalised=True)`, else 0.
    """

    visits: float
    log_visits: float
    value: float
    total: float = 0.0
    least: float = 0.0
    most: float = 0.0


class Own(NamedTuple):
    """The argument `node` of `Method.scores`, for the node whose moves are scored.

    `edge`: its statistics as a move of the node above, as in `update`. `same`: whether the side
    that moved to it, for which these numbers count, is also to move there. `alone`: whether each
    player has rewards of his own, so that they say nothing of another's.
    """

    edge: Any
    same: bool
    alone: bool = False


class Scale(NamedTuple):
    """A scale of values: where its 0 is, and how long its 1.

    As long as it has no width all values seen are equal, and none is better: they are 1/2.
    """

    least: Any
    width: Any

    def sum(self, total: Any, count: Any) -> Any:
        """Return a sum of `count` values on this scale."""
        return where(self.width > 0.0, (total - count * self.least) / self.width, 0.5 * count)

    def value(self, value: Any) -> Any:
        """Return a value on this scale."""
        return where(self.width > 0.0, (value - self.least) / self.width, 0.5)

    def variance(self, variance: Any) -> Any:
        """Return a variance on this scale."""
        return where(self.width > 0.0, variance / self.width / self.width, 0.0)


def check_columns(method: Method) -> None:
    """Check that the statistics that a method declares can be fields of its edges.

    :raises MethodError: its table is declared wrongly.
    :raises TypeError: columns are not in a tuple.
    :raises ValueError: two have one name, or a name that `namedtuple` refuses.
    """
    kind = type(method).__name__
    for names in (method.columns, method.move_columns):
        if not isinstance(names, tuple):
            raise TypeError(
                f"columns of {kind} must be a tuple such as ('squares',), not {names!r}"
            )
    try:
        edge_type(method.names, by_visits=True)
    except ValueError as error:  # such as a duplicate
        raise ValueError(f'columns of {kind} cannot be fields of an edge: {error}') from None
    check_tables(() if method.table is None else (method.table,), ('node', 'ancestor'))


@functools.lru_cache(maxsize=1 << 10)
def edge_type(names: ColumnNames, *, by_visits: bool = False) -> Any:
    """Return the class of edges in a search with these columns.

    `by_visits`: whether edges also have the method's `by_visits`.
    """
    fields = (*_EDGE, *names.own, *names.moves, *names.table)
    more = ('by_visits',) if by_visits else ()
    return namedtuple('Edge', fields + more)  # noqa: PYI024 - the names are known only now


@frozen
class Method(Parametric):
    """A selection method, written once for all engines.

    A subclass, frozen by attrs, defines `score`, and whatever else it needs. Its numeric fields are
    run-time parameters, available as `self.c` in `score` and `update`. Every engine runs these
    functions, the compiled one as machine code, so they must use the language of `fmcts.formulas`.

    - `name`: the name of a method of this library in `METHODS`; a user's method needs none.
    - `log_offset`: the number that `parent.log_visits` adds to the visits before it takes the
      logarithm: 1, or 0 for formulas with `ln N` (where `ln 0` is 0).
    - `columns`, `move_columns`: the names of the numbers stored for each child, which are 0 before
      its first playout, and for each move.
    - `scores_unvisited`: whether `score` can score a move without visits (with 0 visits, reward 0
      and value 0). If not, moves without visits come before all others, the first in move order.
    - `derived`: statistics computed from the children's, such as minimax (see
      `fmcts.search.derived`). They are columns of a child, which `score` reads by name.
    - `table`: statistics of moves that were played at a node or later (see
      `fmcts.search.memory.Table`).
    """

    name: ClassVar[str] = ''
    columns: ClassVar[tuple[str, ...]] = ()
    move_columns: ClassVar[tuple[str, ...]] = ()
    scores_unvisited: ClassVar[bool] = False
    log_offset: ClassVar[int] = 1
    derived: ClassVar[tuple[Derived, ...]] = ()
    table: ClassVar[Table | None] = None

    def score(self, edge: Edge, parent: Parent) -> float:  # noqa: ARG002 - its subclasses use them
        """Return the score of a move: the search descends by the highest, the first of equals.

        `edge` has `visits`, `reward` (the sum of rewards for the side that chooses), `value` (the
        mean), every column by its name, and `by_visits` if the method defines it. Minus infinity
        excludes a move, plus infinity puts it first.
        """
        raise TypeError(f'the method {type(self).__name__} has no score(self, edge, parent)')

    def scores(self, edges: Sequence[Edge], parent: Parent, node: Own) -> Sequence[float]:  # noqa: ARG002 - its subclasses use them
        """Return the scores of all moves of a node, where they depend on each other.

        Optional; it takes the place of `score`. `edges` is a list with an `edge` for each move, and
        the result a list of as many floats. It need not use the language of `fmcts.formulas`: numba
        compiles loops, lists and branches. What it does not know, such as `sum` and other methods
        of `self`, the compiled engine refuses by name.
        """
        raise TypeError(
            f'the method {type(self).__name__} has no scores(self, edges, parent, node)'
        )

    def by_visits(self, visits: float) -> float:  # noqa: ARG002 - its subclasses use it
        """Return a number for a move with these visits, which is `edge.by_visits` in `score`.

        Optional. It must depend only on the visits and the method's parameters, so that compiled
        code computes it once for each count and then looks it up: divisions and roots take most of
        the time of a score.
        """
        raise TypeError(f'the method {type(self).__name__} has no by_visits(self, visits)')

    def summed(self, edge: Edge) -> float:  # noqa: ARG002 - its subclasses use it
        """Return what a move adds to `parent.total`, for scores that depend on all the moves.

        Optional. `edge` is as in `score`. The numbers are added in move order, starting from 0,
        before the scores of a node are computed.
        """
        raise TypeError(f'the method {type(self).__name__} has no summed(self, edge)')

    def update(self, edge: Edge, reward: float) -> tuple[float, ...]:  # noqa: ARG002 - its subclasses use them
        """Return the new values of `columns` after a playout worth `reward` to the side that chose.

        `edge` is as in `score`, as it was before this playout, without the columns of moves.
        """
        raise TypeError(f'the method {type(self).__name__} has no update(self, edge, reward)')

    def scaled(self, edge: Any, scale: Scale) -> Any:  # noqa: ARG002 - its subclasses use it
        """Return the edge with its columns on another scale of values, for `normalised` searches.

        Optional, unless columns of children or a table have rewards. `reward` and `value` of the
        edge are replaced afterwards.
        """
        return edge

    def update_above_end(self, edge: Edge, reward: float) -> tuple[float, ...]:  # noqa: ARG002 - its subclasses use them
        """Return the new values of `columns` of a node when an iteration ends at a finished child.

        It is not called if chance moved to that child. `update` receives these values next. `edge`
        is the node's, as in `update`, and `reward` is for the side to move at the root.
        """
        raise TypeError(f'the method {type(self).__name__} has no update_above_end(...)')

    @property
    def updates_above_ends(self) -> bool:
        """True if the method defines `update_above_end`."""
        # Asked of the class, here and below: an engine prepares nothing for a function that does
        # nothing.
        return type(self).update_above_end is not Method.update_above_end

    @property
    def scales(self) -> bool:
        """True if its scores can be of values on another scale."""
        keeps = bool(self.names.own) or self.table is not None
        return not self.together and (type(self).scaled is not Method.scaled or not keeps)

    @property
    def together(self) -> bool:
        """True if the method scores all moves of a node at once, by `scores`."""
        return type(self).scores is not Method.scores

    @property
    def counts(self) -> bool:
        """True if the method defines `by_visits`."""
        return type(self).by_visits is not Method.by_visits

    @property
    def sums(self) -> bool:
        """True if the method defines `summed`."""
        return type(self).summed is not Method.summed

    def first_rows(self, state: Any, moves: Sequence[Any]) -> tuple[Sequence[float], ...]:  # noqa: ARG002 - its subclasses use them
        """Return the rows of `move_columns` at a new node of `state`: a number for each move."""
        return ((0.0,) * len(moves),) * len(self.move_columns)

    def first_numbers(self) -> tuple[Callable[..., float], ...]:
        """Return a function of integers for each of `move_columns`, for compiled code.

        Its arguments are the position and the move, as in the rules on integers, and the number of
        moves.

        :raises MethodError: the first numbers cannot be compiled; the message says why.
        """
        return (zero,) * len(self.move_columns)

    @property
    def names(self) -> ColumnNames:
        """The names of the columns of a tree searched by this method."""
        own = (*self.columns, *(name for each in self.derived for name in each.names))
        table = self.table
        if table is None:
            return ColumnNames(own, self.move_columns)
        if table.scope == 'ancestor':
            return ColumnNames(own, self.move_columns, table.columns)
        return ColumnNames(own, self.move_columns + table.columns)

    @property
    def edge(self) -> Any:
        """The class of edges in scores."""
        return edge_type(self.names, by_visits=True) if self.counts else edge_type(self.names)

    @property
    def own_names(self) -> ColumnNames:
        """The names of the columns without those of moves, for `update`."""
        return ColumnNames(self.columns)


@frozen
class Rule(Method):
    """A user's function as a method, `Search(selection=my_rule)`: it gives the score.

    A function that can be traced (see `fmcts._expressions`) is compiled once for all values of its
    numbers; one that branches is recompiled when a number that it names has changed.
    """

    function: Callable[[Edge, Parent], float]

    @property
    def formula(self) -> Formula | None:
        """The formula of the function now; `None` if it cannot be traced."""
        edge: Any = symbols(f'edge.{name}' for name in self.edge._fields)
        parent: Any = symbols(f'parent.{name}' for name in Parent._fields)
        arguments = self.edge(*edge), Parent(*parent)
        return trace(self.function, *arguments) or trace(with_sqrt(self.function), *arguments)

    @property
    def parameters(self) -> dict[str, float]:
        """The numbers of the formula."""
        formula = self.formula
        return {f'k{place}': it for place, it in enumerate(formula.numbers)} if formula else {}

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the function's value."""
        return self.function(edge, parent)


def rows_at(
    method: Method, names: ColumnNames, state: Any, moves: Sequence[Any]
) -> tuple[Sequence[float], ...]:
    """Return all rows at a new node: the first rows of its `move_columns`, and zeros of its table.

    `names` are the names of the method's columns.

    :raises MethodError: a row of the method has another length than the moves.
    """
    found: Any = method.first_rows(state, moves)
    own = method.move_columns
    given = tuple(found) if isinstance(found, Iterable) else (found,)
    # A set or an iterator is no row: its order would not be that of the moves.
    rows = tuple(tuple(row) for row in given if is_row(row))
    if len(rows) < len(given) or [*map(len, rows)] != [len(moves)] * len(own):
        raise MethodError(
            f'the selection rule {type(method).__name__} must return a row of {len(moves)} numbers '
            f'for each of {", ".join(own) or "no columns"}, in the order of the moves, '
            f'not {shown(rows if len(rows) == len(given) else given)}'
        )
    # Behind the method's own columns of moves are those of its table, which begins empty.
    return rows + ((0.0,) * len(moves),) * (len(names.moves) - len(own))


def zero(_position: Any, _move: Any, _count: Any) -> float:
    """Return 0, the first number of a move unless the method defines another."""
    return 0.0
