"""Which untried move gets a child: the decision that every engine shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def untried(moves: Sequence[Any], tried: Sequence[Any]) -> list[int]:
    """The indices into `moves` of those not in `tried`; both stand in canonical order.

    >>> untried('abcde', 'bd')
    [0, 2, 4]
    """
    left, position = [], 0
    for index, move in enumerate(moves):
        if position < len(tried) and tried[position] == move:
            position += 1
        else:
            left.append(index)
    return left
