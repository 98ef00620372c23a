"""The serialisation of a tree in memory, written by machine code that creates no nodes."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Iterator
from typing import Any, Final, cast

import numpy as np

from fmcts._compiled.calls import make
from fmcts._compiled.structure import Structure
from fmcts._content.remembered import keep
from fmcts._linked import link, numbas, searches
from fmcts._linked.tree.code import Walk
from fmcts._linked.tree.nodes import LazyNode
from fmcts._linked.tree.places import VISITS
from fmcts._numba.cache.current import current_rules
from fmcts.rules import IntegerRules, player_number, rules_of
from fmcts.search import _digest as digests

CHUNK: Final = 1 << 20  # bytes at a time
WALKERS: Final = 256  # games and functions whose code is kept in a process

_walkers: Final[dict[tuple[object, ...], Any]] = {}


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
    counts = player_number(root.state, root.mover), len(root.moves), _children(root)
    head = digests.players_header(root.state) + digests.header(names)
    head += digests.row(0, *counts, root)
    yield head
    done = len(head)
    for part in _below(root) if root.block else ():
        if part is None:  # a rule raised an error; that of the state does, or there is none
            yield digests.serialise(root)[done:]
            return
        yield part
        done += len(part)
    yield digests.tail(root)


def _children(root: LazyNode) -> int:
    return sum(visits >= 0 for visits in root.store.row(root.block, VISITS)) if root.block else 0


def _below(root: LazyNode) -> Iterator[bytes | None]:
    """Yield the nodes below the root in parts, and `None` if a rule raises an error."""
    structure = root.store.structure
    schema = structure.schema
    rules = current_rules(cast('IntegerRules', rules_of(root.state)))  # which a lazy node's has
    position = rules.pack(root.state)
    code = make(root.state, _walker, rules, position, structure)
    words, out = np.frombuffer(root.store.numbers, np.int32), np.empty(CHUNK, np.uint8)
    frames = np.empty((64, 2 + len(position)), np.int64)
    frames[0] = root.block, 0, *numbas.integers_of(position)
    given = Walk(
        words=words.ctypes.data,
        fields=len(position),
        own=schema.own,
        moves=len(structure.names.moves),
        rows=schema.rows,
        reward=schema.reward_row if structure.real else -1,
        columns=schema.table_columns,
        keys=structure.keys,
        in_halves=schema.in_halves,
        depth=1,
    )
    while given.depth:
        if given.depth == len(frames):
            frames = np.concatenate((frames, np.empty_like(frames)))
        given.out, given.room = out.ctypes.data, len(out)
        given.frames, given.levels = frames.ctypes.data, len(frames)
        code.functions['walk'](ctypes.byref(given))
        if given.status:
            yield None
            return
        yield out[: given.written].tobytes()
        if not given.written and 0 < given.depth < len(frames):  # a node longer than that
            out = np.empty(2 * len(out), np.uint8)


def _walker(rules: IntegerRules, position: Any, structure: Structure) -> Any:
    """Return the code of the walk, made once for each game and the first numbers of a method's moves."""
    first = structure.functions.first[: len(structure.method.move_columns)]
    key = rules, type(position), first
    if key not in _walkers:
        parts = searches.code_of_first_numbers(rules, position, structure)
        code = link.Code('tree', [*numbas.code_of_rules(rules, position), *parts], ['walk'])
        keep(_walkers, key, code, WALKERS)
        return code
    return _walkers[key]
