"""The verb `expand`: choose the untried move that gets a child, and create the child.

The verb `jump` decides whether to descend past untried moves: see `jumping` in the module
`fmcts._engines.expansion`.

A factory makes each verb for an option, so that differences between searches are fixed when the
code is compiled. `words` is a pointer to the memory that `layout` describes.
"""

from __future__ import annotations

from typing import Any

from fmcts._compiled.deriving import leaving_out
from fmcts._compiled.structure import Structure
from fmcts._compiled.tree.layout import MOVE, VISITS, cell, first
from fmcts._numba.generators import draw
from fmcts._numba.intrinsics import Verb, get, get_real, inlined, int32, int64, put
from fmcts.search._description import Expansion


def drawing(kind: Expansion) -> Verb:
    """Return `draw_untried(words, block, total, tried, chosen, rng)`: an index and a generator.

    `chosen` is the index that selection chose, for expansions that use it. Nothing is written.
    """

    @inlined
    def in_order(words: Any, block: Any, total: Any, tried: Any, chosen: Any, rng: Any) -> Any:
        return tried, rng  # `tried` is the index of the first gap

    @inlined
    def selected(words: Any, block: Any, total: Any, tried: Any, chosen: Any, rng: Any) -> Any:
        return chosen, rng

    @inlined
    def drawn(words: Any, block: Any, total: Any, tried: Any, chosen: Any, rng: Any) -> Any:
        nth, rng = draw(rng, total - tried)
        index = int64(0)
        while get(words, cell(block, 0, VISITS, index)) >= 0 or nth > 0:
            if get(words, cell(block, 0, VISITS, index)) < 0:
                nth -= 1
            index += 1
        return index, rng

    @inlined
    def first_gap(words: Any, block: Any, total: Any, tried: Any, chosen: Any, rng: Any) -> Any:
        index = int64(0)  # `tried` is the number of children
        while get(words, cell(block, 0, VISITS, index)) >= 0:
            index += 1
        return index, rng

    verbs = {'in-order': in_order, 'selected': selected, 'jump': first_gap}
    return verbs.get(kind, drawn)


def offering(pick: Verb, rows: int) -> Verb:
    """Return `offered(words, block, total, options, index)`, which returns the move of a new child.

    The moves of the root are read from its block, as a search may choose among some of them only.
    """
    root = first(rows)

    @inlined
    def offered(words: Any, block: Any, total: Any, options: Any, index: Any) -> Any:
        if block == root:
            return int64(get(words, cell(block, total, MOVE, index)))
        return pick(options, index)

    return offered


def making(offered: Verb, kind: Expansion) -> Verb:
    """Return `make(words, block, total, tried, options, index, move)`, which creates that child.

    Full expansion creates all children. The result is false if the move of another child does not
    fit in 32 bits.
    """

    @inlined
    def make(words: Any, block: Any, total: Any, index: Any, move: Any) -> None:
        """Create a child without visits."""
        put(words, cell(block, total, VISITS, index), 0)
        put(words, cell(block, total, MOVE, index), move)

    @inlined
    def in_order(
        words: Any, block: Any, total: Any, tried: Any, options: Any, index: Any, move: Any
    ) -> Any:
        make(words, block, total, index, move)
        following = tried + 1  # `tried` is the index of the first gap
        while following < total and get(words, cell(block, total, VISITS, following)) >= 0:
            following += 1
        put(words, block + 1, following)
        return True

    @inlined
    def single(
        words: Any, block: Any, total: Any, tried: Any, options: Any, index: Any, move: Any
    ) -> Any:
        make(words, block, total, index, move)
        put(words, block + 1, tried + 1)
        return True

    @inlined
    def full(
        words: Any, block: Any, total: Any, tried: Any, options: Any, index: Any, move: Any
    ) -> Any:
        for other in range(total):
            if get(words, cell(block, total, VISITS, other)) < 0:
                its_move = offered(words, block, total, options, other)
                if its_move != int32(its_move):
                    return False
                make(words, block, total, other, its_move)
        put(words, block + 1, total)
        return True

    return {'in-order': in_order, 'full': full}.get(kind, single)


def making_outcome(kind: Expansion) -> Verb:
    """`make_outcome(words, block, total, tried, index, move)`: the child of a drawn outcome."""
    in_order = kind == 'in-order'

    @inlined
    def make_outcome(words: Any, block: Any, total: Any, tried: Any, index: Any, move: Any) -> None:
        put(words, cell(block, total, VISITS, index), 0)
        put(words, cell(block, total, MOVE, index), move)
        following = tried if in_order else tried + 1
        if in_order:  # `tried` is where the first gap is
            while following < total and get(words, cell(block, total, VISITS, following)) >= 0:
                following += 1
        put(words, block + 1, following)

    return make_outcome


def jumping(structure: Structure) -> Verb:
    """Return `jump(words, block, total, tried, visits, rng)`: the decision and the next generator.

    `tried` is the number of the node's moves that have a child, `visits` the node's visits.
    """
    if not structure.jumps:
        return inlined(lambda _words, _block, _total, _tried, _visits, rng: (False, rng))
    resolves = structure.resolution is not None
    leaves_out, number_at = leaving_out(structure)

    @inlined
    def jump(words: Any, block: Any, total: Any, tried: Any, visits: Any, rng: Any) -> Any:
        left = tried if visits > 0 else 0
        if resolves and left > 0:
            for index in range(total):
                if get(words, cell(block, total, VISITS, index)) >= 0 and leaves_out(
                    get_real(words, number_at(block, total, index))
                ):
                    left -= 1
        if left == 0:
            return False, rng
        drawn, rng = draw(rng, total + 1)
        return drawn >= tried, rng

    return jump
