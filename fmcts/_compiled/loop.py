"""The loop of the search, compiled for a game's rules, a generator and the structure of a search.

It has the verbs of the in-place engine, on the memory layout of `fmcts._compiled.tree.layout`.
"""

from __future__ import annotations

from typing import Any

from fmcts._compiled.backup import backup_of, noting, recording, updating_above_ends
from fmcts._compiled.by_visits import filling
from fmcts._compiled.chance import drawing_outcome, seating, weighing_outcomes
from fmcts._compiled.deriving import evaluation
from fmcts._compiled.expansion import drawing, jumping, making, making_outcome, offering
from fmcts._compiled.guesses import confirming
from fmcts._compiled.learning import learning
from fmcts._compiled.marking import marking
from fmcts._compiled.parameters import parameters_of
from fmcts._compiled.resolution import is_resolved
from fmcts._compiled.selection import owning, selection
from fmcts._compiled.simulation import ending, faulting, marking_end, simulation
from fmcts._compiled.statuses import (
    BAD_CHANCES,
    BAD_KEY,
    DONE,
    LINE_IS_FULL,
    NODES_ARE_MADE,
    PATH_IS_FULL,
    RESOLVED,
    WIDE_MOVE,
)
from fmcts._compiled.structure import Structure
from fmcts._compiled.tables import referring
from fmcts._compiled.tree.columns import beginning, fetching, reward_at
from fmcts._compiled.tree.layout import (
    BELOW,
    MOVE,
    ROOT,
    SLACK,
    VISITS,
    cell,
    open_block,
    refusal,
    size,
)
from fmcts._numba.cache.jit import jit, registered
from fmcts._numba.generators import Generator
from fmcts._numba.intrinsics import address, get, get_int, inlined, int32, int64, nothing, put
from fmcts._numba.menus import menus_of
from fmcts._numba.positions import normalised
from fmcts.rules import IntegerRules
from fmcts.search.methods import ParentNumbers


@inlined
def left(status: Any, made: Any, used: Any, room_for_nodes: Any, rng: Any) -> Any:
    """Return the result of `run`; a function, because a tuple at each exit compiles slowly."""
    return int64(status), made, used, room_for_nodes, (rng[0], rng[1])


def make_loop(  # noqa: C901, PLR0915 - the inner function is long
    rules: IntegerRules, position: Any, generator: Generator, structure: Structure, about: str
) -> Any:
    """Return `run`, documented below, for positions of the class `position`."""
    _, _, _, play, side, _ = registered(rules)
    menus = menus_of(rules)
    see, over, count = menus.see, menus.over, menus.count
    key, keys = rules.key, rules.keys
    select, own_of = selection(structure), owning(structure)
    draw_untried, offered = drawing(structure.expansion), offering(menus.pick, structure.rows)
    make = making(offered, structure.expansion)
    make_outcome = making_outcome(structure.expansion)
    weights_at, draw_outcome, seat = (
        weighing_outcomes(rules), drawing_outcome(rules), seating(structure)
    )  # fmt: skip
    has_chance, fault_of, end_mark = (
        rules.chances is not None, faulting(structure), marking_end(structure)
    )  # fmt: skip
    simulate, end = simulation(rules, structure), ending(rules, structure)
    backup, reward_of = backup_of(structure, keys), reward_at(structure)
    remembers, learn = structure.remembers, learning(structure, keys)
    keyed, clear = structure.traces or remembers, marking(keys).clear
    begin, rows, tail = beginning(rules, structure), structure.rows, structure.tail
    refers, refer, evaluate = structure.refers, referring(structure), evaluation(structure)
    stride, real, note = structure.stride, structure.real, noting(structure)
    traces = structure.traces
    full, selected = structure.expansion == 'full', structure.expansion == 'selected'
    resolved = is_resolved(structure)
    confirm, fill, fetch = confirming(structure), filling(structure), fetching(structure)
    jumps, jump, log_offset = structure.jumps, jumping(structure), structure.method.log_offset
    updates_above_ends, above_end = structure.updates_above_ends, updating_above_ends(structure)
    record = recording(structure)
    plain, unvisited, scheduled = structure.plain, structure.unvisited, structure.scheduled
    parameters_type, mine = parameters_of(structure.method), len(structure.method.parameters)
    of_moves = structure.method.table
    table_type = nothing if of_moves is None else parameters_of(of_moves)

    def run(  # noqa: C901, PLR0911, PLR0912, PLR0913, PLR0915, PLR0917 - the loop of a whole search
        words_array: Any,
        path_array: Any,
        logs_array: Any,
        stamps_array: Any,
        memory_array: Any,
        line_array: Any,
        guesses_array: Any,
        table_array: Any,
        trail_array: Any,
        numbers: Any,
        policy_numbers: Any,
        derived_numbers: Any,
        root_fields: Any,
        rng_words: Any,
        root_mover: Any,
        used: Any,
        room_for_nodes: Any,
        max_plies: Any,
        before: Any,
        iterations: Any,
        forced: Any,
    ) -> Any:  # compiled
        """Run up to `iterations` iterations; return `left(...)`: status, counts and generator.

        - `numbers`: the parameters of the method and its table;
        - `policy_numbers`: the plies of a playout before it is evaluated, then the parameters of
          the policy and its tables; `derived_numbers`: those of each derived statistic;
        - `root_mover`: the side that moved to the root; `forced`: the index of the move to take at
          the root, or -1;
        - `used`: the integers of the tree in use; `room_for_nodes`: how many more nodes may be
          made; `max_plies`: the longest playout allowed;
        - `before`: the iterations since the stamps were 0.

        If `trail_array` has rows, each iteration fills one. If the status allows the search to
        continue, no iteration is left half done. Arguments and results are plain tuples, so that
        neither the signature nor the cached code names a class.
        """
        root = position(*root_fields)
        rng = generator(*rng_words)
        parameters, of_table = parameters_type(*numbers[:mine]), table_type(*numbers[mine:])
        words, path, logs = address(words_array), address(path_array), address(logs_array)
        stamps, memory, line = address(stamps_array), address(memory_array), address(line_array)
        guesses, table, trail = address(guesses_array), address(table_array), address(trail_array)
        line_room, recorded = len(line_array), len(trail_array) > 0
        room, levels = len(words_array) - SLACK, len(path_array) // stride
        first = get_int(words, cell(ROOT, 1, BELOW, 0))
        root_side = seat(side(root))
        made, most = 0, get_int(words, cell(ROOT, 1, VISITS, 0)) + iterations
        fill(table, len(table_array), most, parameters)
        while made < iterations:
            if resolved(words):
                return left(RESOLVED, made, used, room_for_nodes, rng)
            here, rng_after, block = root, rng, first
            siblings, total_siblings, place_among = ROOT, 1, 0
            mover = int64(root_mover)
            depth = 0
            index = 0
            known, total_known = 0, 0  # the block and size of the reference node
            # Descend. `crediting` describes a level of the path.
            while True:
                # One level for this node, and one for a new child.
                if depth + 2 > levels or (remembers and depth + 3 > line_room):
                    status = PATH_IS_FULL if depth + 2 > levels else LINE_IS_FULL
                    return left(status, made, used, room_for_nodes, rng)
                total = get_int(words, block)
                tried = get_int(words, block + 1)
                weights = weights_at(here) if has_chance else 0  # 0 where a player moves
                if tried < total and not selected and weights == 0:
                    jumped = False
                    if jumps:
                        place_here = cell(siblings, total_siblings, VISITS, place_among)
                        visits = get_int(words, place_here)
                        jumped, rng_after = jump(words, block, total, tried, visits, rng_after)
                    if not jumped:
                        options = see(here)
                        break
                chooser = seat(side(here))
                if has_chance and weights != 0:
                    index, rng_after = draw_outcome(here, see(here), weights, rng_after)
                    if index < 0:
                        return left(BAD_CHANCES, made, used, room_for_nodes, rng)
                else:
                    visits = get_int(words, cell(siblings, total_siblings, VISITS, place_among))
                    log_visits = get(logs, visits + log_offset)
                    if refers:
                        known, total_known = refer(
                            words, block, total, chooser, visits, of_table, known, total_known
                        )
                    if plain:
                        parent = ParentNumbers(0.0, log_visits, 0.0, 0.0)
                    else:
                        reward = reward_of(words, siblings, total_siblings, place_among)
                        reward = reward if mover == chooser else visits - reward
                        value = reward / visits if visits > 0 else 0.0
                        parent = ParentNumbers(float(visits), log_visits, value, 0.0)
                    if scheduled and forced >= 0 and depth == 0:
                        index = int64(forced)
                    else:
                        own = own_of(words, siblings, total_siblings, place_among, mover == chooser)
                        index = int64(select(words, block, total, parent, parameters, table, own))
                    if not plain and index < 0:
                        return left(-index, made, used, room_for_nodes, rng)
                    index = confirm(guesses, block, index)
                place = cell(block, total, VISITS, index)
                if (selected or weights != 0) and get(words, place) < 0:
                    options = see(here)
                    break
                note(path, depth, place, total, chooser, index)
                depth += 1
                siblings, total_siblings, place_among, mover = block, total, index, chooser
                block = get_int(words, cell(block, total, BELOW, index))
                fetch(words, block)
                move = get_int(words, place + (MOVE - VISITS) * total)
                if remembers:
                    named = int64(key(here, move))
                    if named < 0 or named >= keys:
                        return left(BAD_KEY, made, used, room_for_nodes, rng)
                    put(line, depth, chooser * keys + named)
                here = normalised(play(here, move))
                if block < 0:
                    break
                if block == 0:
                    options = see(here)
                    link = place + (BELOW - VISITS) * total
                    if unvisited and over(options):  # made with its siblings; first visit
                        worth = end(here)
                        if fault_of(worth) > 0:
                            return left(fault_of(worth), made, used, room_for_nodes, rng)
                        block = end_mark(worth)
                        put(words, link, block)
                        break
                    total = count(options)
                    status = refusal(total, used + size(total, rows, tail), room)
                    if status != DONE:
                        return left(status, made, used, room_for_nodes, rng)
                    block = used
                    open_block(words, block, total)
                    begin(words, block, total, here, options)
                    used += size(total, rows, tail)
                    put(words, link, block)
                    tried = 0
                    if not selected and not has_chance:
                        break
            stamp = before + made + 1
            if traces:
                clear(stamps)
            leaf_side, choices = 0, 0
            finished = block < 0
            if remembers:
                put(line, 0, depth)
            if finished:
                worth = end(here) if real else -1 - block
                if real and fault_of(worth) > 0:
                    return left(fault_of(worth), made, used, room_for_nodes, rng)
            else:
                children = total - tried if full and weights == 0 else 1
                if children > room_for_nodes:
                    return left(NODES_ARE_MADE, made, used, room_for_nodes, rng)
                if not (has_chance and weights != 0):
                    index, rng_after = draw_untried(words, block, total, tried, index, rng_after)
                move = offered(words, block, total, options, index)
                if move != int32(move):
                    return left(WIDE_MOVE, made, used, room_for_nodes, rng)
                there = normalised(play(here, move))
                below = see(there)
                leaf, moves = 0, 0
                if keyed:
                    named = int64(key(here, move))
                    if named < 0 or named >= keys:
                        return left(BAD_KEY, made, used, room_for_nodes, rng)
                    if remembers:
                        put(line, 0, depth + 1)
                        put(line, depth + 1, (int64(side(here)) & 1) * keys + named)
                if traces:
                    leaf_side = int64(side(there)) & 1
                    if not over(below):  # moves played below it update its statistics now
                        moves = count(below)
                        status = refusal(moves, used + size(moves, rows, tail), room)
                        if status != DONE:
                            return left(status, made, used, room_for_nodes, rng)
                        leaf = used
                worth, rng_after = simulate(
                    there, below, rng_after, max_plies, stamps, stamp, policy_numbers,
                    memory, line, line_room,
                )  # fmt: skip
                if fault_of(worth) > 0:
                    return left(fault_of(worth), made, used, room_for_nodes, rng)
                if has_chance and weights != 0:
                    make_outcome(words, block, total, tried, index, move)
                elif not make(words, block, total, tried, options, index, move):
                    return left(WIDE_MOVE, made, used, room_for_nodes, rng)
                room_for_nodes -= children
                place = cell(block, total, VISITS, index)
                note(path, depth, place, total, seat(side(here)), index)
                depth += 1
                here, finished = there, over(below)
                if recorded and not finished:
                    choices = count(below)
                if finished:
                    put(words, cell(block, total, BELOW, index), end_mark(worth))
                elif leaf > 0:
                    open_block(words, leaf, moves)
                    begin(words, leaf, moves, here, below)
                    used += size(moves, rows, tail)
                    put(words, cell(block, total, BELOW, index), leaf)
            least, estimates = evaluate(here, finished)
            if least < 0.0:
                return left(-least, made, used, room_for_nodes, rng)
            rng = rng_after
            if recorded:
                record(trail, before + made, path, depth, index, choices, worth)
            if updates_above_ends and finished:
                above_end(words, path, depth, worth, parameters, root_side)
            backup(
                words, path, depth, worth, parameters, of_table, root_mover, leaf_side, root_side,
                stamps, stamp, (worth, finished, estimates, derived_numbers),
            )  # fmt: skip
            learn(memory, line, stamps, stamp, worth, policy_numbers)
            made += 1
        return left(DONE, made, used, room_for_nodes, rng)

    return jit(run, about, structure=structure)
