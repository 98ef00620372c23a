"""The loop of the search, compiled for a game's rules, a generator and the structure of a search.

It has the verbs of the in-place engine, on the memory layout of `fmcts._compiled.tree.layout`:
`descend` is in the module `descent`, `grow` (expand and simulate) and `credit` (backup) are here.
"""

from __future__ import annotations

from typing import Any

from fmcts._compiled.backup import backup_of, learning, noting, recording, updating_above_ends
from fmcts._compiled.chance import seating
from fmcts._compiled.deriving import evaluation, is_resolved
from fmcts._compiled.descent import NODES_LEFT, USED, Arrays, Room, Start, descending
from fmcts._compiled.expansion import drawing, making, making_outcome, offering
from fmcts._compiled.marking import marking
from fmcts._compiled.parameters import parameters_of
from fmcts._compiled.simulation import ending, faulting, marking_end, simulation
from fmcts._compiled.statuses import BAD_KEY, DONE, NODES_ARE_MADE, RESOLVED, WIDE_MOVE
from fmcts._compiled.structure import Structure
from fmcts._compiled.tree.columns import beginning
from fmcts._compiled.tree.layout import (
    BELOW,
    ROOT,
    SLACK,
    VISITS,
    cell,
    open_block,
    refusal,
    size,
)
from fmcts._compiled.visit_tables import filling
from fmcts._numba.cache.jit import jit, registered
from fmcts._numba.generators import Generator
from fmcts._numba.intrinsics import Verb, address, get, get_int, int32, int64, nothing, put, step
from fmcts._numba.positions import menus_of, normalised
from fmcts.rules import IntegerRules


def picking(rules: IntegerRules, structure: Structure) -> Verb:
    """Return the step `pick_child`: which move of a node gets a child.

    `pick_child(arrays, end, rng)` returns a status, the index of the move, the move, the number of
    children to make and the next generator; it adds the move to the line.
    """
    _, _, _, _, side, _ = registered(rules)
    key, keys, remembers = rules.key, rules.keys, structure.remembers
    draw_untried, full = drawing(structure.expansion), structure.expansion == 'full'
    offered, has_chance = (
        offering(menus_of(rules).pick, structure.schema.rows),
        rules.chances is not None,
    )
    keyed = structure.traces or remembers

    @step
    def pick_child(arrays: Any, end: Any, rng: Any) -> Any:
        words, line = arrays.words, arrays.line
        index, move, status = end.index, int64(0), int64(DONE)
        children = end.total - end.tried if full and end.weights == 0 else 1
        if children > get(arrays.counts, NODES_LEFT):
            status = NODES_ARE_MADE
        else:
            if not (has_chance and end.weights != 0):
                index, rng = draw_untried(words, end.block, end.total, end.tried, index, rng)
            move = offered(words, end.block, end.total, end.options, index)
            if move != int32(move):
                status = WIDE_MOVE
            elif keyed:
                named = int64(key(end.position, move))
                if named < 0 or named >= keys:
                    status = BAD_KEY
                elif remembers:
                    put(line, 0, end.depth + 1)
                    put(line, end.depth + 1, (int64(side(end.position)) & 1) * keys + named)
        return status, index, move, children, rng

    return pick_child


def growing(rules: IntegerRules, structure: Structure) -> Verb:  # noqa: C901 - a step inside
    """Return the step `grow`: give a node a child, and play out from there.

    `grow(arrays, room, end, policy, marks, rng)` returns a status, the worth, the child's position,
    whether its game is over, its index, and the next generator.
    """
    _, _, _, play, side, _ = registered(rules)
    menus = menus_of(rules)
    see, over, count = menus.see, menus.over, menus.count
    pick_child, simulate = picking(rules, structure), simulation(rules, structure)
    make = making(offering(menus.pick, structure.schema.rows), structure.expansion)
    make_outcome, seat = making_outcome(structure.expansion), seating(structure)
    fault_of, end_mark, note = faulting(structure), marking_end(structure), noting(structure)
    begin, rows, tail = beginning(rules, structure), structure.schema.rows, structure.schema.tail
    traces, has_chance = structure.traces, rules.chances is not None

    @step
    def grow(arrays: Any, room: Any, end: Any, policy: Any, marks: Any, rng: Any) -> Any:
        words, counts = arrays.words, arrays.counts
        block, total, tried = end.block, end.total, end.tried
        max_plies, numbers, memory = policy
        stamps, stamp = marks
        status, index, move, children, rng = pick_child(arrays, end, rng)
        leaf, end_of_leaf, finished = int64(get(counts, USED)), int64(0), False
        if status == DONE:
            there = normalised(play(end.position, move))
            below = see(there)
            finished = over(below)
            if traces and not finished:  # moves played below it update its statistics now
                end_of_leaf = leaf + size(count(below), rows, tail)
                status = int64(refusal(count(below), end_of_leaf, room.words))
        if status == DONE:
            worth, rng = simulate(
                there, below, rng, max_plies, stamps, stamp, numbers, memory, arrays.line, room.line
            )
            status = max(int64(fault_of(worth)), int64(DONE))
        if status == DONE:
            if has_chance and end.weights != 0:
                make_outcome(words, block, total, tried, index, move)
            elif not make(words, block, total, tried, end.options, index, move):
                status = WIDE_MOVE
        if status == DONE:
            put(counts, NODES_LEFT, get(counts, NODES_LEFT) - children)
            place = cell(block, total, VISITS, index)
            note(arrays.path, end.depth, place, total, seat(side(end.position)), index)
            if finished:
                put(words, cell(block, total, BELOW, index), end_mark(worth))
            elif traces:
                open_block(words, leaf, count(below))
                begin(words, leaf, count(below), there, below)
                put(counts, USED, end_of_leaf)
                put(words, cell(block, total, BELOW, index), leaf)
        return status, worth, there, finished, index, rng

    return grow


def crediting(rules: IntegerRules, structure: Structure) -> Verb:
    """Return the step `credit`: back up the worth of an iteration along the path, and learn.

    `credit(arrays, leaf, worth, marks, numbers, policy, derived_numbers, sides)` returns a status.
    `leaf` is its position, whether its game is over, its depth, and whether chance led to it;
    `sides` are who moved to the root, and who is to move there.
    """
    _, _, _, _, side, _ = registered(rules)
    backup, learn = backup_of(structure, rules.keys), learning(structure, rules.keys)
    evaluate, above_end = evaluation(structure), updating_above_ends(structure)
    updates_above_ends, traces = structure.updates_above_ends, structure.traces

    @step
    def credit(  # noqa: PLR0913, PLR0917 - it is a piece of the loop
        arrays: Any,
        leaf: Any,
        worth: Any,
        marks: Any,
        numbers: Any,
        policy: Any,
        derived_numbers: Any,
        sides: Any,
    ) -> Any:
        words, path, (position, finished, depth, drawn) = arrays.words, arrays.path, leaf
        (stamps, stamp), (parameters, of_table), (root_mover, root_side) = marks, numbers, sides
        least, estimates = evaluate(position, finished)
        status = int64(-least) if least < 0.0 else int64(DONE)
        if status == DONE:
            if updates_above_ends and finished and not drawn:
                above_end(words, path, depth, worth, parameters, root_side)
            leaf_side = int64(side(position)) & 1 if traces else 0
            backup(
                words, path, depth, worth, parameters, of_table, root_mover, leaf_side, root_side,
                stamps, stamp, (worth, finished, estimates, derived_numbers),
            )  # fmt: skip
            learn(policy[2], arrays.line, stamps, stamp, worth, policy[1])
        return status

    return credit


def make_loop(  # noqa: C901, PLR0915 - the inner function is the loop
    rules: IntegerRules, position: Any, generator: Generator, structure: Structure, about: str
) -> Any:
    """Return `run`, documented below, for positions of the class `position`."""
    make_position = position
    _, _, _, _, side, _ = registered(rules)
    descend, grow = descending(rules, structure), growing(rules, structure)
    credit, record = crediting(rules, structure), recording(structure)
    resolved, fill, seat = is_resolved(structure), filling(structure), seating(structure)
    menus = menus_of(rules)
    see, count = menus.see, menus.count
    end_of, fault_of, real = ending(rules, structure), faulting(structure), structure.real
    clear, remembers, traces = marking(rules.keys).clear, structure.remembers, structure.traces
    parameters_type, mine = parameters_of(structure.method), len(structure.method.parameters)
    of_moves, stride = structure.method.table, structure.schema.stride
    table_type = nothing if of_moves is None else parameters_of(of_moves)

    def run(arrays: Any, numbers: Any, root: Any, limits: Any) -> Any:  # compiled
        """Run iterations; return a status, how many, and the integers of the next generator.

        - `arrays`: the tree, its counts (see `descent`), path, logarithms, stamps, memory, line,
          guesses, table and trail; if the trail has rows, each iteration fills one.
        - `numbers`: the parameters of the method and its table; the plies of a playout before it is
          evaluated, then the parameters of the policy and its tables; those of each derived
          statistic.
        - `root`: the position's integers, the generator's, the side that moved to the root, and the
          index of the move to take there, or -1.
        - `limits`: the longest playout, the iterations since the stamps were 0, and the iterations
          to run.

        If the status allows the search to continue, no iteration is left half done. Arguments and
        results are plain tuples, so that neither the signature nor the cached code names a class.
        """
        tree, counts, path, logs, stamps_array, memory, line, guesses, table, trail = arrays
        words, stamps, rows = address(tree), address(stamps_array), address(trail)
        pointers = Arrays(
            words, address(counts), address(path), address(logs), address(line), address(guesses),
            address(table),
        )  # fmt: skip
        room = Room(len(tree) - SLACK, len(path) // stride, len(line))
        fields, rng_words, root_mover, forced = root
        max_plies, before, iterations = limits
        of_method, of_policy, of_derived = numbers
        parameters = parameters_type(*of_method[:mine]), table_type(*of_method[mine:])
        policy = max_plies, of_policy, address(memory)
        here, rng = make_position(*fields), generator(*rng_words)
        block = get_int(words, cell(ROOT, 1, BELOW, 0))
        start, sides = Start(here, block, int64(root_mover), forced), (root_mover, seat(side(here)))
        most = get_int(words, cell(ROOT, 1, VISITS, 0)) + iterations
        fill(pointers.table, len(table), most, parameters[0])
        made, status = 0, int64(DONE)
        while made < iterations:
            if resolved(words):
                status = RESOLVED
                break
            status, end, after = descend(pointers, room, start, parameters, rng)
            if status != DONE:
                break
            marks = stamps, before + made + 1
            if traces:
                clear(stamps)
            if end.block < 0:
                if remembers:
                    put(pointers.line, 0, end.depth)
                position, finished, index, depth = end.position, True, end.index, end.depth
                worth = end_of(position) if real else -1 - end.block
                status = max(int64(fault_of(worth)), int64(DONE))
            else:
                status, worth, position, finished, index, after = grow(
                    pointers, room, end, policy, marks, after
                )
                depth = end.depth + 1
            if status == DONE:
                if len(trail) > 0:
                    moves = 0 if finished else count(see(position))
                    record(rows, before + made, pointers.path, depth, index, moves, worth)
                leaf = position, finished, depth, end.weights != 0
                status = credit(pointers, leaf, worth, marks, parameters, policy, of_derived, sides)
            if status != DONE:
                break
            rng = after
            made += 1
        return int64(status), made, (rng[0], rng[1])

    return jit(run, about, structure=structure)
