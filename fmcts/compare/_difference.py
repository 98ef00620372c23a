"""Find where two designs differ: pure functions of their trees, and of the designs themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from fmcts.search import Node

End: TypeAlias = tuple[Node, Any]
"""The root of a tree, and the generator returned with it."""

FIELDS: Final = ('move', 'mover', 'state', 'moves', 'visits', 'reward', 'value')


class Parting(NamedTuple):
    """The first place at which two trees differ.

    `path` is the moves from the root to the node, `()` for the root itself; `None` if the trees are
    equal and the generators differ. `field` is a field of `Node`, or `generator`. `values` are the
    two values of the field; for `children`, the moves that have a child.
    """

    path: tuple[Any, ...] | None
    field: str
    values: tuple[Any, Any]


def identical(one: object, two: object) -> bool:
    """Return whether two values are equal to the bit: `0.0` is neither `-0.0` nor `0`."""
    if type(one) is not type(two):
        return False
    if isinstance(one, float) and isinstance(two, float):
        return one.hex() == two.hex()
    return one == two


def parting(one: End, two: End) -> Parting | None:
    """Return the first difference in preorder, else of the generators; `None` if all is equal.

    >>> from fmcts import Search, SplitMix, analyse
    >>> from fmcts.games import tictactoe
    >>> less, more = (
    ...     analyse(tictactoe.start, SplitMix.from_seed(0), Search(n)) for n in (10, 11)
    ... )
    >>> parting((less[0].tree, less[1]), (more[0].tree, more[1]))
    Parting(path=(), field='visits', values=(10, 11))
    """
    stack: list[tuple[tuple[Any, ...], Node, Node]] = [((), one[0], two[0])]
    compared: set[tuple[int, int]] = set()  # of graphs: what is below a state is compared once
    while stack:
        path, a, b = stack.pop()
        if a is b:
            continue
        for name in FIELDS:
            values = getattr(a, name), getattr(b, name)
            if not identical(*values):
                return Parting(path, name, values)
        moves = tuple(it.move for it in a.children), tuple(it.move for it in b.children)
        if moves[0] != moves[1]:
            return Parting(path, 'children', moves)
        if a.transpositions is not None:
            pair = a.number, b.number  # type: ignore[attr-defined] # a graph's nodes have it
            if pair in compared:
                continue
            compared.add(pair)
        both = zip(reversed(a.children), reversed(b.children), strict=True)
        stack.extend(((*path, left.move), left, right) for left, right in both)
    return None if one[1] == two[1] else Parting(None, 'generator', (one[1], two[1]))


def first_difference(
    ends: tuple[End, End], iterations: int, grow: Callable[[int], tuple[End, End]]
) -> tuple[int, Parting] | None:
    """Return the first iteration after which two designs differ, and where; `None` if they agree.

    `ends` is what they grew in `iterations`, and `grow(k)` what they grow in k, from the start each
    time. A design's search of k iterations is the beginning of its longer ones, so doubling and
    then halving finds the iteration: the designs differ after it, and agree one iteration before.
    (It is the first if designs stay different once they differ; two errors that cancel each other
    could hide an earlier one.) The number of searches grows with the logarithm of the iteration,
    and all but two of them are shorter than four times that iteration.
    """
    found = parting(*ends)
    if found is None:
        return None
    same, different = 0, iterations
    while different - same > 1:
        middle = min(max(1, 2 * same), (same + different) // 2)
        parted = parting(*grow(middle))
        if parted is None:
            same = middle
        else:
            different, found = middle, parted
    return different, found
