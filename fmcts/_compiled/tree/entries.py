"""The blocks of new trees without columns, by the menu of the root."""

from __future__ import annotations

import functools
from array import array
from collections.abc import Callable, Sequence
from typing import Any

from fmcts._content.remembered import remembered_while
from fmcts._content.stamps import Stamp
from fmcts._linked.tree.blocks import checked_move
from fmcts._linked.tree.places import first
from fmcts.rules import MENUS, IntegerRules


def empty_block(moves: Sequence[int]) -> list[int]:
    """Return a block without children, and without rows of doubles."""
    total = len(moves)
    return [total, 0, *[-1] * total, *[0] * (2 * total), *moves]


# Cached: most positions of a game share their moves with others.
@remembered_while(lambda rules: Stamp(rules.count, rules.pick))
def entries_of(rules: IntegerRules) -> Callable[[Any], array[int]]:
    """Return a function that gives the blocks of a new tree, without columns, for a menu."""
    count, pick = rules.count, rules.pick

    @functools.lru_cache(maxsize=MENUS, typed=True)
    def entries(menu: Any) -> array[int]:
        moves = [checked_move(pick(menu, index)) for index in range(count(menu))]
        return array('i', [1, 1, 0, 0, first(0), 0, *empty_block(moves)])

    return entries
