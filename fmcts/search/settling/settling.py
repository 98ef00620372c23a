"""What settles a node: a column whose number follows from the ends of games below it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from attrs import frozen

__all__ = ['Seen', 'Settling', 'is_settled', 'number_of_a_node']

Seen: TypeAlias = tuple[float, float, float, float]
"""What was seen of some of a node's children: four numbers, which mean what a settling says."""


@frozen
class Settling:
    """A column of its own at each node: 0 while nothing is known of it, else how it is settled.

    All functions are in the language of `fmcts.formulas`, since every engine runs them, the
    compiled one as machine code; `leaves_out` also for several children at once.

    - `column`: its name.
    - `of_end(reward)`: the number of a finished node, worth `reward` to its mover.
    - `nothing`: what is seen before the first child.
    - `seen(so_far, number)`: after one more child, which has this number.
    - `decides(number)`: whether one child of this number settles a node that has untried moves.
    - `of_node(so_far, complete, same)`: the number of a node, all of whose children were seen.
      `complete`: there is one for every move; `same`: who moved to the node is to move there too.
    - `ends(number)`: whether a search ends whose root has this number.
    - `leaves_out(number)`: whether selection leaves such a child out.
    - `preferred(numbers)`: the indices of those among visited children to choose from at the end.
    """

    column: str
    of_end: Callable[[float], float]
    nothing: Seen
    seen: Callable[[Seen, float], Seen]
    decides: Callable[[float], bool]
    of_node: Callable[[Seen, bool, bool], float]
    ends: Callable[[float], bool]
    leaves_out: Callable[[float], bool]
    preferred: Callable[[Sequence[float]], list[int]]


def is_settled(number: float) -> bool:
    """Whether anything is known of a node that has this number."""
    return number != 0.0


def number_of_a_node(settling: Settling, node: Any, children: Iterable[Any]) -> float:
    """The number of a node that has these children; they know theirs."""
    so_far, width = settling.nothing, 0
    for child in children:
        so_far = settling.seen(so_far, child.columns.own[-1])
        width += 1
    same = node.mover is node.state.player
    return settling.of_node(so_far, width == len(node.moves), same)
