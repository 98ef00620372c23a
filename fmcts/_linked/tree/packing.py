"""A store as a value to pickle: its numbers compressed.

Nothing here needs NumPy or LLVM.
"""

from __future__ import annotations

import pickle
import sys
import zlib
from array import array
from pickle import PicklingError, UnpicklingError
from typing import Any, Final, TypeAlias

from attrs import evolve

from fmcts._linked.structure import Structure, half
from fmcts._linked.tree.places import MOVE, ROOT, VISITS, cell, size
from fmcts._linked.tree.store import PLAIN, Store
from fmcts.search.methods import Method
from fmcts.search.resolution import RESOLUTIONS

VERSION: Final = 4, sys.byteorder
"""What a pickle must have been made by to be read here."""

Packed: TypeAlias = tuple[
    tuple[int, str], int, int, bool, bool, Method | None, bool, str | None, bytes
]
"""Version, integers in use, nodes, `in_order`, `unvisited`, the method if it has columns, whether
rewards are doubles, the column that marks resolved nodes, and the compressed integers."""


def pack(store: Store) -> Packed | None:
    """Return everything about the store.

    `None` if its method has columns and cannot be pickled (like a class in a function).
    """
    structure = store.structure
    method = structure.method if structure.method.names else None
    try:
        pickle.dumps(method)
    except (AttributeError, PicklingError, TypeError):  # `TypeError` is for locks and the like
        return None
    numbers = array('i', store.cells[: store.used])
    _clear_moves_not_made(numbers, structure)
    # The lowest level: higher levels take four times as long to save a third.
    packed = zlib.compress(numbers, level=1)
    facts = store.used, store.nodes, store.in_order, store.unvisited
    resolved = structure.resolution.column if structure.resolution else None
    return VERSION, *facts, method, structure.real, resolved, packed


def unpack(packed: Any, keys: int) -> Store:
    """Return the store that was packed, for a game with `keys` keys of moves.

    :raises UnpicklingError: the data is damaged, or of another version.
    """
    version, *facts = packed
    if version != VERSION:
        raise UnpicklingError(
            'the tree was pickled by another version of fmcts, or where bytes have another order'
        )
    used, nodes, in_order, unvisited, method, real, resolved, compressed = facts
    structure = Structure(
        method or PLAIN.method,
        reward=half if real else None,
        resolution=RESOLUTIONS[resolved] if resolved else None,
    )
    if structure.refers:
        structure = evolve(structure, keys=keys)
    numbers = array('i')
    try:
        numbers.frombytes(zlib.decompress(compressed))  # which has a checksum
    except zlib.error as error:
        raise UnpicklingError(f'the pickled tree is damaged: {error}') from error
    return Store(numbers, used, nodes, in_order, unvisited, structure)


def _clear_moves_not_made(numbers: array[int], structure: Structure) -> None:
    """Write 0 for the move of every missing child, where the memory may hold anything."""
    block = ROOT
    while block < len(numbers):
        total = numbers[block]
        if numbers[block + 1] < total:
            visits, moves = cell(block, total, VISITS, 0), cell(block, total, MOVE, 0)
            for index in range(total):
                if numbers[visits + index] < 0:
                    numbers[moves + index] = 0
        block += size(total, structure.rows, structure.tail if block > ROOT else 0)
