"""Combinations of options that `Search` refuses, in one table.

A row has two options that exclude each other, the reason, and a test of whether a search has both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from attrs import frozen

from fmcts.search.gumbel_halving import GumbelHalving, needs_gumbel
from fmcts.search.methods.method import Method
from fmcts.search.resolution import RESOLUTIONS
from fmcts.search.schedules import chooses_below_root


@frozen
class Combination:
    """Two options that exclude each other.

    `applies(search)`: whether the search has them. `relation`: a verb between the first and the
    `other`, such as `needs`; by default they exclude each other.
    """

    option: str
    other: str
    reason: str
    applies: Callable[[Any], bool]
    relation: str = ''

    @property
    def message(self) -> str:
        """One line that says what is wrong, and why."""
        if self.relation:
            what = f'{self.option} {self.relation} {self.other}'
        else:
            what = f'{self.option} and {self.other} exclude each other'
        return f'{what}: {self.reason}' if self.reason else what


def _columns_of_a_method_given(search: Any) -> tuple[str, ...]:
    """Return the columns of a user's method; those of the library's own need no check."""
    given = search.selection
    return given.names.own if isinstance(given, Method) else ()


def _has_priors(method: Method) -> bool:
    """Return whether a network may give a method its priors."""
    return (
        method.move_columns == ('prior',)
        and method.scores_unvisited
        and method.table is None
        and getattr(method, 'prior', None) is None
    )


COMBINATIONS: Final[tuple[Combination, ...]] = (
    Combination(
        'batch',
        'network',
        'it is the number of positions in one call of the network',
        lambda search: search.batch > 1 and search.network is None,
        'needs',
    ),
    Combination(
        'network',
        'a selection with priors, but none given, such as puct, puct-reduced or widening',
        'the network provides the priors',
        lambda search: search.network is not None and not _has_priors(search.method),
        'needs',
    ),
    *(
        Combination(
            'network',
            option,
            reason,
            lambda search, option=option, usual=usual: (  # type: ignore[misc] # as below
                search.network is not None and getattr(search, option) != usual
            ),
        )
        for option, usual, reason in (
            ('evaluate', None, 'a network provides the values'),
            ('playout', 'uniform', 'a network provides the values, without playouts'),
            ('rollout_expand', False, 'it adds the states of a playout, and there is no playout'),
            ('transpositions', None, 'batches are collected in trees only'),
        )
    ),
    Combination(
        'network',
        'expansion other than selected',
        'its priors decide which move comes first',
        lambda search: search.network is not None and search.expansion not in {None, 'selected'},
    ),
    Combination(
        'network',
        'schedule shot',
        'shot tries every move once, whatever its prior',
        lambda search: search.network is not None and chooses_below_root(search.schedule),
    ),
    Combination(
        'schedule GumbelHalving',
        'the selection Gumbel()',
        'it scores moves as that does',
        needs_gumbel,
        'needs',
    ),
    *(
        Combination(
            'schedule GumbelHalving',
            option,
            reason,
            lambda search, name=name, usual=usual: (  # type: ignore[misc] # as below
                isinstance(search.schedule, GumbelHalving) and getattr(search, name) not in usual
            ),
        )
        for name, option, usual, reason in (
            ('expansion', 'expansion other than selected', (None, 'selected'), 'it counts visits'),
            ('final', 'final', ('robust',), 'it chooses the move to play'),
        )
    ),
    Combination(
        'c',
        'a selection given by name',
        'give a method its constant, as in UCB1(c=0.5)',
        lambda search: search.c is not None and not isinstance(search.selection, str),
        'belongs to',
    ),
    Combination(
        'evaluate_after',
        'evaluate',
        'a function for the rest of the playout',
        lambda search: search.evaluate is None and search.evaluate_after > 0,
        'needs',
    ),
    Combination(
        'playout',
        'evaluate',
        'an evaluation replaces the playout, unless it comes after some plies (evaluate_after)',
        lambda search: _without_playouts(search) and search.playout != 'uniform',
    ),
    Combination(
        'rollout_expand',
        'evaluate',
        'it adds the states of a playout, and there is no playout unless the evaluation comes '
        'after some plies (evaluate_after)',
        lambda search: _without_playouts(search) and search.rollout_expand,
    ),
    Combination(
        'schedule',
        'stop',
        'a schedule divides a fixed number of iterations',
        lambda search: search.schedule is not None and search.stop is not None,
    ),
    *(
        Combination(
            resolves,
            'schedule',
            'a schedule would still visit resolved moves',
            lambda search, resolves=resolves: (  # type: ignore[misc] # mypy cannot infer its type
                getattr(search, resolves) and search.schedule is not None
            ),
        )
        for resolves in ('solver', 'closing')
    ),
    *(
        Combination(
            'schedule shot',
            option,
            'shot chooses every move of a descent itself',
            lambda search, option=option, usual=usual: (  # type: ignore[misc] # as above
                chooses_below_root(search.schedule) and getattr(search, option) != usual
            ),
        )
        for option, usual in (('selection', 'ucb1'), ('expansion', None))
    ),
    Combination(
        'schedule shot',
        'transpositions',
        'shot divides iterations below each node of a tree',
        lambda search: chooses_below_root(search.schedule) and search.transpositions is not None,
    ),
    Combination(
        'schedule shot',
        'rollout_expand',
        'it adds nodes without visits of their own, which shot cannot budget',
        lambda search: chooses_below_root(search.schedule) and search.rollout_expand,
    ),
    *(
        Combination(
            'transpositions',
            resolves,
            'a result is stored for the side that moved to a node, and a state of a graph may have '
            'several parents',
            lambda search, resolves=resolves: (  # type: ignore[misc] # mypy cannot infer its type
                search.transpositions is not None and getattr(search, resolves)
            ),
        )
        for resolves in ('solver', 'closing')
    ),
    Combination(
        'transpositions',
        'a selection with columns of children',
        'it keeps numbers for each child, and a state of a graph may have several parents',
        lambda search: search.transpositions is not None and bool(search.method.names.own),
    ),
    Combination(
        'transpositions',
        'a selection that remembers moves',
        'it records the moves after a move, which depend on the path in a graph',
        lambda search: search.transpositions is not None and search.method.table is not None,
    ),
    Combination(
        'selection',
        'a column called proof, bounds or closed',
        'these names are reserved for resolved nodes',
        lambda search: any(name in RESOLUTIONS for name in _columns_of_a_method_given(search)),
    ),
    Combination(
        'transpositions',
        'expansion jump',
        'jumps are supported in trees only',
        lambda search: search.transpositions is not None and search.expansion == 'jump',
    ),
    Combination(
        'transpositions',
        'rollout_expand',
        'the states of playouts are added to trees only',
        lambda search: search.transpositions is not None and search.rollout_expand,
    ),
    Combination(
        'transpositions',
        'a playout that remembers',
        'the tables of playouts are stored at the root of a tree',
        lambda search: search.transpositions is not None and bool(search.policy.memories),
    ),
    Combination(
        'bounds',
        'solver',
        'it refines what the solver proves',
        lambda search: search.bounds and not search.solver,
        'needs',
    ),
    Combination(
        'solver',
        'closing',
        'the solver proves what is fully explored',
        lambda search: search.solver and search.closing,
    ),
    Combination(
        'solver',
        'reward',
        'the solver proves wins, losses and draws only',
        lambda search: search.solver and search.reward is not None,
    ),
    Combination(
        'expansion selected',
        'a method that judges moves without visits, such as puct',
        '',
        lambda search: search.expansion == 'selected' and not search.method.scores_unvisited,
        'needs',
    ),
)
"""Every row, in the order in which a search is checked."""


def _without_playouts(search: Any) -> bool:
    return search.evaluate is not None and not search.evaluate_after


def check_combinations(search: Any) -> None:
    """Check that the options of a search can be combined.

    :raises ValueError: two exclude each other; the message names them and the reason.
    """
    for row in COMBINATIONS:
        if row.applies(search):
            raise ValueError(row.message)
