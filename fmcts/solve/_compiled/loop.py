"""The alpha-beta search, compiled for a game's rules.

The search repeats three steps, each on one node of the current line: `ENTER` looks the node up and
generates its moves, `CONTINUE` takes the next move or ends the node, and `LEAVE` passes its score
to the node above. Finished positions are detected when moves are generated and are never entered.

Moves are ordered without knowledge of the game: first the move that was best before, then moves
that caused cutoffs elsewhere ("history heuristic", Schaeffer 1989, here less the failures) and
leave few replies. If the table has a move that cuts off, no move is searched ("enhanced
transposition cutoff", Plaat, Schaeffer, Pijls and de Bruin 1996).
"""

from __future__ import annotations

from typing import Any, Final

from fmcts._compiled.statuses import BAD_WORTH, DONE, NO_END, PATH_IS_FULL
from fmcts._compiled.structure import Structure
from fmcts._numba.cache.jit import jit
from fmcts._numba.intrinsics import address, get, inlined, int64, leading_zeros, put
from fmcts.rules import IntegerRules
from fmcts.solve._compiled.expansion import after, before, expanding, knowing, stopping
from fmcts.solve._compiled.fields import (
    ALPHA,
    BEST,
    BETA,
    CHOICE,
    END,
    FIRST,
    FRAME,
    FROM,
    INDEX,
    LEFT,
    MOVER,
    NEXT,
    ORDER,
    PLACE,
    ROW,
    SINCE,
    fields_in_arrays,
)
from fmcts.solve._compiled.table import FULL, table_for
from fmcts.solve._scores import WIN

ENTER: Final = 0
CONTINUE: Final = 1
LEAVE: Final = 2

# Statuses, beside those of `statuses` and `expansion`.
PAUSED: Final = (1 << 20) + 1
TABLE_IS_FULL: Final = (1 << 20) + 2


def make_loop(rules: IntegerRules, position: Any, structure: Structure, about: str) -> Any:  # noqa: C901, PLR0915 - the inner functions are long
    """Return `run(...)` for positions of the class `position`; its docstring has the arguments.

    Of the `structure` only the evaluation matters, a function of positions or `None`.
    """
    fields, verbs = fields_in_arrays(position), table_for(position)
    width, read, write = fields.width, fields.read, fields.write
    bucket_of, find, bounds, likely_of, store = verbs
    expand, known = expanding(rules, position, structure), knowing(rules, position)
    stop = stopping(rules, structure)
    side = rules.side
    level, stride = width + FRAME, width + ROW

    @inlined
    def bring_next(rows: Any, at: Any, end: Any) -> None:  # compiled
        """Put the row with the greatest number, of equals the first, at `at`."""
        found, greatest = at, get(rows, at + width + ORDER)
        row = at + stride
        while row < end:
            order = get(rows, row + width + ORDER)
            if order > greatest:
                found, greatest = row, order
            row += stride
        if found != at:
            for word in range(stride):
                moved = get(rows, found + word)
                put(rows, found + word, get(rows, at + word))
                put(rows, at + word, moved)

    @inlined
    def remember_cut(history: Any, rows: Any, first: Any, row: Any, nodes: Any) -> None:  # compiled
        """Update the history for a move that cut off, against those searched before it."""
        size = int64(64 - leading_zeros(nodes + 1))
        place = get(rows, row + width + PLACE)
        put(history, place, get(history, place) + size * size)
        while row > first:
            row -= stride
            place = get(rows, row + width + PLACE)
            put(history, place, get(history, place) - size)

    def run(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917 - a whole search
        table_array: Any, mask: Any, limit: Any, frames_array: Any, rows_array: Any,
        history_array: Any, where: Any, budget: Any, step: Any, max_plies: Any,
    ) -> Any:  # fmt: skip # compiled
        """Search up to `budget` more nodes; return the status and the new `where`.

        `where`: the next step, the ply, the score of the node last left, the number of nodes
        entered, and the number of table entries. `mask`: the number of buckets of the table less
        one, or -1 without a table; `limit`: the number of entries at which the table should grow.
        The first frame has the position, the window, the depth and the start of its rows. If the
        status allows the search to continue, no step is left half done.
        """
        table, frames = address(table_array), address(frames_array)
        rows, history = address(rows_array), address(history_array)
        levels, room = len(frames_array) // level, len(rows_array)
        then, ply, score, nodes, used = where
        win = int64(WIN - step)  # an unfinished position is worth no more
        last = nodes + budget
        status = DONE
        while True:
            begin = ply * level
            frame = begin + width
            if then == ENTER:
                if nodes >= last:
                    status = PAUSED
                    break
                if ply + 2 > levels:
                    status = PATH_IS_FULL
                    break
                nodes += 1
                then = LEAVE  # unless it is found out that there is more to do
                here = read(frames, begin)
                alpha, beta = get(frames, frame + ALPHA), get(frames, frame + BETA)
                left = get(frames, frame + LEFT)
                if left == 0:
                    score, is_score = stop(here)
                    if not is_score:
                        status = BAD_WORTH
                        break
                    continue
                if alpha >= win:
                    score = win
                    continue
                if beta <= -win:
                    score = -win
                    continue
                likely = int64(-1)
                if mask >= 0:
                    entry = find(table, bucket_of(mask, here, left), here, left)
                    if entry >= 0:
                        lower, upper = bounds(table, entry)
                        likely = likely_of(table, entry)
                        if lower >= beta or lower == upper:
                            score = lower
                            continue
                        if upper <= alpha:
                            score = upper
                            continue
                        alpha, beta = max(alpha, lower), min(beta, upper)
                if ply >= max_plies:
                    status = NO_END
                    break
                first = get(frames, frame + FIRST)
                end, best, choice = expand(rows, first, room, history, here, likely, beta, step)
                if end < 0:
                    status = -end
                    nodes -= 1
                    then = ENTER
                    break
                if best >= beta:
                    score = best
                    continue
                mover = int64(side(here)) & 1
                if mask >= 0:
                    child_left = left - 1 if left > 0 else left
                    found, index = known(
                        table, mask, rows, first, end, mover, child_left, beta, step
                    )
                    if index >= 0:
                        best, choice = found, index
                put(frames, frame + ALPHA, max(alpha, best))
                put(frames, frame + BETA, beta)
                put(frames, frame + FROM, alpha)
                put(frames, frame + BEST, best)
                put(frames, frame + CHOICE, choice)
                put(frames, frame + MOVER, mover)
                put(frames, frame + SINCE, nodes)
                put(frames, frame + NEXT, first)
                put(frames, frame + END, end)
                then = CONTINUE
            elif then == CONTINUE:
                best, beta = get(frames, frame + BEST), get(frames, frame + BETA)
                row, end = get(frames, frame + NEXT), get(frames, frame + END)
                left = get(frames, frame + LEFT)
                if best < beta and row < end:
                    bring_next(rows, row, end)
                    put(frames, frame + NEXT, row + stride)
                    there = read(rows, row)
                    low, high = after(get(frames, frame + ALPHA), step), after(beta, step)
                    if int64(side(there)) & 1 != get(frames, frame + MOVER):
                        low, high = -high, -low
                    below = frame + level
                    write(frames, begin + level, there)
                    put(frames, below + ALPHA, low)
                    put(frames, below + BETA, high)
                    put(frames, below + LEFT, left - 1 if left > 0 else left)
                    put(frames, below + FIRST, end)
                    ply += 1
                    then = ENTER
                    continue
                if mask >= 0:
                    here = read(frames, begin)
                    said = store(
                        table,
                        bucket_of(mask, here, left),
                        here,
                        left,
                        best if best > get(frames, frame + FROM) else -win,
                        best if best < beta else win,
                        get(frames, frame + CHOICE),
                        nodes - get(frames, frame + SINCE),
                        used < limit,
                    )
                    if said == FULL:
                        status = TABLE_IS_FULL
                        break
                    used += said
                score = best
                then = LEAVE
            else:
                if ply == 0:
                    break
                ply -= 1
                frame -= level
                row = get(frames, frame + NEXT) - stride
                if int64(side(read(rows, row))) & 1 != get(frames, frame + MOVER):
                    score = -score
                score = before(score, step)
                if score > get(frames, frame + BEST):
                    put(frames, frame + BEST, score)
                    put(frames, frame + CHOICE, get(rows, row + width + INDEX))
                    put(frames, frame + ALPHA, max(score, get(frames, frame + ALPHA)))
                    if score >= get(frames, frame + BETA):
                        searched = nodes - get(frames, frame + SINCE)
                        remember_cut(history, rows, get(frames, frame + FIRST), row, searched)
                then = CONTINUE
        return status, (then, ply, score, nodes, used)

    return jit(run, about, structure=structure)
