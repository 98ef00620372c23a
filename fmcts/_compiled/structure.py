"""The values that machine code for a search depends on: its structure, without its numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

from attrs import evolve, frozen

from fmcts._compiled.method_formulas import traced
from fmcts._compiled.schema import Schema
from fmcts._content.remembered import remembered
from fmcts._engines.selection import is_of_library
from fmcts._numba.traced import Traced
from fmcts.errors import MethodError
from fmcts.game import has_rewards, is_plain
from fmcts.rules import OnPositions
from fmcts.search._columns import ColumnNames
from fmcts.search._description import Expansion, Search
from fmcts.search._spelling import check_defined
from fmcts.search.derived import Derived, placed
from fmcts.search.memory import Table
from fmcts.search.methods import UCB1, Method
from fmcts.search.methods.amaf import AllMovesAsFirst
from fmcts.search.methods.method import zero
from fmcts.search.policies import Decisive, Narrowing, Policy, Preferring, Recalling, Uniform
from fmcts.search.policies.decisive import is_safe, wins
from fmcts.search.resolution import Resolution
from fmcts.search.schedules import chooses_below_root

Function: TypeAlias = Callable[..., Any] | None


UNIFORM: Final = Uniform()
LARGEST: Final = 1 << 53  # all integers up to this one are doubles
OF_KINDS: Final = (wins, is_safe)
"""The functions of kinds of moves that have machine code: `KINDS` of `policies`."""


@frozen
class DerivedFunctions:
    """A derived statistic without its numbers: names, first values, and functions.

    `leaf` and `heuristic` are `None` if it does not define them. `parameters` and `integers` name
    its numbers, as for `parameters_of`.
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
    """The functions of a method that are compiled in; `None` for those that it does not define.

    Functions that can be traced are formulas (`traced.Traced`), except `refers`. `score` of a
    user's rule that cannot be traced is the function itself, without `self`; of a method that
    scores all moves of a node together it is `scores`. `first` are the method's `first_numbers`,
    then zeros for its table; `method` provides the first rows in Python; `update_table` and
    `refers` are the functions of the table.
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

    :raises MethodError: it lacks one, or its first numbers cannot be compiled.
    """
    _check_method(method)
    updates, table = bool(method.columns), method.table
    more = len(method.names.moves) - len(method.move_columns)
    return Functions(
        method,
        type(method).scores if method.together else traced(method, 'score'),
        traced(method, 'summed') if method.sums else None,
        traced(method, 'by_visits') if method.counts else None,
        traced(method, 'update') if updates else None,
        traced(method, 'update_above_end') if updates and method.updates_above_ends else None,
        traced(table, 'update') if table is not None else None,
        type(table).refers if table is not None and table.scope == 'ancestor' else None,
        tuple(map(_derived_functions, method.derived)),
        (*method.first_numbers(), *(zero,) * more),
    )


def _check_method(method: Method) -> None:
    own = ('score',) * (not method.together) + ('update',) * bool(method.columns)
    check_defined(method, Method, f'the method {type(method).__name__}', *own)
    table = method.table
    if table is not None:
        own = ('update',) + ('refers',) * (table.scope == 'ancestor')
        check_defined(table, Table, f'the table {type(table).__name__}', *own)


def _check_policy(policy: Policy) -> None:
    """Check that the parts of a policy that remember define their functions.

    :raises MethodError: one does not.
    """
    for leaf in weighing(policy):
        check_defined(leaf, Recalling, f'the playout policy {type(leaf).__name__}', 'weigh')
    for table in policy.memories:
        check_defined(table, Table, f'the table {type(table).__name__}', 'update')


def formulas_of(method: Method) -> tuple[Traced, ...]:
    """Return the formulas of a user's method as they are now; none of the library's, which stay."""
    if is_of_library(method):
        return ()
    return tuple(it for it in functions_of(method) if isinstance(it, Traced))


@frozen
class Structure:
    """The decisions of a search that are compiled in.

    - `unvisited`: whether there may be children without visits.
    - `scheduled`: whether a schedule chooses the root's move.
    - `cut`: whether playouts end in an evaluation after some plies.
    - `evaluate`, `reward`: functions of integers, as in `Search`; `None`: no evaluation, and the
      reward by winner.
    - `keys`: the number of keys of moves, if the method has a table of scope `ancestor`. Then a
      table follows the rows of a block, and the table's columns of moves are filled from the
      reference's table before a move is chosen.
    - `weighs`: the functions of the policy; `updates`: those of its tables; `given`: those of the
      method, if they are not to be taken from its class.
    - `seats`: the number of players, if each of them has a reward of his own; 0 if a reward is one
      number, of X and O.
    """

    method: Method
    expansion: Expansion
    unvisited: bool = False
    scheduled: bool = False
    policy: Policy = UNIFORM
    cut: bool = False
    evaluate: Function = None
    reward: Function = None
    resolution: Resolution | None = None
    keys: int = 0
    weighs: tuple[Any, ...] = ()
    updates: tuple[Any, ...] = ()
    given: Functions | None = None
    seats: int = 0

    @cached_property
    def functions(self) -> Functions:
        """The functions of the method: those that were given, or those that it has now."""
        return self.given or functions_of(self.method)

    @cached_property
    def real(self) -> bool:
        """True if rewards other than for win, draw and loss occur, so that they are doubles."""
        return self.evaluate is not None or self.reward is not None or self.seats > 0

    @property
    def plain(self) -> bool:
        """True if the search is UCB1 only, with or without resolution."""
        return type(self.method) is UCB1 and not self.real

    @property
    def jumps(self) -> bool:
        """True if a descent may continue past untried moves."""
        return self.expansion == 'jump'

    @property
    def traces(self) -> bool:
        """True if the method has a table; then a row of doubles stores the moves' keys."""
        return self.method.table is not None

    @property
    def remembers(self) -> bool:
        """True if playouts remember, so that the moves of an iteration are recorded in order."""
        return bool(self.policy.memories)

    @cached_property
    def names(self) -> ColumnNames:
        """The names of the columns, as in `Search.columns`."""
        names, resolution = self.method.names, self.resolution
        return names._replace(own=(*names.own, resolution.column)) if resolution else names

    @cached_property
    def updated(self) -> int:
        """The number of columns that the method stores for a child; they are the first rows."""
        return len(self.method.columns)

    @property
    def updates_above_ends(self) -> bool:
        """True if columns change in the parent of a terminal node."""
        return self.updated > 0 and self.method.updates_above_ends

    @cached_property
    def derived(self) -> tuple[tuple[DerivedFunctions, int], ...]:
        """The derived statistics of children, each with the first of its rows."""
        resolution = (_derived_functions(self.resolution),) if self.resolution else ()
        return tuple(placed(self.updated, (*self.functions.derived, *resolution)))

    @cached_property
    def schema(self) -> Schema:
        """The rows of a block that store the statistics."""
        method, table = self.method, self.method.table
        updates: Any = getattr(type(table), 'update', None)
        return Schema(
            len(method.names.own),
            self.resolution is not None,
            len(method.move_columns),
            len(table.columns) if table is not None else 0,
            self.traces,
            self.real,
            2 * self.keys if self.refers else 0,
            self.refers and not self.real and updates is AllMovesAsFirst.update,
        )

    @property
    def refers(self) -> bool:
        """True if nodes have tables by key."""
        return bool(self.method.names.table)

    @cached_property
    def identity(self) -> tuple[object, ...]:
        """The plain values that distinguish the code for one structure from another's."""
        method = self.method
        return (
            (
                self.expansion,
                self.unvisited,
                self.scheduled,
                method.scores_unvisited,
                method.log_offset,
                type(method).__name__,
            ),
            (tuple(method.parameters), method.integers, method.columns, method.move_columns),
            method.table.identity if method.table is not None else (),
            self.functions[1:],
            self.derived,
            (self.policy.identity, self.cut, self.evaluate, self.reward),
            (self.weighs, self.updates),
            self.resolution,
            self.seats,
        )


def structure_of(search: Search, keys: int, *, unvisited: bool, seats: int = 0) -> Structure:
    """Return the structure of a search that `unable` accepts.

    `keys` is the number of keys of the game's moves; `unvisited`: see `Structure`.
    """
    _check_policy(search.policy)
    return Structure(
        search.method,
        search.expands,
        unvisited,
        scheduled=search.schedule is not None,
        policy=search.policy,
        cut=search.evaluate_after > 0,
        evaluate=_function(search.evaluate),
        reward=_function(search.reward),
        resolution=search.resolution,
        keys=keys if search.method.names.table else 0,
        weighs=tuple(type(leaf).weigh for leaf in weighing(search.policy)),
        updates=tuple(type(table).update for table in search.policy.memories),
        seats=seats,
    )


def without_network(search: Search) -> Search:
    """Return a search without a network whose trees are stored in the same way."""
    return evolve(
        search,
        network=None,
        batch=1,
        c=None,
        selection=search.method,
        evaluate=OnPositions(left_behind),
    )


def weighing(policy: Policy) -> list[Recalling]:
    """Return the leaves of a policy that have a function `weigh`."""
    return [leaf for leaf in policy.leaves if isinstance(leaf, Recalling)]


def _unable_in(policy: Policy) -> object:
    """Return a leaf or function of a playout policy that has no machine code, or `None`."""
    found = map(_unable_leaf, policy.leaves)
    return next((each for each in found if each is not None), None)


def _unable_leaf(policy: Policy) -> object:
    if type(policy) is Narrowing:
        return None if isinstance(policy.function, OnPositions) else policy.function
    kind = type(policy)
    for base in (Recalling, Preferring):
        if isinstance(policy, base):
            hooks = ('choose', 'choose_knowing', 'chooser')
            own = [name for name in hooks if getattr(kind, name) is not getattr(base, name)]
            kinds = policy.kinds if isinstance(policy, Preferring) else ()
            known = all(belongs in (None, *OF_KINDS) for _, belongs in kinds)
            return None if known and not own else policy
    return None if kind is Uniform else policy


def _rank(kind: type, name: str) -> int:
    """Return the position, in the order of a class's ancestors, of the one that defines `name`."""
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
    if isinstance(given, Policy):
        return f'{name}={called}, a policy without machine code'
    return f'{name}={called}, a function of states: wrap a function of positions in OnPositions'


@remembered
def unable(search: Search) -> str | None:
    """Return why a search cannot be compiled, whatever the game; `None` if it can."""
    given: object
    if search.network is not None:
        missing = of_states('network', search.network)
        return missing or unable(without_network(search))
    if search.transpositions is not None:
        return 'transpositions: its tree has one place for each child and no table of positions'
    for name, given in (
        *(('heuristic', each.heuristic) for each in search.derived),
        ('playout', _unable_in(search.policy)),
        ('evaluate', search.evaluate),
        ('reward', search.reward),
    ):
        missing = of_states(name, given)
        if missing is not None:
            return missing
    for is_given, missing in (
        (chooses_below_root(search.schedule), 'schedules below the root, such as shot'),
        (search.rollout_expand, 'rollout_expand, which adds the states of a playout to the tree'),
    ):
        if is_given:
            return missing
    return _too_large(search) or _unable_method(search.method)


def unable_with_chance(search: Search, state: Any) -> str | None:
    """Return what of a search is not compiled in a game with chance or other players, or `None`."""
    if is_plain(state):
        return None
    where = 'in games with chance, rewards or other players'
    policy = search.policy
    if not isinstance(policy, Uniform | Narrowing) and type(policy) is not Decisive:
        return f'the playout {type(policy).__name__.lower()} {where}'
    if search.evaluate is not None and has_rewards(state):
        return f'evaluate {where} (a number for each player)'
    return None


def _too_large(search: Search) -> str | None:
    """Return which integer of a search is no double; `None` if all are."""
    table = [] if search.method.table is None else [search.method.table]
    parts = [search.method, *table, *search.derived, *search.policy.memories]
    for part in (*parts, *weighing(search.policy)):
        for name in part.integers:
            if abs(getattr(part, name)) > LARGEST:
                return f'integers beyond 2**53: the parameter {name} of {type(part).__name__}'
    return None


def _unable_method(method: Method) -> str | None:
    """Return why a method cannot be compiled by itself; `None` if it can."""
    kind = type(method)
    if _rank(kind, 'first_rows') < _rank(kind, 'first_numbers'):
        return f'first_rows of states, as in {kind.__name__}: define first_numbers'
    try:
        method.first_numbers()
    except MethodError as error:
        return str(error)
    return None
