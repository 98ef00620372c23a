"""Combinations of options that `Search` refuses, in one table.

A row has two options that exclude each other, or of which one needs the other, and the reason. An
option is in use if it differs from its default; `IN_USE` has the other tests.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from attrs import fields

from fmcts.search.gumbel_halving import GumbelHalving, needs_gumbel
from fmcts.search.methods.method import Method
from fmcts.search.resolution import RESOLUTIONS
from fmcts.search.schedules import chooses_below_root

HALVING: Final = 'schedule GumbelHalving'
SHOT: Final = 'schedule shot'
OTHER_EXPANSION: Final = 'expansion other than selected'
BY_CHILD: Final = 'a selection with columns of children'
BY_MOVE: Final = 'a selection that remembers moves'
UNSCALED: Final = 'a selection whose rewards are on one scale, such as bayes-uct1 or Gumbel()'
REMEMBERING: Final = 'a playout that remembers'
DRAWN: Final = 'proposals by a function'
LISTED: Final = 'a selection with numbers of moves, such as a prior'
AT_ONCE: Final = 'evaluate without evaluate_after'
EXACT: Final = "solver='exact'"
RESERVED: Final = 'a column called proof, bounds, exact or closed'
WITH_PRIORS: Final = (
    'a selection with priors, but none given, such as puct, puct-reduced or widening, or one that '
    'knows moves by their visits alone, such as ucb1'
)


def _lacks_priors(search: Any) -> bool:
    """Return whether a network may not give the method of a search its priors."""
    method = search.method
    if not method.move_columns:  # then only the values are used
        return method.table is not None or bool(method.derived)
    return not (
        method.move_columns == ('prior',)
        and method.scores_unvisited
        and method.table is None
        and getattr(method, 'prior', None) is None
    )


def _uses_reserved_name(search: Any) -> bool:
    given = search.selection
    return isinstance(given, Method) and any(name in RESOLUTIONS for name in given.names.own)


IN_USE: Final[Mapping[str, Callable[[Any], bool]]] = {
    HALVING: lambda search: isinstance(search.schedule, GumbelHalving),
    SHOT: lambda search: chooses_below_root(search.schedule),
    OTHER_EXPANSION: lambda search: search.expansion not in {None, 'selected'},
    'expansion selected': lambda search: search.expansion == 'selected',
    BY_CHILD: lambda search: bool(search.given_method.names.own),
    UNSCALED: lambda search: not search.given_method.scales,
    BY_MOVE: lambda search: search.method.table is not None,
    REMEMBERING: lambda search: bool(search.policy.memories),
    'selection': lambda search: search.selection != 'ucb1',
    AT_ONCE: lambda search: search.evaluate is not None and not search.evaluate_after,
    # As the other option of a row with `needs`: that it is missing.
    'needs network': lambda search: search.network is None,
    'needs solver': lambda search: not search.solver,
    'needs evaluate': lambda search: search.evaluate is None,
    f'needs {WITH_PRIORS}': _lacks_priors,
    'needs the selection Gumbel()': needs_gumbel,
    'needs a method that judges moves without visits, such as puct': (
        lambda search: not search.method.scores_unvisited
    ),
    'belongs to a selection given by name': lambda search: not isinstance(search.selection, str),
    LISTED: lambda search: bool(search.method.names.moves),
    DRAWN: lambda search: search.proposing is not None,
    RESERVED: _uses_reserved_name,
    EXACT: lambda search: search.solver == 'exact',
}
"""The tests of options that are not in use whenever they differ from their defaults."""


class Combination(NamedTuple):
    """Two options that exclude each other; or a `relation` between them, such as `needs`."""

    option: str
    other: str
    reason: str
    relation: str = ''

    @property
    def message(self) -> str:
        """One line that says what is wrong, and why."""
        verb = f' {self.relation} ' if self.relation else ' and '
        excludes = '' if self.relation else ' exclude each other'
        reason = f': {self.reason}' if self.reason else ''
        return f'{self.option}{verb}{self.other}{excludes}{reason}'

    def applies(self, search: Any) -> bool:
        """Return whether a search has both options; for a `relation`, one without the other."""
        other = f'{self.relation} {self.other}' if self.relation else self.other
        return _in_use(search, self.option) and _in_use(search, other)


def _in_use(search: Any, option: str) -> bool:
    if option in IN_USE:
        return IN_USE[option](search)
    kind: Any = type(search)
    value, default = getattr(search, option), _defaults(kind)[option]
    return value is not None if default is None else bool(value != default)


@functools.lru_cache(maxsize=8)
def _defaults(kind: Any) -> dict[str, Any]:
    return {each.name: each.default for each in fields(kind)}


VALUES: Final = 'a network provides the values'
PARENTS: Final = (
    'a result is stored for the side that moved to a node, and a state of a graph may have several '
    'parents'
)
UNLISTED: Final = 'it needs all moves of a node from the start'
RESOLVED: Final = 'a schedule would still visit resolved moves'

COMBINATIONS: Final = tuple(
    Combination(*row)
    for row in (
        ('batch', 'network', 'it is the number of positions in one call of the network', 'needs'),
        ('collisions', 'network', 'it says when a batch for the network ends', 'needs'),
        ('collisions', 'sliding', 'a window waits until the state that a descent meets is judged'),
        ('sliding', 'network', 'it says when the next position waits for the network', 'needs'),
        ('sliding', 'schedule', 'the first moves that a schedule wants are decided batch by batch'),
        ('network', WITH_PRIORS, 'the network provides the priors', 'needs'),
        ('network', 'evaluate', VALUES),
        ('network', 'playout', f'{VALUES}, without playouts'),
        ('network', 'rollout_expand', 'it adds the states of a playout, and there is no playout'),
        ('network', 'transpositions', 'batches are collected in trees only'),
        ('network', OTHER_EXPANSION, 'its priors decide which move comes first'),
        ('network', SHOT, 'shot tries every move once, whatever its prior'),
        ('normalised', UNSCALED, 'it has no function `scaled`, or a scale of its own'),
        (HALVING, 'the selection Gumbel()', 'it scores moves as that does', 'needs'),
        (HALVING, OTHER_EXPANSION, 'it counts visits'),
        (HALVING, 'final', 'it chooses the move to play'),
        (
            'c',
            'a selection given by name',
            'give a method its constant, as in UCB1(c=0.5)',
            'belongs to',
        ),
        ('evaluate_after', 'evaluate', 'a function for the rest of the playout', 'needs'),
        ('playout', AT_ONCE, 'the evaluation replaces the playout'),
        ('rollout_expand', AT_ONCE, 'it adds the states of a playout, and there is no playout'),
        (DRAWN, 'network', 'an evaluator may propose moves itself, as in fmcts.asking'),
        (DRAWN, LISTED, UNLISTED),
        *(('proposals', option, UNLISTED) for option in ('solver', 'closing', 'schedule')),
        ('proposals', 'expansion', 'a move is tried as soon as it is proposed'),
        ('proposals', 'transpositions', 'each node of a tree has a generator for its proposals'),
        ('proposals', 'rollout_expand', 'it adds the moves of a playout, which were not proposed'),
        ('schedule', 'stop', 'a schedule divides a fixed number of iterations'),
        ('solver', 'schedule', RESOLVED),
        ('closing', 'schedule', RESOLVED),
        (SHOT, 'selection', 'shot chooses every move of a descent itself'),
        (SHOT, 'expansion', 'shot chooses every move of a descent itself'),
        (SHOT, 'transpositions', 'shot divides iterations below each node of a tree'),
        (
            SHOT,
            'rollout_expand',
            'it adds nodes without visits of their own, which shot cannot budget',
        ),
        ('transpositions', 'solver', PARENTS),
        ('transpositions', 'closing', PARENTS),
        (
            'transpositions',
            BY_CHILD,
            'it keeps numbers for each child, and a state of a graph may have several parents',
        ),
        (
            'transpositions',
            BY_MOVE,
            'it records the moves after a move, which depend on the path in a graph',
        ),
        ('selection', RESERVED, 'these names are reserved for resolved nodes'),
        (
            'transpositions',
            'rollout_expand',
            'the states of playouts are added to trees only',
        ),
        (
            'transpositions',
            REMEMBERING,
            'the tables of playouts are stored at the root of a tree',
        ),
        ('bounds', 'solver', 'it refines what the solver proves', 'needs'),
        ('bounds', EXACT, 'an exact value is its own bounds'),
        ('horizon', EXACT, 'a line that is cut proves nothing; see fmcts.solve.expectation'),
        ('solver', 'closing', 'the solver proves what is fully explored'),
        ('solver', 'reward', 'the solver proves wins, losses and draws only'),
        (
            'expansion selected',
            'a method that judges moves without visits, such as puct',
            'it may choose a move that was not tried',
            'needs',
        ),
    )
)
"""Every row, in the order in which a search is checked."""


def check_combinations(search: Any) -> None:
    """Check that the options of a search can be combined.

    :raises ValueError: two exclude each other; the message names them and the reason.
    """
    for row in COMBINATIONS:
        if row.applies(search):
            raise ValueError(row.message)
