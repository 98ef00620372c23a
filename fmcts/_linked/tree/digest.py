"""The serialisation of a tree in memory, written by machine code that creates no nodes."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from fmcts._linked.codes import code_with
from fmcts._linked.layout import c_structure
from fmcts._linked.searches import parts_of_walk
from fmcts._linked.statuses import Fault
from fmcts._linked.tables import words_of
from fmcts._linked.tree.nodes import LazyNode
from fmcts.errors import RulesError
from fmcts.rules import fields_of, player_number
from fmcts.search import digests

CHUNK: Final = 1 << 20  # bytes at a time
Walk: Final = c_structure('tree.c', 'Walk')


def digest(root: LazyNode) -> str:
    """Return the digest of the tree."""
    children = root.store.cells[root.block + 1] if root.block else 0
    counts = player_number(root.state, root.mover), len(root.moves), children
    total = hashlib.blake2b(digest_size=digests.DIGEST_SIZE)
    total.update(digests.players_header(root.state) + digests.header(root.columns.names))
    total.update(digests.row(0, *counts, root))
    try:
        for part in _below(root) if root.block else ():
            total.update(part)
    except (RulesError, Fault):  # the states serve, or raise the user's error
        return digests.name_of(digests.serialise(root))
    total.update(digests.tail(root))
    return total.hexdigest()


def _below(root: LazyNode) -> Iterator[Any]:
    """Yield the serialised nodes below the root, in parts.

    :raises RulesError: the rules cannot be compiled.
    :raises Fault: one of them would have raised an error.
    """
    structure = root.store.structure
    parts = parts_of_walk(root.state, structure.first_numbers[: len(structure.method.move_columns)])
    code, position = code_with(parts, 'tree', ('walk',)), parts.position
    words, out = np.frombuffer(root.store.numbers, np.int32), np.empty(CHUNK, np.uint8)
    frames = np.empty((64, 2 + len(position)), np.int64)
    frames[0] = root.block, 0, *words_of(fields_of(position))
    given = Walk(
        words=words.ctypes.data,
        fields=len(position),
        own=structure.own,
        moves=len(structure.names.moves),
        rows=structure.rows,
        reward=structure.reward_row if structure.real else -1,
        columns=structure.table_columns,
        keys=structure.keys,
        in_halves=structure.in_halves,
        depth=1,
    )
    while given.depth:
        if given.depth == len(frames):
            frames = np.concatenate((frames, np.empty_like(frames)))
        given.out, given.room = out.ctypes.data, len(out)
        given.frames, given.levels = frames.ctypes.data, len(frames)
        code.functions['walk'](ctypes.byref(given))
        if given.status:
            raise Fault
        yield out[: given.written]
        if not given.written and 0 < given.depth < len(frames):  # a node longer than that
            out = np.empty(2 * len(out), np.uint8)
