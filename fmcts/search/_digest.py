"""The digest of a tree: BLAKE2b over its canonical serialisation, equal on every engine.

The serialisation, version 1, all numbers little endian:

- the header: the 12 bytes `fmcts-tree-1`;
- then every node in preorder, children in canonical order, 29 bytes each:

| bytes | what |
|---|---|
| 4, unsigned | the index of the node's move among its parent's moves (the root: 0) |
| 1 | the mover: 0 is X, 1 is O |
| 4, unsigned | how many moves the node has, a root those to choose among (0: the game is over) |
| 4, unsigned | how many children |
| 8, unsigned | visits |
| 8, IEEE 754 double | reward, summed for the mover |

- then, when the root was to choose among only some of its legal moves, the indices of these among
  all, 4 bytes each, unsigned.

A tree with columns (see `fmcts.search._columns`) has another serialisation, so that its digest is
never that of a tree without:

- the header: `fmcts-tree-columns-1`, a space, how many columns a node has of its own, then the
  names of these and of the columns of moves, each followed by a line feed, as the first line is;
- then every node in the same order: index, mover, moves, children and visits as above, 8 bytes
  each, signed, and as doubles the reward, its own columns, and its moves', column by column;
- then the root moves as above.

Where nodes have a table, the header is `fmcts-tree-tables-1`, a space, how many columns a node has
of its own, a space, how many columns of moves, then all names, those of the table last. At the end
of each node come the table's entries: how many, in 8 bytes, and these as those of a memory.

The tree of a game with chance, rewards or other players than X and O (see
`fmcts.game.ChanceState`) begins with one line more, closed by a line feed: `fmcts-players-1`, a
space and the number of players. The mover of a node is then its index among the players, and the
moves of a node where chance moves are its outcomes.

A tree whose playouts remember (see `fmcts.search.memory`) has at the end, for each memory: the line
`fmcts-memory-1 NAME`, closed by a line feed; how many entries there are, in 8 bytes; and these by
player and key: 0 for X or 1 for O, the key, and what is remembered, all as doubles.

A tree whose moves were proposed (see `fmcts.search.proposals`) has at the end the line
`fmcts-proposals-1`, closed by a line feed, and then for each node, in the same order, the `repr` of
each of its moves in UTF-8, after its length in 8 bytes.

The digest is the first 32 bytes of BLAKE2b (`digest_size=32`) in hexadecimal.
"""

from __future__ import annotations

import functools
import hashlib
import struct
from itertools import chain
from typing import Any, Final

from fmcts.game import GameState, Player, is_plain, players_of
from fmcts.search._columns import ColumnNames
from fmcts.search._tree import Node, walk
from fmcts.search.memory import Remembered

HEADER: Final = b'fmcts-tree-1'
WITH_COLUMNS: Final = 'fmcts-tree-columns-1'
WITH_TABLES: Final = 'fmcts-tree-tables-1'
WITH_MEMORY: Final = 'fmcts-memory-1'
WITH_PROPOSALS: Final = b'fmcts-proposals-1\n'
WITH_PLAYERS: Final = 'fmcts-players-1'
DIGEST_SIZE: Final = 32
NODE: Final = struct.Struct('<IBIIQd')
INDEX: Final = struct.Struct('<I')


def header(names: ColumnNames) -> bytes:
    """Return the first bytes of the serialisation of a tree with these columns."""
    if not names:
        return HEADER
    begin = f'{WITH_COLUMNS} {len(names.own)}'
    if names.table:
        begin = f'{WITH_TABLES} {len(names.own)} {len(names.moves)}'
    return '\n'.join((begin, *names.own, *names.moves, *names.table, '')).encode()


def players_header(state: GameState[Any]) -> bytes:
    """Return the line about the players; nothing in a plain game."""
    return line_of_players(0 if is_plain(state) else len(players_of(state)))


def line_of_players(count: int) -> bytes:
    """Return the line about the number of players; an empty one for 0, a plain game."""
    return f'{WITH_PLAYERS} {count}\n'.encode() if count else b''


def serialise(tree: Node) -> bytes:
    """Return the canonical serialisation of the tree with root `tree`."""
    names = tree.columns.names
    parts, place = [players_header(tree.state), header(names)], None
    if not is_plain(tree.state):
        players = players_of(tree.state)
        place = {player: index for index, player in enumerate(players)}
    stack: list[tuple[int, Any]] = [(0, tree)]
    while stack:
        index, node = stack.pop()
        below = [each for each in enumerate(node.places) if each[1]]
        by_o = node.mover is Player.O if place is None else place[node.mover]
        parts.append(row(index, by_o, len(node.moves), len(below), node))
        stack.extend(reversed(below))
    return b''.join((*parts, tail(tree)))


def row(index: int, mover: int, moves: int, children: int, node: Node) -> bytes:
    """Return the bytes of a node, given its move's index and the number of its mover."""
    names, own, rows, _, table, _ = node.columns
    if not names:
        return NODE.pack(index, mover, moves, children, node.visits, node.reward)
    numbers = (node.reward, *own, *chain.from_iterable(rows))
    counts = index, mover, moves, children, node.visits
    packed = struct.pack(f'<5q{len(numbers)}d', *counts, *numbers)
    return packed + entries(table) if names.table else packed


def tail(tree: Node) -> bytes:
    """Return what follows the nodes: the root's moves, what playouts remember, and proposals."""
    memories = map(_memory, tree.columns.memory)
    if tree.columns.proposed is None:
        return b''.join((_root_moves(tree), *memories))
    moves = (repr(move).encode() for node in walk(tree) for move in node.moves)
    named = (struct.pack('<q', len(move)) + move for move in moves)
    return b''.join((*memories, WITH_PROPOSALS, *named))


def _memory(remembered: Remembered) -> bytes:
    return f'{WITH_MEMORY} {remembered.name}\n'.encode() + entries(remembered)


def entries(remembered: Remembered | None) -> bytes:
    """Return the entries by player and key: their number, and each as numbers."""
    rows = remembered.rows if remembered is not None else ()
    numbers = [*chain.from_iterable(rows)]
    return struct.pack(f'<q{len(numbers)}d', len(rows), *numbers)


def _root_moves(tree: Node) -> bytes:
    """Return the root's moves, if they are not all legal moves."""
    legal = tree.state.moves
    # Nothing where it follows from the state: such trees have the digest of version 1.
    if len(tree.moves) >= len(legal):
        return b''
    return b''.join(INDEX.pack(legal.index(move)) for move in tree.moves)


def name_of(serialisation: bytes) -> str:
    """Return the digest of a serialised tree."""
    return hashlib.blake2b(serialisation, digest_size=DIGEST_SIZE).hexdigest()


@functools.singledispatch
def digest(tree: Node) -> str:
    """Return the name of the whole tree: 64 hexadecimal digits.

    Other classes of nodes may register a faster way to the same digits.
    """
    return name_of(serialise(tree))
