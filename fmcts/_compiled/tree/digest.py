"""Walk through a tree in memory for its digest: all nodes in preorder, without objects."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from fmcts._compiled.calls import call, make
from fmcts._compiled.structure import Structure, left_behind
from fmcts._compiled.tree.columns import first_numbers
from fmcts._compiled.tree.layout import BELOW, HALVES, MOVE, VISITS, cell, column, entry
from fmcts._compiled.tree.nodes import LazyNode
from fmcts._content.remembered import keep
from fmcts._numba.cache.current import current_rules
from fmcts._numba.cache.jit import jit, registered
from fmcts._numba.intrinsics import (
    Verb,
    address,
    all_at,
    get,
    get_int,
    get_real,
    inlined,
    put,
    put_all,
    put_real,
)
from fmcts._numba.positions import Menus, fields_of, menus_of, normalised
from fmcts.rules import IntegerRules, player_number, rules_of
from fmcts.search import _digest as digests

CHUNK: Final = 1 << 14  # nodes at a time

# The rows of `fmcts.search._digest`, byte for byte.
ROW: Final = np.dtype(
    [
        ('index', '<u4'),
        ('mover', 'u1'),
        ('moves', '<u4'),
        ('children', '<u4'),
        ('visits', '<u8'),
        ('reward', '<f8'),
    ]
)


NUMBERS: Final = 6  # of a node, before its columns


WALKERS: Final = 256  # games and functions whose walks are kept in a process

_walkers: Final[dict[tuple[object, ...], Any]] = {}


def _shape_of(structure: Structure) -> tuple[int, ...]:
    """Return the numbers that say where a block has what, as `walk` takes them.

    They are the numbers of columns of children, of rows of moves and of all rows of doubles; the
    row of rewards (-1: rewards are halves); the numbers of a table's entries, of its columns and of
    keys; and whether the table holds halves.
    """
    return (
        structure.schema.own, len(structure.names.moves), structure.schema.rows,
        structure.schema.reward_row if structure.real else -1, structure.schema.entries,
        structure.schema.table_columns, structure.keys, int(structure.schema.in_halves),
    )  # fmt: skip


def _walker(rules: IntegerRules, position: Any, structure: Structure, about: str) -> Any:
    key = (rules, position, *_given(structure))
    if key not in _walkers:
        keep(_walkers, key, _make_walker(rules, position, structure, about), WALKERS)
    return _walkers[key]


def _given(structure: Structure) -> tuple[Any, ...]:
    """Return the functions of the first numbers that a method gives; those of tables are 0."""
    return structure.functions.first[: len(structure.method.move_columns)]


def _make_walker(  # noqa: C901, PLR0915 - it is the function inside that is long
    rules: IntegerRules, position: Any, structure: Structure, about: str
) -> Any:
    """`walk(...)` for a game and the first numbers of the structure's rows of moves.

    All else about a structure is passed as numbers, so that most trees of a game share this code.
    """
    _, _, _, play, side, _ = registered(rules)
    menus = menus_of(rules)
    see, over, count = menus.see, menus.over, menus.count
    width = len(position._fields)
    long = 2 + width  # numbers a frame
    row_of = _rows_writer(structure, rules)

    def walk(  # noqa: C901 - the loop of a whole walk
        words_array: Any, frames: Any, depth: Any, numbers: Any, shape: Any
    ) -> Any:  # compiled
        """Write the next nodes below the root; return the count of numbers and the depth reached.

        `frames[d]` is the block, next index and position of the node at depth d whose children are
        being visited, `shape` that of `_shape_of`. The walk is over when the depth is 0. It stops
        when `numbers` may be too short for another node, or when `frames` is full (the depth is
        then its length).
        """
        words, out, path = address(words_array), address(numbers), address(frames)
        own, rows, _, reward_row, entries, kept, _, _ = shape
        table = 1 + (2 + kept) * entries if entries > 0 else 0
        wide = own + rows + table > 0
        written = 0
        while 0 < depth < len(frames):
            frame = (depth - 1) * long
            block, index = get(path, frame), get(path, frame + 1)
            total = get_int(words, block)
            while index < total and get(words, cell(block, total, VISITS, index)) < 0:
                index += 1
            if index == total:
                depth -= 1
                continue
            here = position(*all_at(path, frame + 2, width))
            there = normalised(play(here, get_int(words, cell(block, total, MOVE, index))))
            below = get_int(words, cell(block, total, BELOW, index))
            moves = 0
            children = 0
            if below > 0:
                moves = get_int(words, below)
                for other in range(moves):
                    children += get(words, cell(below, moves, VISITS, other)) >= 0
            elif below == 0:
                options = see(there)
                if not over(options):
                    moves = count(options)
            if written + NUMBERS + own + rows * moves + table > len(numbers):
                return written, depth
            put(path, frame + 1, index + 1)
            if below > 0:
                frame += long
                put(path, frame, below)
                put(path, frame + 1, 0)
                put_all(path, frame + 2, there)
                depth += 1
            put(out, written, index)
            put(out, written + 1, side(here))
            put(out, written + 2, moves)
            put(out, written + 3, children)
            put(out, written + 4, get(words, cell(block, total, VISITS, index)))
            put_real(out, written + 5, _reward(words, block, total, index, reward_row))
            written += NUMBERS
            if wide:
                for row in range(own):
                    put_real(out, written, get_real(words, column(block, total, row, index)))
                    written += 1
                row_of(out, written, words, below, moves, there, own, rows)
                written += rows * moves
                if entries > 0:
                    written = _write_table(out, written, words, below, moves, shape)
        return written, depth

    return jit(walk, about, structure=structure)


@inlined
def _reward(words: Any, block: Any, total: Any, index: Any, row: Any) -> Any:
    if row < 0:
        return 0.5 * get(words, cell(block, total, HALVES, index))
    return get_real(words, column(block, total, row, index))


def _rows_writer(structure: Structure, rules: IntegerRules) -> Verb:
    """Return `write(out, at, words, block, moves, position, own, rows)`, for rows of moves.

    They are read from the node's block, or have their first values if it has no block: those of
    the method's functions, then zeros.
    """
    given = _given(structure)

    @inlined
    def write(
        out: Any, at: Any, words: Any, block: Any, moves: Any, _position: Any, own: Any, rows: Any
    ) -> None:
        for row in range(rows):
            for index in range(moves):
                number = 0.0
                if block > 0:
                    number = get_real(words, column(block, moves, own + row, index))
                put_real(out, at + row * moves + index, number)

    for row, first in enumerate(first_numbers(structure, rules)[: len(given)]):
        write = _and_first(write, row, first, menus_of(rules))
    return write


def _and_first(before: Verb, row: int, first: Verb, menus: Menus) -> Verb:
    see, pick = menus.see, menus.pick

    @inlined
    def write(  # noqa: PLR0913, PLR0917 - see `_rows_writer`
        out: Any, at: Any, words: Any, block: Any, moves: Any, position: Any, own: Any, rows: Any
    ) -> None:
        before(out, at, words, block, moves, position, own, rows)
        if block <= 0 and moves > 0:
            options = see(position)
            for index in range(moves):
                value = first(position, pick(options, index), moves)
                put_real(out, at + row * moves + index, float(value))

    return write


@inlined
def _write_table(out: Any, at: Any, words: Any, block: Any, moves: Any, shape: Any) -> Any:
    """Write a node's table; return its end."""
    _, _, rows, _, entries, columns, keys, halves = shape
    count, end = 0, at + 1
    for place in range(entries if block > 0 else 0):
        there = False
        for row in range(columns):
            number = 0.0
            if halves > 0:
                number = 0.5 * get(words, entry(block, moves, rows, row * entries + place))
            else:
                number = get_real(words, entry(block, moves, rows, 2 * (row * entries + place)))
            put_real(out, end + 2 + row, number)
            there = there or number != 0.0
        if there:
            put_real(out, end, float(place // keys))
            put_real(out, end + 1, float(place % keys))
            end += 2 + columns
            count += 1
    put(out, at, count)
    return end


def digest(root: LazyNode) -> str:
    """Return the digest of the tree."""
    total = hashlib.blake2b(digest_size=digests.DIGEST_SIZE)
    for part in _parts(root):
        total.update(part)
    return total.hexdigest()


def serialised(root: LazyNode) -> bytes:
    """Return the canonical serialisation of the tree."""
    return b''.join(_parts(root))


def _parts(root: LazyNode) -> Iterator[bytes]:
    """Yield the canonical serialisation, in parts."""
    names = root.columns.names
    yield digests.players_header(root.state)
    yield digests.header(names)
    for numbers in _numbers(root):
        yield numbers.astype('<i8').tobytes() if names else _packed(numbers)
    yield digests.tail(root)


def _numbers(root: LazyNode) -> Iterator[npt.NDArray[np.int64]]:
    """Yield all nodes in preorder: `NUMBERS` and the columns of each; the reward as a double."""
    rules = current_rules(
        cast('IntegerRules', rules_of(root.state))
    )  # a lazy node's state has them
    kept = root.store.structure
    structure = Structure(
        kept.method,
        'in-order',
        reward=left_behind if kept.real else None,
        resolution=kept.resolution,
        keys=kept.keys,
        given=kept.given,
    )
    words, block = np.frombuffer(root.store.numbers, np.int32), root.block
    total = len(root.moves)
    begin = cell(block, total, VISITS, 0)
    children = int((words[begin : begin + total] >= 0).sum()) if block else 0
    counts = np.array([0, player_number(root.state, root.mover), total, children, root.visits])
    _, own, rows, _, table = root.columns
    reals = np.array([root.reward, *own, *chain.from_iterable(rows)], np.float64)
    yield np.concatenate((counts, reals.view(np.int64)))
    if table is not None:
        yield np.frombuffer(digests.entries(table), '<i8')
    if not block:
        return

    position = rules.pack(root.state)
    kind: Any = type(position)
    walk = make(
        root.state, _walker, rules, kind, structure, f'digest of {type(root.state).__name__}'
    )
    shape = _shape_of(structure)
    frames = np.empty((64, 2 + len(position)), np.int64)
    frames[0] = (block, 0, *fields_of(position))
    numbers = np.empty(CHUNK * NUMBERS, np.int64)
    depth = 1
    while depth:
        if depth == len(frames):
            frames = np.concatenate((frames, np.empty_like(frames)))
        written, depth = call(root.state, walk, words, frames, depth, numbers, shape)
        if not written and 0 < depth < len(frames):  # a node with more moves than fit
            numbers = np.empty(2 * len(numbers), np.int64)
        yield numbers[:written]


def _packed(numbers: npt.NDArray[np.int64]) -> bytes:
    rows = numbers.reshape(-1, NUMBERS)
    packed = np.empty(len(rows), ROW)
    for place, name in enumerate(ROW.names or ()):
        packed[name] = rows[:, place].view(np.float64) if name == 'reward' else rows[:, place]
    return packed.tobytes()
