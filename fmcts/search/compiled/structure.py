"""What machine code for a search depends on: its structure, without its numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeAlias

from attrs import evolve, frozen

from fmcts.rules import OnPositions
from fmcts.search.description import Expansion, Search
from fmcts.search.errors import MethodError
from fmcts.search.methods import UCB1, Method, Rule

__all__ = ['Structure', 'structure_of', 'unable']

Function: TypeAlias = Callable[..., Any] | None


@frozen
class Structure:
    """The decisions of a search that are compiled in.

    `unvisited`: whether there may be children without visits. `scheduled`: whether the move at the
    root is told at times. `playout`, `evaluate` and `reward`
    are functions of integers, as in `Search`; `None` is the usual: uniform, no evaluation, by
    winner.
    """

    method: Method
    expansion: Expansion
    unvisited: bool = False
    scheduled: bool = False
    playout: Function = None
    evaluate: Function = None
    reward: Function = None

    @property
    def real(self) -> bool:
        """Whether rewards are other than wins, draws and losses: they lie in a row of doubles."""
        return self.evaluate is not None or self.reward is not None

    @property
    def plain(self) -> bool:
        """Whether nothing is there but UCB1."""
        return type(self.method) is UCB1 and not self.real

    @property
    def traces(self) -> bool:
        """Whether the moves of an iteration are remembered; their keys lie in a row of doubles."""
        return self.method.traces

    @property
    def own(self) -> int:
        """How many columns children have of their own; they are the first rows."""
        return len(self.method.columns)

    @property
    def moves(self) -> int:
        """How many columns moves have; they are the rows after those."""
        return len(self.method.move_columns)

    @property
    def key_row(self) -> int:
        """The row of the moves' keys, if they are remembered."""
        return self.own + self.moves

    @property
    def reward_row(self) -> int:
        """The row of the children's rewards, if they may be other than halves."""
        return self.own + self.moves + self.traces

    @property
    def rows(self) -> int:
        """How many rows of doubles a block has."""
        return self.own + self.moves + self.traces + self.real

    @property
    def stride(self) -> int:
        """How many integers a level of the path takes: the third is the child's index."""
        return 3 if self.rows else 2

    @property
    def score(self) -> Callable[..., Any]:
        """The plain function behind the method's score; of a `Rule`, without `self`."""
        method = self.method
        return method.function if isinstance(method, Rule) else type(method).score

    @cached_property
    def parts(self) -> tuple[object, ...]:
        """What makes the code for one structure differ from that for another, as plain values."""
        method, kind = self.method, type(self.method)
        return (
            (
                self.expansion,
                self.unvisited,
                self.scheduled,
                method.scores_unvisited,
                kind.__name__,
            ),
            (tuple(method.parameters), method.columns, method.move_columns),
            self.score,
            kind.summed if method.sums else None,
            kind.update if method.columns else None,
            kind.update_move if self.traces else None,
            method.first_numbers(),
            (self.playout, self.evaluate, self.reward),
        )


def structure_of(search: Search, *, unvisited: bool) -> Structure:
    """The structure of a search for which `unable` has found nothing."""
    plain = Structure(search.method, search.expands, unvisited, search.schedule is not None)
    return evolve(
        plain,
        playout=_function(search.playout),
        evaluate=_function(search.evaluate),
        reward=_function(search.reward),
    )


def _rank(kind: type, name: str) -> int:
    """How far up the ancestors of a class stands that which states `name`."""
    return next(rank for rank, ancestor in enumerate(kind.__mro__) if name in vars(ancestor))


def _function(given: object) -> Function:
    return given.function if isinstance(given, OnPositions) else None


def unable(search: Search) -> str | None:
    """What keeps a search from being compiled, whatever the game; `None`: nothing."""
    for name in ('playout', 'evaluate', 'reward'):
        given = getattr(search, name)
        if given is not None and given != 'uniform' and not isinstance(given, OnPositions):
            called = getattr(given, '__name__', None) or type(given).__name__
            return f'{name}={called}, a function of states: it has those of positions (OnPositions)'
    kind = type(search.method)
    if _rank(kind, 'first_rows') < _rank(kind, 'first_numbers'):
        return f'the first rows of {kind.__name__}, which are of states: it has first_numbers'
    try:
        search.method.first_numbers()
    except MethodError as error:
        return str(error)
    return None
