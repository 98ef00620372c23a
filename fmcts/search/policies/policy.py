"""What a playout policy is: how a random game chooses its next move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from attrs import frozen

from fmcts.search.memory import Recalled, Table

__all__ = ['Choose', 'Draw', 'Policy', 'Uniform']

Draw: TypeAlias = Callable[[int], int]
"""`draw(count)`: an index below `count`, from the generator of the search."""

Choose: TypeAlias = Callable[[Recalled, Any, Sequence[Any], Draw], Any]
"""`choose(recalled, state, moves, draw)`: one of the moves."""


@frozen
class Policy:
    """How a playout chooses its moves, stated once for all engines that run in Python.

    A frozen value. What it is made of decides which machine code it has, if it can be compiled
    (`fmcts._compiled.policies`); its `numbers` are handed to that when it runs.
    """

    def choose(self, state: Any, moves: Sequence[Any], draw: Draw) -> Any:  # noqa: ARG002 - its subclasses use them
        """One of `moves`, which are all that are legal in `state`: at least one.

        :raises MethodError: a function of the user's gives none of them.
        """
        raise TypeError(f'the playout policy {type(self).__name__} has no choose')

    def choose_knowing(
        self,
        _recalled: Recalled,
        state: Any,
        moves: Sequence[Any],
        draw: Draw,
    ) -> Any:
        """The same in a search whose playouts remember: by what they do, where the policy uses it.

        :raises MethodError: a function of the user's gives none of the moves.
        """
        return self.choose(state, moves, draw)

    def chooser(self) -> Choose:
        """`choose_knowing`, made ready once for a search."""
        return self.choose_knowing

    @property
    def memories(self) -> tuple[Table, ...]:
        """The tables that it chooses by."""
        return ()

    @property
    def simplified(self) -> Policy:
        """The same without parts that change nothing."""
        return self

    @property
    def numbers(self) -> tuple[float, ...]:
        """The run-time parameters of its machine code."""
        return ()

    @property
    def leaves(self) -> tuple[Policy, ...]:
        """The policies that it is made of: itself, if it is not made of others."""
        return (self,)

    @property
    def parts(self) -> tuple[object, ...]:
        """What its machine code depends on: its structure, without the numbers."""
        return (type(self),)


@frozen
class Uniform(Policy):
    """All legal moves are equally likely."""

    def choose(self, _state: Any, moves: Sequence[Any], draw: Draw) -> Any:
        """One draw a move."""
        return moves[draw(len(moves))]
