"""`Search`: everything that describes a search, as one frozen value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias, cast, get_args

from attrs import Factory, field, frozen
from attrs.validators import optional

from fmcts._arguments import shown
from fmcts._declared import drawn_by, shown_by
from fmcts._validators import (
    a_function,
    as_count,
    as_float,
    count_from_zero,
    finite,
    must_be,
    one_of,
    positive_count,
    positive_share,
    switch,
)
from fmcts.game import MAX_PLIES
from fmcts.rules import OnPositions
from fmcts.search._columns import ColumnNames
from fmcts.search._combinations import check_combinations
from fmcts.search.derived import Derived, Worth
from fmcts.search.memory import check_tables
from fmcts.search.methods import METHODS, Method, Rule
from fmcts.search.methods.method import check_columns
from fmcts.search.networks import Network
from fmcts.search.normalising import normalised
from fmcts.search.policies import POLICIES, Policy, policy_of
from fmcts.search.proposals import Proposals, Propose, Width, are_proposals, proposals_of
from fmcts.search.resolution import BOUNDS, CLOSING, EXACT, SOLVER, Resolution
from fmcts.search.schedules import SCHEDULES, Schedule, chooses_below_root

Expansion: TypeAlias = Literal['in-order', 'random', 'full', 'selected', 'jump']
Selection: TypeAlias = str | Method | Callable[[Any, Any], float]
Playout: TypeAlias = str | Policy | OnPositions | Callable[[Any], Sequence[Any]]
Stop: TypeAlias = Callable[[tuple[Any, ...]], bool] | None
FinalChoice: TypeAlias = Literal['robust', 'first-robust', 'robust-of-all', 'max', 'ucb']
Transpositions: TypeAlias = Literal['sound', 'naive']
"""The rules by which a graph is backed up; see `docs/transpositions.md`."""


def _is_selection(value: object) -> bool:
    if isinstance(value, Method):
        check_columns(value)
        return True
    return _is_function(value)


def _is_playout(value: object) -> bool:
    if isinstance(value, Policy):
        for leaf in value.leaves:
            check_tables(leaf.memories)
        return True
    return _is_function(value)


def _is_function(value: object) -> bool:
    """Return whether the value can be called, and is not a class."""
    return callable(value) and not isinstance(value, type)


def _is_schedule(value: object) -> bool:
    return value is None or (isinstance(value, Schedule) and not isinstance(value, type))


def _schedule_named(value: Schedule | str | None) -> Any:
    """Return the schedule of that name, as an attrs converter; any other value unchanged."""
    kind = SCHEDULES.get(value) if isinstance(value, str) else None
    return value if kind is None else kind()


@drawn_by('searches')
@frozen
class Search:
    """A description of a search: the same description, state and generator give the same tree.

    - `iterations`: the number of iterations, each with one playout.
    - `network`: a function `f(states) -> (priors, values)` that evaluates many states at once, or
      `OnPositions(f)` of a function of an array of integers with a row for each position (see
      `fmcts.search.networks`). It replaces playouts. `selection` is then `puct` by default; methods
      without priors, such as `ucb1`, use the values alone. `priors` has a row of numbers for each
      state; `values` has the value of the state for the side to move, from 0 to 1.
    - `batch`: the largest number of states in one call of the network.
    - `collisions`: how many descents of a batch may meet a state that waits for the network already
      before the batch ends. Such a descent is dropped, but counts as a loss on its way until the
      batch is backed up, so that the next goes elsewhere.
    - `sliding`: make a new descent after every backup, so that `batch` descents wait at any time;
      otherwise they are made batch by batch. See `fmcts.asking`, where answers come one by one.
    - `selection`: how to choose among the moves of a node: the name of a method (`ucb1`, `rave`,
      `puct`...; METHODS lists them), a `Method`, or a function `rule(edge, parent)`; see
      `fmcts.search.methods`.
    - `c`: the exploration constant of a method given by name, for rewards on [0, 1]; `None` is the
      method's default (for `ucb1` the square root of 2).
    - `max_nodes`: the search ends before the iteration that would make the tree larger than this
      (including the root); `None` means no limit.
    - `expansion`: how a node gets children. `in-order` makes one child per iteration, for the first
      untried move; `random` draws among the untried moves; `full` makes all missing children and
      draws one of them to simulate; `selected` makes the child of the move that selection chooses,
      tried or not, and needs a method that can score moves without visits; `jump` is `in-order`,
      but may descend past a node with untried moves (see `docs/searches.md`). `None` is the
      method's default: `selected` if it can score moves without visits, else `in-order`.
    - `final`: how to choose the move. `robust`: the most visits, then the higher mean, then the
      first; `first-robust`: the most visits, then the first; `robust-of-all`: like `first-robust`,
      but raise `IterationsError` while a move of the root has no visits; `max`: the highest mean,
      then the most visits, then the first; `ucb`: the highest score of the selection, then the
      first; a function `rule(edge, parent)`: the visited move with the highest number.
    - `playout`: how a playout chooses moves: the name of a policy (`uniform`, `decisive`,
      `anti-decisive`, `patient`, `mast`, `nst`, `last-good-reply`), a `Policy` (see
      `fmcts.search.policies`), a function that returns some of a state's moves, one of which is
      drawn, or `OnPositions` of a function that narrows a menu.
    - `proposals`: where moves cannot be listed, a function `propose(state, rng) -> (move, rng)`, or
      `Proposals` of one; nodes get more moves with more visits (see `fmcts.search.proposals`). A
      state that lists its moves is played out by `playout`, any other by proposals. A `Width` alone
      is for an evaluator that is asked (see `fmcts.asking`): it is asked again for more.
    - `evaluate`: a function from an unfinished state (or `OnPositions` of one) to its value for X,
      from 0 to 1, which replaces the rest of a playout.
    - `evaluate_after`: the number of plies of a playout before `evaluate` is called; at 0 there is
      no playout.
    - `reward`: a function from a finished state (or `OnPositions` of one) to the reward of X, from
      0 to 1; `None` is 1 for a win, 1/2 for a draw, 0 for a loss.
    - `max_plies`: the limit on the plies of a playout; a longer game raises an error. It does not
      affect results.
    - `discount`: in a game with rewards, the factor of what follows a move, above 0 and up to 1.
      What a move brings counts in full, and so does what chance brings after it.
    - `normalised`: let selection compare values on the scale of this search's own tree, from the
      lowest mean seen so far (0) to the highest (1), so that constants such as `c` fit rewards of
      any size (see `fmcts.search.normalising`).
    - `horizon`: in a game with rewards, how many moves after the root descents and playouts stop;
      what comes later is not counted, and a network is not asked there. Outcomes are not counted as
      moves. `None` means no limit.
    - `schedule`: how to divide the iterations among the moves of the root, in place of selection:
      `halving` (sequential halving), `shot` (halving at every node, so that selection is not used)
      or a `Schedule`. The root must be new.
    - `solver`: prove wins, losses and draws from the ends of games (see
      `fmcts.search.resolution.solver`). Proven losses are left out, and the search ends when the
      root is proven. The final choice prefers the shortest proven win, and the longest proven loss
      if all moves lose.
      `exact` is for a game of one player with any rewards: it finds what positions are worth (see
      `fmcts.search.resolution.solver`), and leaves out those of which that is known.
    - `rollout_expand`: add the states of a playout to the tree, without visits.
    - `bounds`: let the solver also record what is at least or at most a draw (see
      `fmcts.search.resolution.solver`), which proves draws sooner.
    - `closing`: leave out branches that are fully explored, and end the search when the root is.
    - `transpositions`: merge equal states into one node, whichever moves reach them; the tree is
      then a view of a graph, and `max_nodes` limits its states. `sound` is the rule to use; `naive`
      credits every parent and inflates counts (see `docs/transpositions.md`).
    - `stop`: a function of the statistics of the root's moves (see `Analysis.stats`); the search
      ends when it returns true. It is called when the root's visits are a multiple of 100; with a
      network after each of its calls, from 100 visits on.

    :raises ValueError: a value is not accepted; the message names it and what is accepted.

    >>> Search(iterations=0)
    Traceback (most recent call last):
    ValueError: iterations must be a whole number of at least 1, not 0
    """

    iterations: int = field(default=1000, converter=as_count, validator=positive_count)
    c: float | None = field(
        default=None, kw_only=True, converter=as_float, validator=optional(finite)
    )
    expansion: Expansion | None = field(
        default=None, kw_only=True, validator=optional(one_of(*get_args(Expansion)))
    )
    final: FinalChoice | Callable[[Any, Any], float] = field(
        default='robust',
        kw_only=True,
        validator=one_of(
            *get_args(FinalChoice), more=' or a function (edge, parent) -> float', accepts=callable
        ),
    )
    max_nodes: int | None = field(
        default=None, kw_only=True, converter=as_count, validator=optional(positive_count)
    )
    max_plies: int = field(
        default=MAX_PLIES, kw_only=True, converter=as_count, validator=positive_count
    )
    network: Network | None = field(default=None, kw_only=True, validator=optional(a_function))
    batch: int = field(default=1, kw_only=True, converter=as_count, validator=positive_count)
    collisions: int = field(default=0, kw_only=True, converter=as_count, validator=count_from_zero)
    sliding: bool = field(default=False, kw_only=True, validator=switch)
    selection: Selection = field(
        default=Factory(
            lambda search: 'ucb1' if search.network is None else 'puct', takes_self=True
        ),
        kw_only=True,
        validator=one_of(
            *METHODS, more=', a Method or a function (edge, parent) -> float', accepts=_is_selection
        ),
    )

    playout: Playout = field(
        default='uniform',
        kw_only=True,
        validator=one_of(
            *POLICIES, more=', a Policy or a function state -> moves', accepts=_is_playout
        ),
    )
    proposals: Proposals | Width | Propose | None = field(
        default=None, kw_only=True, converter=proposals_of, validator=are_proposals
    )
    evaluate: Worth = field(default=None, kw_only=True, validator=optional(a_function))
    evaluate_after: int = field(
        default=0, kw_only=True, converter=as_count, validator=count_from_zero
    )
    reward: Worth = field(default=None, kw_only=True, validator=optional(a_function))
    discount: float = field(default=1.0, kw_only=True, converter=as_float, validator=positive_share)
    normalised: bool = field(default=False, kw_only=True, validator=switch)
    horizon: int | None = field(
        default=None, kw_only=True, converter=as_count, validator=optional(positive_count)
    )
    schedule: Schedule | None = field(
        default=cast('Any', None),
        kw_only=True,
        converter=_schedule_named,
        validator=one_of(*SCHEDULES, more=' or a Schedule', accepts=_is_schedule),
    )
    stop: Stop = field(default=None, kw_only=True, validator=optional(a_function))
    solver: bool | Literal['exact'] = field(
        default=False,
        kw_only=True,
        validator=must_be(
            "True, False or 'exact'", lambda value: value == 'exact' or isinstance(value, bool)
        ),
    )
    bounds: bool = field(default=False, kw_only=True, validator=switch)
    closing: bool = field(default=False, kw_only=True, validator=switch)
    rollout_expand: bool = field(default=False, kw_only=True, validator=switch)
    transpositions: Transpositions | None = field(
        default=None, kw_only=True, validator=optional(one_of(*get_args(Transpositions)))
    )

    def __attrs_post_init__(self) -> None:
        check_combinations(self)

    _repr_html_ = shown_by('_notebook.search_html')

    @cached_property
    def method(self) -> Method:
        """The method that `selection` and `c` name; of normalised values, if they are."""
        return normalised(self.given_method) if self.normalised else self.given_method

    @cached_property
    def given_method(self) -> Method:
        """The method that `selection` and `c` name."""
        if isinstance(self.selection, str):
            kind: Any = METHODS[self.selection]
            return kind() if self.c is None else kind(c=self.c)  # type: ignore[no-any-return]
        return self.selection if isinstance(self.selection, Method) else Rule(self.selection)

    @cached_property
    def policy(self) -> Policy:
        """The policy that `playout` names, without parts that change nothing."""
        return policy_of(self.playout).simplified

    @property
    def proposing(self) -> Proposals | None:
        """The proposals that nodes draw by themselves, if they do."""
        return self.proposals if isinstance(self.proposals, Proposals) else None

    @property
    def resolution(self) -> Resolution | None:
        """The statistic that resolves nodes, if there is one."""
        if self.solver == 'exact':
            return EXACT
        if self.solver:
            return BOUNDS if self.bounds else SOLVER
        return CLOSING if self.closing else None

    @property
    def derived(self) -> tuple[Derived, ...]:
        """The derived statistics: the method's, and the one that resolves nodes."""
        return (*self.method.derived, *((self.resolution,) if self.resolution else ()))

    @cached_property
    def columns(self) -> ColumnNames:
        """The names of the tree's columns: the method's, and the one that resolves nodes."""
        names, resolution = self.method.names, self.resolution
        if resolution is None:
            return names
        # Behind the method's own columns, where `columns.own[-1]` finds it whatever these are.
        return names._replace(own=(*names.own, resolution.column))

    @property
    def expands(self) -> Expansion:
        """The effective expansion: `expansion`, or the method's default."""
        # Such a schedule names each child to be made, so nothing is tried in any other order.
        if chooses_below_root(self.schedule):
            return 'selected'
        if self.expansion is not None:
            return self.expansion
        return 'selected' if self.method.scores_unvisited else 'in-order'


def check_search(search: object) -> None:
    """Check that `search` is a `Search`.

    :raises TypeError: it is something else.
    """
    if not isinstance(search, Search):
        # The likeliest mistake: `analyse(state, rng, 500)`.
        number = isinstance(search, int) and not isinstance(search, bool)
        meant = f' (did you mean Search({shown(search)})?)' if number else ''
        raise TypeError(f'search must be a Search, not {shown(search)}{meant}')
