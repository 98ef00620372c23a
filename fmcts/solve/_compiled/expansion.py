"""The moves of a position as rows, and what is known of them before any is searched."""

from __future__ import annotations

from typing import Any, Final

from fmcts._compiled.simulation import checked
from fmcts._compiled.statuses import BAD_KEY, BAD_MENU, BAD_WINNER, CHOICES
from fmcts._compiled.structure import Structure
from fmcts._numba.cache.jit import registered
from fmcts._numba.intrinsics import bits_of, get, inlined, int64, put
from fmcts._numba.positions import menus_of, normalised
from fmcts._numba.register import register
from fmcts.rules import DRAW, IntegerRules, X
from fmcts.solve import _scores
from fmcts.solve._compiled.fields import INDEX, ORDER, PLACE, ROW, fields_in_arrays
from fmcts.solve._compiled.table import table_for
from fmcts.solve._scores import ANY, WIN, rank_of

MOVES_ARE_FULL: Final = 1 << 20
"""A status, beside those of `statuses`: the array of rows is too short."""

REPLIES: Final = 1_000
"""The weight of a further reply in the order of moves, in units of history."""

LIKELY: Final = 1 << 60
"""More than any history: the move that was best before is searched first."""


before, after = inlined(_scores.before), inlined(_scores.after)


def stopping(rules: IntegerRules, structure: Structure) -> Any:
    """Return `stop(here)`: the score of a position where the search stops, and whether it is valid.

    It is not valid if the evaluation did not return a number from 0 to 1.
    """
    if structure.evaluate is None:
        return inlined(lambda _here: (int64(0), True))
    side, worth_of = rules.side, checked(structure.evaluate)

    @inlined
    def stop(here: Any) -> Any:
        worth = worth_of(here)
        rank = bits_of(worth + 0.0)  # or -0.0 would have another than 0.0
        return rank if int64(side(here)) & 1 == X else -rank, worth >= 0.0

    return stop


def expanding(  # noqa: C901 - it is one loop
    rules: IntegerRules, position: Any, structure: Structure
) -> Any:
    """Return `expand(rows, first, room, history, here, likely, beta, step)`: moves of a position.

    It returns where their rows end, the best score of the moves that end the game, and the index of
    the first of those (-1: none does). Such moves have no rows. One with a score of `beta` or more
    is the last to be looked at. A negative end is minus a status.
    `likely` is the index of the move to be searched first, -1 for none.
    """
    _, _, _, play, side, winner = registered(rules)
    see, _, over, count, pick = menus_of(rules)
    key, keys = rules.key, rules.keys
    register(key)
    fields = fields_in_arrays(position)
    width, write = fields.width, fields.write
    half = 0 if structure.evaluate is None else rank_of(0.5)
    stride = width + ROW

    @inlined
    def expand(  # noqa: PLR0913, PLR0917 - all that is in arrays
        rows: Any, first: Any, room: Any, history: Any, here: Any, likely: Any, beta: Any, step: Any
    ) -> Any:  # compiled
        win = int64(WIN - step)
        best, choice = int64(-ANY), int64(-1)
        mover = int64(side(here)) & 1
        menu = see(here)
        total = count(menu)
        if total < 1 or total > CHOICES:
            return int64(-BAD_MENU), best, choice
        if first + total * stride > room:
            return int64(-MOVES_ARE_FULL), best, choice
        end = int64(first)
        for index in range(total):
            move = pick(menu, index)
            there = normalised(play(here, move))
            replies = see(there)
            if over(replies):
                won = int64(winner(there))
                if won < 0 or won > DRAW:
                    return int64(-BAD_WINNER), best, choice
                score = win if won == mover else -win
                if won == DRAW:
                    score = int64(half if mover == X else -half)
                if score > best:
                    best, choice = score, int64(index)
                    if best >= beta:
                        return end, best, choice
                continue
            named = int64(key(here, move))
            if named < 0 or named >= keys:
                return int64(-BAD_KEY), best, choice
            place = mover * keys + named
            order = get(history, place) - REPLIES * count(replies)
            write(rows, end, there)
            put(rows, end + width + ORDER, order + LIKELY if index == likely else order)
            put(rows, end + width + INDEX, index)
            put(rows, end + width + PLACE, place)
            end += stride
        return end, best, choice

    return expand


def knowing(rules: IntegerRules, position: Any) -> Any:
    """Return `known(table, mask, rows, first, end, mover, left, beta, step)`: a move that cuts off.

    It returns the score and the index of a move whose table entry, searched to `left` plies, is
    worth `beta` or more. The index is -1 if there is no such move.
    """
    side = rules.side
    fields, verbs = fields_in_arrays(position), table_for(position)
    width, read = fields.width, fields.read
    bucket_of, find, bounds = verbs.bucket, verbs.find, verbs.bounds
    stride = width + ROW

    @inlined
    def known(  # noqa: PLR0913, PLR0917 - all that is in arrays
        table: Any, mask: Any, rows: Any, first: Any, end: Any, mover: Any, left: Any, beta: Any,
        step: Any,
    ) -> Any:  # fmt: skip # compiled
        row = first
        while row < end:
            there = read(rows, row)
            entry = find(table, bucket_of(mask, there, left), there, left)
            if entry >= 0:
                lower, upper = bounds(table, entry)
                least = before(lower if int64(side(there)) & 1 == mover else -upper, step)
                if least >= beta:
                    return least, get(rows, row + width + INDEX)
            row += stride
        return int64(0), int64(-1)

    return known
