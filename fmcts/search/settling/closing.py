"""Closing: branches that are explored to their ends leave selection.

It is the first improvement of the second part of the French series ("Exploration de possibilités",
section "Fermeture de branches"): a finished node is closed, a node is closed when each of its moves
has a child and all are closed, selection leaves closed children out, and the search ends when the
root is closed. What a node is worth is not asked: the best child is chosen, closed or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fmcts.formulas import where
from fmcts.search.settling.settling import Seen, Settling, is_settled

__all__ = ['CLOSING']


def _of_end(_reward: float) -> float:
    return 1.0


def _seen(so_far: Seen, closed: float) -> Seen:
    """The first number counts the open children."""
    still_open, one, two, three = so_far
    return still_open + where(closed == 0.0, 1.0, 0.0), one, two, three


def _decides(_closed: float) -> bool:
    return False


def _of_node(so_far: Seen, complete: bool, _same: bool) -> float:  # noqa: FBT001 - as `Settling` has it
    return 1.0 if complete and so_far[0] == 0.0 else 0.0


def _leaves_out(closed: float) -> bool:
    return closed > 0.0


def _preferred(numbers: Sequence[float]) -> list[int]:
    return list(range(len(numbers)))


CLOSING: Final = Settling(
    'closed',
    _of_end,
    (0.0, 0.0, 0.0, 0.0),
    _seen,
    _decides,
    _of_node,
    is_settled,
    _leaves_out,
    _preferred,
)
"""The column `closed`: 1 when the node is closed."""
