"""The walk through a tree in memory that its digest takes: all nodes in preorder, no objects."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt
from numba.np.unsafe.ndarray import to_fixed_tuple

from fmcts.rules import IntegerRules, rules_of, side_of
from fmcts.search import digest as digests
from fmcts.search.compiled.entries import entry, game_parts, taught
from fmcts.search.compiled.layout import BELOW, HALVES, MOVE, VISITS, cell
from fmcts.search.compiled.machine import address, get, int64
from fmcts.search.compiled.nodes import LazyNode
from fmcts.search.compiled.positions import fields_of, settled

__all__ = ['digest']

Rows = npt.NDArray[np.int64]

CHUNK: Final = 1 << 14  # rows at a time

# The rows of `fmcts.search.digest`, byte for byte.
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


@functools.cache
def _walker(rules: IntegerRules, position: Any, about: str) -> Any:
    menu, count, _, play, side, _ = taught(rules)
    width = len(position._fields)

    def walk(words_array: Any, frames: Any, depth: Any, rows: Any) -> Any:  # compiled
        """The next nodes below the root: how many rows were written, and the depth reached.

        `frames[d]` is block, next index and position of the node at depth d whose children are
        being visited. The walk is over when the depth is 0; it stops when `rows` is full, or when
        `frames` is (the depth is then its length).
        """
        words = address(words_array)
        written = 0
        while 0 < depth < len(frames) and written < len(rows):
            frame = frames[depth - 1]
            block = frame[0]
            index = frame[1]
            total = int64(get(words, block))
            while index < total and get(words, cell(block, total, VISITS, index)) < 0:
                index += 1
            if index == total:
                depth -= 1
                continue
            frame[1] = index + 1
            here = position(*to_fixed_tuple(frame[2:], width))
            there = settled(play(here, int64(get(words, cell(block, total, MOVE, index)))))
            below = int64(get(words, cell(block, total, BELOW, index)))
            moves = 0
            children = 0
            if below > 0:
                moves = int64(get(words, below))
                for other in range(moves):
                    children += get(words, cell(below, moves, VISITS, other)) >= 0
                frames[depth, 0] = below
                frames[depth, 1] = 0
                place = 2
                for field in there:
                    frames[depth, place] = field
                    place += 1
                depth += 1
            elif below == 0:
                options = int64(menu(there))
                if options != 0:
                    moves = int64(count(options))
            row = rows[written]
            row[0] = index
            row[1] = side(here)
            row[2] = moves
            row[3] = children
            row[4] = get(words, cell(block, total, VISITS, index))
            row[5] = get(words, cell(block, total, HALVES, index))
            written += 1
        return written, depth

    return entry(walk, about, game_parts(rules, position))


def digest(root: LazyNode) -> str:
    """The digest of the tree."""
    total = hashlib.blake2b(digests.HEADER, digest_size=digests.DIGEST_SIZE)
    for rows in _rows(root):
        total.update(_packed(rows))
    return total.hexdigest()


def _rows(root: LazyNode) -> Iterator[Rows]:
    """All nodes in preorder; columns as in `ROW`, but for the reward, which is doubled."""
    rules = cast('IntegerRules', rules_of(root.state))  # or there would be no such node
    words, block = np.frombuffer(root.store.numbers, np.int32), root.block
    total = len(root.moves)
    begin = cell(block, total, VISITS, 0)
    children = int((words[begin : begin + total] >= 0).sum()) if block else 0
    halves = int(2 * root.reward)
    yield np.array([[0, side_of(root.mover), total, children, root.visits, halves]])
    if not block:
        return

    position = rules.pack(root.state)
    kind: Any = type(position)
    walk = _walker(rules, kind, f'digest of {type(root.state).__name__}')
    frames = np.empty((64, 2 + len(position)), np.int64)
    frames[0] = (block, 0, *fields_of(position))
    rows = np.empty((CHUNK, 6), np.int64)
    depth = 1
    while depth:
        if depth == len(frames):
            frames = np.concatenate((frames, np.empty_like(frames)))
        written, depth = walk(words, frames, depth, rows)
        yield rows[:written]


def _packed(rows: Rows) -> bytes:
    packed = np.empty(len(rows), ROW)
    for column, name in enumerate(ROW.names or ()):
        packed[name] = rows[:, column]
    packed['reward'] *= 0.5
    return packed.tobytes()
