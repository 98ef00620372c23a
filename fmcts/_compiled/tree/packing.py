"""A store as a value to pickle: its numbers compressed, the same bytes on every machine.

Nothing here needs numba or NumPy.
"""

from __future__ import annotations

import pickle
import sys
import zlib
from array import array
from collections.abc import Iterator, Sequence
from pickle import PicklingError, UnpicklingError
from typing import Any, Final, NoReturn, TypeAlias

from attrs import evolve

from fmcts._compiled.structure import Structure, left_behind
from fmcts._compiled.tree.places import BELOW, HEADER, MOVE, ROOT, VISITS, cell, column, first, size
from fmcts._compiled.tree.store import PLAIN, Store
from fmcts.search.methods import Method
from fmcts.search.resolution import RESOLUTIONS

VERSION: Final = 3
FACTS: Final = 8  # items after the version

Packed: TypeAlias = tuple[int, int, int, bool, bool, Method | None, bool, str | None, bytes]
"""Version, integers in use, nodes, `in_order`, `unvisited`, the method if it has columns, whether
rewards are doubles, the column that marks resolved nodes, and the compressed integers. (Version 1,
for trees without rows of doubles, lacked the three items before the last. In version 2 the numbers
of tables were doubles.)"""


def pack(store: Store) -> Packed | None:
    """Return everything about the store, with little-endian and compressed numbers.

    `None` if its method has columns and cannot be pickled (like a class in a function).
    """
    structure = store.structure
    method = structure.method if structure.method.names else None
    if not _can_be_pickled(method):
        return None
    numbers = array('i', store.cells[: store.used])
    rows, tail = structure.schema.rows, structure.schema.tail
    _clear_moves_not_made(numbers, rows, tail)
    if sys.byteorder == 'big':
        _exchange_halves(numbers, structure)
        numbers.byteswap()
    # The lowest level: higher levels take four times as long to save a third.
    packed = zlib.compress(numbers, level=1)
    facts = store.used, store.nodes, store.in_order, store.unvisited
    resolved = structure.resolution.column if structure.resolution else None
    return VERSION, *facts, method, structure.real, resolved, packed


def unpack(packed: Any, keys: int) -> Store:
    """Return the store that was packed, for a game with `keys` keys of moves.

    :raises UnpicklingError: the data is damaged, or of an unknown version.
    """
    version, *facts = packed
    if version == 1:
        facts[4:4] = None, False, None
    elif version not in (2, VERSION):
        raise UnpicklingError(
            f'the tree was pickled in version {version!r}; this fmcts reads 1 to {VERSION}'
        )
    if len(facts) != FACTS:
        _damaged(f'it has {len(facts)} items before its numbers, not {FACTS}')
    used, nodes, in_order, unvisited, method, real, resolved, compressed = facts
    structure = _structure(method, resolved, keys, real=real)
    if version != VERSION and structure.schema.in_halves:
        raise UnpicklingError(
            f'the tree was pickled in version {version}, which stored the tables of '
            f'{type(method).__name__} differently: search again'
        )
    numbers = array('i')
    try:
        numbers.frombytes(zlib.decompress(compressed))
    except (TypeError, ValueError, zlib.error) as error:
        _damaged(str(error))
    if sys.byteorder == 'big':
        numbers.byteswap()
    if len(numbers) != used:
        _damaged(f'it has {len(numbers)} numbers, not {used!r}')
    rows, tail = structure.schema.rows, structure.schema.tail
    _check(numbers, nodes, rows, tail, in_order=in_order)
    if sys.byteorder == 'big':
        _exchange_halves(numbers, structure)
    store = Store(numbers, used, nodes, bool(in_order), bool(unvisited), structure)
    if structure.traces:
        _check_keys(store, keys)
    return store


def _can_be_pickled(method: Method | None) -> bool:
    try:
        pickle.dumps(method)
    except (AttributeError, PicklingError, TypeError):  # `TypeError` is for locks and the like
        return False
    return True


def _structure(method: Any, resolved: Any, keys: int, *, real: Any) -> Structure:
    if method is None:
        method = PLAIN.method
    elif not isinstance(method, Method):
        _damaged(f'its method is {method!r}')
    if resolved is not None and resolved not in RESOLUTIONS:
        _damaged(f'its column of resolved nodes is {resolved!r}')
    reward = left_behind if real else None
    plain = Structure(method, PLAIN.expansion, reward=reward, resolution=RESOLUTIONS.get(resolved))
    return evolve(plain, keys=keys) if plain.refers else plain


def _blocks(numbers: Sequence[int], rows: int, tail: int) -> Iterator[tuple[int, int]]:
    """Yield the start of each block, and its number of children."""
    block = ROOT
    while block < len(numbers):
        total = numbers[block]
        yield block, total
        block += size(total, rows, tail if block > ROOT else 0)


def _clear_moves_not_made(numbers: array[int], rows: int, tail: int) -> None:
    """Write 0 for the move of every missing child, where the memory may hold anything."""
    for block, total in _blocks(numbers, rows, tail):
        if numbers[block + 1] < total:
            visits, moves = cell(block, total, VISITS, 0), cell(block, total, MOVE, 0)
            for index in range(total):
                if numbers[visits + index] < 0:
                    numbers[moves + index] = 0


def _exchange_halves(numbers: array[int], structure: Structure) -> None:
    """Swap the two integers of every double, for machines with the other byte order."""
    rows, doubles = (
        structure.schema.rows,
        0 if structure.schema.in_halves else structure.schema.tail,
    )
    for block, total in _blocks(numbers, rows, structure.schema.tail):
        begin = column(block, total, 0, 0)
        end = block + size(total, rows, doubles if block > ROOT else 0)
        numbers[begin:end:2], numbers[begin + 1 : end : 2] = (
            numbers[begin + 1 : end : 2],
            numbers[begin:end:2],
        )


def _damaged(why: str) -> NoReturn:
    raise UnpicklingError(f'the pickled tree is damaged: {why}')


def _check(numbers: array[int], nodes: int, rows: int, tail: int, *, in_order: bool) -> None:
    """Check that the blocks form a tree, because compiled code follows the links unchecked.

    :raises UnpicklingError: they do not.
    """
    cells, begin = numbers.tolist(), first(rows)
    if len(cells) < begin or cells[:2] != [1, 1] or cells[4:6] != [begin, 0]:
        _damaged('it has no root')
    most = cells[cell(ROOT, 1, VISITS, 0)]
    found, links, blocks = 1, [begin], []
    block = begin
    while block < len(cells):
        total = cells[block]
        visited = block + HEADER
        end = block + size(total, rows, tail)
        if total < 1 or end > len(cells):
            _damaged(f'there is no block at number {block}')
        visits = cells[visited : visited + total]
        below = cells[visited + BELOW * total : visited + (BELOW + 1) * total]
        children = total - visits.count(-1)
        gap = visits.index(-1) if children < total else total
        if (
            cells[block + 1] != (gap if in_order else children)
            or min(visits) < -1
            or max(visits) > most
            or min(below) < -3
            or any(
                link and (count < 0 or 0 < link <= block)
                for count, link in zip(visits, below, strict=True)
            )
        ):
            _damaged(f'the block at number {block} contradicts itself')
        found += children
        blocks.append(block)
        links.extend(link for link in below if link > 0)
        block = end
    # Every block is linked once, from an earlier block, so the blocks form a tree.
    if sorted(links) != blocks:
        _damaged('its blocks are not linked as a tree')
    if found != nodes:
        _damaged(f'it has {found} nodes, not {nodes!r}')


def _check_keys(store: Store, keys: int) -> None:
    """Check that every key is in the game's range, because compiled code uses it as an index.

    :raises UnpicklingError: a key is outside the range.
    """
    row, structure = store.structure.schema.key_row, store.structure
    for block, total in _blocks(store.cells, structure.schema.rows, structure.schema.tail):
        begin = column(block, total, row, 0)
        there = store.cells[begin : begin + 2 * total].cast('B').cast('d')
        if not all(0 <= key < keys for key in there):
            _damaged(f'the block at number {block} has keys that are not of the game')
