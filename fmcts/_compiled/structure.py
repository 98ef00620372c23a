"""The values that machine code for a search depends on: its structure, without its numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

from attrs import evolve, frozen

from fmcts._compiled.traced import traced
from fmcts._content.remembered import remembered
from fmcts.errors import MethodError
from fmcts.rules import OnPositions
from fmcts.search._columns import ColumnNames
from fmcts.search._description import Expansion, Search
from fmcts.search.derived import Derived, placed
from fmcts.search.methods import UCB1, Method
from fmcts.search.methods.amaf import AllMovesAsFirst
from fmcts.search.methods.method import zero
from fmcts.search.policies import (
    AntiDecisive,
    Decisive,
    Narrowing,
    Patient,
    Policy,
    Recalling,
    Uniform,
)
from fmcts.search.schedules import chooses_below_root
from fmcts.search.settling import Settling

__all__ = [
    'Functions',
    'Structure',
    'functions_of',
    'left_behind',
    'of_states',
    'structure_of',
    'unable',
    'weighing',
    'without_network',
]

Function: TypeAlias = Callable[..., Any] | None


UNIFORM: Final = Uniform()
LARGEST: Final = 1 << 53  # integer up to which all are doubles
COMPILED: Final = (Uniform, Decisive, AntiDecisive, Patient)
"""Kinds of playout policies that have machine code, beside those made of others or of functions."""


@frozen
class DerivedFunctions:
    """A derived statistic without its numbers: names, what is seen first, and its functions.

    `leaf` and `heuristic` are `None` where it has none. `parameters` and `integers` name its
    numbers, as for `parameters_of`.
    """

    names: tuple[str, ...]
    first: tuple[float, ...]
    parameters: tuple[str, ...]
    integers: tuple[str, ...]
    end: Any
    leaf: Any
    fold: Any
    node: Any
    heuristic: Any


def _derived_functions(derived: Derived) -> DerivedFunctions:
    kind = type(derived)
    return DerivedFunctions(
        derived.names,
        tuple(map(float, derived.first)),
        tuple(derived.parameters),
        derived.integers,
        kind.end,
        kind.leaf if derived.knows_leaves else None,
        kind.fold,
        kind.node,
        _function(derived.heuristic),
    )


class Functions(NamedTuple):
    """The functions of a method that are compiled in; `None`: it has no such function.

    Those that can be traced are formulas (`traced.Traced`), but for `refers`. Of a user's rule that
    cannot be traced `score` is the function, without `self`, the numbers of the method. `first` are
    its `first_numbers` and zeros for its table, `method` what gives the first rows in Python;
    `update_table` and `refers` are the functions of the table.
    """

    method: Method
    score: Any
    summed: Any
    by_visits: Any
    update: Any
    update_above_end: Any
    update_table: Any
    refers: Any
    derived: tuple[DerivedFunctions, ...]
    first: tuple[Callable[..., float], ...]


def functions_of(method: Method) -> Functions:
    """Return the functions of a method as its class has them now.

    :raises MethodError: its first numbers cannot be compiled.
    """
    updates, table = bool(method.columns), method.table
    more = len(method.names.moves) - len(method.move_columns)
    return Functions(
        method,
        traced(method, 'score'),
        traced(method, 'summed') if method.sums else None,
        traced(method, 'by_visits') if method.counts else None,
        traced(method, 'update') if updates else None,
        traced(method, 'update_above_end') if updates and method.heeds_ends else None,
        traced(table, 'update') if table is not None else None,
        type(table).refers if table is not None and table.scope == 'ancestor' else None,
        tuple(map(_derived_functions, method.derived)),
        (*method.first_numbers(), *(zero,) * more),
    )


@frozen
class Structure:
    """The decisions of a search that are compiled in.

    Rows of doubles in a block: the columns that a method keeps of a child, its derived statistics
    (last of them the number that says how it is settled), the columns of moves, the moves' keys,
    and rewards other than halves. The columns of moves are the method's, and then its table's.

    `unvisited`: whether there may be children without visits. `scheduled`: whether the move at the
    root is told at times. `cut`: whether playouts end in an evaluation after some plies. `evaluate`
    and `reward` are functions of integers, as in `Search`; `None` is the usual: no evaluation, by
    winner. `keys` is how many keys moves have, where the method has a table of scope `ancestor`:
    then a table stands behind the rows of a block, and those rows of moves are filled from the
    reference's before moves are chosen among. `weighs` are the
    functions of the policy, `updates` those of its tables, and `given` those of the method, where
    they are not to be what its class has when it is asked.
    """

    method: Method
    expansion: Expansion
    unvisited: bool = False
    scheduled: bool = False
    policy: Policy = UNIFORM
    cut: bool = False
    evaluate: Function = None
    reward: Function = None
    settling: Settling | None = None
    keys: int = 0
    weighs: tuple[Any, ...] = ()
    updates: tuple[Any, ...] = ()
    given: Functions | None = None

    @cached_property
    def functions(self) -> Functions:
        """The functions of the method: those that were given, or those that it has now."""
        return self.given or functions_of(self.method)

    @cached_property
    def real(self) -> bool:
        """Whether rewards are other than wins, draws and losses, and stored as doubles."""
        return self.evaluate is not None or self.reward is not None

    @property
    def plain(self) -> bool:
        """Whether the search is UCB1 only (and what resolves nodes)."""
        return type(self.method) is UCB1 and not self.real

    @property
    def jumps(self) -> bool:
        """Whether a descent may continue past untried moves."""
        return self.expansion == 'jump'

    @property
    def traces(self) -> bool:
        """Whether the method has a table; then the moves' keys lie in a row of doubles."""
        return self.method.table is not None

    @property
    def remembers(self) -> bool:
        """Whether playouts remember, so that the moves of an iteration are recorded in order."""
        return bool(self.policy.memories)

    @cached_property
    def names(self) -> ColumnNames:
        """The names of the columns, as in `Search.columns`."""
        names = self.method.names
        return names._replace(own=(*names.own, self.settling.column)) if self.settling else names

    @cached_property
    def updated(self) -> int:
        """The number of columns that the method stores for a child; they are the first rows."""
        return len(self.method.columns)

    @property
    def heeds_ends(self) -> bool:
        """Whether columns change above the end of a game."""
        return self.updated > 0 and self.method.heeds_ends

    @cached_property
    def derived(self) -> tuple[tuple[DerivedFunctions, int], ...]:
        """The derived statistics of children, each with the first of its rows."""
        settling = (_derived_functions(self.settling),) if self.settling else ()
        return tuple(placed(self.updated, (*self.functions.derived, *settling)))

    @cached_property
    def settled_row(self) -> int:
        """The row that says how children are settled, if anything settles them."""
        return len(self.method.names.own)

    @cached_property
    def own(self) -> int:
        """The number of columns of children."""
        return self.settled_row + (self.settling is not None)

    @cached_property
    def moves(self) -> int:
        """How many columns moves have; they are the rows after those."""
        return len(self.method.move_columns) + self.kept

    @cached_property
    def kept(self) -> int:
        """How many columns the table has."""
        return len(self.method.table.columns) if self.method.table is not None else 0

    @cached_property
    def table_row(self) -> int:
        """The first row of the table's columns."""
        return self.own + len(self.method.move_columns)

    @cached_property
    def key_row(self) -> int:
        """The row of the moves' keys, if they are remembered."""
        return self.own + self.moves

    @cached_property
    def reward_row(self) -> int:
        """The row of the children's rewards, if they may be other than halves."""
        return self.own + self.moves + self.traces

    @cached_property
    def rows(self) -> int:
        """The number of rows of doubles in a block."""
        return self.own + self.moves + self.traces + self.real

    @property
    def refers(self) -> bool:
        """Whether there are tables by key."""
        return bool(self.method.names.table)

    @property
    def entries(self) -> int:
        """The number of moves in a table: all keys of X's, then all of O's."""
        return 2 * self.keys if self.refers else 0

    @cached_property
    def counted(self) -> bool:
        """Whether tables hold counts and sums of halves: then twice a number is an integer."""
        return (
            self.refers
            and not self.real
            and getattr(type(self.method.table), 'update', None) is AllMovesAsFirst.update
        )

    @cached_property
    def width(self) -> int:
        """The number of integers for a number of a table: one, or two for a double."""
        return 1 if self.counted else 2

    @cached_property
    def tail(self) -> int:
        """How many integers a table takes: a row of numbers for each of its columns."""
        return self.width * self.kept * self.entries

    @property
    def stride(self) -> int:
        """The number of integers per level of the path: the third is the child's index."""
        return 3 if self.rows else 2

    @cached_property
    def parts(self) -> tuple[object, ...]:
        """The plain values in which the code for one structure differs from that for another."""
        method = self.method
        return (
            (
                self.expansion,
                self.unvisited,
                self.scheduled,
                method.scores_unvisited,
                method.counted,
                type(method).__name__,
            ),
            (tuple(method.parameters), method.integers, method.columns, method.move_columns),
            method.table.parts if method.table is not None else (),
            self.functions[1:],
            self.derived,
            (self.policy.parts, self.cut, self.evaluate, self.reward),
            (self.weighs, self.updates),
            self.settling,
        )


def structure_of(search: Search, keys: int, *, unvisited: bool) -> Structure:
    """Return the structure of a search for which `unable` has found nothing.

    `keys` is how many the moves of the game have, `unvisited` as in `Structure`.
    """
    return Structure(
        search.method,
        search.expands,
        unvisited,
        scheduled=search.schedule is not None,
        policy=search.policy,
        cut=search.evaluate_after > 0,
        evaluate=_function(search.evaluate),
        reward=_function(search.reward),
        settling=search.settling,
        keys=keys if search.method.names.table else 0,
        weighs=tuple(type(leaf).weigh for leaf in weighing(search.policy)),
        updates=tuple(type(table).update for table in search.policy.memories),
    )


def without_network(search: Search) -> Search:
    """Return a search whose trees are kept as those of a search with a network."""
    return evolve(
        search,
        network=None,
        batch=1,
        c=None,
        selection=search.method,
        evaluate=OnPositions(left_behind),
    )


def weighing(policy: Policy) -> list[Recalling]:
    """Return the parts of a policy that have a function `weigh`."""
    return [leaf for leaf in policy.leaves if isinstance(leaf, Recalling)]


def _unable_part(policy: Policy) -> object:
    """Return a part or function of a playout policy that has no machine code, or `None`."""
    parts = map(_unable_leaf, policy.leaves)
    return next((part for part in parts if part is not None), None)


def _unable_leaf(policy: Policy) -> object:
    if type(policy) is Narrowing:
        return None if isinstance(policy.function, OnPositions) else policy.function
    if isinstance(policy, Recalling):
        kind = type(policy)
        weighs = kind.choose_knowing is Recalling.choose_knowing and kind.choose is Recalling.choose
        return None if weighs else policy
    return None if type(policy) in COMPILED else policy


def _rank(kind: type, name: str) -> int:
    """Return how far up the ancestors of a class the one is that defines `name`."""
    return next(rank for rank, ancestor in enumerate(kind.__mro__) if name in vars(ancestor))


def left_behind(_position: Any) -> float:
    """Stand in for a reward function, where only the row of doubles matters."""
    return 0.5


def _function(given: object) -> Function:
    return given.function if isinstance(given, OnPositions) else None


def of_states(name: str, given: object) -> str | None:
    """Return why a function, the search's `name`, cannot be compiled; `None` if it can."""
    if given is None or isinstance(given, OnPositions):
        return None
    called = getattr(given, '__name__', None) or type(given).__name__
    what = 'of its own kind' if isinstance(given, Policy) else 'a function of states'
    return f'{name}={called}, {what}: it has those of positions (OnPositions)'


@remembered
def unable(search: Search) -> str | None:
    """Return why a search cannot be compiled, whatever the game; `None` if it can."""
    given: object
    if search.network is not None:
        missing = of_states('network', search.network)
        return missing or unable(without_network(search))
    if search.transpositions is not None:
        return 'transpositions: its tree has one place for each child, and no table of positions'
    for name, given in (
        *(('heuristic', each.heuristic) for each in search.derived),
        ('playout', _unable_part(search.policy)),
        ('evaluate', search.evaluate),
        ('reward', search.reward),
    ):
        missing = of_states(name, given)
        if missing is not None:
            return missing
    for is_given, missing in (
        (
            chooses_below_root(search.schedule),
            'schedules below the root, such as shot: it is told of a move at the root alone',
        ),
        (search.rollout_expand, 'rollout_expand, by which the states of a playout join the tree'),
    ):
        if is_given:
            return missing
    return _unable_method(search.method)


def _unable_method(method: Method) -> str | None:
    """Return why a method cannot be compiled by itself; `None` if it can."""
    if method.together:
        return f'the method {type(method).__name__}, which scores the moves of a node together'
    for name in method.integers:
        if abs(getattr(method, name)) > LARGEST:
            return f'integers beyond 2**53, as the parameter {name} of {type(method).__name__}'
    kind = type(method)
    if _rank(kind, 'first_rows') < _rank(kind, 'first_numbers'):
        return f'the first rows of {kind.__name__}, which are of states: it has first_numbers'
    try:
        method.first_numbers()
    except MethodError as error:
        return str(error)
    return None
