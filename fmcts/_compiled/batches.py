"""Batches for a network, compiled: descents until a batch is full, and their backup.

`gather` collects the positions at the ends of descents, with a virtual loss on the path of each;
Python calls the network, and `credit` removes the losses, writes the priors and backs up in the
order of the descents. `fmcts._engines.batched` defines when a batch ends.

A node that waits for the network has a block with its moves, but no link leads to it yet.
"""

from __future__ import annotations

import functools
from typing import Any, Final

import numpy as np

from fmcts._compiled.backup import backup_of, noting, updating_above_ends
from fmcts._compiled.deriving import evaluation, is_resolved
from fmcts._compiled.descent import NODES_LEFT, USED, Arrays, Room, Start, descending
from fmcts._compiled.expansion import making, offering
from fmcts._compiled.parameters import parameters_of
from fmcts._compiled.simulation import ending
from fmcts._compiled.statuses import (
    BAD_PRIORS,
    DONE,
    NODES_ARE_MADE,
    RESOLVED,
    WIDE_MOVE,
)
from fmcts._compiled.structure import Structure
from fmcts._compiled.tree.columns import beginning
from fmcts._compiled.tree.layout import (
    BELOW,
    MOVE,
    ROOT,
    SLACK,
    VISITS,
    cell,
    column,
    open_block,
    refusal,
    size,
)
from fmcts._compiled.visit_tables import filling
from fmcts._engines.selection import reads_parent_value
from fmcts._numba.cache.jit import jit, registered
from fmcts._numba.intrinsics import (
    Verb,
    address,
    get,
    get_int,
    get_real,
    inlined,
    int32,
    int64,
    put,
    put_real,
    step,
)
from fmcts._numba.positions import menus_of, normalised
from fmcts._numba.register import register
from fmcts.rules import IntegerRules
from fmcts.search.networks import GRID, LARGE

DEPTH, ENDED, BLOCK, TOTAL, SIDE, ALIKE = range(6)
FACTS: Final = 6
"""The integers recorded for each descent: its length, whether its game is over, and for the node
that waits its block, the number of its moves, and the side to move. The last ones are a list of the
earlier descents that are like the current one so far."""


def losing(structure: Structure) -> Verb:
    """Return `losses(arrays, depth, above)`: how many visits of a node are not backed up yet.

    They are those of the earlier descents through it, of which `above` went through the node above.
    `arrays.batch` has the paths, the integers in each, the facts and the number of descents.
    """
    if not reads_parent_value(structure.method):
        return inlined(lambda _arrays, _depth, _above: 0)
    stride = structure.schema.stride

    @step
    def losses(arrays: Any, depth: Any, above: Any) -> Any:
        paths, length, facts, done = arrays.batch
        found = int64(done)
        if depth > 0:
            level = stride * (depth - 1)
            place, found = get(arrays.path, level), int64(0)
            for index in range(above):
                descent = int64(get(facts, FACTS * index + ALIKE) if depth > 1 else index)
                reaches = get(facts, FACTS * descent + DEPTH) >= depth
                if reaches and get(paths, length * descent + level) == place:
                    put(facts, FACTS * found + ALIKE, descent)
                    found += 1
        return found

    return losses


def growing(rules: IntegerRules, structure: Structure) -> Verb:
    """Return the step `grow`: give a node the child that selection chose, and a block of its own.

    `grow(arrays, room, end)` returns a status, the child's position, whether its game is over, its
    worth if it is, the block, and the number of its moves. No link leads to the block yet.
    """
    _, _, _, play, side, _ = registered(rules)
    menus = menus_of(rules)
    see, over, count, pick = menus.see, menus.over, menus.count, menus.pick
    offered, ended = offering(pick, structure.schema.rows), ending(rules, structure)
    make, begin, note = making(offered, 'selected'), beginning(rules, structure), noting(structure)
    rows, tail = structure.schema.rows, structure.schema.tail

    @inlined
    def write_moves(words: Any, block: Any, moves: Any, options: Any) -> Any:
        for nth in range(moves):
            move = pick(options, nth)
            if move != int32(move):
                return int64(WIDE_MOVE)
            put(words, cell(block, moves, MOVE, nth), move)
        return int64(DONE)

    @step
    def grow(arrays: Any, room: Any, end: Any) -> Any:
        words, counts = arrays.words, arrays.counts
        block, total, index, here = end.block, end.total, end.index, end.position
        leaf, moves, worth, finished = int64(get(counts, USED)), int64(0), 0.0, False
        move = offered(words, block, total, end.options, index)
        status = int64(DONE if move == int32(move) else WIDE_MOVE)
        if status == DONE:
            there = normalised(play(here, move))
            options = see(there)
            finished = over(options)
            if finished:
                worth = float(ended(there))
                status = max(int64(-worth), int64(DONE))
            else:
                moves = int64(count(options))
                end_of_leaf = leaf + size(moves, rows, tail)
                status = int64(refusal(moves, end_of_leaf, room.words))
                if status == DONE:
                    status = write_moves(words, leaf, moves, options)
                if status == DONE:
                    open_block(words, leaf, moves)
                    begin(words, leaf, moves, there, options)
                    put(counts, USED, end_of_leaf)
        if status == DONE:
            make(words, block, total, get_int(words, block + 1), end.options, index, move)
            put(words, cell(block, total, BELOW, index), -1 if finished else 0)
            place = cell(block, total, VISITS, index)
            note(arrays.path, end.depth, place, total, int64(side(here)) & 1, index)
            put(counts, NODES_LEFT, get(counts, NODES_LEFT) - 1)
        return status, there, finished, worth, leaf, moves

    return grow


def make_gather(rules: IntegerRules, position: Any, structure: Structure, about: str) -> Any:
    """Return `gather(...)` for positions of the class `position`; see its docstring."""
    _, _, _, _, side, _ = registered(rules)
    descend, grow = descending(rules, structure, losing(structure)), growing(rules, structure)
    ended, keep, stride = ending(rules, structure), _keeping(position), structure.schema.stride
    resolved, fill = is_resolved(structure), filling(structure)
    parameters_type = parameters_of(structure.method)

    def gather(
        arrays: Any, numbers: Any, root: Any, so_far: Any, most: Any, batch: Any
    ) -> Any:  # compiled
        """Descend until there are `most` descents.

        Return the status, the number of descents, and how many of their ends wait for the network.
        `so_far` has these two numbers, if memory ran short. `batch` has the arrays `facts`,
        `leaves`, `asked` and `worths`: row i of the paths, of `facts` and of `leaves` describes
        descent i: its path, the integers listed at `FACTS`, and the fields of the position at its
        end. If the game is over there, `worths[i]` is its worth to X; if not, `asked` gets these
        fields as its next row. For the other arguments see `loop`.
        """
        tree, counts, paths, logs, guesses, table = arrays
        facts, leaves, asked, worths = batch
        done, waiting = so_far
        fields, root_mover, forced = root
        words, look_up = address(tree), address(table)
        parameters = parameters_type(*numbers)
        room = Room(len(tree) - SLACK, paths.shape[1] // stride, 0)
        block, root_visits = get_int(words, cell(ROOT, 1, BELOW, 0)), cell(ROOT, 1, VISITS, 0)
        start = Start(position(*fields), block, int64(root_mover), forced)
        fill(look_up, len(table), get_int(words, root_visits) + most - done, parameters)
        status = int64(RESOLVED if done == 0 and resolved(words) else DONE)
        while status == DONE and done < most:
            path = address(paths[done])
            pointers = Arrays(
                words, address(counts), path, address(logs), path, address(guesses), look_up,
                (address(paths), paths.shape[1], address(facts), done),
            )  # fmt: skip
            status, end, _ = descend(pointers, room, start, (parameters, 0), 0)
            if status != DONE:
                break
            depth, leaf, moves = end.depth, int64(0), int64(0)
            finished, here, worth = end.block < 0, end.position, 0.0
            if finished:
                worth = float(ended(here))
                status = max(int64(-worth), int64(DONE))
            elif counts[NODES_LEFT] < 1:
                status = NODES_ARE_MADE
            else:
                status, here, finished, worth, leaf, moves = grow(pointers, room, end)
                depth += 1
            if status != DONE:
                break
            facts[done, DEPTH], facts[done, ENDED] = depth, finished
            facts[done, BLOCK], facts[done, TOTAL], facts[done, SIDE] = (
                leaf,
                moves,
                int64(side(here)) & 1,
            )
            worths[done] = worth
            keep(leaves, done, here)
            if not finished:
                keep(asked, waiting, here)
                waiting += 1
            for level in range(depth):
                place = int64(get(path, stride * level))
                put(words, place, get(words, place) + 1)
            put(words, root_visits, get(words, root_visits) + 1)
            done += 1
        return int64(status), done, waiting

    return jit(gather, about, structure=structure)


def make_credit(rules: IntegerRules, position: Any, structure: Structure, about: str) -> Any:  # noqa: C901, PLR0915 - the inner function is long
    """Return `credit(...)` for positions of the class `position`; see its docstring."""
    _, _, _, _, side, _ = registered(rules)
    key, keys = rules.key, rules.keys
    register(key)
    backup, evaluate = backup_of(structure, keys), evaluation(structure)
    updates_above_ends, above_end = structure.updates_above_ends, updating_above_ends(structure)
    stride, row_of_priors = structure.schema.stride, structure.schema.own
    parameters_type, at = parameters_of(structure.method), _restoring(position)

    @inlined
    def write(words: Any, block: Any, total: Any, index: Any, number: Any) -> None:
        put_real(words, column(block, total, row_of_priors, index), number)

    @inlined
    def spot_of(words: Any, block: Any, total: Any, index: Any, here: Any, width: Any) -> Any:
        """Return the index of a move in a row of priors, or -1 if it has none."""
        if width != keys:
            return int64(index if width == total else -1)
        if width < total:
            return int64(-1)
        spot = int64(key(here, get_int(words, cell(block, total, MOVE, index))))
        return spot if 0 <= spot < keys else int64(-1)

    def credit(
        arrays: Any, numbers: Any, root: Any, batch: Any, outputs: Any, row: Any
    ) -> Any:  # compiled
        """Back up a batch; return the status, and the row of priors that is at fault.

        `batch` is the number of descents, and the arrays `facts`, `leaves` and `worths`. `outputs`
        are the priors, whether a node has a column of them instead of a row, the number of priors
        of each (empty: all are as wide as the array), and the values. From `row` on, the rows of
        priors and the `values`, for the side to move, belong to the nodes that wait, in turn; both
        are rounded here. For the other arguments see `gather`.
        """
        tree, paths, stamps_array = arrays
        of_method, derived_numbers = numbers
        fields, root_mover = root
        count, facts, leaves, worths = batch
        priors_array, by_columns, widths, values = outputs
        rows, columns = priors_array.shape
        down, across, full = (1, columns, rows) if by_columns else (columns, 1, columns)
        priors = address(priors_array)
        parameters = parameters_type(*of_method)
        words, stamps = address(tree), address(stamps_array)
        root_side, root_visits = int64(side(position(*fields))) & 1, cell(ROOT, 1, VISITS, 0)
        for descent in range(count):
            path = address(paths[descent])
            for level in range(facts[descent, DEPTH]):
                place = int64(get(path, stride * level))
                put(words, place, get(words, place) - 1)
        put(words, root_visits, get(words, root_visits) - int32(count))
        for descent in range(count):
            path, depth = address(paths[descent]), facts[descent, DEPTH]
            here, finished = at(leaves, descent), facts[descent, ENDED] != 0
            if finished:
                worth = worths[descent]
            else:
                block, total = facts[descent, BLOCK], facts[descent, TOTAL]
                width, summed = widths[row] if len(widths) > 0 else full, 0.0
                for index in range(total):
                    spot = spot_of(words, block, total, index, here, width)
                    if spot < 0:
                        return int64(BAD_PRIORS), row
                    number = float(get(priors, down * row + across * spot))
                    summed += number
                    write(words, block, total, index, number)
                for index in range(total):
                    number = get_real(words, column(block, total, row_of_priors, index))
                    share = share_of(number, summed, total) if width == keys else number
                    write(words, block, total, index, on_grid(share))
                place = int64(get(path, stride * (depth - 1)))
                above = int64(get(path, stride * (depth - 1) + 1)) >> 1
                put(words, place + (BELOW - VISITS) * above, block)
                value = on_grid(values[row])
                worth = value if facts[descent, SIDE] == 0 else 1.0 - value
                row += 1
            least, estimates = evaluate(here, finished)
            if least < 0.0:
                return int64(-least), row
            if updates_above_ends and finished:
                above_end(words, path, depth, worth, parameters, root_side)
            backup(
                words, path, depth, worth, parameters, 0, root_mover, 0, root_side,
                stamps, 0, (worth, finished, estimates, derived_numbers),
            )  # fmt: skip
        return int64(DONE), row

    return jit(credit, about, structure=structure)


@inlined
def share_of(number: Any, summed: Any, total: Any) -> Any:
    """Return a number's share of a sum of `total` numbers; if it is 0, they are equal."""
    return number / summed if summed > 0.0 else 1.0 / total


@inlined
def on_grid(number: Any) -> Any:
    """Return the nearest multiple of `GRID`, never the negative zero."""
    return np.rint((number + 0.0) / GRID) * GRID


@functools.cache
def sound() -> Any:
    """Return `sound(priors, values)`: whether all are in the ranges that `as_arrays` accepts."""

    def is_sound(priors: Any, values: Any) -> Any:  # compiled
        numbers, wrong = address(priors), 0
        for place in range(priors.size):
            number = get(numbers, place)
            wrong += not ((number >= 0.0) & (number < LARGE))
        for row in range(len(values)):
            wrong += not (values[row] >= 0.0 and values[row] <= 1.0)
        return wrong == 0

    return jit(is_sound, 'ranges of what a network returns')


# One source for each number of fields, as numba must know the length of a tuple.


def _keeping(position: Any) -> Any:
    """Return `keep(leaves, row, position)`, which writes the position's fields to a row."""
    lines = ''.join(
        f'    leaves[row, {place}] = here[{place}]\n' for place in range(len(position._fields))
    )
    names: dict[str, Any] = {}
    exec(f'def keep(leaves, row, here):\n{lines}', names)  # noqa: S102 - see above
    return inlined(names['keep'])


def _restoring(position: Any) -> Any:
    """Return `at(leaves, row)`, which returns the position with the fields in a row."""
    fields = ', '.join(f'leaves[row, {place}]' for place in range(len(position._fields)))
    names: dict[str, Any] = {'make': position}
    exec(f'def at(leaves, row):\n    return make({fields})', names)  # noqa: S102 - see above
    return inlined(names['at'])
