"""Derived statistics: numbers of a node computed from its children's.

They are computed in backup, from the leaf up: at the end of a game from the result, at a leaf from
its first playout or a heuristic, and at the other nodes from the children. Implicit minimax, power
means and proofs are derived statistics.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple, TypeAlias

from attrs import field, frozen
from attrs.validators import optional

from fmcts._validators import a_function
from fmcts.rules import OnPositions
from fmcts.search._functions import Parametric

Worth: TypeAlias = OnPositions | Callable[[Any], float] | None
"""A function from a state (or `OnPositions` of one) to its value to X, from 0 to 1.

In a game of one player with rewards it is what is still to come for the player."""


class Place(NamedTuple):
    """The argument `node` of `Derived.node`.

    `complete`: each of its moves has a child that was folded; `same`: the side that moved to the
    node is to move there too.
    """

    complete: bool
    same: bool


@frozen
class Derived(Parametric):
    """A statistic of each node that all engines compute from its children's.

    A subclass, frozen by attrs, has their `names`, and the functions below in the language of
    `fmcts.formulas`, which can use numeric fields as `self.p`. Every number is for the player who
    moved to the node. Each function returns a tuple with a number for each name; `fold` returns as
    many numbers as `first` has. If `running`, they continue: `fold` receives the node's own numbers
    and the child that was visited, and they are what it returns.

    An iteration changes the numbers of the nodes on its path: a node above the leaf is recomputed
    from its children with visits. Without a function `leaf`, zeros mean that nothing is known:
    a child with zeros is not folded, like a move without a child, and the nodes above it do not
    change.

    If its one number is a value, as `end` gives it, it may be `averaged` by weight where chance
    moves, over the outcomes that are folded; and, if it may be of `any_scale`, added to what is
    gained on the way. Searches with other statistics refuse such games.
    """

    names: ClassVar[tuple[str, ...]] = ()
    first: ClassVar[tuple[float, ...]] = ()
    running: ClassVar[bool] = False
    averaged: ClassVar[bool] = False
    any_scale: ClassVar[bool] = False
    heuristic: Worth = field(default=None, kw_only=True, validator=optional(a_function))

    def end(self, reward: float) -> tuple[float, ...]:  # noqa: ARG002 - its subclasses use it
        """Return the numbers of a node where the game is over, with this exact reward."""
        raise _missing(self, 'end(self, reward)')

    def leaf(self, reward: float) -> tuple[float, ...]:  # noqa: ARG002 - its subclasses use it
        """Return the numbers of a node at its first visit.

        `reward` is the value of its state by `heuristic`; without one, the reward of the playout.
        """
        raise _missing(self, 'leaf(self, reward)')

    def fold(self, seen: tuple[float, ...], child: Any) -> tuple[float, ...]:  # noqa: ARG002 - as above
        """Return the numbers `seen`, updated by one more child in move order; `first` at the start.

        `child` has `visits`, `reward` and `value` (the mean) as the edge of a score has them, the
        method's `columns`, and the numbers of this statistic.
        """
        raise _missing(self, 'fold(self, seen, child)')

    def node(self, seen: tuple[float, ...], node: Place) -> tuple[float, ...]:  # noqa: ARG002 - as above
        """Return the numbers of a node above the leaf, after all folds."""
        raise _missing(self, 'node(self, seen, node)')

    @property
    def knows_leaves(self) -> bool:
        """True if the statistic defines `leaf`."""
        return type(self).leaf is not Derived.leaf


def _missing(derived: Derived, function: str) -> TypeError:
    return TypeError(f'the statistic {type(derived).__name__} has no {function}')


def placed(count: int, derived: Sequence[Any]) -> list[tuple[Any, int]]:
    """Return each statistic, which has `names`, with the place of its first number from `count`."""
    found = []
    for each in derived:
        found.append((each, count))
        count += len(each.names)
    return found
