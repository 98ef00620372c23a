"""The base class of playout policies: how a random game chooses its next move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias

from attrs import frozen

from fmcts.search.memory import Recalled, Table

Draw: TypeAlias = Callable[[int], int]
"""`draw(count)`: an index below `count`, from the search's generator."""

Choose: TypeAlias = Callable[[Recalled, Any, Sequence[Any], Draw], Any]
"""`choose(recalled, state, moves, draw)`: one of the moves."""


@frozen
class Policy:
    """A playout policy, written once for all engines in Python.

    A frozen value. Its `numbers` are arguments of its machine code, if it can be compiled
    (`fmcts._linked.searches`). `memories` are the tables that it uses. `name` is the name of a
    policy of this library in `POLICIES`.
    """

    name: ClassVar[str] = ''
    memories: ClassVar[tuple[Table, ...]] = ()

    def choose(self, state: Any, moves: Sequence[Any], draw: Draw) -> Any:  # noqa: ARG002 - its subclasses use them
        """Return one of `moves`, which are all legal moves of `state`: at least one.

        :raises MethodError: a user's function returns none of them.
        """
        raise TypeError(f'the playout policy {type(self).__name__} has no choose')

    def chooser(self) -> Choose:
        """Return a function that chooses a move, given what playouts remember, which it may use.

        It is made once for a search.
        """
        return lambda _recalled, state, moves, draw: self.choose(state, moves, draw)

    @property
    def simplified(self) -> Policy:
        """The policy without parts that change nothing."""
        return self

    @property
    def numbers(self) -> tuple[float, ...]:
        """The run-time parameters of its machine code."""
        return ()

    @property
    def leaves(self) -> tuple[Policy, ...]:
        """The policies that it consists of: itself, if it has no parts."""
        return (self,)


@frozen
class Uniform(Policy):
    """A policy under which all legal moves are equally likely."""

    name = 'uniform'

    def choose(self, _state: Any, moves: Sequence[Any], draw: Draw) -> Any:
        """Return a random move, with one draw."""
        return moves[draw(len(moves))]
