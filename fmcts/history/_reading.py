"""Read a tree from its canonical serialisation (`fmcts.search._digest`), strictly.

The serialisation has no states: they follow from the root's by the game's moves, and every count in
it is compared with them. Visits and rewards are compared with those of the node above. Columns,
such as proofs and priors, and tables are read as they are: only a repeated search verifies them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, get_args

from fmcts.game import GameState, Player, checked_chances, checked_moves, is_plain, players_of
from fmcts.history._container import FileError
from fmcts.search._columns import NONE, ColumnNames, Columns
from fmcts.search._digest import (
    HEADER,
    INDEX,
    NODE,
    WITH_COLUMNS,
    WITH_MEMORY,
    WITH_TABLES,
    players_header,
)
from fmcts.search._tree import Node, tree_of_rows
from fmcts.search.memory import LARGEST, Index, Layout, Numbers, Remembered, Where

WIDE: Final = struct.Struct('<5qd')
COUNT: Final = struct.Struct('<q')
LONGEST_NAME: Final = 200
ROUNDING: Final = 1e-6  # of a node's visits: two sums of its rewards may differ so much
PLAYERS: Final = (Player.X, Player.O)


class _Reader:
    """The bytes of a serialisation, read from the front."""

    def __init__(self, numbers: bytes) -> None:
        self.numbers = numbers
        self.at = 0

    @property
    def left(self) -> int:
        """The number of bytes not read yet."""
        return len(self.numbers) - self.at

    def take(self, form: struct.Struct) -> tuple[Any, ...]:
        """Read a record."""
        if form.size > self.left:
            raise FileError('its tree ends too early')
        found = form.unpack_from(self.numbers, self.at)
        self.at += form.size
        return found

    def doubles(self, count: int) -> tuple[float, ...]:
        """Read `count` doubles, none of them NaN."""
        if count > self.left // 8:
            raise FileError('its tree ends too early')
        found = self.take(struct.Struct(f'<{count}d'))
        if any(number != number for number in found):  # noqa: PLR0124 - NaN
            raise FileError('a number of its tree is NaN')
        return found

    def line(self) -> str:
        """Read a line of text."""
        end = self.numbers.find(b'\n', self.at, self.at + LONGEST_NAME)
        try:
            text = self.numbers[self.at : end].decode('ascii')
        except UnicodeDecodeError:
            end = -1
        if end < 0:
            raise FileError('the columns of its tree have other names')
        self.at = end + 1
        return text

    def entries(self, count: int, keys: int = 1) -> dict[Where, Numbers]:
        """Read what is stored by player and one or two keys: `count` numbers for each."""
        width = 1 + keys + count
        (rows,) = self.take(COUNT)
        if not 0 <= rows <= self.left // (8 * width):
            raise FileError('a table of its tree has an impossible size')
        found: dict[Where, Numbers] = {}
        for _ in range(rows):
            player, *row = self.doubles(width)
            where, numbers = row[:keys], row[keys:]
            if player not in (0.0, 1.0) or not all(
                key.is_integer() and abs(key) <= LARGEST for key in where
            ):
                raise FileError('a table of its tree has an impossible key')
            found[PLAYERS[int(player)], *map(int, where)] = tuple(numbers)
        if len(found) < rows:
            raise FileError('a table of its tree has a key twice')
        return found


def _names(reader: _Reader) -> ColumnNames:
    """Read the header."""
    begin = reader.numbers[reader.at : reader.at + len(HEADER) + 1]
    if begin.startswith(HEADER) and begin != b'fmcts-tree-1-':
        reader.at += len(HEADER)
        return ColumnNames()
    kind, *counts = reader.line().split(' ')
    if kind not in (WITH_COLUMNS, WITH_TABLES) or len(counts) != 1 + (kind == WITH_TABLES):
        raise FileError('its tree is not serialised as fmcts-tree-1')
    if not all(count.isdecimal() and len(count) < 4 for count in counts):
        raise FileError('the columns of its tree have other names')
    own = tuple(reader.line() for _ in range(int(counts[0])))
    return ColumnNames(own)


def tree_in(numbers: bytes, state: GameState[Any], head: Mapping[str, Any], most: int) -> Node:
    """Return the tree of `state` in a serialisation, of at most `most` nodes.

    `head` has what the serialisation leaves out: the names of the columns of moves (`moves`) and
    of tables (`table`), the memories (`memories`: name, keys and numbers of an entry), and the
    root's moves if they are not all legal ones (`root_moves`).

    :raises FileError: it is not a tree of this game and position.
    """
    reader = _Reader(numbers)
    about_players = players_header(state)
    if not numbers.startswith(about_players):
        raise FileError('its tree belongs to a game with other players')
    reader.at = len(about_players)
    names = _names(reader)
    more = tuple(_texts(head, 'moves')), tuple(_texts(head, 'table'))
    if tuple(reader.line() for name in (*more[0], *more[1])) != (*more[0], *more[1]):
        raise FileError('the columns of its tree have other names')
    names = names._replace(moves=more[0], table=more[1])
    chosen = _root_moves(state, head)
    rows = [*islice(_rows(reader, state, names, chosen), most + 1)]
    if len(rows) > most:
        raise FileError(f'its tree has more nodes than the {most} bytes of its numbers')
    _check_sums(rows)
    if len(chosen) < len(_options(state)):
        for move in chosen:
            if reader.take(INDEX)[0] != state.moves.index(move):
                raise FileError('its root has other moves')
    memories = tuple(_memories(reader, head))
    if reader.left:
        raise FileError('something follows its tree')
    facts, width = rows[0]
    if memories:
        rows[0] = ((*facts[:6], facts[6]._replace(memory=memories)), width)
    return tree_of_rows(rows)


def _options(state: GameState[Any]) -> tuple[Any, ...]:
    """Return the moves of a state, or its outcomes where chance moves; both are checked."""
    outcomes = tuple(outcome for outcome, _ in checked_chances(state))
    return tuple(outcomes or state.moves or checked_moves(state))


def _texts(head: Mapping[str, Any], name: str) -> Sequence[str]:
    found = head.get(name, [])
    if not isinstance(found, list) or not all(isinstance(it, str) for it in found):
        raise FileError(f'its {name} must be a list of names')
    return found


def indices_in(head: Mapping[str, Any]) -> list[int] | None:
    """Return the indices of the root's moves; `None`: all that are legal.

    :raises FileError: they are something else.
    """
    found = head.get('root_moves')
    if found is None:
        return None
    if not isinstance(found, list) or not all(
        type(it) is int and 0 <= it < 1 << 31 for it in found
    ):
        raise FileError('its root_moves must be null or indices of moves')
    return found


def _root_moves(state: GameState[Any], head: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the moves that the root has to choose among."""
    legal, found = _options(state), indices_in(head)
    if found is None:
        return legal
    if not found or found != sorted(set(found)) or found[-1] >= len(legal):
        raise FileError('its root has other moves: it belongs to another position')
    return tuple(legal[index] for index in found)


def _rows(
    reader: _Reader,
    state: GameState[Any],
    names: ColumnNames,
    chosen: tuple[Any, ...],
) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Read the nodes in preorder: what a node is made of, and how many children it has."""
    form, players, first = WIDE if names else NODE, players_of(state), True
    # For each node whose children are still to come: its state, moves, how many, the last index.
    open_: list[list[Any]] = []
    while first or open_:
        index, mover, count, width, visits, reward = reader.take(form)
        if open_:
            above = open_[-1]
            if not above[3] < index < len(above[1]):
                raise FileError(f'a node of its tree has move number {index}, which does not exist')
            move, who = above[1][index], above[0].player
            here = above[0].play(move)
            moves = _options(here)
            above[2] -= 1
            above[3] = index
            while open_ and not open_[-1][2]:
                open_.pop()
        else:
            move, who, here, moves = None, players[mover % len(players)], state, chosen
        if (
            not 0 <= mover < len(players)
            or players[mover] != who
            or count != len(moves)
            or not 0 <= width <= count
            or not 0 <= visits < 1 << 62
            or not 0 <= reward <= visits
        ):
            raise FileError('its tree does not fit the position: it belongs to another one')
        columns = NONE
        if names:
            own = reader.doubles(len(names.own))
            lines = tuple(reader.doubles(count) for _ in names.moves)
            table = None
            if names.table:
                table = Remembered('table', reader.entries(len(names.table)))
            columns = Columns(names, own, lines, (), table)
        first = False
        yield (move, who, here, moves, visits, reward, columns), width
        if width:
            open_.append([here, moves, width, -1])


def _check_sums(rows: Sequence[tuple[tuple[Any, ...], int]]) -> None:
    """Check that each node has at least the visits of its moves, and their rewards.

    Rewards are compared in plain games only: in others a node has that of one player.

    :raises FileError: it does not.
    """
    plain = is_plain(rows[0][0][2])
    waiting: list[tuple[int, float]] = []  # visits and rewards for X, the first child's on top
    for (_, mover, _, _, visits, reward, _), width in reversed(rows):
        for_x = reward if mover is Player.X else visits - reward
        below = [waiting.pop() for _ in range(width)]
        rest = visits - sum(it for it, _ in below)
        more = for_x - sum(it for _, it in below)
        slack = ROUNDING * visits
        if rest < 0 or (plain and not -slack <= more <= rest + slack):
            raise FileError('a node of its tree has fewer visits or less reward than its moves')
        waiting.append((visits, for_x))


def _memories(reader: _Reader, head: Mapping[str, Any]) -> list[Remembered]:
    """Read what the playouts remember."""
    memories, found = head.get('memories', []), []
    if not isinstance(memories, list):
        raise FileError('its memories must be a list')
    for each in memories:
        if not (
            isinstance(each, list)
            and len(each) == 3
            and isinstance(each[0], str)
            and each[1] in (1, 2)
            and type(each[2]) is int
            and 0 <= each[2] < 100
        ):
            raise FileError('its memories must be names, each with counts of keys and numbers')
        name, keys, count = each
        if reader.line() != f'{WITH_MEMORY} {name}':
            raise FileError(f'its tree does not remember {name}')
        entries, layout = reader.entries(count, keys), _layout(head, name)
        if entries and layout and (len(layout[0]), 1 + (layout[1] == 'pairs')) != (count, keys):
            raise FileError(f'the table {name} of its tree has other columns or keys')
        found.append(Remembered(name, entries, layout))
    return found


def _layout(head: Mapping[str, Any], name: str) -> Layout | None:
    """Return the layout of the table of that name, if the file has it."""
    known = head.get('layouts', {})
    if not isinstance(known, dict):
        raise FileError('its layouts must be an object with an item for each table')
    if name not in known:
        return None
    try:
        columns, index, absent = known[name]
        numbers = tuple(map(float, absent))
        is_told = index in get_args(Index) and len(columns) == len(numbers)
    except (TypeError, ValueError):
        is_told = False
    if not is_told or not all(isinstance(column, str) for column in columns):
        raise FileError(f'the layout of {name} must be its columns, its index and absent numbers')
    return tuple(columns), index, numbers
