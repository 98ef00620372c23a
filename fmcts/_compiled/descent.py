"""The verb `select`: descend from the root to a terminal node, or to one that gets a child.

The loop and the batches for networks share it. Its pieces are steps (`step` in
`fmcts._numba.intrinsics`): functions to read, which numba copies into the loop.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from fmcts._compiled.backup import noting
from fmcts._compiled.chance import drawing_outcome, seating, weighing_outcomes
from fmcts._compiled.expansion import jumping
from fmcts._compiled.selection import confirming, owning, selection
from fmcts._compiled.simulation import ending, faulting, marking_end
from fmcts._compiled.statuses import (
    BAD_CHANCES,
    BAD_KEY,
    DONE,
    LINE_IS_FULL,
    PATH_IS_FULL,
    WAITING,
)
from fmcts._compiled.structure import Structure
from fmcts._compiled.tables import referring
from fmcts._compiled.tree.columns import beginning, fetching, reward_at
from fmcts._compiled.tree.layout import BELOW, MOVE, ROOT, VISITS, cell, open_block, refusal, size
from fmcts._numba.cache.jit import registered
from fmcts._numba.intrinsics import Verb, get, get_int, inlined, int64, put, step
from fmcts._numba.positions import menus_of, normalised
from fmcts.rules import IntegerRules
from fmcts.search.methods import ParentNumbers

USED, NODES_LEFT = range(2)
"""The places in `counts`: of the integers of the tree in use, and of how many nodes may be made."""


class Arrays(NamedTuple):
    """Pointers to the arrays of a search: the tree's integers, and what an iteration needs."""

    words: Any
    counts: Any
    path: Any
    logs: Any
    line: Any
    guesses: Any
    table: Any
    batch: Any = 0  # see `batches.losing`


class Room(NamedTuple):
    """The integers that the tree may have, the levels of the path, the numbers of the line."""

    words: Any
    levels: Any
    line: Any


class Start(NamedTuple):
    """The root: its position, the block of its children, who moved to it, a move to force or -1."""

    position: Any
    block: Any
    mover: Any
    forced: Any


class End(NamedTuple):
    """The node at the end of a descent.

    `block` has its `total` children, or is below 0 if the game is over. `tried` is the second
    integer of the block, `index` the child that was chosen, `options` the menu, `weights` the sum
    of the weights of its outcomes, 0 where a player moves; if the game is over, of the node above.
    """

    position: Any
    block: Any
    total: Any
    tried: Any
    index: Any
    options: Any
    weights: Any
    depth: Any


def choosing_child(structure: Structure) -> Verb:
    """Return the step `choose`: selection among the children of a node.

    `choose(arrays, spot, block, total, chooser, numbers, known, forced, losses)` returns the index,
    or a status below 0, and the block and size of the reference node (see `tables`). The node is
    stored at `spot`: the block of its siblings, their number, its index, and who moved to it. Of
    its visits `losses` are not backed up yet.
    """
    select, own_of = selection(structure), owning(structure)
    refers, refer, reward_of = structure.refers, referring(structure), reward_at(structure)
    plain, scheduled = structure.plain, structure.scheduled
    log_offset, confirm = structure.method.log_offset, confirming(structure)

    @step
    def choose(  # noqa: PLR0913, PLR0917 - it is a piece of the loop
        arrays: Any,
        spot: Any,
        block: Any,
        total: Any,
        chooser: Any,
        numbers: Any,
        known: Any,
        forced: Any,
        losses: Any,
    ) -> Any:
        words, (siblings, among, place, mover) = arrays.words, spot
        parameters, of_table = numbers
        visits = get_int(words, cell(siblings, among, VISITS, place))
        log_visits = get(arrays.logs, visits + log_offset)
        if refers:
            known = refer(words, block, total, chooser, visits, of_table, known[0], known[1])
        if plain:
            parent = ParentNumbers(0.0, log_visits, 0.0, 0.0)
        else:
            reward, backed_up = reward_of(words, siblings, among, place), visits - losses
            reward = reward if mover == chooser else backed_up - reward
            value = reward / backed_up if backed_up > 0 else 0.0
            parent = ParentNumbers(float(visits), log_visits, value, 0.0)
        if scheduled and forced >= 0:
            index = int64(forced)
        else:
            own = own_of(words, siblings, among, place, mover == chooser, losses)
            index = int64(select(words, block, total, parent, parameters, arrays.table, own))
        return confirm(arrays.guesses, block, index), known

    return choose


def opening(rules: IntegerRules, structure: Structure) -> Verb:
    """Return the step `open_children`, for a child that is visited for the first time.

    `open_children(arrays, link, position, room)` writes a block without children and a link to it,
    or marks the end of a game. It returns a status, the block, the number of its moves and its
    menu.
    """
    menus = menus_of(rules)
    see, over, count = menus.see, menus.over, menus.count
    begin, rows, tail = beginning(rules, structure), structure.schema.rows, structure.schema.tail
    end, fault_of, end_mark = ending(rules, structure), faulting(structure), marking_end(structure)
    unvisited = structure.unvisited

    @step
    def open_children(arrays: Any, link: Any, position: Any, room: Any) -> Any:
        words, block = arrays.words, int64(get(arrays.counts, USED))
        options, total = see(position), int64(0)
        if unvisited and over(options):  # made with its siblings
            worth = end(position)
            status = int64(fault_of(worth))
            if status <= 0:
                status, block = int64(DONE), int64(end_mark(worth))
                put(words, link, block)
        else:
            total = int64(count(options))
            end_of_block = block + size(total, rows, tail)
            status = int64(refusal(total, end_of_block, room.words))
            if status == DONE:
                open_block(words, block, total)
                begin(words, block, total, position, options)
                put(words, link, block)
                put(arrays.counts, USED, end_of_block)
        return status, block, total, options

    return open_children


def descending(  # noqa: C901, PLR0915 - the inner function is long
    rules: IntegerRules, structure: Structure, losing: Verb | None = None
) -> Verb:
    """Return the step `descend`.

    `descend(arrays, room, start, numbers, rng)` returns a status, the `End` and the next generator.
    `numbers` are the parameters of the method and of its table. The path gets a level for each
    child. Only in batches may a node wait for the network: `losing` is their `batches.losing`.
    """
    _, _, _, play, side, _ = registered(rules)
    see, key, keys = menus_of(rules).see, rules.key, rules.keys
    choose, open_children = choosing_child(structure), opening(rules, structure)
    weights_at, draw_outcome = weighing_outcomes(rules), drawing_outcome(rules)
    seat, note, fetch = seating(structure), noting(structure), fetching(structure)
    has_chance, selected = rules.chances is not None, structure.expansion == 'selected'
    jumps, jump = structure.jumps, jumping(structure)
    plain, remembers = structure.plain, structure.remembers
    batched, losses_at = losing is not None, losing or inlined(lambda _arrays, _depth, _above: 0)

    @step
    def descend(  # noqa: C901, PLR0912, PLR0915 - each way in which a descent may end
        arrays: Any, room: Any, start: Any, numbers: Any, rng: Any
    ) -> Any:
        words, path, line = arrays.words, arrays.path, arrays.line
        here, block, spot = start.position, start.block, (ROOT, int64(1), 0, start.mover)
        total, tried, index, weights, depth = 0, 0, 0, 0, 0
        known, status, losses = (0, 0), int64(DONE), int64(0)
        while status == DONE:
            # One level for this node, and one for a new child.
            if depth + 2 > room.levels or (remembers and depth + 3 > room.line):
                status = PATH_IS_FULL if depth + 2 > room.levels else LINE_IS_FULL
                break
            total, tried = get_int(words, block), get_int(words, block + 1)
            weights = weights_at(here) if has_chance else 0
            if tried < total and not selected and weights == 0:
                jumped = False
                if jumps:
                    visits = get_int(words, cell(spot[0], spot[1], VISITS, spot[2]))
                    jumped, rng = jump(words, block, total, tried, visits, rng)
                if not jumped:
                    options = see(here)
                    break
            chooser = seat(side(here))
            if has_chance and weights != 0:
                index, rng = draw_outcome(here, see(here), weights, rng)
                if index < 0:
                    status = BAD_CHANCES
                    break
            else:
                forced = start.forced if depth == 0 else -1
                losses = losses_at(arrays, depth, losses)
                index, known = choose(
                    arrays, spot, block, total, chooser, numbers, known, forced, losses
                )
                if not plain and index < 0:
                    status = -index
                    break
            child = cell(block, total, VISITS, index)
            if (selected or weights != 0) and get(words, child) < 0:
                options = see(here)
                break
            note(path, depth, child, total, chooser, index)
            depth += 1
            spot, link = (block, total, index, chooser), child + (BELOW - VISITS) * total
            move = get_int(words, child + (MOVE - VISITS) * total)
            block = get_int(words, link)
            fetch(words, block)
            if remembers:
                named = int64(key(here, move))
                if named < 0 or named >= keys:
                    status = BAD_KEY
                    break
                put(line, depth, chooser * keys + named)
            here = normalised(play(here, move))
            if block == 0 and batched:
                status = WAITING
            elif block == 0:
                tried = 0
                status, block, total, options = open_children(arrays, link, here, room)
                if not selected and not has_chance:
                    break
            if block < 0:
                break
        return status, End(here, block, total, tried, index, options, weights, depth), rng

    return descend
