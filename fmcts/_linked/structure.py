"""The structure of a search, without its numbers, which is linked in; and what cannot be.

A block of the tree has rows of doubles for the statistics of its children (see `search.c`): the
method's columns and the derived statistics, one that marks resolved children, the columns of moves
(the method's, then its table's), the moves' keys, and rewards other than halves.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, Final, cast

import attrs
from attrs import frozen

from fmcts._engines import returns_of
from fmcts._linked.keys import is_own
from fmcts.errors import MethodError
from fmcts.game import Player, has_rewards, is_plain, players_of
from fmcts.rules import IntegerRules, OnPositions, rules_of
from fmcts.search import ColumnNames, Expansion, Search
from fmcts.search.derived import Derived
from fmcts.search.methods import UCB1, Method, Rule
from fmcts.search.methods.amaf import AllMovesAsFirst
from fmcts.search.methods.method import zero
from fmcts.search.policies import Narrowing, Policy, Preferring, Recalling, Uniform
from fmcts.search.policies.decisive import is_safe, wins
from fmcts.search.resolution import Resolution
from fmcts.search.schedules import chooses_below_root

UNIFORM: Final = Uniform()
LARGEST: Final = 1 << 53  # all integers up to this one are doubles
MOST: Final = 8  # derived statistics, and tables of playouts, of one search
MOST_KINDS: Final = 3  # of moves that a playout policy prefers


@frozen
class Structure:
    """The decisions of a search that are constants of its machine code.

    - `unvisited`: whether there may be children without visits; `joins`: whether the states of
      playouts join the tree; `scheduled`: whether a schedule chooses the root's move; `cut`:
      whether playouts end in an evaluation after some plies.
    - `evaluate`, `reward`: functions of positions, `None` if the search has none; `real`: whether
      there are rewards other than for win, draw and loss, which are stored as doubles.
    - `keys`: the number of keys of moves, if the method has a table of scope `ancestor`.
    - `seats`: the number of players, if each has a reward of his own; 0 if a reward is one number.
    - `returns`: whether there are rewards on the way, a discount or a horizon.
    - `graph`: whether equal positions are one node.
    """

    method: Method
    expansion: Expansion = 'in-order'
    unvisited: bool = False
    joins: bool = False
    scheduled: bool = False
    policy: Policy = UNIFORM
    cut: bool = False
    evaluate: Any = None
    reward: Any = None
    real: bool = False
    resolution: Resolution | None = None
    keys: int = 0
    seats: int = 0
    returns: bool = False
    graph: bool = False

    @property
    def plain(self) -> bool:
        """True if the search is UCB1 only, with or without resolution."""
        return type(self.method) is UCB1 and not self.real

    @property
    def traces(self) -> bool:
        """True if the method has a table; then a row of doubles stores the moves' keys."""
        return self.method.table is not None

    @property
    def refers(self) -> bool:
        """True if each node has a table by key."""
        return bool(self.method.names.table)

    @property
    def updates_above_ends(self) -> bool:
        """True if columns change in the parent of a terminal node."""
        return bool(self.method.columns) and self.method.updates_above_ends

    @cached_property
    def names(self) -> ColumnNames:
        """The names of the columns, as in `Search.columns`."""
        names, resolution = self.method.names, self.resolution
        return names._replace(own=(*names.own, resolution.column)) if resolution else names

    @cached_property
    def statistics(self) -> tuple[Derived, ...]:
        """The derived statistics of children."""
        return (*self.method.derived, *([self.resolution] if self.resolution else []))

    @cached_property
    def first_numbers(self) -> tuple[Any, ...]:
        """The functions of the first numbers of the moves' columns."""
        more = len(self.method.names.moves) - len(self.method.move_columns)
        return (*self.method.first_numbers(), *(zero,) * more)

    # ---- rows of a block: of children, a mark of the resolved, of moves, their keys, rewards ----

    @property
    def resolution_row(self) -> int:
        """The row that marks resolved children, if the search resolves nodes."""
        return len(self.method.names.own)

    @property
    def range_row(self) -> int:
        """The row of the lowest mean seen, in a search with normalised values, or -1."""
        own = self.method.names.own
        return own.index('least') if 'least' in own else -1

    @cached_property
    def own(self) -> int:
        """The number of rows of children."""
        return len(self.names.own)

    @cached_property
    def table_columns(self) -> int:
        """The number of columns of the method's table."""
        return len(self.method.table.columns) if self.method.table is not None else 0

    @cached_property
    def moves(self) -> int:
        """The number of rows of moves; the table's columns come last."""
        return len(self.method.move_columns) + self.table_columns

    @property
    def key_row(self) -> int:
        """The row of the moves' keys."""
        return self.own + self.moves

    @property
    def reward_row(self) -> int:
        """The row of the children's rewards."""
        return self.key_row + self.traces

    @cached_property
    def rows(self) -> int:
        """The number of rows of doubles in a block."""
        return self.reward_row + self.real + self.graph

    @cached_property
    def in_halves(self) -> bool:
        """True if tables hold counts and sums of halves: integers of half the size of doubles."""
        update: Any = getattr(type(self.method.table), 'update', None)
        return self.refers and not self.real and update is AllMovesAsFirst.update

    @cached_property
    def tail(self) -> int:
        """The number of integers in a table: for each column of all keys of X, then all of O."""
        entries = 2 * self.keys if self.refers else 0
        return (1 if self.in_halves else 2) * self.table_columns * entries


def structure_of(search: Search, state: Any, *, unvisited: bool = False) -> Structure:
    """Return the structure of a search that `unable` accepts, in the game of a state.

    `unvisited`: whether its tree has children without visits from the start.
    """
    valued = search.network, search.evaluate, search.reward, search.transpositions
    # A network is asked about children before they are visited.
    waits = search.network is not None or search.transpositions is not None
    seats = len(players_of(state)) if has_rewards(state) else 0
    return Structure(
        search.method,
        search.expands,
        unvisited or waits or search.expands == 'selected' or makes_ahead(search),
        search.rollout_expand,
        scheduled=search.schedule is not None,
        policy=search.policy,
        cut=search.evaluate_after > 0,
        evaluate=_function(search.evaluate),
        reward=_function(search.reward),
        real=seats > 0 or any(each is not None for each in valued),
        resolution=search.resolution,
        keys=cast('IntegerRules', rules_of(state)).keys if search.method.names.table else 0,
        seats=seats,
        returns=returns_of(search, state) is not None,
        graph=search.transpositions is not None,
    )


def makes_ahead(search: Search) -> bool:
    """Return whether iterations make children that get no visit at first."""
    return search.expands == 'full' or search.rollout_expand


def is_fixed(search: Search) -> bool:
    """Return whether nothing in a search is a user's function, so that its code never changes."""
    method, policy = search.method, search.policy
    parts = (method, method.table, *search.derived, *policy.leaves, *policy.memories)
    given = (search.evaluate, search.reward, *(each.heuristic for each in search.derived))
    return (
        all(is_own(type(part)) for part in parts if part is not None)
        and not isinstance(method, Rule)
        and not any(isinstance(leaf, Narrowing) for leaf in policy.leaves)
        and all(each is None for each in given)
        and all(is_own(each) for each in method.first_numbers())
    )


@lru_cache(maxsize=1 << 8)
def are_own(rules: IntegerRules) -> bool:
    """Return whether no rule of a game is a user's function."""
    return all(is_own(getattr(rules, name)) for name in FUNCTIONS if getattr(rules, name))


FUNCTIONS: Final = (
    *('menu', 'play', 'side', 'winner', 'count', 'pick', 'key', 'chances', 'weight'),
    *('winning', 'safe', 'patient', 'rewards', 'gained'),
)
"""The rules that are compiled."""


def _function(given: object) -> Any:
    return given.function if isinstance(given, OnPositions) else None


# ---- what cannot be compiled ----


def of_states(name: str, given: object) -> str | None:
    """Return why a function, the search's `name`, cannot be compiled; `None` if it can."""
    if given is None or isinstance(given, OnPositions):
        return None
    called = getattr(given, '__name__', None) or type(given).__name__
    if isinstance(given, Policy):
        return f'{name}={called}, a policy without machine code'
    return f'{name}={called}, a function of states: wrap a function of positions in OnPositions'


def unable(search: Search) -> str | None:
    """Return why a search cannot be compiled, whatever the game; `None` if it can."""
    given: object
    if search.proposing is not None:
        return 'proposals: its nodes have all their moves from the start'
    if search.sliding:
        return 'sliding descents'
    for name, given in (
        *(('heuristic', each.heuristic) for each in search.derived),
        *(('playout', _unable_leaf(leaf)) for leaf in search.policy.leaves),
        ('evaluate', search.evaluate),
        ('reward', search.reward),
        ('network', search.network),
    ):
        missing = of_states(name, given)
        if missing is not None:
            return missing
    method, merges, normalised = search.method, search.transpositions, search.normalised
    lacking = {
        'a network with normalised values': search.network and normalised,
        'a network with a selection without priors': search.network and not method.move_columns,
        'normalised values in a selection that is a function': (
            normalised and isinstance(search.given_method, Rule)
        ),
        "transpositions='naive', which credits every parent": merges == 'naive',
        'transpositions with normalised values, or scores of all moves together': (
            merges and (normalised or method.together)
        ),
        'schedules below the root, such as shot': chooses_below_root(search.schedule),
        "solver='exact'": search.solver == 'exact',
        f'more than {MOST} derived statistics': len(search.derived) > MOST,
        f'more than {MOST} tables of playouts': len(search.policy.memories) > MOST,
    }
    missing = next((what for what, there in lacking.items() if there), None)
    return missing or _too_large(search) or _unable_method(method)


def unable_with_chance(search: Search, state: Any) -> str | None:
    """Return what of a search is not compiled in a game with chance or other players, or `None`."""
    own_players, rewards = players_of(state) != tuple(Player), has_rewards(state)
    chance, returns = hasattr(state, 'chances'), returns_of(search, state) is not None
    method, merges, plain = search.method, search.transpositions, is_plain(state)
    running = all(each.running for each in method.derived)
    lacking = {
        'transpositions in games with chance, rewards or other players, or with a horizon': (
            merges and (chance or returns or rewards or own_players)
        ),
        'statistics by move in games with chance or other players': (
            (method.table is not None or search.policy.memories) and (chance or own_players)
        ),
        (
            'a selection that derives numbers from children, in games with chance or rewards on '
            'the way'
        ): (chance or returns) and not running,
        'a selection that scores all moves together, in games with rewards': (
            method.together and rewards
        ),
        'a network in games with chance': search.network is not None and not plain,
        'evaluate in games with rewards or other players (a number for each player)': (
            search.evaluate is not None and rewards and not plain
        ),
    }
    missing = next((what for what, there in lacking.items() if there), None)
    return missing or (_unmerged(state) if merges else None)


def _unmerged(state: Any) -> str | None:
    """Return why equal positions may belong to states that differ; `None` if they cannot.

    Machine code compares positions where Python compares states.
    """
    kind: Any = type(state)
    if is_own(kind):
        return None
    position = cast('IntegerRules', rules_of(state)).pack(state)
    equal = getattr(getattr(kind.__eq__, '__code__', None), 'co_filename', '')
    fields: dict[str, bool] = {}  # whether each is compared as it is
    if attrs.has(kind) and equal.startswith('<attrs'):
        fields = {each.name: each.eq and each.eq_key is None for each in attrs.fields(kind)}
    elif equal == '<string>':
        fields = {each.name: each.compare for each in dataclasses.fields(kind)}
    for name, compared in fields.items():
        if not compared:
            return f'transpositions of {kind.__name__}, whose `==` leaves out the field {name!r}'
        among = position, state.player, getattr(position, name, ...)
        if getattr(state, name) not in among:
            return f'transpositions of {kind.__name__}, whose positions lack the field {name!r}'
    return None if fields else f'transpositions of {kind.__name__}, which has its own `==`'


def _unable_leaf(policy: Policy) -> object:
    """Return a leaf of a playout policy, or its function, if it has no machine code, or `None`."""
    if type(policy) is Narrowing:
        return None if isinstance(policy.function, OnPositions) else policy.function
    kind = type(policy)
    for base in (Recalling, Preferring):
        if isinstance(policy, base):
            hooks = ('choose', 'chooser')
            changed = any(getattr(kind, name) is not getattr(base, name) for name in hooks)
            kinds = policy.kinds if isinstance(policy, Preferring) else ()
            known = len(kinds) <= MOST_KINDS and all(
                belongs in (None, wins, is_safe) for _, belongs in kinds
            )
            return None if known and not changed else policy
    return None if kind is Uniform else policy


def _too_large(search: Search) -> str | None:
    """Return the name of an integer of a search that is not exactly a double; `None` if all are."""
    tables = [] if search.method.table is None else [search.method.table]
    leaves = [leaf for leaf in search.policy.leaves if isinstance(leaf, Recalling)]
    for part in (search.method, *tables, *search.derived, *search.policy.memories, *leaves):
        for name in part.integers:
            if abs(getattr(part, name)) > LARGEST:
                return f'integers beyond 2**53: the parameter {name} of {type(part).__name__}'
    return None


def _unable_method(method: Method) -> str | None:
    """Return why a method cannot be compiled by itself; `None` if it can."""
    kind = type(method)
    ranks = {
        name: next(i for i, it in enumerate(kind.__mro__) if name in vars(it))
        for name in ('first_rows', 'first_numbers')
    }
    if ranks['first_rows'] < ranks['first_numbers']:
        return f'first_rows of states, as in {kind.__name__}: define first_numbers'
    try:
        method.first_numbers()
    except MethodError as error:
        return str(error)
    return None


def parameters_of(search: Search) -> dict[str, list[float]]:
    """Return the numbers of a search, by the names that `State` has for them."""
    method, table, policy = search.method, search.method.table, search.policy
    memories, derived = policy.memories, search.derived
    numbers = {
        'numbers': () if isinstance(method, Rule) else method.parameters.values(),
        'table_numbers': table.parameters.values() if table else (),
        'policy_numbers': policy.numbers,
        'memory_numbers': chain.from_iterable(it.parameters.values() for it in memories),
        'derived_numbers': chain.from_iterable(it.parameters.values() for it in derived),
    }
    return {name: [*map(float, each)] for name, each in numbers.items()}


def marks_of(structure: Structure, rules: IntegerRules) -> dict[str, int]:
    """Return how many words of 32 bits the notes of an iteration's moves take, by their names."""
    return {
        'marks': 4 * -(-rules.keys // 64) if structure.traces else 0,
        'seen': 2 * rules.keys if structure.policy.memories else 0,
    }
