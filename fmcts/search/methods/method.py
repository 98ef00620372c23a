"""The base class of methods: how a search chooses among moves, and which statistics it keeps."""

from __future__ import annotations

import functools
import keyword
from collections import namedtuple
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from attrs import frozen

from fmcts._arguments import shown
from fmcts.errors import MethodError
from fmcts.search._columns import ColumnNames
from fmcts.search._parameters import Parametric
from fmcts.search.derived import Derived

__all__ = ['Edge', 'Method', 'Parent', 'check_columns', 'edge_type', 'row_of']

TOLD: Final = ('visits', 'reward', 'value')
"""The fields of every edge."""

Edge: TypeAlias = Any
"""A score's argument for one move: see `Method.score`."""


class Parent(NamedTuple):
    """A score's argument for the node whose moves are scored.

    `visits`: playouts through the node; `log_visits`: `ln(1 + visits)`, or as `Method.counted`
    says; `value`: their mean reward for the side to move, 0 before the first; `total`: the sum of
    `Method.summed` over the node's moves, 0 if a method has no such function.
    """

    visits: float
    log_visits: float
    value: float
    total: float = 0.0


def check_columns(method: Method) -> None:
    """Raise `MethodError` if the columns of a method have names that an edge cannot have."""
    for what in ('columns', 'move_columns'):
        names = getattr(method, what)
        if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
            raise MethodError(
                f'{what} of the method {type(method).__name__} must be a tuple of names, '
                f'not {shown(names)}'
            )
    derived: Any = method.derived
    if not isinstance(derived, tuple) or not all(isinstance(each, Derived) for each in derived):
        raise MethodError(
            f'derived of the method {type(method).__name__} must be a tuple of Derived, '
            f'not {shown(derived)}'
        )
    names = (*method.columns, *(name for each in derived for name in each.names))
    taken = {*TOLD, 'by_visits'}
    for name in (*names, *method.move_columns):
        if not name.isidentifier() or keyword.iskeyword(name) or name.startswith('_'):
            raise MethodError(f'{_column(method, name)}: it must be a name, as fields of edge are')
        if name in taken:
            raise MethodError(
                f'{_column(method, name)}: an edge has that already; choose another name'
            )
        taken.add(name)


def _column(method: Method, name: str) -> str:
    return f'the method {type(method).__name__} has the column {shown(name)}'


@functools.lru_cache(maxsize=1 << 10)
def edge_type(names: ColumnNames, *, by_visits: bool = False) -> Any:
    """Return the class of edges in a search with these columns.

    `by_visits`: whether edges also have the method's `by_visits`.
    """
    told = (*TOLD, *names.own, *names.moves, *names.table)
    more = ('by_visits',) if by_visits else ()
    return namedtuple('Edge', told + more)  # noqa: PYI024 - the names are known only now


@functools.lru_cache(maxsize=1 << 10)
def row_of(names: ColumnNames) -> Any:
    """Return the class of the argument `row` of `Method.update_move`."""
    return namedtuple('Row', names.moves + names.table)  # noqa: PYI024 - as above


@frozen
class Method(Parametric):
    """A selection method, written once for all engines.

    A subclass, frozen by attrs, has `score`, and whatever else it needs. Its numeric fields are
    run-time parameters; they may be used as `self.c` in `score` and `update`, which every engine
    runs, the compiled one as machine code: they must use the language of `fmcts.formulas`.

    `counted` is added to the visits before `parent.log_visits` takes the logarithm: 1, or 0 for
    formulas of `ln N` (where `ln 0` is 0). `columns` and `move_columns` name the numbers stored for
    each child and for each move. `scores_unvisited` says that `score` can score a move without
    visits (with visits, reward and value 0); otherwise these come before all others, in move order.
    `derived` are statistics computed from those of a node's children, such as minimax (see
    `fmcts.search.derived`); they are columns of a child too, with the same names in `score`.
    """

    columns: ClassVar[tuple[str, ...]] = ()
    move_columns: ClassVar[tuple[str, ...]] = ()
    scores_unvisited: ClassVar[bool] = False
    counted: ClassVar[int] = 1

    def score(self, edge: Edge, parent: Parent) -> float:  # noqa: ARG002 - its subclasses use them
        """Return the score of a move: the search descends by the highest, the first of equals.

        `edge` has `visits`, `reward` (their sum for the side that chooses), `value` (the mean),
        every column by its name, and `by_visits` if the method has such a function. Minus infinity
        excludes a move, plus infinity puts it first.
        """
        raise TypeError(f'the method {type(self).__name__} has no score(self, edge, parent)')

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

        `edge` is as in `score`, as it was before this playout, without the move columns.
        """
        raise TypeError(f'the method {type(self).__name__} has no update(self, edge, reward)')

    def update_move(self, row: Edge, reward: float) -> tuple[float, ...]:  # noqa: ARG002 - its subclasses use them
        """Return the new values of `move_columns` after an iteration that played a move later on.

        It is called for each move of a node that the side to move there played at the node or after
        it, in the tree or in the playout (moves are the same when their keys are, see
        `fmcts.game.key_of`). `row` has the move columns by name; `reward` is for that side.
        Optional; with it, the moves of playouts are recorded.
        """
        raise TypeError(f'the method {type(self).__name__} has no update_move(self, row, reward)')

    def refers(self, visits: float) -> bool:  # noqa: ARG002 - its subclasses use it
        """Return whether a node with these visits is a reference for what is below it.

        Optional, and only together with `update_move`. The `move_columns` are then stored at every
        node for all moves played there or later, by player and key, in any position; `update_move`
        is called for each of them, with the reward of its player. A score reads those of the
        reference, which is the node itself or else its nearest ancestor that is one; they are 0 for
        a move not played below the reference, or without a reference.
        """
        raise TypeError(f'the method {type(self).__name__} has no refers(self, visits)')

    def update_above_end(self, edge: Edge, reward: float) -> tuple[float, ...]:  # noqa: ARG002 - its subclasses use them
        """Return the new values of `columns` of a node when an iteration ends at a finished child.

        `update` receives these values next. `edge` is the node's, as in `update`, and `reward` is
        for the side to move at the root.
        """
        raise TypeError(f'the method {type(self).__name__} has no update_above_end(...)')

    @property
    def derived(self) -> tuple[Derived, ...]:
        """The derived statistics; a class may also name them: `derived = (Minimax(),)`."""
        return ()

    @property
    def heeds_ends(self) -> bool:
        """Whether the method has an `update_above_end`."""
        return type(self).update_above_end is not Method.update_above_end

    @property
    def counts(self) -> bool:
        """Whether the method has a `by_visits`."""
        return type(self).by_visits is not Method.by_visits

    @property
    def sums(self) -> bool:
        """Whether the method has a `summed`."""
        return type(self).summed is not Method.summed

    @property
    def traces(self) -> bool:
        """Whether the moves of an iteration are recorded, for `update_move`."""
        return type(self).update_move is not Method.update_move

    @property
    def reference(self) -> bool:
        """Whether move columns are looked up at a reference, by `refers`."""
        return type(self).refers is not Method.refers

    def first_rows(self, state: Any, moves: Sequence[Any]) -> tuple[Sequence[float], ...]:  # noqa: ARG002 - its subclasses use them
        """Return the rows of `move_columns` at a new node: one number for each of `moves`."""
        return ((0.0,) * len(moves),) * len(self.names.moves)

    def first_numbers(self) -> tuple[Callable[..., float], ...]:
        """Return a function of integers for each of `move_columns`, for compiled code.

        Its arguments are the position and the move, as in the rules on integers, and the number of
        moves.

        :raises MethodError: there is no such function; the message says why.
        """
        return (_zero,) * len(self.move_columns)

    @property
    def names(self) -> ColumnNames:
        """The names of the columns of a tree searched by this method."""
        own = (*self.columns, *(name for each in self.derived for name in each.names))
        if self.reference:
            return ColumnNames(own, (), self.move_columns)
        return ColumnNames(own, self.move_columns)

    @property
    def edge(self) -> Any:
        """The class of edges in scores."""
        return edge_type(self.names, by_visits=True) if self.counts else edge_type(self.names)

    @property
    def own_names(self) -> ColumnNames:
        """The names of the columns without those of moves, for `update`."""
        return ColumnNames(self.columns)


def _zero(_position: Any, _move: Any, _count: Any) -> float:
    return 0.0
