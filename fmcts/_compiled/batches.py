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
from fmcts._compiled.by_visits import filling
from fmcts._compiled.deriving import evaluation
from fmcts._compiled.expansion import making, offering
from fmcts._compiled.guesses import confirming
from fmcts._compiled.parameters import parameters_of
from fmcts._compiled.resolution import is_resolved
from fmcts._compiled.selection import owning, selection
from fmcts._compiled.simulation import ending
from fmcts._compiled.statuses import (
    BAD_PRIORS,
    DONE,
    NODES_ARE_MADE,
    PATH_IS_FULL,
    RESOLVED,
    WAITING,
    WIDE_MOVE,
)
from fmcts._compiled.structure import Structure
from fmcts._compiled.tree.columns import beginning, fetching, reward_at
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
from fmcts._numba.cache.jit import jit, registered
from fmcts._numba.intrinsics import (
    address,
    get,
    get_int,
    get_real,
    inlined,
    int32,
    int64,
    put,
    put_real,
)
from fmcts._numba.menus import menus_of
from fmcts._numba.positions import normalised
from fmcts._numba.register import register
from fmcts.rules import IntegerRules
from fmcts.search.methods import ParentNumbers
from fmcts.search.networks import GRID, LARGE

DEPTH, ENDED, BLOCK, TOTAL, SIDE = range(5)
FACTS: Final = 5
"""The integers recorded for each descent: its length, whether its game is over, and for the node
that waits its block, the number of its moves, and the side to move."""


def make_gather(rules: IntegerRules, position: Any, structure: Structure, about: str) -> Any:  # noqa: C901, PLR0915 - as `loop`
    """Return `gather(...)` for positions of the class `position`; see its docstring."""
    _, _, _, play, side, _ = registered(rules)
    menus = menus_of(rules)
    see, over, count, pick = menus.see, menus.over, menus.count, menus.pick
    select, own_of = selection(structure), owning(structure)
    end, note = ending(rules, structure), noting(structure)
    offered = offering(pick, structure.rows)
    make, begin = making(offered, 'selected'), beginning(rules, structure)
    rows, tail, stride = structure.rows, structure.tail, structure.stride
    resolved, confirm, fill = is_resolved(structure), confirming(structure), filling(structure)
    reward_of, log_offset = reward_at(structure), structure.method.log_offset
    scheduled, parameters_type = structure.scheduled, parameters_of(structure.method)
    fetch = fetching(structure)
    keep = _keeping(position)

    def gather(  # noqa: C901, PLR0911, PLR0912, PLR0913, PLR0915, PLR0917 - a loop as that of `loop`
        words_array: Any,
        paths: Any,
        logs_array: Any,
        guesses_array: Any,
        table_array: Any,
        numbers: Any,
        root_fields: Any,
        root_mover: Any,
        used: Any,
        room_for_nodes: Any,
        done: Any,
        waiting: Any,
        most: Any,
        forced: Any,
        facts: Any,
        leaves: Any,
        asked: Any,
        worths: Any,
    ) -> Any:  # compiled
        """Descend until there are `most` descents.

        Return the status, the number of descents, how many of their ends wait for the network, the
        integers in use and the room for nodes. `done` descents were made earlier, before memory ran
        short, and `waiting` of their ends wait. Row i of `paths`, `facts` and `leaves` describes
        descent i: its path, the integers listed at `FACTS`, and the fields of the position at its
        end. If the game is over there, `worths[i]` is its worth to X; if not, `asked` gets these
        fields as its next row. For the other arguments see `loop`.
        """
        root = position(*root_fields)
        parameters = parameters_type(*numbers)
        words, logs = address(words_array), address(logs_array)
        guesses, table = address(guesses_array), address(table_array)
        room, levels = len(words_array) - SLACK, paths.shape[1] // stride
        first, root_visits = (
            get_int(words, cell(ROOT, 1, BELOW, 0)),
            cell(ROOT, 1, VISITS, 0),
        )
        fill(table, len(table_array), get_int(words, root_visits) + most - done, parameters)
        if done == 0 and resolved(words):
            return int64(RESOLVED), done, waiting, used, room_for_nodes
        while done < most:
            path = address(paths[done])
            here, block = root, first
            siblings, total_siblings, place_among = ROOT, 1, 0
            mover = int64(root_mover)
            depth, leaf, moves, leaf_side, worth = 0, 0, 0, 0, 0.0
            while True:
                if depth + 2 > levels:
                    return int64(PATH_IS_FULL), done, waiting, used, room_for_nodes
                total = get_int(words, block)
                chooser = int64(side(here)) & 1
                visits = get_int(words, cell(siblings, total_siblings, VISITS, place_among))
                reward = reward_of(words, siblings, total_siblings, place_among)
                reward = reward if mover == chooser else visits - reward
                value = reward / visits if visits > 0 else 0.0
                parent = ParentNumbers(float(visits), get(logs, visits + log_offset), value, 0.0)
                if scheduled and forced >= 0 and depth == 0:
                    index = int64(forced)
                else:
                    own = own_of(words, siblings, total_siblings, place_among, mover == chooser)
                    index = int64(select(words, block, total, parent, parameters, table, own))
                if index < 0:
                    return -index, done, waiting, used, room_for_nodes
                index = confirm(guesses, block, index)
                place = cell(block, total, VISITS, index)
                if get(words, place) < 0:
                    finished = False
                    break
                note(path, depth, place, total, chooser, index)
                depth += 1
                siblings, total_siblings, place_among, mover = block, total, index, chooser
                below = get_int(words, cell(block, total, BELOW, index))
                if below == 0:
                    return int64(WAITING), done, waiting, used, room_for_nodes
                fetch(words, below)
                here = normalised(play(here, get_int(words, place + (MOVE - VISITS) * total)))
                if below < 0:
                    finished = True
                    break
                block = below
            if finished:
                worth = float(end(here))
                if worth < 0.0:
                    return int64(-worth), done, waiting, used, room_for_nodes
            else:
                if room_for_nodes < 1:
                    return int64(NODES_ARE_MADE), done, waiting, used, room_for_nodes
                options = see(here)
                move = offered(words, block, total, options, index)
                if move != int32(move):
                    return int64(WIDE_MOVE), done, waiting, used, room_for_nodes
                there = normalised(play(here, move))
                following = see(there)
                finished = over(following)
                if finished:
                    worth = float(end(there))
                    if worth < 0.0:
                        return int64(-worth), done, waiting, used, room_for_nodes
                else:
                    moves = count(following)
                    status = refusal(moves, used + size(moves, rows, tail), room)
                    if status != DONE:
                        return int64(status), done, waiting, used, room_for_nodes
                    leaf, leaf_side = used, int64(side(there)) & 1
                    for nth in range(moves):
                        named = pick(following, nth)
                        if named != int32(named):
                            return int64(WIDE_MOVE), done, waiting, used, room_for_nodes
                        put(words, cell(leaf, moves, MOVE, nth), named)
                    open_block(words, leaf, moves)
                    begin(words, leaf, moves, there, following)
                    used += size(moves, rows, tail)
                make(words, block, total, get_int(words, block + 1), options, index, move)
                put(words, cell(block, total, BELOW, index), -1 if finished else 0)
                room_for_nodes -= 1
                note(path, depth, place, total, chooser, index)
                depth += 1
                here = there
            facts[done, DEPTH], facts[done, ENDED] = depth, finished
            facts[done, BLOCK], facts[done, TOTAL], facts[done, SIDE] = leaf, moves, leaf_side
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
        return int64(DONE), done, waiting, used, room_for_nodes

    return jit(gather, about, structure=structure)


def make_credit(rules: IntegerRules, position: Any, structure: Structure, about: str) -> Any:  # noqa: C901, PLR0915 - as `loop`
    """Return `credit(...)` for positions of the class `position`; see its docstring."""
    _, _, _, _, side, _ = registered(rules)
    key, keys = rules.key, rules.keys
    register(key)
    backup, evaluate = backup_of(structure, keys), evaluation(structure)
    updates_above_ends, above_end = structure.updates_above_ends, updating_above_ends(structure)
    stride, row_of_priors = structure.stride, structure.own
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

    def credit(  # noqa: PLR0913, PLR0917 - as `gather`
        words_array: Any,
        paths: Any,
        stamps_array: Any,
        numbers: Any,
        derived_numbers: Any,
        root_fields: Any,
        root_mover: Any,
        count: Any,
        facts: Any,
        leaves: Any,
        worths: Any,
        priors_array: Any,
        by_columns: Any,
        widths: Any,
        values: Any,
        row: Any,
    ) -> Any:  # compiled
        """Back up `count` descents; return the status, and the row of priors that is at fault.

        From `row` on, the rows of priors and the `values`, for the side to move, belong to the
        nodes that wait, in turn; both are rounded here. The array of priors has a row for each
        node, or with `by_columns` a column. `widths` has the number of priors in each, unless it is
        empty: then all are as wide as the array. For the other arguments see `gather`.
        """
        rows, columns = priors_array.shape
        down, across, full = (1, columns, rows) if by_columns else (columns, 1, columns)
        priors = address(priors_array)
        root = position(*root_fields)
        parameters = parameters_type(*numbers)
        words, stamps = address(words_array), address(stamps_array)
        root_side, root_visits = int64(side(root)) & 1, cell(ROOT, 1, VISITS, 0)
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
                    number = on_grid(get(priors, down * row + across * spot))
                    summed += number
                    write(words, block, total, index, number)
                for index in range(total if width == keys else 0):
                    number = get_real(words, column(block, total, row_of_priors, index))
                    share = number / summed if summed > 0.0 else 1.0 / total
                    write(words, block, total, index, share)
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
